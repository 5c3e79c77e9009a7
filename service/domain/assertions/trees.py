"""A fitted ensemble of small decision trees: figures in, a probability out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, cast

LEAF: Final = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes by number, the root first. A leaf has figure -1 and a value, another no value.

    A figure at most `bounds` goes to `left`, a greater one to `right`.
    """

    figures: tuple[int, ...]
    bounds: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    values: tuple[float, ...]

    def value(self, figures: Sequence[float]) -> float:
        at = 0
        while self.figures[at] != LEAF:
            goes_left = figures[self.figures[at]] <= self.bounds[at]
            at = self.left[at] if goes_left else self.right[at]
        return self.values[at]


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The logarithm of the odds is `start` and the sum of the trees' values."""

    figures: tuple[str, ...]
    start: float
    trees: tuple[Tree, ...]
    least: float  # the probability from which a belief counts as held

    def probability(self, figures: Sequence[float]) -> float:
        return 1.0 / (1.0 + exp(-(self.start + sum(t.value(figures) for t in self.trees))))


def read_ensemble(document: Mapping[str, object], figures: Sequence[str]) -> Ensemble:
    """The ensemble of a document made by `eval.fit_beliefs`.

    Raises:
        ValueError: it was fitted to other figures, or a tree is not one.
    """
    names = tuple(cast("list[str]", document.get("figures", [])))
    if names != tuple(figures):
        raise ValueError("the trees were fitted to other figures; fit them again")
    trees = tuple(
        _tree(rows, len(names)) for rows in cast("list[list[list[float]]]", document["trees"])
    )
    return Ensemble(
        names,
        float(cast("float", document["start"])),
        trees,
        float(cast("float", document["least"])),
    )


def _tree(rows: Sequence[Sequence[float]], figures: int) -> Tree:
    """One node a row: figure, bound, left, right, value; children always stand behind."""
    for at, row in enumerate(rows):
        branches = int(row[0]) != LEAF
        if int(row[0]) >= figures or (branches and not _behind(row, at, len(rows))):
            raise ValueError(f"node {at} of a tree leads nowhere")
    columns = tuple(zip(*rows, strict=True))
    return Tree(
        tuple(int(v) for v in columns[0]),
        tuple(columns[1]),
        tuple(int(v) for v in columns[2]),
        tuple(int(v) for v in columns[3]),
        tuple(columns[4]),
    )


def _behind(row: Sequence[float], at: int, size: int) -> bool:
    return at < row[2] < size and at < row[3] < size
