"""From what an engine claims to what a candidate earns.

An engine returns readings; `ground` locates every quote, `grade` adds up. No engine ever gives a
score, and nothing here knows which engine it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.language import Bilingual, Message, msg
from service.domain.text import Haystack, Span


class Dimension(StrEnum):
    MOTIVATION = "motivation"
    STAGES = "stages"
    TRADEOFFS = "tradeoffs"
    EXPERIENCE = "experience"


class Level(StrEnum):
    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"
    ARCHITECT = "architect"


class Verdict(StrEnum):
    MET = "met"
    PARTIAL = "partial"
    MISSED = "missed"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"  # credit claimed, quote not in the answer: stays in the divisor
    UNJUDGED = "unjudged"  # no reading: leaves the divisor, lowers coverage


CREDIT: Final[Mapping[Verdict, Fraction]] = {
    Verdict.MET: Fraction(1),
    Verdict.PARTIAL: Fraction(1, 2),
    Verdict.MISSED: Fraction(0),
    Verdict.CONTRADICTED: Fraction(0),
    Verdict.UNSUPPORTED: Fraction(0),
}


@dataclass(frozen=True, slots=True)
class RubricPoint:
    id: str
    dimension: Dimension
    text: Bilingual
    fact_ids: tuple[str, ...] = ()
    required_from: Level = Level.JUNIOR  # the level from which a good answer must have it
    weight: Fraction = Fraction(1)
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    # Patterns over frames, as read from the file; `service.domain.assertions` gives them meaning.
    patterns: tuple[Mapping[str, object], ...] = ()
    quantities: tuple[str, ...] = ()  # kinds of number this point stands or falls with
    figures: tuple[str, ...] = ()  # drawn figures that must be right; see service.domain.drawing


@dataclass(frozen=True, slots=True)
class Rubric:
    question_id: str
    dimensions: Mapping[Dimension, Fraction]
    points: tuple[RubricPoint, ...]

    def point(self, point_id: str) -> RubricPoint:
        return next(p for p in self.points if p.id == point_id)


@dataclass(frozen=True, slots=True)
class Evidence:
    quote: str
    span: Span


@dataclass(frozen=True, slots=True)
class PointClaim:
    """What an engine says of one point; not yet trusted. `confidence` is 0..1."""

    point_id: str
    verdict: Verdict
    quote: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class MisconceptionClaim:
    misconception_id: str
    quote: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict that has been grounded in the answer.

    `ceiling` 0..1 is the most it can earn, less than 1 after a hint.
    """

    point_id: str
    verdict: Verdict
    evidence: Evidence | None = None
    confidence: float = 1.0
    note: Message | None = None
    ceiling: float = 1.0

    @property
    def credit(self) -> Fraction | None:
        """What it earns; None when it was not judged."""
        given = CREDIT.get(self.verdict)
        return None if given is None else min(given, Fraction(self.ceiling).limit_denominator(100))


@dataclass(frozen=True, slots=True)
class AssertedMisconception:
    misconception_id: str
    evidence: Evidence


class GradeStatus(StrEnum):
    GRADED = "graded"
    NOT_ENOUGH_EVIDENCE = "not_enough_evidence"


@dataclass(frozen=True, slots=True)
class Grade:
    """`score` and the dimensions run 0..100; None where nothing could be judged.

    `penalty` (0..100) is shown beside the score and never taken off inside it.
    """

    status: GradeStatus
    score: float | None
    dimensions: Mapping[Dimension, float | None]
    coverage: float
    findings: tuple[Finding, ...]
    misconceptions: tuple[AssertedMisconception, ...]
    claims: tuple[NumericClaim, ...]
    penalty: float = 0.0


PENALTY_PER_MISCONCEPTION: Final = 5.0
PENALTY_CEILING: Final = 20.0
# Below this share of judged weight there is no mark: the reader understood too little.
LEAST_COVERAGE: Final = Fraction(1, 2)
# Fewer content characters than this cannot carry a judgement (one short clause).
LEAST_CHARACTERS: Final = 12


def ground(
    claims: Sequence[PointClaim],
    rubric: Rubric,
    answer: str,
    numbers: Sequence[NumericClaim],
    forbidden: Sequence[Span] = (),
) -> tuple[Finding, ...]:
    """Locate each quote in the answer or withdraw the credit.

    One finding per rubric point, in rubric order. `forbidden` are spans that are not the
    candidate's own words (an echoed question, an injected instruction): quotes there pay nothing.
    A point whose quote holds a wrong number cannot be met. Grounding never raises a verdict.
    """
    by_id = {claim.point_id: claim for claim in claims}
    wrong = [n for n in numbers if n.verdict is ClaimVerdict.WRONG]
    words = Haystack.of(answer)
    return tuple(
        _ground_point(point, by_id.get(point.id), words, wrong, forbidden)
        for point in rubric.points
    )


def _ground_point(
    point: RubricPoint,
    claim: PointClaim | None,
    words: Haystack,
    wrong: Sequence[NumericClaim],
    forbidden: Sequence[Span],
) -> Finding:
    if claim is None or claim.verdict is Verdict.UNJUDGED:
        return Finding(point.id, Verdict.UNJUDGED, confidence=0.0)
    span = words.find(claim.quote)
    evidence = Evidence(span.of(words.original), span) if span else None
    if claim.verdict is Verdict.MISSED:
        return Finding(point.id, Verdict.MISSED, None, claim.confidence)
    if span is None or any(span.overlaps(f) for f in forbidden):
        note = msg("The quoted words are not the candidate's own.")
        return Finding(point.id, Verdict.UNSUPPORTED, None, claim.confidence, note)
    off = [n for n in wrong if n.span.overlaps(span) and str(n.quantity) in point.quantities]
    if off and claim.verdict in (Verdict.MET, Verdict.PARTIAL):
        return Finding(point.id, Verdict.MISSED, evidence, claim.confidence, off[0].why)
    return Finding(point.id, claim.verdict, evidence, claim.confidence)


def ground_misconceptions(
    claims: Sequence[MisconceptionClaim], answer: str, forbidden: Sequence[Span] = ()
) -> tuple[AssertedMisconception, ...]:
    """Keep the accusations whose quote stands in the candidate's own words, each once."""
    kept: dict[str, AssertedMisconception] = {}
    words = Haystack.of(answer)
    for claim in claims:
        span = words.find(claim.quote)
        if span is None or any(span.overlaps(f) for f in forbidden):
            continue
        kept.setdefault(
            claim.misconception_id,
            AssertedMisconception(claim.misconception_id, Evidence(span.of(answer), span)),
        )
    return tuple(kept.values())


def grade(
    rubric: Rubric,
    findings: Sequence[Finding],
    misconceptions: Sequence[AssertedMisconception] = (),
    claims: Sequence[NumericClaim] = (),
) -> Grade:
    """Add up: per dimension the weighted mean credit of its judged points, then the dimensions."""
    earned = {f.point_id: c for f in findings if (c := f.credit) is not None}
    means = {d: _dimension_mean(rubric, d, earned) for d in rubric.dimensions}
    coverage = _coverage(rubric, earned)
    score = _weighted(rubric, means) if coverage >= LEAST_COVERAGE else None
    return Grade(
        status=GradeStatus.GRADED if score is not None else GradeStatus.NOT_ENOUGH_EVIDENCE,
        score=_percent(score),
        dimensions={d: _percent(m) for d, m in means.items()},
        coverage=float(coverage),
        findings=tuple(findings),
        misconceptions=tuple(misconceptions),
        claims=tuple(claims),
        penalty=min(PENALTY_CEILING, PENALTY_PER_MISCONCEPTION * len(misconceptions)),
    )


def _dimension_mean(
    rubric: Rubric, dimension: Dimension, earned: Mapping[str, Fraction]
) -> Fraction | None:
    judged = [
        (p.weight, earned[p.id])
        for p in rubric.points
        if p.dimension is dimension and p.id in earned
    ]
    total = sum((w for w, _ in judged), Fraction(0))
    return sum((w * c for w, c in judged), Fraction(0)) / total if total else None


def _coverage(rubric: Rubric, earned: Mapping[str, Fraction]) -> Fraction:
    """Share of the rubric's weight that was judged, dimension weights included."""
    covered = Fraction(0)
    for dimension, weight in rubric.dimensions.items():
        points = [p for p in rubric.points if p.dimension is dimension]
        total = sum((p.weight for p in points), Fraction(0))
        judged = sum((p.weight for p in points if p.id in earned), Fraction(0))
        covered += weight * judged / total if total else Fraction(0)
    return covered / sum(rubric.dimensions.values(), Fraction(0))


def _weighted(rubric: Rubric, means: Mapping[Dimension, Fraction | None]) -> Fraction | None:
    known = [(rubric.dimensions[d], m) for d, m in means.items() if m is not None]
    total = sum((w for w, _ in known), Fraction(0))
    return sum((w * m for w, m in known), Fraction(0)) / total if total else None


def _percent(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value * 100), 2)
