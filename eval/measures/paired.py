"""Two graders on the same answers: exact McNemar per point, Wilcoxon on errors, Holm over points.

Holm (1979): the smallest p of m is multiplied by m, the next by m-1 ..., never below one before.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from scipy import stats

_STATS = cast("Any", stats)


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided exact p of answers that only one of the two got right; 1 when there are none."""
    n = only_first + only_second
    return float(_STATS.binomtest(only_first, n).pvalue) if n else 1.0


def wilcoxon(differences: Sequence[float]) -> float:
    """Two-sided p of paired differences; ties at zero are left out; 1 when nothing differs."""
    moved = [d for d in differences if d]
    return float(_STATS.wilcoxon(moved).pvalue) if moved else 1.0


def holm(ps: Mapping[str, float]) -> dict[str, float]:
    """Adjusted p by name."""
    adjusted: dict[str, float] = {}
    least = 0.0
    for rank, name in enumerate(sorted(ps, key=lambda n: ps[n])):
        least = max(least, min(1.0, ps[name] * (len(ps) - rank)))
        adjusted[name] = least
    return adjusted
