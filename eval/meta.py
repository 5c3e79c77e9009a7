"""Agreement of a run with labels: per point, for misconceptions, and of the totals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import cast

from eval.answers import AnswerLine


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and F1 of one kind of decision; None where nothing was decided."""

    precision: float | None
    recall: float | None
    f1: float | None
    positives: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """`points` compares met with not met; `exact` all four labels."""

    answers: int
    judged_points: int
    unjudged_points: int
    exact: float | None
    points: Rates
    by_point: Mapping[str, Rates]
    misconceptions: Rates
    mean_absolute_error: float | None
    bias: float | None

    def document(self) -> dict[str, object]:
        return asdict(self)


def compare(
    answers: Sequence[AnswerLine], results: Mapping[str, Mapping[str, object]]
) -> Agreement:
    """Set labels beside results. Unjudged points are counted apart, never as right or wrong."""
    pairs = [
        (point, label, _verdict(results[a.id], point))
        for a in answers
        for point, label in a.points.items()
    ]
    judged = [p for p in pairs if p[2] != "unjudged"]
    names = sorted({p for p, _, _ in pairs})
    errors = _score_errors(answers, results)
    return Agreement(
        answers=len(answers),
        judged_points=len(judged),
        unjudged_points=len(pairs) - len(judged),
        exact=_mean([float(label == said) for _, label, said in judged]),
        points=_rates([(label == "met", said == "met") for _, label, said in pairs]),
        by_point={
            n: _rates([(label == "met", said == "met") for p, label, said in pairs if p == n])
            for n in names
        },
        misconceptions=_rates(_misconception_pairs(answers, results)),
        mean_absolute_error=_mean([abs(e) for e in errors]),
        bias=_mean(errors),
    )


def _verdict(result: Mapping[str, object], point: str) -> str:
    points = cast("Mapping[str, Mapping[str, str]]", result["points"])
    return points[point]["verdict"] if point in points else "unjudged"


def _misconception_pairs(
    answers: Sequence[AnswerLine], results: Mapping[str, Mapping[str, object]]
) -> list[tuple[bool, bool]]:
    pairs: list[tuple[bool, bool]] = []
    for answer in answers:
        true = set(answer.misconceptions or ())
        said = set(cast("Sequence[str]", results[answer.id]["misconceptions"]))
        pairs.extend((m in true, m in said) for m in sorted(true | said))
    return pairs


def _score_errors(
    answers: Sequence[AnswerLine], results: Mapping[str, Mapping[str, object]]
) -> list[float]:
    """Said minus true, in points of 100; an answer without a mark counts as 0 said."""
    return [
        float(cast("float | None", results[a.id]["score"]) or 0.0) - a.score
        for a in answers
        if a.score is not None
    ]


def _rates(pairs: Sequence[tuple[bool, bool]]) -> Rates:
    counts = Counter(pairs)
    hits = counts[True, True]
    said = hits + counts[False, True]
    true = hits + counts[True, False]
    f1 = 2 * hits / (said + true) if said + true else None
    return Rates(
        precision=hits / said if said else None,
        recall=hits / true if true else None,
        f1=f1,
        positives=true,
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None
