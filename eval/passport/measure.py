"""Every figure of the passport, from runs made here; no figure is typed in.

Of the test halves only totals are kept, never an item.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np

from eval.answers import AnswerLine
from eval.attacks.graders import Grading, lexical
from eval.attacks.model import Graded
from eval.attacks.relations import Outcome, judge, summarise
from eval.constructed.bank import Split, load_bank
from eval.judging import questions_rubrics
from eval.meta import Document, agreement
from eval.passport.modules import claims_figures, misconception_figures, retrieval_figures
from eval.passport.reading import Text, Was, read_texts, text_of
from eval.passport.texts import FLAGSHIP, Probes, Texts, all_texts, case_text
from eval.passport.trimming import trimmed
from eval.row import Row
from service.corpus.load import load_knowledge
from service.settings import read_settings

PROCESSES: Final = 2
LEFT_OUT: Final = frozenset({"worst_id", "bar"})
Known = Mapping[Text, Was]


async def measure() -> Document:
    """All figures; progress on standard error.

    Raises:
        SetupError: settings or knowledge are not usable.
        InputInvalid: a data set is not of its form.
    """
    settings = read_settings()
    knowledge, bank = load_knowledge(settings.knowledge_dir), load_bank()
    texts = all_texts(bank, knowledge)
    _tell("1/5 reading answers and attacks, two processes")
    was = read_texts(texts.wanted(), PROCESSES)
    _tell("2/5 reading the free answers once more, in another process")
    again = read_texts([text_of(a, FLAGSHIP) for a in texts.free], 1)
    _tell("3/5 agreement with labels")
    document = _agreements(texts, was)
    _tell("4/5 robustness")
    document["attacks"] = await _attacks(texts, was, lexical(bank))
    _tell("5/5 numbers, wrong beliefs, retrieval")
    document["claims"] = claims_figures()
    document["misconceptions"] = misconception_figures(settings.knowledge_dir)
    document["retrieval"] = retrieval_figures(knowledge, settings.data_dir)
    document["repeat"] = {
        "answers": len(again),
        "same": sum(dict(was[text].row) == dict(w.row) for text, w in again.items()),
    }
    document["latency"] = _latency([was[text_of(a, FLAGSHIP)].milliseconds for a in texts.free])
    return document


def _tell(what: str) -> None:
    sys.stderr.write(f"{what} ...\n")


def _agreements(texts: Texts, was: Known) -> Document:
    halves = {h: [a for a in texts.free if a.split == h] for h in ("dev", "test")}
    free = {"all": texts.free} | halves
    return {
        "free": {name: _agreement(lines, was) for name, lines in free.items()},
        "constructed": {
            split.value: _agreement(lines, was, ("family",))
            for split, lines in texts.constructed.items()
        },
    }


def _agreement(lines: Sequence[AnswerLine], was: Known, by: Sequence[str] = ()) -> Document:
    rows: dict[str, Row] = {a.id: {**was[text_of(a, FLAGSHIP)].row, "id": a.id} for a in lines}
    return trimmed(agreement(lines, rows, questions_rubrics(), by))


async def _attacks(texts: Texts, was: Known, floor: Grading) -> Document:
    async def ours(question: str, lang: str, answer: str) -> Graded:
        return was[Text(question, lang, answer)].graded

    return {
        "test": await _summed(texts.probes[Split.TEST], ours),
        "dev": await _summed(texts.probes[Split.DEV], ours),
        "floor": await _summed(texts.probes[Split.TEST], floor),
    }


async def _summed(probes: Probes, grade: Grading) -> Document:
    async def graded(text: Text) -> Graded:
        return await grade(text.question, text.lang, text.answer)

    by_kind: dict[str, list[Outcome]] = {}
    for case in probes.cases:
        base = await graded(probes.bases[case.base]) if case.base else None
        by_kind.setdefault(case.kind, []).append(judge(case, await graded(case_text(case)), base))
    found = {kind: asdict(summarise(kind, outcomes)) for kind, outcomes in by_kind.items()}
    return {k: {n: v for n, v in row.items() if n not in LEFT_OUT} for k, row in found.items()}


def _latency(milliseconds: Sequence[float]) -> Document:
    p50, p95 = np.percentile(np.array(milliseconds), [50, 95]).tolist()
    return {"answers": len(milliseconds), "p50": round(p50, 1), "p95": round(p95, 1)}
