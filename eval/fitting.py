"""Fits the trees that decide whether a stretch of text states an entry: a belief, or a point."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.domain.assertions import read_frames
from service.domain.assertions.evidence import FIGURES
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.rejection import rejected_spans
from service.domain.assertions.trees import LEAF
from service.domain.assertions.weighing import Scale

FOLDS: Final = 5
ROUNDS: Final = 2  # the stretch of a text that states its entry is chosen anew by each fit
SHAPE: Final[dict[str, Any]] = {
    "max_depth": 4,
    "learning_rate": 0.06,
    "max_iter": 150,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "early_stopping": False,
    "random_state": 0,
}


@dataclass(frozen=True, slots=True)
class Text:
    """`fold` keeps texts of one kind together; `weight` is what each stretch counts.

    `about` names what the text is read for, such as a question; entries in `open` may be said or
    not, and teach nothing.
    """

    text: str
    asserts: frozenset[str]
    fold: int
    weight: float
    source: str
    about: str = ""
    open: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """One row a stretch and entry."""

    figures: NDArray[np.float64]
    held: NDArray[np.bool_]
    texts: NDArray[np.int64]
    entries: NDArray[np.str_]

    def some(self, chosen: NDArray[Any]) -> "Table":
        return Table(
            self.figures[chosen], self.held[chosen], self.texts[chosen], self.entries[chosen]
        )


def measure(texts: Sequence[Text], scale_of: Callable[[Text], Scale], lexicon: Lexicon) -> Table:
    """Figures of every stretch of the texts, each text on its scale."""
    figures: list[tuple[float, ...]] = []
    held: list[bool] = []
    places: list[int] = []
    entries: list[str] = []
    for at, one in enumerate(texts):
        frames = read_frames(one.text, lexicon)
        for found in scale_of(one).measure(one.text, frames, rejected_spans(one.text)):
            if found.entry_id in one.open:
                continue
            figures.append(found.figures)
            held.append(found.entry_id in one.asserts)
            places.append(at)
            entries.append(found.entry_id)
    return Table(np.array(figures), np.array(held), np.array(places), np.array(entries))


def fit(table: Table, weights: NDArray[np.float64]) -> Any:
    """A text states an entry somewhere: of its stretches the most probable one is the example."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    likely = table.figures[:, 0]
    model: Any = None
    for _ in range(ROUNDS):
        chosen = _examples(table, likely)
        part = table.some(chosen)
        model = HistGradientBoostingClassifier(**SHAPE)
        model.fit(part.figures, part.held, sample_weight=weights[part.texts])
        likely = model.predict_proba(table.figures)[:, 1]
    return model


def _examples(table: Table, likely: NDArray[np.float64]) -> NDArray[np.int64]:
    best: dict[tuple[int, str], int] = {}
    chosen = [int(i) for i in np.flatnonzero(~table.held)]
    for at in np.flatnonzero(table.held):
        key = (int(table.texts[at]), str(table.entries[at]))
        if key not in best or likely[at] > likely[best[key]]:
            best[key] = int(at)
    return np.array(sorted([*chosen, *best.values()]))


def document_of(model: Any, least: float) -> dict[str, object]:
    """The ensemble as numbers; a leaf's value holds the learning rate already."""
    trees = [_nodes(stage[0].nodes) for stage in model._predictors]  # noqa: SLF001
    return {
        "figures": list(FIGURES),
        "least": least,
        "start": round(float(model._baseline_prediction.ravel()[0]), 6),  # noqa: SLF001
        "trees": trees,
    }


def _nodes(nodes: Any) -> list[list[float]]:
    return [
        [LEAF, 0, 0, 0, round(float(n["value"]), 6)]
        if n["is_leaf"]
        else [
            int(n["feature_idx"]),
            round(float(n["num_threshold"]), 6),
            int(n["left"]),
            int(n["right"]),
            0,
        ]
        for n in nodes
    ]


def cross_validate(texts: Sequence[Text], table: Table) -> NDArray[np.float64]:
    """The probability of every row by trees that saw nothing of its fold."""
    folds = np.array([t.fold for t in texts])[table.texts]
    weights = np.array([t.weight for t in texts])
    likely = np.zeros(len(table.held))
    for fold in range(FOLDS):
        model = fit(table.some(np.flatnonzero(folds != fold)), weights)
        there = np.flatnonzero(folds == fold)
        likely[there] = model.predict_proba(table.figures[there])[:, 1]
    return likely


def rates(
    texts: Sequence[Text], table: Table, likely: NDArray[np.float64], source: str, least: float
) -> str:
    """How many of the entries stated in the texts of `source` are found, and how many others."""
    found = {
        (int(t), str(b))
        for t, b in zip(table.texts[likely >= least], table.entries[likely >= least], strict=True)
        if texts[int(t)].source == source
    }
    right = sum(b in texts[t].asserts for t, b in found)
    there = sum(len(t.asserts) for t in texts if t.source == source)
    return f"{source} {least}: right {right} of {there}, wrong {len(found) - right}"
