import pytest

from service.corpus.lexicon import load_lexicon
from service.domain.assertions import read_frames
from service.domain.assertions.model import Kind, Stance
from service.domain.assertions.wholesale import deny_wholesale
from service.settings import ROOT

LEXICON = load_lexicon(ROOT / "knowledge" / "lexicon")
EN = "ZeRO-1 shards the optimizer states. ZeRO-2 also shards the gradients."
ZH = "ZeRO-1 切分优化器状态。ZeRO-2 还切分梯度。"


def stances_of(text: str) -> list[Stance]:
    """Of the frames that speak of something that a stage divides."""
    return [
        f.stance
        for f in read_frames(text, LEXICON)
        if f.explicit and any(m.kind is Kind.OBJECT for m in f.mentions)
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{EN} All of the above is wrong.",
        f"{EN} Everything I have said so far is false.",
        f"{EN} Nothing of the above is true.",
        f"{EN} I would not say any of the above.",
        f"The following statements are all misconceptions: {EN}",
        f"I reject every claim below. {EN}",
        f"{ZH}上面说的每一条都不对。",
        f"{ZH}以上全部是误解。",
        f"下列说法都站不住脚：{ZH}",
        f"接下来每一句我都反对。{ZH}",
    ],
)
def test_what_is_turned_down_as_a_whole_is_not_held(text: str):
    found = stances_of(text)
    assert len(found) >= 2
    assert set(found) <= {Stance.REJECTED, Stance.CORRECTED}


@pytest.mark.parametrize(
    "text",
    [
        f"Not all of the above is wrong. {EN}",
        f"{EN} All of the above is right.",
        f"{EN} Is all of the above wrong?",
        f"{EN} 以上都是我自己验证过的。",
        f"{ZH}并非以上每一条都错。",
        f"All the gradients above the clip threshold are cut. {EN}",
    ],
)
def test_what_is_kept_or_asked_stays(text: str):
    assert not [f for f in read_frames(text, LEXICON) if f.stance is Stance.REJECTED]


def test_what_comes_after_the_turn_is_held_again():
    text = f"The following are all mistakes: ZeRO-1 shards the parameters. In fact, {EN}"
    frames = read_frames(text, LEXICON)
    assert [f.stance for f in frames if f.span.start > text.index("In fact")].count(
        Stance.REJECTED
    ) == 0
    assert Stance.REJECTED in {f.stance for f in frames}


def test_a_text_without_such_a_sentence_is_left_as_it_is():
    frames = read_frames(EN, LEXICON)
    assert deny_wholesale(EN, frames) == frames


@pytest.mark.parametrize(
    "text",
    [
        "I hold the following claim to be false: ZeRO-1 shards the optimizer states.",
        "To claim that ZeRO-1 shards the optimizer states is wrong.",
        "下面这种说法是错误的：ZeRO-1 切分优化器状态。",
        "要说 ZeRO-1 切分优化器状态，这是不对的。",
    ],
)
def test_one_statement_announced_or_enclosed_as_wrong_is_not_held(text: str):
    after = f"{text} {EN}"
    assert Stance.ASSERTED not in stances_of(text)
    assert stances_of(after).count(Stance.ASSERTED) == 2


def test_what_one_used_to_think_does_not_take_the_correction_along():
    text = "I used to think that ZeRO-1 shards gradients, but that is not so, in fact ZeRO-2 does."
    held = [f.span.of(text) for f in read_frames(text, LEXICON) if f.stance is Stance.ASSERTED]
    assert any("ZeRO-2" in words for words in held)
