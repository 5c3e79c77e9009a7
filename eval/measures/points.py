"""How well single decisions agree: a rubric point met or not, a wrong belief held or not."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, cast

from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score  # pyright: ignore[reportUnknownVariableType]

_KAPPA = cast("Callable[..., float]", cohen_kappa_score)
_F1 = cast("Callable[..., float]", f1_score)
_STATS = cast("Any", stats)
CREDITED: Final = frozenset({"met", "partial"})
FULL: Final = "met"
OPEN: Final = "unjudged"


@dataclass(frozen=True, slots=True)
class PointFigures:
    """`accuracy`, `macro_f1`, `kappa`, precision, recall: met against not met.

    `false_credit`: share of points without any credit in the label that were given some;
    `missed_credit`: share of those with credit that were given none. Points left open are counted
    in `unjudged` and, having earned nothing, as not met. `exact`: the same of all four labels,
    among the points that were judged.
    """

    n: int
    positives: int
    unjudged: int
    accuracy: float | None
    macro_f1: float | None
    kappa: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    exact: float | None
    false_credit: float | None
    missed_credit: float | None

    def document(self) -> dict[str, object]:
        return asdict(self)


def point_figures(pairs: Sequence[tuple[str, str]]) -> PointFigures:
    """From pairs of (label, what was said)."""
    true = [t == FULL for t, _ in pairs]
    said = [s == FULL for _, s in pairs]
    both = sum(t and s for t, s in zip(true, said, strict=True))
    judged = [(t, s) for t, s in pairs if s != OPEN]
    earned = [s in CREDITED for t, s in pairs if t in CREDITED]
    unearned = [s in CREDITED for t, s in pairs if t not in CREDITED]
    return PointFigures(
        n=len(pairs),
        positives=sum(true),
        unjudged=len(pairs) - len(judged),
        accuracy=share([t == s for t, s in zip(true, said, strict=True)]),
        macro_f1=_F1(true, said, average="macro", labels=[False, True], zero_division=0.0)
        if pairs
        else None,
        kappa=_KAPPA(true, said) if len({*true, *said}) > 1 else None,
        precision=both / sum(said) if any(said) else None,
        recall=both / sum(true) if any(true) else None,
        f1=2 * both / (sum(said) + sum(true)) if any(said) or any(true) else None,
        exact=share([t == s for t, s in judged]),
        false_credit=share(unearned),
        missed_credit=share([not e for e in earned]),
    )


def share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95% interval of a rate; n must be at least 1."""
    found = _STATS.binomtest(hits, n).proportion_ci(method="wilson")
    return float(found.low), float(found.high)
