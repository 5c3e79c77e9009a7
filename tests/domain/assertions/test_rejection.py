import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions import find_misconceptions
from service.domain.assertions.rejection import rejected_spans, stands_outside
from service.settings import ROOT

KNOWLEDGE = load_knowledge(ROOT / "knowledge")
LEXICON = load_lexicon(ROOT / "knowledge" / "lexicon")
ATLAS = tuple(KNOWLEDGE.misconceptions.values())
# Sentences that name a belief and turn it down; `{}` is the belief.
ZH_FRAMES = (
    "“{}”这种说法是错误的。",
    "面试官问我是不是{}，我说不是。",
    "可能有人会觉得{}，但这是误解。",
    "同事坚持说{}，我给他看了不是这样。",
)
EN_FRAMES = (
    "A common myth: {}.",
    "A colleague claimed that {}, and I disagreed.",
    "It is not true that {}.",
    "My teammate insisted that {}; I showed him that it is wrong.",
)


def accused(text: str) -> list[str]:
    return [m.misconception_id for m in find_misconceptions(text, ATLAS, LEXICON)]


@pytest.mark.parametrize("frame", EN_FRAMES)
def test_an_english_sentence_that_turns_a_belief_down_accuses_nobody(frame: str):
    blamed = {m.id for m in ATLAS if accused(frame.format(m.belief.en))}
    assert blamed == set()


@pytest.mark.parametrize("frame", ZH_FRAMES)
def test_a_chinese_sentence_that_turns_a_belief_down_accuses_nobody(frame: str):
    blamed = {m.id for m in ATLAS if accused(frame.format(m.belief.zh))}
    # Two beliefs are two sentences; only the one beside the rejection is covered by it.
    assert blamed <= {"M13", "M63"}


def test_the_same_beliefs_said_plainly_are_named():
    for lang in ("zh", "en"):
        named = [m for m in ATLAS if m.id in accused(getattr(m.belief, lang))]
        assert len(named) >= 0.9 * len(ATLAS)


def test_no_fact_and_no_correction_is_called_a_misconception():
    texts = [t for f in KNOWLEDGE.facts.values() for t in (f.text.zh, f.text.en)]
    texts += [t for m in ATLAS for t in (m.correction.zh, m.correction.en)]
    assert len(texts) > 700
    assert [t for t in texts if accused(t)] == []


def test_a_rejection_reaches_the_sentence_before_it():
    text = "ZeRO is model parallelism. That is wrong. It is data parallelism."
    assert [s.of(text) for s in rejected_spans(text)] == ["ZeRO is model parallelism."]


def test_words_said_again_outside_count():
    text = "A myth: ZeRO is model parallelism. Still, ZeRO is model parallelism."
    assert stands_outside(text, "ZeRO is model parallelism", rejected_spans(text))
    assert not stands_outside(text, "A myth", rejected_spans(text))
