"""`eval interviews`: simulated candidates in whole interviews, every follow-up judged by rule."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, cast

import typer

from eval.options import FAILED, EngineOption, JsonOption, LangOption, leave


def interviews(
    candidate: Annotated[
        list[str] | None, typer.Option("--candidate", help="Only this one; may be repeated.")
    ] = None,
    question: Annotated[
        list[str] | None, typer.Option("--question", help="Ask this question; may be repeated.")
    ] = None,
    level: Annotated[str, typer.Option("--level", help="junior, mid, senior, architect.")] = "mid",
    engine: EngineOption = "builtin",
    misses: Annotated[
        bool, typer.Option("--misses", help="List the follow-ups that break a rule.")
    ] = False,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Simulated candidates in whole interviews. 模拟候选人参加整场面试，按规则检查每次追问。

    Exits with 1 when the marks do not follow what the candidates are worth.
    """
    from service.cli.language import reader_language
    from service.cli.output import print_json

    document = asyncio.run(_held(candidate or (), question or (), level, engine))
    if as_json:
        print_json(document)
    else:
        typer.echo(_text(document, reader_language(lang), misses=misses))
    leave(0 if document["in_order"] else FAILED)


async def _held(
    candidates: Sequence[str], questions: Sequence[str], level: str, engine: str
) -> dict[str, object]:
    """Raises InputInvalid: an unknown candidate, question, level or engine."""
    from eval.interviews.candidates import read_cast
    from eval.interviews.holding import hold_all, open_room
    from eval.interviews.table import document_of
    from service.domain.grading import Level
    from service.errors import InputInvalid

    cast_ = read_cast()
    if level not in set(Level):
        raise InputInvalid("The level or the mode is not known.")
    for name in candidates:
        if name not in cast_.candidates:
            raise InputInvalid("There is no candidate {name}.", name=name)
    names = candidates or tuple(cast_.candidates)
    with TemporaryDirectory() as folder:
        async with open_room(Path(folder), engine) as room:
            held = await hold_all(room, cast_, names, Level(level), questions or cast_.questions)
            atlas = room.parts.knowledge.misconceptions
    return document_of(held, cast_, atlas)


def _text(document: Mapping[str, object], lang: object, *, misses: bool) -> str:
    from eval.interviews.rules import RULES
    from service.domain.language import Lang, msg
    from service.wording import load_wording

    wording, reader = load_wording(), cast("Lang", lang)
    head = msg(
        "{count} follow-ups; shares that keep each rule, and the mean mark:",
        count=document["follow_ups"],
    )
    rows = cast("Sequence[Mapping[str, object]]", document["rows"])
    lines = [
        wording.render(head, reader),
        f"{'':10} {'':4}" + "".join(f"{name:>10}" for name in ("n", *RULES, "mark")),
        *(_row(row) for row in rows),
    ]
    if not document["in_order"]:
        lines.append(
            wording.render(msg("The marks are not in the order of the candidates."), reader)
        )
    if misses:
        broken = cast("Sequence[Mapping[str, object]]", document["broken"])
        lines += [f"{b['candidate']} {b['lang']} {b['rules']} {b['text']}" for b in broken]
    return "\n".join(lines)


def _row(row: Mapping[str, object]) -> str:
    from eval.interviews.rules import RULES

    shares = cast("Mapping[str, float | None]", row["kept"])
    cells = [f"{row['follow_ups']:>10}", *(_share(shares[name]) for name in RULES)]
    mark = row["mark"]
    cells.append(f"{'-':>10}" if mark is None else f"{cast('float', mark):>10.1f}")
    return f"{row['candidate']:10} {row['lang']:4}" + "".join(cells)


def _share(value: float | None) -> str:
    return f"{'-':>10}" if value is None else f"{value:>10.1%}"
