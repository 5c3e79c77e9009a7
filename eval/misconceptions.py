"""How well wrong beliefs are found in texts: precision, recall and F1 on held-back wordings.

    python -m eval.misconceptions [--json] [--misses]

Each text is read twice: as `shardwise check` reads a text without a question, and as the built-in
reader takes an answer of an interview. Counts are of (text, belief) pairs over all texts of a
half. `--misses` lists the texts not read as labelled, of the development half only.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import MODELS_FILE, load_models
from service.domain.article import ArticleChecker
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.domain.tasks import AskedMisconception, ReadAnswer
from service.engine.builtin import BuiltinEngine
from service.flows.scales import open_scales
from service.settings import read_settings

CASES: Final = Path(__file__).parent / "cases" / "misconceptions"
NEIGHBOURS: Final = CASES / "neighbours.json"
HALVES: Final = ("dev", "test")
QUESTION: Final = "zero-stages"
PRECISION_GOAL: Final = 0.95
RECALL_GOAL: Final = 0.75


@dataclass(frozen=True, slots=True)
class Case:
    """`kind` tells why a text asserts nothing; empty when it asserts something."""

    id: str
    lang: str
    family: str
    voice: str
    kind: str
    text: str
    asserts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`open` are accusations that count neither way: see `judge`."""

    case: Case
    right: frozenset[str]
    wrong: frozenset[str]
    missed: frozenset[str]
    open: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rates:
    """`accused` counts texts with an accusation that their label does not bear out."""

    texts: int
    right: int
    wrong: int
    missed: int
    open: int
    accused: int

    @property
    def precision(self) -> float | None:
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float | None:
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    def document(self) -> dict[str, float | None]:
        return {
            "texts": self.texts,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "open": self.open,
            "texts_wrongly_accused": self.accused,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


Detector = Callable[[Case], frozenset[str]]
Table = Mapping[str, Rates]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def read_cases(path: Path) -> Iterator[Case]:
    """The labelled texts of a file of JSON lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = cast("dict[str, object]", json.loads(line))
            texts = {k: str(row.get(k, "")) for k in ("id", "lang", "family", "voice", "kind")}
            asserts = frozenset(cast("list[str]", row["asserts"]))
            yield Case(**texts, text=str(row["text"]), asserts=asserts)


def read_neighbours(path: Path = NEIGHBOURS) -> frozenset[frozenset[str]]:
    """The pairs of beliefs so near that one text may hold both."""
    rows = cast("list[list[str]]", json.loads(path.read_text(encoding="utf-8")))
    return frozenset(frozenset(row) for row in rows)


def judge(case: Case, found: frozenset[str], neighbours: frozenset[frozenset[str]]) -> Outcome:
    """Compare with the label.

    An accusation that is not labelled counts neither way when the text does state its listed
    neighbour, by its label, and that neighbour was found as well. Alone it is wrong.
    """
    right = found & case.asserts
    extra = found - case.asserts
    undecided = frozenset(x for x in extra if any(frozenset({x, r}) in neighbours for r in right))
    return Outcome(case, right, extra - undecided, case.asserts - found, undecided)


def rates(outcomes: Sequence[Outcome]) -> Rates:
    return Rates(
        texts=len(outcomes),
        right=sum(len(o.right) for o in outcomes),
        wrong=sum(len(o.wrong) for o in outcomes),
        missed=sum(len(o.missed) for o in outcomes),
        open=sum(len(o.open) for o in outcomes),
        accused=sum(bool(o.wrong) for o in outcomes),
    )


def tabulate(outcomes: Sequence[Outcome]) -> Table:
    """All, by language, by family of the texts that assert, and by kind of those that do not."""
    keys: dict[str, Callable[[Outcome], str]] = {
        "lang": lambda o: o.case.lang,
        "family": lambda o: "" if o.case.kind else o.case.family,
        "kind": lambda o: o.case.kind,
        "voice": lambda o: o.case.voice,
    }
    table = {"all": rates(outcomes)}
    for name, key in keys.items():
        for value in sorted({key(o) for o in outcomes} - {""}):
            table[f"{name} {value}"] = rates([o for o in outcomes if key(o) == value])
    return table


def open_detectors(knowledge_dir: Path) -> Mapping[str, Detector]:
    """The two ways a text is read.

    Raises:
        KnowledgeInvalid: the knowledge base has faults.
    """
    knowledge = load_knowledge(knowledge_dir)
    lexicon = load_lexicon(knowledge_dir / "lexicon")
    scales = open_scales(knowledge_dir, knowledge, lexicon)
    checker = ArticleChecker(
        knowledge, lexicon, load_models(knowledge_dir / MODELS_FILE), scales.beliefs
    )
    engine = BuiltinEngine(knowledge, lexicon, scales)

    def check(case: Case) -> frozenset[str]:
        return frozenset(b.misconception_id for b in checker.check(case.text).beliefs)

    def interview(case: Case) -> frozenset[str]:
        reading = engine.read(_answer(case, knowledge))
        return frozenset(m.id for m in reading.misconceptions)

    return {"check": check, "interview": interview}


def _answer(case: Case, knowledge: Knowledge) -> ReadAnswer:
    """The text as an answer to the flagship question, whose points are not asked about."""
    lang = Lang(case.lang)
    return ReadAnswer(
        lang=lang,
        question_id=QUESTION,
        question=knowledge.questions[QUESTION].text.in_(lang),
        points=(),
        misconceptions=tuple(
            AskedMisconception(
                id=m.id, belief=m.belief.in_(lang), correction=m.correction.in_(lang)
            )
            for m in knowledge.misconceptions.values()
        ),
        passages=(),
        numbers=(),
        answer=case.text,
    )


def measure(detect: Detector, half: str) -> tuple[Outcome, ...]:
    neighbours = read_neighbours()
    return tuple(judge(c, detect(c), neighbours) for c in read_cases(CASES / f"{half}.jsonl"))


def faults(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What is not read as labelled, one line each, accusations first."""
    for o in sorted(outcomes, key=lambda o: not o.wrong):
        if o.wrong or o.missed:
            signs = [f"+{m}" for m in sorted(o.wrong)] + [f"-{m}" for m in sorted(o.missed)]
            yield f"{o.case.id} [{o.case.kind or o.case.family}] {' '.join(signs)}: {o.case.text}"


def meets_goals(found: Rates) -> bool:
    return (found.precision or 0) >= PRECISION_GOAL and (found.recall or 0) >= RECALL_GOAL


def main(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    misses: Annotated[
        bool, typer.Option("--misses", help="List faults of dev, nothing else.")
    ] = False,
) -> None:
    """Precision and recall of wrong beliefs in texts, both halves. 误解识别的准确率与召回率。"""
    detectors = open_detectors(read_settings().knowledge_dir)
    if misses:
        listed = list(faults(measure(detectors["check"], "dev")))
        print(json.dumps({"faults": listed}, ensure_ascii=False) if as_json else "\n".join(listed))
        return
    tables = {
        name: {half: tabulate(measure(detect, half)) for half in HALVES}
        for name, detect in detectors.items()
    }
    if as_json:
        print(json.dumps(_document(tables), indent=2))
    else:
        _print(tables)
    sys.exit(0 if meets_goals(tables["check"]["test"]["all"]) else 1)


def _document(tables: Mapping[str, Mapping[str, Table]]) -> dict[str, object]:
    return {
        name: {
            half: {row: r.document() for row, r in table.items()} for half, table in halves.items()
        }
        for name, halves in tables.items()
    }


def _print(tables: Mapping[str, Mapping[str, Table]]) -> None:
    for name, halves in tables.items():
        print(f"{name:16} {'dev: P, R, F1, wrong/texts':34} test{'':30} gap P, R")
        for row in halves["dev"]:
            dev, test = halves["dev"][row], halves["test"].get(row, rates(()))
            gaps = f"{_gap(dev.precision, test.precision)} {_gap(dev.recall, test.recall)}"
            print(f"  {row:14} {_figures(dev):34} {_figures(test):34} {gaps}")


def _figures(found: Rates) -> str:
    shares = "  ".join(_figure(x) for x in (found.precision, found.recall, found.f1))
    return f"{shares}  {found.wrong}/{found.texts}" + (
        f" ({found.open} open)" if found.open else ""
    )


def _figure(value: float | None) -> str:
    return "  -  " if value is None else f"{value:.3f}"


def _gap(dev: float | None, test: float | None) -> str:
    return "  -   " if dev is None or test is None else f"{dev - test:+.3f}"


if __name__ == "__main__":
    typer.run(main)
