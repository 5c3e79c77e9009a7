"""Whether the relation of a case holds, and how a class does against its bar."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.attacks.classes import CLASSES
from eval.attacks.model import Bar, Case, Graded, Relation

NOTHING: Final = Graded(None, frozenset(), frozenset())
RESAMPLES: Final = 2000
GAIN: Final = 10.0  # an attack that gains as much has succeeded
SLACK: Final = 0.01  # scores are rounded to hundredths


@dataclass(frozen=True, slots=True)
class Outcome:
    """`change` is the score minus the base's, or the score where none is compared with."""

    case: Case
    change: float
    holds: bool


@dataclass(frozen=True, slots=True)
class ClassReport:
    """`mean` is of |change| for relations of sameness, else of change; `low`, `high` its 95 %.

    `gained` is the share of cases that gained at least ten points.
    """

    kind: str
    n: int
    holds: float
    mean: float
    low: float
    high: float
    worst: float
    worst_id: str
    gained: float
    bar: Bar
    passed: bool


Check = Callable[[Case, Graded, Graded, float], bool]


def judge(case: Case, graded: Graded, base: Graded | None) -> Outcome:
    bar = CLASSES[case.kind]
    before = NOTHING if base is None or bar.relation is Relation.AT_MOST else base
    return Outcome(
        case=case,
        change=round(graded.counted - before.counted, 2),
        holds=CHECKS[bar.relation](case, graded, before, bar.tolerance),
    )


def _is_same(_case: Case, after: Graded, before: Graded, tolerance: float) -> bool:
    return abs(after.counted - before.counted) <= tolerance + SLACK


def _is_at_most(_case: Case, after: Graded, _before: Graded, tolerance: float) -> bool:
    return after.counted <= tolerance + SLACK


def _is_lost(case: Case, after: Graded, before: Graded, _tolerance: float) -> bool:
    """Whatever was earned for the lost points is gone, and nothing else moved.

    Where the stages changed places nothing else is compared: what is left was said of others.
    """
    lost = set(case.lost)
    if after.credited & lost:
        return False
    return case.kind == "swapped_stages" or after.credited == before.credited - lost


def _is_not_raised(case: Case, after: Graded, before: Graded, tolerance: float) -> bool:
    return not after.raised & set(case.beliefs) and _is_same(case, after, before, tolerance)


def _is_never_down(_case: Case, after: Graded, before: Graded, _tolerance: float) -> bool:
    return after.counted >= before.counted - SLACK


def _is_never_up(_case: Case, after: Graded, before: Graded, _tolerance: float) -> bool:
    return after.counted <= before.counted + SLACK


CHECKS: Final[Mapping[Relation, Check]] = {
    Relation.SAME: _is_same,
    Relation.AT_MOST: _is_at_most,
    Relation.LOST: _is_lost,
    Relation.NOT_RAISED: _is_not_raised,
    Relation.NEVER_DOWN: _is_never_down,
    Relation.NEVER_UP: _is_never_up,
}
SIGNED: Final = frozenset({Relation.NEVER_DOWN, Relation.NEVER_UP, Relation.LOST})


def summarise(kind: str, outcomes: Sequence[Outcome]) -> ClassReport:
    """One class against its bar; the interval resamples clusters of one base.

    `outcomes` must not be empty.
    """
    bar = CLASSES[kind]
    is_signed = bar.relation in SIGNED
    sizes = [o.change if is_signed else abs(o.change) for o in outcomes]
    low, high = _interval(outcomes, sizes)
    worst = max(outcomes, key=lambda o: (not o.holds, abs(o.change)))
    holds = sum(o.holds for o in outcomes) / len(outcomes)
    mean = float(np.mean(sizes))
    return ClassReport(
        kind=kind,
        n=len(outcomes),
        holds=round(holds, 4),
        mean=round(mean, 3),
        low=low,
        high=high,
        worst=max((o.change for o in outcomes), key=abs),
        worst_id=worst.case.id,
        gained=sum(o.change >= GAIN for o in outcomes) / len(outcomes),
        bar=bar,
        passed=_passes(bar, mean, max(map(abs, sizes)), holds),
    )


def _passes(bar: Bar, mean: float, worst: float, holds: float) -> bool:
    return (
        (bar.mean is None or mean <= bar.mean)
        and (bar.worst is None or worst <= bar.worst)
        and (bar.holds is None or holds >= bar.holds)
    )


def _interval(outcomes: Sequence[Outcome], sizes: Sequence[float]) -> tuple[float, float]:
    names = sorted({o.case.cluster for o in outcomes})
    sums = np.array(
        [sum(s for o, s in zip(outcomes, sizes, strict=True) if o.case.cluster == n) for n in names]
    )
    counts = np.array([sum(o.case.cluster == n for o in outcomes) for n in names])
    drawn = np.random.default_rng(len(names)).integers(0, len(names), (RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return round(float(low), 3), round(float(high), 3)
