"""How well the built-in reader tells what labelled clauses state: credit due, and credit given.

    python -m eval.points [dev|test] [--patterns]

A clause is labelled for one point: asserted in near, middle or far words, or denied, swapped,
rejected, hedged, or on the same subject without stating the point. `--patterns` reads without
the fitted trees.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, cast

import typer

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.domain.tasks import AskedPoint, ReadAnswer
from service.engine.builtin import BuiltinEngine
from service.flows.scales import open_scales
from service.settings import read_settings

CASES: Final = Path(__file__).parent / "cases" / "points"
Credit = Callable[["Clause"], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Clause:
    """`kind` is near, middle or far where the point is asserted, else how it is not."""

    question: str
    point: str
    lang: Lang
    kind: str
    text: str
    also: frozenset[str]

    @property
    def is_asserted(self) -> bool:
        return self.kind in {"near", "middle", "far"}


@dataclass(frozen=True, slots=True)
class Tally:
    """Clauses of one kind, and those whose own point was credited."""

    kind: str
    clauses: int
    credited: int
    others: int  # credited points that the label does not name

    @property
    def share(self) -> float:
        return self.credited / self.clauses if self.clauses else 0.0


def read_clauses(split: str, folder: Path = CASES) -> Iterator[Clause]:
    for path in sorted(folder.glob(f"{split}_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = cast("dict[str, object]", json.loads(line))
            also = frozenset(cast("list[str]", row["also"]))
            kind = str(row["distance"] if row["kind"] == "asserted" else row["kind"])
            yield Clause(
                str(row["question"]),
                str(row["point"]),
                Lang(str(row["lang"])),
                kind,
                str(row["text"]),
                also,
            )


def tally(clauses: Sequence[Clause], credit: Credit) -> tuple[Tally, ...]:
    """One row a kind, in the order of first sight."""
    counts: dict[str, Counter[str]] = {}
    for one in clauses:
        credited = credit(one)
        row = counts.setdefault(one.kind, Counter())
        row["clauses"] += 1
        row["credited"] += one.point in credited
        row["others"] += len(credited - {one.point} - one.also)
    return tuple(Tally(k, c["clauses"], c["credited"], c["others"]) for k, c in counts.items())


def f1(rows: Sequence[Tally], distance: str) -> float:
    """Of one distance: its clauses are due credit, all that do not assert are not.

    False credit is scaled to as many clauses as the distance has, so that the figure does not
    depend on how many of each kind were written.
    """
    due = next(r for r in rows if r.kind == distance)
    not_due = [r for r in rows if r.kind not in {"near", "middle", "far"}]
    written = sum(r.clauses for r in not_due)
    false = sum(r.credited for r in not_due) * (due.clauses / written if written else 0.0)
    return 2 * due.credited / (due.clauses + due.credited + false) if due.clauses else 0.0


def open_reader(knowledge_dir: Path, *, trees: bool) -> tuple[Credit, Knowledge]:
    """What the built-in engine credits to a clause as an answer; and the knowledge it knows.

    Raises:
        KnowledgeInvalid: the knowledge base has faults.
    """
    knowledge = load_knowledge(knowledge_dir)
    lexicon = load_lexicon(knowledge_dir / "lexicon")
    scales = open_scales(knowledge_dir, knowledge, lexicon) if trees else None
    engine = BuiltinEngine(knowledge, lexicon, scales)

    def credit(one: Clause) -> frozenset[str]:
        question = knowledge.questions[one.question]
        points = tuple(
            AskedPoint(id=p.id, text=p.text.in_(one.lang)) for p in question.rubric.points
        )
        task = ReadAnswer(
            lang=one.lang,
            question_id=question.id,
            question=question.text.in_(one.lang),
            points=points,
            misconceptions=(),
            passages=(),
            numbers=(),
            answer=one.text,
        )
        return frozenset(p.id for p in engine.read(task).points if p.verdict == "met")

    return credit, knowledge


def main(
    split: Annotated[Literal["dev", "test"], typer.Argument(help="Log looks at test.")] = "dev",
    patterns: Annotated[bool, typer.Option("--patterns", help="Without the trees.")] = False,
) -> None:
    """Credit given to labelled clauses. 标注语句的给分。"""
    credit, knowledge = open_reader(read_settings().knowledge_dir, trees=not patterns)
    clauses = [c for c in read_clauses(split) if c.question in knowledge.questions]
    for lang in Lang:
        rows = tally([c for c in clauses if c.lang is lang], credit)
        for row in rows:
            print(f"{lang} {row.kind:<9} {row.credited:>4} of {row.clauses:<4} others {row.others}")
        print(lang, *(f"F1 {d} {f1(rows, d):.3f}" for d in ("near", "middle", "far")))
    sys.stdout.flush()


if __name__ == "__main__":
    typer.run(main)
