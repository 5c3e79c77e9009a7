"""How near totals of 0..100 come to the labels, and how sure that is.

Bands are cut at 20, 40, 60 and 80. QWK: quadratic weighted kappa of the bands. ICC(2,1): two-way
random effects, absolute agreement, single rating (Shrout and Fleiss 1979). SMD: difference of
means over the pooled standard deviation. None where a figure has no meaning.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, cast

import krippendorff
import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import cohen_kappa_score  # pyright: ignore[reportUnknownVariableType]

Scores = NDArray[np.float64]
Figures = dict[str, float | None]
CUTS: Final = (20.0, 40.0, 60.0, 80.0)
Level = Literal["nominal", "ordinal", "interval", "ratio"]
OFF_BY: Final = 15.0
LEAST: Final = 3
DRAWS: Final = 2000
SEED: Final = 20261130
_KAPPA = cast("Callable[..., float]", cohen_kappa_score)
_STATS = cast("Any", stats)
_DIGITIZE = cast("Callable[[object, object], NDArray[np.int64]]", cast("Any", np).digitize)
_ALPHA = cast("Callable[..., float]", krippendorff.alpha)


def bands(scores: Scores) -> NDArray[np.int64]:
    """0 for below 20, 4 for 80 and more."""
    return _DIGITIZE(scores, CUTS)


def total_figures(said: Scores, true: Scores) -> Figures:
    """Every figure of agreement between what was said and what is true."""
    if len(said) == 0:
        return {}
    difference = said - true
    apart: Scores = np.abs(bands(said) - bands(true)).astype(np.float64)
    return {
        **quick_figures(said, true),
        "rmse": float(np.sqrt(np.mean(difference**2))),
        "smd": _smd(said, true),
        "alpha": alpha(_rows(said, true)),
        "exact_band": float(np.mean(apart < 1)),
        "adjacent_band": float(np.mean(apart <= 1)),
        "off_by_15": float(np.mean(np.abs(difference) > OFF_BY)),
    }


def quick_figures(said: Scores, true: Scores) -> Figures:
    """Those that are given with an interval."""
    varied = len(said) >= LEAST and np.ptp(said) > 0 and np.ptp(true) > 0
    return {
        "mae": float(np.mean(np.abs(said - true))),
        "bias": float(np.mean(said - true)),
        "qwk": qwk(said, true),
        "icc": icc21(np.column_stack([said, true])),
        "pearson": float(_STATS.pearsonr(said, true).statistic) if varied else None,
        "spearman": float(_STATS.spearmanr(said, true).statistic) if varied else None,
    }


def _rows(*raters: Scores) -> Scores:
    return np.asarray(raters, dtype=np.float64)


def qwk(said: Scores, true: Scores) -> float | None:
    one, other = bands(said), bands(true)
    if len(set(one) | set(other)) < 2:  # noqa: PLR2004
        return None
    return float(_KAPPA(one, other, labels=list(range(len(CUTS) + 1)), weights="quadratic"))


def icc21(table: Scores) -> float | None:
    """Rows are answers, columns raters: (MSR-MSE) / (MSR + (k-1)MSE + k(MSC-MSE)/n)."""
    n, k = table.shape
    if n < LEAST:
        return None
    mean = table.mean()
    rows = k * np.sum((table.mean(axis=1) - mean) ** 2)
    columns = n * np.sum((table.mean(axis=0) - mean) ** 2)
    rest = np.sum((table - mean) ** 2) - rows - columns
    msr, msc, mse = rows / (n - 1), columns / (k - 1), rest / ((n - 1) * (k - 1))
    divisor = msr + (k - 1) * mse + k * (msc - mse) / n
    return float((msr - mse) / divisor) if divisor else None


def alpha(ratings: Scores, level: Level = "interval") -> float | None:
    """Krippendorff's alpha; rows are raters, NaN where one did not judge."""
    known = ratings[~np.isnan(ratings)]
    if len(set(known.tolist())) < 2:  # noqa: PLR2004
        return None
    return float(_ALPHA(ratings, level_of_measurement=level))


def _smd(said: Scores, true: Scores) -> float | None:
    if len(said) < LEAST:
        return None
    pooled = np.sqrt((said.var(ddof=1) + true.var(ddof=1)) / 2)
    return float((said.mean() - true.mean()) / pooled) if pooled else None


def intervals(
    clusters: Sequence[str], figures: Callable[[NDArray[np.int64]], Figures], draws: int = DRAWS
) -> Mapping[str, tuple[float, float]]:
    """95% percentile intervals; whole clusters are drawn, so variants of one base stay together.

    `figures` computes from the indices drawn. The seed is fixed: the same data, the same interval.
    """
    names = sorted(set(clusters))
    if len(names) < LEAST:
        return {}
    listed: dict[str, list[int]] = {}
    for at, name in enumerate(clusters):
        listed.setdefault(name, []).append(at)
    members = [np.array(listed[name], np.int64) for name in names]
    random = np.random.default_rng(SEED)
    found: dict[str, list[float]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a draw of equal values has no correlation
        for _ in range(draws):
            drawn = random.integers(0, len(names), len(names))
            for key, value in figures(np.concatenate(_picked(members, drawn.tolist()))).items():
                if value is not None and np.isfinite(value):
                    found.setdefault(key, []).append(value)
    return {key: _middle(values) for key, values in found.items() if len(values) > draws / 2}


def _picked(members: Sequence[NDArray[np.int64]], drawn: Sequence[int]) -> list[NDArray[np.int64]]:
    return [members[i] for i in drawn]


def _middle(values: Sequence[float]) -> tuple[float, float]:
    low, high = cast("Any", np).percentile(values, [2.5, 97.5])
    return float(low), float(high)
