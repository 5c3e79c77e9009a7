"""`shardwise report`: an interview's report as Markdown, PDF or JSON."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from service.domain.language import Bilingual, Lang, Message
    from service.flows.parts import Parts

FORMS: Final = ("md", "pdf", "json")


def report(
    session: Annotated[str, typer.Argument(help="The interview; the newest when left out.")] = "",
    form: Annotated[str, typer.Option("--format", "-f", help="md, pdf or json.")] = "md",
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")
    ] = None,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """The report of an interview as a file. 把一场面试的报告写成文件。"""
    import asyncio

    from service.cli.language import reader_language
    from service.errors import InputInvalid
    from service.observe.logs import configure_logs

    if form not in FORMS:
        raise InputInvalid("{value} is none of {known}.", value=form, known=", ".join(FORMS))
    if form == "pdf" and out is None:
        raise InputInvalid("A PDF needs a file to go to: -o report.pdf")
    configure_logs("ERROR")  # the report alone stands on standard output
    _write(asyncio.run(_made(session, form, reader_language(lang))), out)


def _write(data: bytes, out: Path | None) -> None:
    from service.errors import InputInvalid

    if out is None:
        sys.stdout.write(data.decode())
        return
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputInvalid("{path} cannot be written.", path=str(out)) from error


async def _made(session_id: str, form: str, lang: "Lang") -> bytes:
    from service.assembly import Seams, open_parts
    from service.settings import read_settings

    async with open_parts(read_settings(), Seams()) as parts:
        owner = (await parts.store.local_owner()).id
        chosen = session_id or await _newest(parts, owner)
        return await _written(parts, owner, chosen, form, lang)


async def _newest(parts: "Parts", owner_id: str) -> str:
    from service.errors import NotFound

    sessions = await parts.store.list_sessions(owner_id)
    if not sessions:
        raise NotFound("There is no interview yet; begin one with: shardwise interview")
    return sessions[0].id


async def _written(
    parts: "Parts", owner_id: str, session_id: str, form: str, lang: "Lang"
) -> bytes:
    from service.api.present import Presenter
    from service.api.report_present import report_body
    from service.flows import interviews
    from service.flows.report_files import ReportForm, report_file
    from service.wording.catalogue import load_wording

    wording = load_wording()
    if form == "json":
        made = await interviews.report(parts, owner_id, session_id)
        body = report_body(Presenter(wording, parts.knowledge, lang), made)
        return (body.model_dump_json(indent=2) + "\n").encode()

    def say(text: "Message | Bilingual | str") -> str:
        return str(wording.value(text, lang))

    file = await report_file(parts, owner_id, session_id, ReportForm(form), lang, say)
    return file.data
