"""Which words of a text a verdict rests on, as pieces to be marked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.grading import AssertedMisconception, Grade, Verdict
from service.domain.text import Span

# Classes of the stylesheet, the weaker first: where marks overlap the stronger is shown.
SAID: Final = "said"
WRONG: Final = "said off"
STRENGTH: Final = ("", SAID, WRONG)


@dataclass(frozen=True, slots=True)
class Mark:
    span: Span
    look: str = SAID


@dataclass(frozen=True, slots=True)
class Piece:
    """`look` is empty for words without a mark."""

    text: str
    look: str = ""


def pieces(text: str, marks: Iterable[Mark]) -> tuple[Piece, ...]:
    """`text` cut where its marks begin and end; joined again it is the same text."""
    joined = groupby(_cut(text, tuple(marks)), key=lambda piece: piece.look)
    return tuple(Piece("".join(p.text for p in group), look) for look, group in joined)


def _cut(text: str, marks: tuple[Mark, ...]) -> Iterator[Piece]:
    inner = {p for m in marks for p in (m.span.start, m.span.end) if p < len(text)}
    for start, end in pairwise(sorted({0, *inner, len(text)})):
        here = Span(start, end)
        looks = (m.look for m in marks if m.span.overlaps(here))
        yield Piece(here.of(text), max(looks, key=STRENGTH.index, default=""))


def number_marks(claims: Iterable[NumericClaim]) -> Iterator[Mark]:
    for claim in claims:
        yield Mark(claim.span, WRONG if claim.verdict is ClaimVerdict.WRONG else SAID)


def belief_marks(beliefs: Iterable[AssertedMisconception]) -> Iterator[Mark]:
    for belief in beliefs:
        yield Mark(belief.evidence.span, WRONG)


def evidence_marks(grade: Grade | None) -> tuple[Mark, ...]:
    """All words of one answer that a finding, a misconception or a number stands on."""
    if grade is None:
        return ()
    findings = (
        Mark(f.evidence.span, WRONG if f.verdict is Verdict.CONTRADICTED else SAID)
        for f in grade.findings
        if f.evidence
    )
    return (*findings, *belief_marks(grade.misconceptions), *number_marks(grade.claims))
