"""`shardwise eval cache stats|clear`."""

import sys
from pathlib import Path
from typing import Annotated, cast

import typer

from eval.options import JsonOption, LangOption

cache = typer.Typer(help="Kept results. 已缓存的评分结果。", no_args_is_help=True)


@cache.command()
def stats(lang: LangOption = "", as_json: JsonOption = False) -> None:
    """How much is kept, and how often it served. 缓存的条数、字节数与命中次数。"""
    from eval.cache import stats_of
    from service.cli.output import print_json

    document = stats_of(_folder())
    if as_json:
        print_json(document)
    else:
        typer.echo("\n".join(_stats_lines(document, lang)))


@cache.command()
def clear(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Remove every kept result. 清空缓存。"""
    from eval.cache import clear as remove
    from eval.cache import stats_of
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.domain.language import msg
    from service.errors import InputInvalid
    from service.wording import load_wording

    folder, wording, reader = _folder(), load_wording(), reader_language(lang)
    there = stats_of(folder)
    if there["entries"] and not yes:
        if as_json or not sys.stdin.isatty():
            raise InputInvalid("This removes {count} results: say --yes.", count=there["entries"])
        asked = msg(
            "Remove {count} results from {folder}?", count=there["entries"], folder=str(folder)
        )
        typer.confirm(wording.render(asked, reader), abort=True, err=True)
    removed = remove(folder)
    if as_json:
        print_json(removed)
        return
    told = msg(
        "Removed {count} results, {bytes} bytes, from {folder}.",
        count=removed["removed_entries"],
        bytes=removed["removed_bytes"],
        folder=str(folder),
    )
    typer.echo(wording.render(told, reader))


def _folder() -> Path:
    from eval.cache import FOLDER
    from service.settings import read_settings

    return read_settings().data_dir / FOLDER


def _stats_lines(document: dict[str, object], lang: str) -> list[str]:
    from service.cli.language import reader_language
    from service.domain.language import Message, msg
    from service.wording import load_wording

    wording, reader = load_wording(), reader_language(lang)
    size = msg(
        "{entries} results, {bytes} bytes of at most {limit}, in {folder}",
        entries=document["entries"],
        bytes=document["bytes"],
        limit=document["limit_bytes"],
        folder=document["folder"],
    )
    lines: list[Message] = [size]
    for kind, counts in cast("dict[str, dict[str, int]]", document["by_kind"]).items():
        served = msg(
            "{kind}: {entries} results; served {hits} times, graded anew {misses}; "
            "{corrupt} damaged, {evicted} made room",
            kind=kind,
            **{name: count for name, count in counts.items() if name != "bytes"},
        )
        lines.append(served)
    return [wording.render(line, reader) for line in lines]
