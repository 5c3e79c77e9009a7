"""The commands `build` and `attack`, put together from the settings."""

import asyncio
import json
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final

from eval.attacks.cases import SEED, build_suite
from eval.attacks.classes import CASES_PER_CLASS, CLASSES
from eval.attacks.graders import LEXICAL, open_bench
from eval.attacks.report import document, table
from eval.attacks.suite import SuiteReport, run_suite
from eval.constructed.bank import QUESTIONS, Split, load_bank
from eval.constructed.build import Built, build, stale_files, write
from eval.grader import ENGINES
from service.cli.output import print_json
from service.corpus.load import load_knowledge
from service.domain.language import Lang
from service.errors import InputInvalid
from service.settings import read_settings

AT_ONCE: Final = {"llm": 4}  # a server takes several; the reader has one processor


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    INCOMPLETE = 3


def build_set(out: Path | None, seed: str, *, as_json: bool) -> Exit:
    """Write the set to `out`, or without it compare the committed files with the bank."""
    knowledge = load_knowledge(read_settings().knowledge_dir)
    words = {q: {x.value: knowledge.questions[q].text.in_(x) for x in Lang} for q in QUESTIONS}
    built = build(load_bank(), words, seed)
    if out is not None:
        write(built, out)
    stale = stale_files(built) if out is None else []
    _tell_built(built, stale, as_json=as_json)
    return Exit.FAILED if stale else Exit.DONE


def _tell_built(built: Built, stale: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print_json({**built.manifest, "stale": list(stale)})
        return
    for name, content in built.files.items():
        lines = content.count(b"\n")
        print(f"{name:<20}{lines:>6} lines {len(content):>10} bytes")
    for name in stale:
        print(f"stale: {name}")


def attack_grader(
    engine: str,
    split: Split,
    kinds: Sequence[str],
    per_class: int = CASES_PER_CLASS,
    seed: str = SEED,
    *,
    out: Path | None = None,
    as_json: bool = False,
) -> Exit:
    """Run the probe suite on `engine` and tell how each class did.

    Raises:
        InputInvalid: an unknown engine or class, or no case at all.
        EngineUnavailable: the grader answered nothing.
    """
    _check(engine, kinds, per_class)
    report = asyncio.run(_attack(engine, split, kinds, per_class, seed))
    told = document(report, engine, split.value)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
        (out / "attack.json").write_text(text, encoding="utf-8")
    if as_json:
        print_json(told)
    else:
        print(table(report))
    if report.missing:
        return Exit.INCOMPLETE
    return Exit.DONE if report.passed else Exit.FAILED


def _check(engine: str, kinds: Sequence[str], per_class: int) -> None:
    if engine not in (*ENGINES, LEXICAL):
        raise InputInvalid("The engine is builtin, llm or lexical, not {engine}.", engine=engine)
    for kind in kinds:
        if kind not in CLASSES:
            known = ", ".join(CLASSES)
            raise InputInvalid(
                "There is no class {kind}; there are {known}.", kind=kind, known=known
            )
    if per_class < 1:
        raise InputInvalid("At least one case of each class is needed.")


async def _attack(
    engine: str, split: Split, kinds: Sequence[str], per_class: int, seed: str
) -> SuiteReport:
    bank = load_bank()
    async with open_bench(engine, bank) as bench:
        suite = build_suite(
            bank, bench.questions, split, kinds=kinds, per_class=per_class, seed=seed
        )
        if not suite.cases:
            raise InputInvalid("These classes are kept back from dev; name --split test.")
        return await run_suite(bench.grade, suite, _tell, AT_ONCE.get(engine, 1))


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done}/{total}" + ("\n" if done == total else ""))
