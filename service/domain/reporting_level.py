"""What a level asks for, as the mark it would earn: the line a dimension's bar is held against."""

from collections.abc import Sequence
from fractions import Fraction

from service.domain.grading import CREDIT, Dimension, Finding, Level
from service.domain.knowledge import Question
from service.domain.policy import required_points


def asked_of_level(
    question: Question, level: Level, findings: Sequence[Finding]
) -> dict[Dimension, float | None]:
    """Per dimension 0..100: the share of the judged weight that `level` requires.

    The divisor is that of the grade (judged points only), so mark and line can be compared. None
    where nothing was judged.
    """
    judged = {f.point_id for f in findings if f.verdict in CREDIT}
    required = {p.id for p in required_points(question, level)}
    return {
        dimension: _share(question, dimension, judged, required)
        for dimension in question.rubric.dimensions
    }


def _share(
    question: Question, dimension: Dimension, judged: set[str], required: set[str]
) -> float | None:
    points = [p for p in question.rubric.points if p.dimension is dimension and p.id in judged]
    total = sum((p.weight for p in points), Fraction(0))
    wanted = sum((p.weight for p in points if p.id in required), Fraction(0))
    return round(float(wanted / total * 100), 2) if total else None
