"""How far people agree with each other: the ceiling a grader is held against."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from eval.answers import AnswerLine
from eval.measures.points import point_figures
from eval.measures.totals import alpha, total_figures
from eval.row import Row
from service.domain.grading import Rubric

Scorer = Callable[
    [Mapping[str, str], Rubric | None], tuple[float | None, Mapping[str, float | None]]
]


class Rated(Protocol):
    @property
    def line(self) -> AnswerLine: ...
    @property
    def row(self) -> Row: ...
    @property
    def said(self) -> float | None: ...


def ceiling(
    judged: Sequence[Rated], rubrics: Mapping[str, Rubric], score: Scorer
) -> dict[str, object] | None:
    """Each rater, and the grader, against the mean of the other raters; None below two raters."""
    names = sorted({label.rater for j in judged for label in j.line.raters})
    if len(names) < 2:  # noqa: PLR2004
        return None
    table = np.full((len(names) + 1, len(judged)), np.nan)
    for column, j in enumerate(judged):
        rubric = rubrics.get(str(j.row.get("question")))
        table[-1, column] = np.nan if j.said is None else j.said
        for label in j.line.raters:
            total = label.score if label.score is not None else score(label.points, rubric)[0]
            table[names.index(label.rater), column] = np.nan if total is None else total
    people = table[:-1]
    against = {n: _against(table[i], np.delete(people, i, 0)) for i, n in enumerate(names)}
    return {
        "raters": names,
        "alpha_totals": alpha(people),
        "points": point_figures(_point_pairs(judged, names[0], names[1])).document(),
        "by_point": _by_point(judged, names[0], names[1]),
        "each_against_the_others": against,
        "grader_against_all": _against(table[-1], people),
    }


def _against(one: "np.ndarray[tuple[int], np.dtype[np.float64]]", others: np.ndarray) -> object:
    counts = (~np.isnan(others)).sum(axis=0)
    means = np.nansum(others, axis=0) / np.maximum(counts, 1)
    both = (counts > 0) & ~np.isnan(one)
    return {"n": int(both.sum()), **total_figures(one[both], means[both])}


def _by_point(judged: Sequence[Rated], first: str, second: str) -> dict[str, object]:
    named = _named_pairs(judged, first, second)
    return {
        point: point_figures([pair for p, pair in named if p == point]).document()
        for point in sorted({p for p, _ in named})
    }


def _point_pairs(judged: Sequence[Rated], first: str, second: str) -> list[tuple[str, str]]:
    return [pair for _, pair in _named_pairs(judged, first, second)]


def _named_pairs(
    judged: Sequence[Rated], first: str, second: str
) -> list[tuple[str, tuple[str, str]]]:
    pairs: list[tuple[str, tuple[str, str]]] = []
    for j in judged:
        by = {label.rater: label.points for label in j.line.raters}
        one, other = by.get(first, {}), by.get(second, {})
        pairs.extend((p, (one[p], other[p])) for p in one if p in other)
    return pairs
