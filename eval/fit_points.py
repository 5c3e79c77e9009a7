"""Fits the trees that decide whether a stretch of an answer states a point of the rubric.

    python -m eval.fit_points [--check] [--curve]

Learns from development texts alone: labelled clauses of several writers, answers, and attacks on
the constructed answers. The same trees serve every
question: they weigh how a stretch fits, not what the question is. `--check` writes nothing and
reads each fifth of the questions by trees fitted to the others; `--curve` shows what more
wordings bring, on writers that are kept back.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, cast

import numpy as np
import typer

from eval.fitting import Table, Text, cross_validate, document_of, fit, measure, rates
from eval.point_texts import CASES, rated_points, read_texts, read_written
from service.corpus.denials import Denials, load_denials
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions.evidence import FIGURES, Evidence
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.point_wordings import wordings_of_points
from service.domain.assertions.trees import Ensemble, read_ensemble
from service.domain.assertions.weighing import PointScale, Scale
from service.domain.knowledge import Knowledge
from service.flows.scales import POINT_TREES
from service.retrieval.embedding import UseEmbedder
from service.retrieval.nearness import SentenceNearness
from service.settings import read_settings

LEAST: Final = 0.7  # in cross-validation five true ones for one false, where half are false
SOURCES: Final = (
    "clauses", "answers", "far", "written", "built", "attacks",
)  # fmt: skip
SHARES: Final = (0.1, 0.25, 0.5, 1.0)
SEED: Final = 7


class ScaleOf:
    """The scale that a text is measured on: that of its question."""

    def __init__(self, knowledge: Knowledge, denials: Denials, lexicon: Lexicon) -> None:
        self._knowledge = knowledge
        self._denials = denials
        self._lexicon = lexicon
        self._embedder = UseEmbedder()
        self._made: dict[str, Scale] = {}

    def __call__(self, text: Text) -> Scale:
        if text.about not in self._made:
            self._made[text.about] = self._scale(text.about)
        return self._made[text.about]

    def _scale(self, question_id: str) -> Scale:
        question = self._knowledge.questions[question_id]
        atlas = self._knowledge.misconceptions.values()
        wordings = wordings_of_points(question, atlas, self._denials.get(question_id, {}))
        nearness = SentenceNearness([w.text for w in wordings], self._embedder)
        ensemble = Ensemble((), 0, (), 1)
        return PointScale(Evidence(wordings, self._lexicon), nearness, ensemble, self._lexicon)


def _curve(texts: Sequence[Text], table: Table, scale: ScaleOf, knowledge: Knowledge) -> None:
    """F1 on the writers kept back, against the share of the written clauses learned from."""
    lexicon = load_lexicon(read_settings().knowledge_dir / "lexicon")
    rated = {q.id: rated_points(q) for q in knowledge.questions.values()}
    kept = tuple(
        replace(t, asserts=t.asserts & rated[t.about], source="kept back")
        for path in sorted((CASES / "points").glob("test_*.jsonl"))
        for t in read_written(path)
        if t.about in rated
    )
    theirs = measure(kept, scale, lexicon)
    for share in SHARES:
        drawn = np.random.default_rng(SEED).random(len(texts)) < share
        chosen = {i for i, t in enumerate(texts) if t.source != "written" or drawn[i]}
        rows = np.flatnonzero(np.isin(table.texts, sorted(chosen)))
        model = fit(table.some(rows), np.array([t.weight for t in texts]))
        likely = model.predict_proba(theirs.figures)[:, 1]
        count = sum(texts[i].source == "written" for i in chosen)
        print(f"{count} clauses: {rates(kept, theirs, likely, 'kept back', LEAST)}")


def main(
    check: Annotated[bool, typer.Option("--check", help="Cross-validate, write nothing.")] = False,
    curve: Annotated[bool, typer.Option("--curve", help="Learning curve, write nothing.")] = False,
) -> None:
    """Fit the trees and write them into the knowledge base. 拟合评分点判别树。"""
    folder = read_settings().knowledge_dir
    knowledge, lexicon = load_knowledge(folder), load_lexicon(folder / "lexicon")
    texts, scale = read_texts(knowledge), ScaleOf(knowledge, load_denials(folder), lexicon)
    table = measure(texts, scale, lexicon)
    if check:
        likely = cross_validate(texts, table)
        for source in SOURCES:
            print(*(rates(texts, table, likely, source, p) for p in (0.5, LEAST, 0.8)), sep="\n")
        return
    if curve:
        _curve(texts, table, scale, knowledge)
        return
    document = document_of(fit(table, np.array([t.weight for t in texts])), LEAST)
    read_ensemble(document, FIGURES)
    (folder / POINT_TREES).write_text(
        json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print(f"{len(cast('list[object]', document['trees']))} trees", file=sys.stderr)


if __name__ == "__main__":
    typer.run(main)
