"""Points stated in words that no pattern knows: found, and never for a denial or a wrong number."""

from pathlib import Path
from typing import Final

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions import (
    match_in_other_words,
    match_points,
    prepare_point,
    read_frames,
)
from service.domain.assertions.point_wordings import wordings_of_points
from service.domain.grading import Dimension, PointClaim, Verdict
from service.flows.scales import open_scales

FOLDER: Final = Path(__file__).parents[3] / "knowledge"
KNOWLEDGE: Final = load_knowledge(FOLDER)
LEXICON: Final = load_lexicon(FOLDER / "lexicon")
SCALES: Final = open_scales(FOLDER, KNOWLEDGE, LEXICON).points


def read(question_id: str, text: str) -> dict[str, PointClaim]:
    assert SCALES is not None
    question, frames = KNOWLEDGE.questions[question_id], read_frames(text, LEXICON)
    prepared = [prepare_point(p, LEXICON) for p in question.rubric.points if p.patterns]
    found = match_points(text, frames, prepared)
    weighed = match_in_other_words(text, frames, found, SCALES.of(question_id))
    return {claim.point_id: claim for claim in weighed}


@pytest.mark.parametrize(
    ("question", "point", "text"),
    [
        (
            "kv-cache",
            "grows",
            "Double the conversation length and the cache doubles, and so with users.",
        ),
        ("kv-cache", "fewer_heads", "几个查询头凑合用一份，要留的东西就少了好几倍。"),
        (
            "mixed-precision",
            "master",
            "步子太小，加到 bf16 上等于没加，所以另外留一份 fp32 来累。",
        ),
        ("flash-attention", "no_matrix", "The full score table is never written out anywhere."),
    ],
)
def test_a_point_is_found_in_other_words_with_a_verbatim_quote(
    question: str, point: str, text: str
) -> None:
    claim = read(question, text)[point]
    assert claim.verdict is Verdict.MET
    assert claim.quote
    assert claim.quote in text


@pytest.mark.parametrize(
    ("question", "point", "text"),
    [
        ("kv-cache", "grows", "However long the conversation gets, what is kept stays the same."),
        ("kv-cache", "grows", "Does what is kept grow with the conversation?"),
        ("mixed-precision", "master", "半精度加小数完全没问题，不用另外记一份。"),
        ("flash-attention", "no_matrix", "The full score table is written out to HBM first."),
    ],
)
def test_a_denial_or_a_question_earns_nothing(question: str, point: str, text: str) -> None:
    assert read(question, text)[point].verdict is not Verdict.MET


def test_a_point_told_in_numbers_is_only_stated_with_its_number() -> None:
    assert SCALES is not None
    scale = SCALES.of("zero-stages")
    assert scale is not None
    text = "Stage three divides all twenty-two ψ by the cards, 22ψ/N bytes on each."
    assert "s6" not in scale.weigh(text, read_frames(text, LEXICON))


def test_points_of_experience_are_never_weighed() -> None:
    question = KNOWLEDGE.questions["zero-stages"]
    lived = {p.id for p in question.rubric.points if p.dimension is Dimension.EXPERIENCE}
    weighed = {w.entry_id for w in wordings_of_points(question, (), {})}
    assert lived
    assert weighed.isdisjoint(lived)


def test_a_question_outside_the_base_has_no_scale() -> None:
    assert SCALES is not None
    assert SCALES.of("no-such-question") is None
