import pytest

from service.domain.assertions import Stance, read_frames


def subjects_of(text, lexicon):
    return [f.subjects[0] if f.subjects else "" for f in read_frames(text, lexicon)]


def stance_of(text, concept, lexicon):
    return [
        f.stance for f in read_frames(text, lexicon) for m in f.mentions if concept in m.concepts
    ]


def test_the_quote_of_a_frame_is_verbatim(lexicon):
    text = "ＺｅＲＯ－１ 只切\u200b优化器状态，梯度和参数保持全量。"
    spans = [f.span.of(text) for f in read_frames(text, lexicon)]
    assert "".join(spans).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("ZeRO-1 只切优化器状态。再往上一级，梯度也拆开。", "stage2"),
        ("Stage 2 shards gradients. One level up, weights are sharded too.", "stage3"),
        ("ZeRO-3 切参数。它每层都要 all-gather。", "stage3"),
        ("The third one gathers weights.", "stage3"),
        ("Compared with stage 2, stage 3 shards the weights.", "stage3"),
        ("ZeRO-2 在 ZeRO-1 的基础上切分梯度。", "stage2"),
        ("zero three shards the weights", "stage3"),
        ("零三连参数都切", "stage3"),
    ],
)
def test_the_subject_is_named_placed_or_carried(text, last, lexicon):
    assert subjects_of(text, lexicon)[-1] == last


def test_bare_numbers_in_a_run_are_stages(lexicon):
    assert subjects_of("1 切优化器、2 再加梯度、3 再加参数", lexicon) == [
        "stage1",
        "stage2",
        "stage3",
    ]


def test_respectively_pairs_stages_with_objects(lexicon):
    frames = read_frames("ZeRO-1/2/3 分别切分优化器状态、梯度和参数", lexicon)
    assert [(f.subjects, f.objects) for f in frames] == [
        (("stage1",), ("optimizer_states",)),
        (("stage2",), ("gradients",)),
        (("stage3",), ("parameters",)),
    ]


def test_speech_without_punctuation_is_cut_at_each_stage(lexicon):
    text = "zero one shards the optimizer states zero two also shards gradients"
    assert subjects_of(text, lexicon) == ["stage1", "stage2"]


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("ZeRO-1 切分梯度。", Stance.ASSERTED),
        ("有人说 ZeRO-1 切分梯度，这是不对的。", Stance.REJECTED),
        ("Some people say stage 1 shards gradients.", Stance.QUOTED),
        ("It is wrong that stage 1 shards gradients.", Stance.REJECTED),
        ("ZeRO-1 切分梯度吗？", Stance.ASKED),
        ("Does stage 1 shard gradients?", Stance.ASKED),
        ("如果 ZeRO-1 切分梯度，就成了 ZeRO-2。", Stance.HYPOTHETICAL),
        ("Stage 1 shards gradients. No wait, that is stage 2.", Stance.CORRECTED),
        ("I am not sure whether stage 1 shards gradients.", Stance.HEDGED),
        ("Stage 1 shards gradients or parameters.", Stance.HEDGED),
    ],
)
def test_only_what_is_meant_is_asserted(text, stance, lexicon):
    assert stance_of(text, "gradients", lexicon)[0] is stance


def test_words_thrown_together_assert_nothing(lexicon):
    text = "states optimizer the partitions only of stage the replicated and is of"
    assert {f.stance for f in read_frames(text, lexicon)} == {Stance.LISTED}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("ZeRO-1 不切分梯度", True),
        ("ZeRO-1 切分梯度", False),
        ("Stage 1 does not shard gradients", True),
        ("Not only does stage 2 shard gradients", False),
        ("梯度不再每卡一份", True),
    ],
)
def test_a_denied_predicate_is_marked(text, denied, lexicon):
    assert read_frames(text, lexicon)[-1].negated is denied


def test_traditional_characters_and_slips_read_the_same(lexicon):
    plain = read_frames("ZeRO-1 切分优化器状态", lexicon)[0]
    assert read_frames("ZeRO-1 切分優化器狀態", lexicon)[0].mentions == plain.mentions
    slip = read_frames("Stage 2 shards gradiants of all paramters", lexicon)[0]
    assert slip.objects == ("gradients", "parameters")


def test_a_bracket_inside_a_calculation_cuts_no_clause(lexicon):
    text = "In a ring each GPU sends 2(N-1)/N times the data."
    assert [f.span.of(text) for f in read_frames(text, lexicon)] == [text]


def test_an_aside_in_brackets_is_a_clause_of_its_own(lexicon):
    text = "ZeRO-1 (optimizer states) needs 4ψ+12ψ/N bytes."
    assert len(read_frames(text, lexicon)) > 1
