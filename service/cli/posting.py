"""`shardwise posting parse`: what a job ad asks for, in its own words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.domain.language import Lang
    from service.domain.posting import Posting, Requirement
    from service.wording.catalogue import Wording

posting = typer.Typer(help="Job ads. 招聘信息。", no_args_is_help=True)


@posting.callback()
def _posting() -> None:
    """Keeps `parse` a command of its own while it is the only one."""


@posting.command()
def parse(
    file: Annotated[Path | None, typer.Argument(help="A text file; standard input for -.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of the table.")] = "",
) -> None:
    """Read a job ad. 解析招聘信息。"""
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.wording.catalogue import load_wording

    read = read_file(file)
    if as_json:
        print_json(document(read))
        return
    _show(read, load_wording(), reader_language(lang, read.text))


def read_file(file: Path | None) -> "Posting":
    """Read an ad; UTF-8, UTF-16 and GB18030 are understood.

    Raises:
        InputInvalid: there is no such file.
        TextEmpty: there is nothing in it.
        FileUnreadable: it is no text.
    """
    import sys

    from service.corpus.load import load_knowledge
    from service.documents.text import decode
    from service.domain.posting_reading import read_posting
    from service.errors import FileUnreadable, InputInvalid, TextEmpty
    from service.settings import read_settings

    try:
        data = sys.stdin.buffer.read() if file is None or str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InputInvalid("{path} cannot be read.", path=str(file)) from error
    text = decode(data)
    if text is None:
        raise FileUnreadable("{path} is not text.", "garbled", path=str(file))
    if not text.strip():
        raise TextEmpty("There is nothing to read.")
    return read_posting(text, load_knowledge(read_settings().knowledge_dir).skills)


def document(read: "Posting") -> dict[str, object]:
    """The JSON form of spec/contracts.md."""
    return {
        "title": read.title,
        "level": read.level,
        "years_min": read.years_min,
        "degree": read.degree,
        "requirements": [requirement_document(r) for r in read.requirements],
    }


def requirement_document(asked: "Requirement") -> dict[str, object]:
    return {
        "id": asked.id,
        "text": asked.text,
        "span": [asked.span.start, asked.span.end],
        "skills": list(asked.skills),
        "kind": asked.kind.value,
        "group": asked.group.value,
        "negated": asked.negated,
        "years": asked.years,
        "degree": asked.degree,
        "category": asked.category,
    }


def _show(read: "Posting", wording: "Wording", lang: "Lang") -> None:
    """One requirement after the other; whoever reads it may have a narrow window or a pipe."""
    from service.domain.language import msg

    kinds = {"must": msg("required"), "nice": msg("welcome")}
    if read.title:
        typer.echo(read.title)
    for asked in read.requirements:
        skills = ", ".join(asked.skills)
        tags = [kinds[asked.kind.value]]
        tags += [msg("one of these is enough")] if asked.group.value == "any_of" else []
        tags += [msg("said not to be required")] if asked.negated else []
        told = ", ".join(wording.render(tag, lang) for tag in tags)
        typer.echo(f"{asked.id}  {asked.text}")
        typer.echo(f"    {told}{f': {skills}' if skills else ''}")
