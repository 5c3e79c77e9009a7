"""The figures of the other modules, each beside a floor: numbers, wrong beliefs, retrieval."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from eval import claims, misconceptions, retrieval
from eval.meta import Document
from eval.passport.trimming import rounded
from service.corpus.load import load_knowledge
from service.domain.claims import ClaimVerdict
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.retrieval.open import at_once, open_retriever

THRESHOLDS: Final = tuple(round(0.05 * n, 2) for n in range(1, 20))


def claims_figures() -> Document:
    """Development, and every set that was a test once; `floor` reads no number at all."""
    reports = claims.evaluate()
    halves = {"dev": [r for s, r in reports.items() if s == "dev"]} | {
        "test": [r for s, r in reports.items() if s != "dev"]
    }
    whole = {h: claims.Report(tuple(o for r in rs for o in r.outcomes)) for h, rs in halves.items()}
    return {half: _claims(report) for half, report in whole.items()}


def _claims(report: claims.Report) -> Document:
    labels = [label for o in report.outcomes for label in o.case.claims]
    silent = sum(not o.case.claims for o in report.outcomes)
    wrong = sum(label.verdict is ClaimVerdict.WRONG for label in labels)
    found = sum(
        label.verdict is ClaimVerdict.WRONG and label not in o.missed
        and all(label is not lost for lost, _ in o.misjudged)
        for o in report.outcomes
        for label in o.case.claims
    )  # fmt: skip
    figures = {
        "texts": len(report.outcomes),
        "numbers": len(labels),
        "strict": report.strict,
        "right_called_wrong": report.right_called_wrong,
        "wrong_found": found / wrong if wrong else None,
        "floor_strict": silent / max(1, len(report.outcomes)),
    }
    return cast("Document", rounded(figures))


def misconception_figures(knowledge_dir: Path) -> Document:
    """Both halves, read as `shardwise check` reads; the floor is likeness to known wordings."""
    detect = misconceptions.open_detectors(knowledge_dir)["check"]
    tables = {
        h: misconceptions.tabulate(misconceptions.measure(detect, h)) for h in misconceptions.HALVES
    }
    floor = misconceptions.measure(_by_likeness(load_knowledge(knowledge_dir)), "test")
    found = {half: {k: r.document() for k, r in table.items()} for half, table in tables.items()}
    return cast("Document", rounded(found | {"floor": misconceptions.rates(floor).document()}))


def _by_likeness(knowledge: Knowledge) -> Callable[[misconceptions.Case], frozenset[str]]:
    """The belief whose wording is most alike in characters, above a bar set on dev for F1."""
    owners = [m.id for m in knowledge.misconceptions.values() for _ in Lang]
    wordings = [m.belief.in_(x) for m in knowledge.misconceptions.values() for x in Lang]
    words = cast("Any", TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True))
    known = words.fit_transform(wordings)

    def nearest(text: str) -> tuple[str, float]:
        alike = (words.transform([text]) @ known.T).toarray()[0]
        at = int(np.argmax(alike))
        return owners[at], float(alike[at])

    def above(bar: float) -> Callable[[misconceptions.Case], frozenset[str]]:
        def detect(case: misconceptions.Case) -> frozenset[str]:
            belief, likeness = nearest(case.text)
            return frozenset({belief}) if likeness >= bar else frozenset()

        return detect

    def f1(bar: float) -> float:
        return misconceptions.rates(misconceptions.measure(above(bar), "dev")).f1 or 0.0

    return above(max(THRESHOLDS, key=f1))


def retrieval_figures(knowledge: Knowledge, data_dir: Path) -> Document:
    """Both halves, fused and by words alone."""
    fused = open_retriever(knowledge.facts, knowledge.digest, data_dir, start=at_once)
    searches = {"fused": fused, "floor": retrieval.plain_bm25(knowledge)}
    cases: Mapping[str, tuple[retrieval.Case, ...]] = {
        half: retrieval.read_cases(retrieval.CASES / f"{half}.jsonl") for half in ("dev", "test")
    }
    found = {
        half: {name: asdict(retrieval.measure(s, rows)) for name, s in searches.items()}
        for half, rows in cases.items()
    }
    return cast("Document", rounded(found))
