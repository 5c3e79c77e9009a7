"""Fits the trees that decide whether a stretch of text holds a wrong belief.

    python -m eval.fit_beliefs [--check]

Learns from the development wordings, the development answers and the facts (which hold no wrong
belief); never from a test half. `--check` writes nothing: each fifth of the beliefs is read by
trees fitted to the other four. The patterns take no part, so that what is learned does not lean
on what was tuned on the same texts.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
import typer

from eval.fitting import FOLDS, Text, cross_validate, document_of, fit, measure, rates
from eval.misconceptions import CASES
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions.evidence import FIGURES
from service.domain.assertions.trees import Ensemble, read_ensemble
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.flows.scales import BELIEF_TREES, open_belief_scale
from service.retrieval.embedding import UseEmbedder
from service.settings import read_settings

ANSWERS: Final = CASES.parent / "answers" / "dev_answers.jsonl"
LEAST: Final = 0.7  # in cross-validation the least that accuses none of the true facts


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


def main(
    check: Annotated[bool, typer.Option("--check", help="Cross-validate, write nothing.")] = False,
) -> None:
    """Fit the trees and write them into the knowledge base. 拟合误解判别树。"""
    folder = read_settings().knowledge_dir
    knowledge, lexicon = load_knowledge(folder), load_lexicon(folder / "lexicon")
    scale = open_belief_scale(knowledge, lexicon, Ensemble((), 0, (), 1), UseEmbedder())
    texts = tuple(read_texts(knowledge))
    table = measure(texts, lambda _: scale, lexicon)
    if check:
        likely = cross_validate(texts, table)
        for source in ("dev", "facts", "answers"):
            print(*(rates(texts, table, likely, source, p) for p in (0.5, 0.6, LEAST)), sep="\n")
        return
    document = document_of(fit(table, np.array([t.weight for t in texts])), LEAST)
    read_ensemble(document, FIGURES)
    (folder / BELIEF_TREES).write_text(
        json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print(f"{len(cast('list[object]', document['trees']))} trees", file=sys.stderr)


if __name__ == "__main__":
    typer.run(main)
