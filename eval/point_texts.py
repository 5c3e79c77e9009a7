"""The development texts that point trees learn from, with what each states; never a test half."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from eval.constructed.bank import QUESTIONS, load_bank
from eval.constructed.build import build
from eval.fitting import FOLDS, Text
from service.domain.grading import Dimension
from service.domain.knowledge import Knowledge, Question
from service.domain.language import Lang

CASES: Final = Path(__file__).parent / "cases"
FLAGSHIP: Final = "zero-stages"
FAMILIES: Final = "ACD"  # writers of the development answers
OPEN: Final = frozenset({"partial", "unjudged"})
# Attacks whose text states no point at all, and those that take away the points named as lost.
EMPTY: Final = frozenset({"keyword_soup", "shuffled_words", "off_topic", "copied_question"})
LOSING: Final = frozenset({"negated_truths", "swapped_stages"})
NONE: Final = frozenset[str]()


def read_texts(knowledge: Knowledge) -> tuple[Text, ...]:
    """The development texts with their labels, in a fixed order."""
    rated = {q.id: rated_points(q) for q in knowledge.questions.values()}
    texts = (
        *_answers(),
        *_far(),
        *_written(),
        *_constructed(knowledge, rated),
    )
    return tuple(
        replace(t, asserts=t.asserts & rated[t.about], open=t.open & rated[t.about])
        for t in texts
        if t.about in rated
    )


def rated_points(question: Question) -> frozenset[str]:
    """Those that are weighed at all: a point of experience needs a case of one's own."""
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


def _written() -> Iterator[Text]:
    """Clauses by writers who saw the points and nothing of the rules."""
    for path in sorted((CASES / "points").glob("dev_*.jsonl")):
        yield from read_written(path)


def read_written(path: Path) -> Iterator[Text]:
    for row in _rows(path):
        also = frozenset(cast("list[str]", row.get("also", [])))
        own = frozenset({str(row["point"])})
        stated = also | (own if row["kind"] == "asserted" else NONE)
        # A hedged statement may be worth something; whether it is, the rubric does not say.
        unclear = own if row["kind"] == "hedged" else NONE
        question = str(row["question"])
        yield Text(row["text"], stated, _fold(question), 1.0, "written", question, unclear)


def _constructed(knowledge: Knowledge, rated: Mapping[str, frozenset[str]]) -> Iterator[Text]:
    """Answers put together from the development half of the statement bank, and attacks."""
    words = {q: {x.value: knowledge.questions[q].text.in_(x) for x in Lang} for q in QUESTIONS}
    built = build(load_bank(), words).files
    for row in map(json.loads, built["dev.jsonl"].splitlines()):
        verdicts = cast("dict[str, str]", row["points"])
        met = frozenset(p for p, v in verdicts.items() if v == "met")
        unclear = frozenset(p for p, v in verdicts.items() if v in OPEN) | frozenset(row["open"])
        question = str(row["question"])
        yield Text(row["answer"], met, _fold(row["cluster"]), 0.3, "built", question, unclear)
    for row in map(json.loads, built["dev_attacks.jsonl"].splitlines()):
        question, fold = str(row["question"]), _fold(row["cluster"])
        if row["kind"] in EMPTY:
            yield Text(row["answer"], NONE, fold, 0.3, "attacks", question)
        if row["kind"] in LOSING:
            others = rated[question] - frozenset(row["lost"])
            yield Text(row["answer"], NONE, fold, 0.3, "attacks", question, others)


def _fold(question: str) -> int:
    return sum(question.encode()) % FOLDS


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
