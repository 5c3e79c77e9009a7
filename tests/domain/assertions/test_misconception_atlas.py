import pytest

from service.domain.assertions import find_misconceptions
from service.domain.language import Lang, detect_language


def held(text, knowledge, lexicon):
    atlas = knowledge.misconceptions.values()
    return [c.misconception_id for c in find_misconceptions(text, atlas, lexicon)]


def test_the_atlas_holds_all_known_beliefs(knowledge):
    assert {f"M{n:02d}" for n in range(1, 62)} <= set(knowledge.misconceptions)


def test_beliefs_are_recognised_in_both_languages(knowledge, lexicon):
    known = list(knowledge.misconceptions.values())
    found = sum(
        m.id in held(text, knowledge, lexicon) for m in known for text in (m.belief.zh, m.belief.en)
    )
    assert found >= 0.9 * 2 * len(known)


def test_corrections_and_facts_accuse_nobody(knowledge, lexicon):
    texts = [
        t for m in knowledge.misconceptions.values() for t in (m.correction.zh, m.correction.en)
    ]
    texts += [t for f in knowledge.facts.values() for t in (f.text.zh, f.text.en)]
    accused = [(text, ids) for text in texts if (ids := held(text, knowledge, lexicon))]
    assert len(accused) <= 0.005 * len(texts), accused


@pytest.mark.parametrize(
    "text",
    [
        "有人说 ZeRO-3 的通信量是 DDP 的三倍，这是错的。",
        "Many think ZeRO-2 increases traffic; that is a misconception.",
        "ZeRO 会降低激活显存吗？",
        "ZeRO is not model parallelism.",
        "ZeRO-3 的通信量是 DDP 的三倍，不对，是 1.5 倍。",
    ],
)
def test_a_belief_rejected_asked_about_or_taken_back_is_not_held(text, knowledge, lexicon):
    assert held(text, knowledge, lexicon) == []


def test_the_quote_is_verbatim(knowledge, lexicon):
    text = "先说结论。ZeRO-3 的通信量是 DDP 的三倍。其余以后再说。"
    [claim] = find_misconceptions(text, knowledge.misconceptions.values(), lexicon)
    assert claim.misconception_id == "M09"
    assert claim.quote in text


@pytest.mark.parametrize("lang", list(Lang))
def test_every_belief_has_a_probe_that_asks_and_asserts_nothing(lang, knowledge, lexicon):
    for known in knowledge.misconceptions.values():
        assert known.probe is not None, known.id
        probe = known.probe.in_(lang)
        assert detect_language(probe) is lang, probe
        assert probe.endswith(("？", "?", "。", ".")), probe
        assert len(probe) <= 200, probe
        assert held(probe, knowledge, lexicon) == [], probe


@pytest.mark.parametrize(
    "text",
    [
        "bf16 指数位和 fp32 一样所以不需要 loss scaling；fp16 小梯度会下溢，需要 loss scaling。",
        "bf16 范围够大，需要 loss scaling 的是 fp16。",
        "With bf16 you can skip it, whereas with fp16 you need dynamic loss scaling.",
        "bf16 has the range of fp32; fp16 needs loss scaling.",
    ],
)
def test_what_is_said_of_a_rival_is_not_held_against_the_subject_before_it(
    text, knowledge, lexicon
):
    assert held(text, knowledge, lexicon) == []


@pytest.mark.parametrize(
    "text",
    ["bf16 和 fp16 一样，也需要 loss scaling。", "Just like fp16, bf16 needs loss scaling."],
)
def test_a_rival_named_for_comparison_takes_nothing_over(text, knowledge, lexicon):
    assert held(text, knowledge, lexicon) == ["M55"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("SHARD_GRAD_OP 相当于 ZeRO-2，前向之后不释放参数。", []),
        ("SHARD_GRAD_OP roughly corresponds to ZeRO-2.", []),
        ("ZeRO-3 有点像模型并行。", []),
        ("SHARD_GRAD_OP 就是 ZeRO-2。", ["M24"]),
        ("SHARD_GRAD_OP is the same as ZeRO-2.", ["M24"]),
    ],
)
def test_calling_things_alike_is_not_calling_them_the_same(text, ids, knowledge, lexicon):
    assert held(text, knowledge, lexicon) == ids
