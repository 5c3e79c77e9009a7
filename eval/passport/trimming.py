"""What of an agreement goes into the passport: figures, never an item; rounded."""

from collections.abc import Mapping
from typing import Final, cast

from eval.meta import Document

KEPT: Final = (
    "answers", "labelled", "missing", "blank", "no_mark", "clusters", "points", "by_point",
    "misconceptions", "totals", "totals_with_blanks", "dimensions", "confusion", "calibration",
    "calibration_error", "risk_coverage", "floors", "point_floors", "raters", "groups", "pairs",
)  # fmt: skip
DECIMALS: Final = 4


def trimmed(document: Document) -> Document:
    """`scores` is the spread of the marks in place of the pairs."""
    kept = {k: document[k] for k in KEPT}
    pairs = cast("list[tuple[str, float, float]]", kept.pop("pairs"))
    kept["scores"] = {
        "said": _spread([s for _, _, s in pairs]),
        "true": _spread([t for _, t, _ in pairs]),
    }
    return cast("Document", rounded(kept))


def _spread(scores: list[float]) -> Document:
    """Share of each fifth of the scale, mean and standard deviation."""
    if not scores:
        return {}
    bands = [0] * 5
    for score in scores:
        bands[min(4, int(score // 20))] += 1
    mean = sum(scores) / len(scores)
    deviation = (sum((s - mean) ** 2 for s in scores) / len(scores)) ** 0.5
    return {
        "bands": bands,
        "mean": mean,
        "sd": deviation,
        "least": min(scores),
        "most": max(scores),
    }


def rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return {k: rounded(v) for k, v in pairs}
    if isinstance(value, list | tuple):
        return [rounded(v) for v in cast("list[object]", value)]
    return value
