"""Fits the trees that decide whether a stretch of text holds a wrong belief.

    python -m eval.fit_beliefs [--check]

Learns from the development wordings, the development answers and the facts (which hold no wrong
belief); never from a test half. `--check` writes nothing: each fifth of the beliefs is read by
trees fitted to the other four. The patterns take no part, so that what is learned does not lean
on what was tuned on the same texts.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
import typer
from numpy.typing import NDArray

from eval.misconceptions import CASES
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions import read_frames
from service.domain.assertions.evidence import FIGURES, Evidence, wordings_of
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.rejection import rejected_spans
from service.domain.assertions.trees import LEAF, Ensemble, read_ensemble
from service.domain.assertions.weighing import BeliefScale
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.flows.beliefs import TREES
from service.retrieval.nearness import SentenceNearness
from service.settings import read_settings

ANSWERS: Final = CASES.parent / "answers" / "dev_answers.jsonl"
LEAST: Final = 0.7  # in cross-validation the least that accuses none of the true facts
FOLDS: Final = 5
ROUNDS: Final = 2  # the stretch of a text that states its belief is chosen anew by each fit
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
    """`fold` keeps all texts of a belief together; `weight` is what each stretch counts."""

    text: str
    asserts: frozenset[str]
    fold: int
    weight: float
    source: str


@dataclass(frozen=True, slots=True)
class Table:
    """One row a stretch and belief."""

    figures: NDArray[np.float64]
    held: NDArray[np.bool_]
    texts: NDArray[np.int64]
    beliefs: NDArray[np.str_]

    def some(self, chosen: NDArray[Any]) -> "Table":
        return Table(
            self.figures[chosen], self.held[chosen], self.texts[chosen], self.beliefs[chosen]
        )


def read_texts(knowledge: Knowledge) -> Iterator[Text]:
    """The texts learned from, with their labels."""
    for row in _rows(CASES / "dev.jsonl"):
        belief = str(row["about"])
        yield Text(row["text"], frozenset(row["asserts"]), int(belief[1:]) % FOLDS, 1.0, "dev")
    for at, fact in enumerate(knowledge.facts.values()):
        for lang in Lang:
            yield Text(fact.text.in_(lang), frozenset(), at % FOLDS, 0.5, "facts")
    for at, row in enumerate(_rows(ANSWERS)):
        held = frozenset(row["misconceptions"])
        yield Text(row["answer"], held, at % FOLDS, 0.5, "answers")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def measure(texts: Sequence[Text], scale: BeliefScale, lexicon: Lexicon) -> Table:
    figures: list[tuple[float, ...]] = []
    held: list[bool] = []
    places: list[int] = []
    beliefs: list[str] = []
    for at, one in enumerate(texts):
        frames = read_frames(one.text, lexicon)
        for found in scale.measure(one.text, frames, rejected_spans(one.text)):
            figures.append(found.figures)
            held.append(found.belief_id in one.asserts)
            places.append(at)
            beliefs.append(found.belief_id)
    return Table(np.array(figures), np.array(held), np.array(places), np.array(beliefs))


def fit(table: Table, weights: NDArray[np.float64]) -> Any:
    """A text states a belief somewhere: of its stretches the most probable one is the example."""
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
        key = (int(table.texts[at]), str(table.beliefs[at]))
        if key not in best or likely[at] > likely[best[key]]:
            best[key] = int(at)
    return np.array(sorted([*chosen, *best.values()]))


def document_of(model: Any) -> dict[str, object]:
    """The ensemble as numbers; a leaf's value holds the learning rate already."""
    trees = [_nodes(stage[0].nodes) for stage in model._predictors]  # noqa: SLF001
    return {
        "figures": list(FIGURES),
        "least": LEAST,
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


def _check(texts: Sequence[Text], table: Table, weights: NDArray[np.float64]) -> None:
    folds = np.array([t.fold for t in texts])[table.texts]
    likely = np.zeros(len(table.held))
    for fold in range(FOLDS):
        model = fit(table.some(np.flatnonzero(folds != fold)), weights)
        there = np.flatnonzero(folds == fold)
        likely[there] = model.predict_proba(table.figures[there])[:, 1]
    for source in ("dev", "facts", "answers"):
        for least in (0.5, 0.6, LEAST):
            print(source, least, _rates(texts, table, likely, source, least))


def _rates(
    texts: Sequence[Text], table: Table, likely: NDArray[np.float64], source: str, least: float
) -> str:
    found = {
        (int(t), str(b))
        for t, b in zip(table.texts[likely >= least], table.beliefs[likely >= least], strict=True)
        if texts[int(t)].source == source
    }
    right = sum(b in texts[t].asserts for t, b in found)
    there = sum(len(t.asserts) for t in texts if t.source == source)
    return f"right {right} of {there}, wrong {len(found) - right}"


def main(
    check: Annotated[bool, typer.Option("--check", help="Cross-validate, write nothing.")] = False,
) -> None:
    """Fit the trees and write them into the knowledge base. 拟合误解判别树。"""
    folder = read_settings().knowledge_dir
    knowledge, lexicon = load_knowledge(folder), load_lexicon(folder / "lexicon")
    wordings = wordings_of(tuple(knowledge.misconceptions.values()))
    nearness = SentenceNearness([w.text for w in wordings])
    scale = BeliefScale(Evidence(wordings, lexicon), nearness, Ensemble((), 0, (), 1), lexicon)
    texts = tuple(read_texts(knowledge))
    table = measure(texts, scale, lexicon)
    weights = np.array([t.weight for t in texts])
    if check:
        _check(texts, table, weights)
        return
    document = document_of(fit(table, weights))
    read_ensemble(document, FIGURES)
    (folder / TREES).write_text(
        json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print(f"{len(cast('list[object]', document['trees']))} trees", file=sys.stderr)


if __name__ == "__main__":
    typer.run(main)
