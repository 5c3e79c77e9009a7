"""How well facts are found: recall, reciprocal rank and false confidence, against BM25 alone.

`python -m eval.retrieval [--split dev|test]`; exit code 1 when the fused search misses a goal.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from eval.splits import case_file
from service.cli.output import print_json
from service.corpus.load import load_knowledge
from service.domain.knowledge import Knowledge
from service.retrieval.lexical import LexicalIndex, LexicalRetriever
from service.retrieval.open import at_once, open_retriever
from service.retrieval.port import Found, Retriever
from service.retrieval.terms import words_only
from service.settings import read_settings

CASES: Final = Path(__file__).resolve().parent / "cases" / "retrieval"
DEPTH: Final = 50
NEAR: Final = 5
# Recall at 5 and MRR at least, wrong confidence at most: the goals on the test half.
LEAST_RECALL_5: Final = 0.93
LEAST_MRR: Final = 0.80
MOST_WRONG_CONFIDENCE: Final = 0.10


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    query: str
    family: str
    relevant: frozenset[str]  # empty when the knowledge base does not answer


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares of 0..1. `hesitant` is the share of answerable queries found without confidence."""

    answerable: int
    recall_1: float
    recall_5: float
    mrr: float
    unanswerable: int
    wrong_confidence: float
    hesitant: float


def read_cases(path: Path) -> tuple[Case, ...]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(
        Case(str(r["id"]), str(r["query"]), str(r["family"]), frozenset(r["relevant"]))
        for r in rows
    )


def rank_of(found: Found, relevant: frozenset[str]) -> int | None:
    """1 for the first passage; None when no relevant fact was found."""
    ids = [passage.fact.id for passage in found.passages]
    return next((at for at, id_ in enumerate(ids, start=1) if id_ in relevant), None)


def measure(retriever: Retriever, cases: Iterable[Case]) -> Scores:
    """Mean over the queries; the first relevant fact counts."""
    found = [(case, retriever.find(case.query, DEPTH)) for case in cases]
    answered = [(rank_of(f, case.relevant), f.confident) for case, f in found if case.relevant]
    silent = [f.confident for case, f in found if not case.relevant]
    ranks = [rank for rank, _ in answered]
    return Scores(
        answerable=len(ranks),
        recall_1=_share(rank == 1 for rank in ranks),
        recall_5=_share(rank is not None and rank <= NEAR for rank in ranks),
        mrr=sum(1 / rank for rank in ranks if rank) / max(1, len(ranks)),
        unanswerable=len(silent),
        wrong_confidence=_share(silent),
        hesitant=_share(not confident for _, confident in answered),
    )


def _share(hits: Iterable[bool]) -> float:
    all_hits = list(hits)
    return sum(all_hits) / max(1, len(all_hits))


def plain_bm25(knowledge: Knowledge) -> Retriever:
    """The baseline: words only, without concepts and without the questions a fact answers."""
    facts = {id_: replace(fact, asked=()) for id_, fact in knowledge.facts.items()}
    return LexicalRetriever(facts, LexicalIndex(facts, words_only))


def meets_goals(scores: Scores) -> bool:
    return (
        scores.recall_5 >= LEAST_RECALL_5
        and scores.mrr >= LEAST_MRR
        and scores.wrong_confidence <= MOST_WRONG_CONFIDENCE
    )


def main(
    split: Annotated[str, typer.Option(help="dev or test.")] = "test",
    misses: Annotated[bool, typer.Option(help="List the queries not found in five.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Print the figures of each search on one half of the queries. 检索质量评测。"""
    settings = read_settings()
    knowledge = load_knowledge(settings.knowledge_dir)
    cases = read_cases(case_file(CASES, split, ".jsonl"))
    fused = open_retriever(knowledge.facts, knowledge.digest, settings.data_dir, start=at_once)
    searches: dict[str, Callable[[], Retriever]] = {
        "BM25, words only": lambda: plain_bm25(knowledge),
        "BM25, with concepts": lambda: LexicalRetriever(
            knowledge.facts, LexicalIndex(knowledge.facts)
        ),
        "fused": lambda: fused,
    }
    scores = {name: measure(search(), cases) for name, search in searches.items()}
    families = _by_family(fused, cases)
    missed = list(_misses(fused, cases)) if misses else []
    if as_json:
        print_json(
            {
                "facts": len(knowledge.facts),
                "split": split,
                "queries": len(cases),
                "searches": {name: asdict(found) for name, found in scores.items()},
                "families": {name: asdict(found) for name, found in families.items()},
                "misses": missed if misses else None,
                "meets_goals": meets_goals(scores["fused"]),
            }
        )
    else:
        print(f"{len(knowledge.facts)} facts; {split}: {len(cases)} queries")
        lines = [*scores.items(), *((f"fused, {name}", s) for name, s in families.items())]
        print("\n".join([*(_line(name, found) for name, found in lines), *missed]))
    sys.exit(0 if meets_goals(scores["fused"]) else 1)


def _by_family(retriever: Retriever, cases: Sequence[Case]) -> dict[str, Scores]:
    names = sorted({case.family for case in cases})
    return {n: measure(retriever, [c for c in cases if c.family == n]) for n in names}


def _line(name: str, scores: Scores) -> str:
    figures = f"R@1 {scores.recall_1:.3f}  R@5 {scores.recall_5:.3f}  MRR {scores.mrr:.3f}"
    confidence = f"wrong {scores.wrong_confidence:.3f}  hesitant {scores.hesitant:.3f}"
    return f"{name:24} n {scores.answerable:3}+{scores.unanswerable:2}  {figures}  {confidence}"


def _misses(retriever: Retriever, cases: Sequence[Case]) -> Iterator[str]:
    for case in cases:
        found = retriever.find(case.query, DEPTH)
        rank = rank_of(found, case.relevant)
        first = ", ".join(passage.fact.id for passage in found.passages[:NEAR])
        if case.relevant and (rank is None or rank > NEAR):
            yield f"missed  {case.id} {sorted(case.relevant)} rank {rank}: {case.query} -> {first}"
        if not case.relevant and found.confident:
            yield f"wrongly sure  {case.id}: {case.query} -> {first}"


if __name__ == "__main__":
    typer.run(main)
