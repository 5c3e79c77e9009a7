"""Fits the trees that decide whether a stretch of an answer states a point of the rubric.

    python -m eval.fit_points [--check] [--curve]

Learns from development texts alone: labelled clauses of several writers, answers, wordings of the
bank (each read without itself), and statements that deny a point. The same trees serve every
question: they weigh how a stretch fits, not what the question is. `--check` writes nothing and
reads each fifth of the questions by trees fitted to the others; `--curve` shows what more
wordings bring, on writers that are kept back.
"""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
import typer
import yaml

from eval.fitting import FOLDS, Table, Text, cross_validate, document_of, fit, measure, rates
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions.evidence import FIGURES, Evidence
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.point_wordings import wordings_of_points
from service.domain.assertions.trees import Ensemble, read_ensemble
from service.domain.assertions.weighing import PointScale, Scale
from service.domain.grading import Dimension
from service.domain.knowledge import Knowledge, Question
from service.flows.scales import POINT_TREES
from service.retrieval.embedding import UseEmbedder
from service.retrieval.nearness import RecentlyEmbedded, SentenceNearness
from service.settings import read_settings

CASES: Final = Path(__file__).parent / "cases"
FLAGSHIP: Final = "zero-stages"
FAMILIES: Final = "ACD"  # writers of the development answers
LEAST: Final = 0.7
SOURCES: Final = ("clauses", "answers", "far", "written", "wordings", "denials")
OPEN: Final = frozenset({"partial", "unjudged"})
SHARES: Final = (0.1, 0.25, 0.5, 1.0)
SEED: Final = 7


def read_texts(knowledge: Knowledge) -> tuple[Text, ...]:
    """The development texts with their labels, in a fixed order."""
    rated = {q.id: _rated(q) for q in knowledge.questions.values()}
    texts = (*_answers(), *_far(), *_denials(rated), *_written(), *_wordings(knowledge))
    return tuple(
        replace(t, asserts=t.asserts & rated[t.about], open=t.open & rated[t.about])
        for t in texts
        if t.about in rated
    )


def _rated(question: Question) -> frozenset[str]:
    points = question.rubric.points
    return frozenset(p.id for p in points if p.dimension is not Dimension.EXPERIENCE)


def _answers() -> Iterator[Text]:
    """Clauses and whole answers to the flagship question."""
    for name, weight in (("clauses", 1.0), ("answers", 0.5)):
        for row in _rows(CASES / "answers" / f"dev_{name}.jsonl"):
            verdicts = cast("dict[str, str]", row["points"])
            met = frozenset(p for p, v in verdicts.items() if v == "met")
            unclear = frozenset(p for p, v in verdicts.items() if v in OPEN)
            fold = FAMILIES.index(row["family"])
            yield Text(row["answer"], met, fold, weight, name, FLAGSHIP, unclear)


def _far() -> Iterator[Text]:
    with (CASES / "questions" / "far_dev.tsv").open(encoding="utf-8", newline="") as file:
        for question, point, _, text in csv.reader(file, delimiter="\t"):
            yield Text(text, frozenset({point}), _fold(question), 1.0, "far", question)


def _denials(rated: dict[str, frozenset[str]]) -> Iterator[Text]:
    """Statements against one point; of the others they say nothing."""
    for path in sorted((CASES / "questions").glob("*.yaml")):
        for question, points in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            for point, by_lang in points.items():
                for text in (t for texts in by_lang.values() for t in texts):
                    others = rated.get(question, frozenset()) - {point}
                    none = frozenset[str]()
                    yield Text(text, none, _fold(question), 1.0, "denials", question, others)


def _written() -> Iterator[Text]:
    """Clauses by writers who saw the points and nothing of the rules."""
    for path in sorted((CASES / "points").glob("dev_*.jsonl")):
        yield from read_written(path)


def read_written(path: Path) -> Iterator[Text]:
    for row in _rows(path):
        also = frozenset(cast("list[str]", row.get("also", [])))
        stated = also | ({row["point"]} if row["kind"] == "asserted" else frozenset[str]())
        # A hedged statement may be worth something; whether it is, the rubric does not say.
        unclear = frozenset({str(row["point"])}) if row["kind"] == "hedged" else frozenset[str]()
        question = str(row["question"])
        yield Text(row["text"], stated, _fold(question), 1.0, "written", question, unclear)


def _wordings(knowledge: Knowledge) -> Iterator[Text]:
    for question in knowledge.questions.values():
        for one in wordings_of_points(question, ()):
            stated = frozenset({one.entry_id})
            yield Text(one.text, stated, _fold(question.id), 0.5, "wordings", question.id)


def _fold(question: str) -> int:
    return sum(question.encode()) % FOLDS


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


class ScaleOf:
    """The scale a text is measured on; a wording is measured without itself."""

    def __init__(self, knowledge: Knowledge, lexicon: Lexicon) -> None:
        self._knowledge = knowledge
        self._lexicon = lexicon
        self._embedder = RecentlyEmbedded(UseEmbedder(), kept=1_000_000)
        self._whole: dict[str, Scale] = {}

    def __call__(self, text: Text) -> Scale:
        if text.source == "wordings":
            return self._scale(text.about, text.text)
        if text.about not in self._whole:
            self._whole[text.about] = self._scale(text.about, "")
        return self._whole[text.about]

    def _scale(self, question_id: str, without: str) -> Scale:
        question = self._knowledge.questions[question_id]
        every = wordings_of_points(question, self._knowledge.misconceptions.values())
        kept = tuple(w for w in every if w.text != without)
        nearness = SentenceNearness([w.text for w in kept], self._embedder)
        ensemble = Ensemble((), 0, (), 1)
        return PointScale(Evidence(kept, self._lexicon), nearness, ensemble, self._lexicon)


def _curve(texts: Sequence[Text], table: Table, scale: ScaleOf, knowledge: Knowledge) -> None:
    """F1 on the writers kept back, against the share of the written clauses learned from."""
    lexicon = load_lexicon(read_settings().knowledge_dir / "lexicon")
    rated = {q.id: _rated(q) for q in knowledge.questions.values()}
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
    texts, scale = read_texts(knowledge), ScaleOf(knowledge, lexicon)
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
