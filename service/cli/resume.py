"""`shardwise resume`: what a résumé file says, each value with its place; and out again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from service.documents.reader import ReadResume, ResumeReader
    from service.domain.language import Lang
    from service.domain.resume import Bullet, Resume

UNREADABLE: Final = 2

resume = typer.Typer(help="Résumés. 简历。", no_args_is_help=True)


@resume.command()
def parse(
    file: Annotated[Path, typer.Argument(help="PDF, DOCX, Markdown, text or JSON Resume.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of messages.")] = "",
) -> None:
    """Read a résumé file. 读取简历文件。"""
    import sys

    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.domain.resume import Quality
    from service.errors import FileTooLarge, FileUnreadable, FileUnsupported
    from service.wording.catalogue import load_wording

    try:
        found = read_file(file, open_reader())
    except (FileUnreadable, FileUnsupported, FileTooLarge) as error:
        quality = error.quality if isinstance(error, FileUnreadable) else Quality.UNSUPPORTED
        print(load_wording().error(error, reader_language(lang)), file=sys.stderr)
        if as_json:
            print_json(unread_document(quality))
        raise typer.Exit(UNREADABLE) from error
    if as_json:
        print_json(document(found))
        return
    text = found.resume.text if found.resume else ""
    _show(found, reader_language(lang, text))


@resume.command()
def export(
    file: Annotated[Path, typer.Argument(help="PDF, DOCX, Markdown, text or JSON Resume.")],
    to: Annotated[str, typer.Option(help="pdf, docx, md (markdown) or json.")] = "pdf",
    out: Annotated[
        Path | None, typer.Option(help="Where to write; beside FILE if not said.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The certificate as JSON.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of messages.")] = "",
) -> None:
    """Write a résumé out and prove that it can be read. 导出简历并验证可读。"""
    from service.cli.resume_export import run_export

    run_export(file, to, out, as_json=as_json, lang=lang)


@resume.command()
def ats(
    file: Annotated[Path, typer.Argument(help="PDF, DOCX, Markdown, text or JSON Resume.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of messages.")] = "",
) -> None:
    """What applicant systems will and will not read in a file. 招聘系统读得到什么。"""
    from service.cli.resume_ats import run_ats

    run_ats(file, as_json=as_json, lang=lang)


def open_reader() -> "ResumeReader":
    """The reader with the limits and words that the settings name."""
    from service.corpus.load import load_knowledge
    from service.corpus.resume_words import FILE, load_resume_words
    from service.documents.limits import ReadLimits
    from service.documents.reader import ResumeReader
    from service.settings import read_settings

    settings = read_settings()
    limits = ReadLimits(
        settings.max_upload_bytes, settings.parse_seconds, settings.parse_memory_bytes
    )
    words = load_resume_words(settings.knowledge_dir / FILE)
    return ResumeReader(limits, words, load_knowledge(settings.knowledge_dir).skills)


def read_file(file: Path, reader: "ResumeReader") -> "ReadResume":
    """Read one file.

    Raises:
        InputInvalid: there is no such file.
        FileTooLarge, FileUnsupported, FileUnreadable: as the reader says.
    """
    import asyncio

    from service.errors import InputInvalid

    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputInvalid("{path} cannot be read.", path=str(file)) from error
    return asyncio.run(reader.read(data, file.name))


def unread_document(quality: str) -> dict[str, object]:
    """The form of a résumé of which nothing could be read."""
    empty = ("education", "work", "projects", "skills", "urls", "warnings")
    nothing = dict.fromkeys(("name", "email", "phone", "city"))
    return {"quality": str(quality), **nothing, **{field: [] for field in empty}}


def document(found: "ReadResume") -> dict[str, object]:
    """The JSON form of spec/contracts.md, and the places, repairs and open fields beside it."""
    from dataclasses import asdict

    read = found.resume
    if read is None:
        return unread_document(found.quality.value)
    return {
        "quality": found.quality.value,
        "warnings": [asdict(notice) for notice in found.notices],
        **{f: getattr(read, f) for f in ("name", "email", "phone", "city")},
        "urls": list(read.urls),
        "education": _education(read),
        "work": [
            {
                **{f: getattr(w, f) for f in ("employer", "title", "start", "end")},
                "bullets": _bullets(w.bullets),
                "description": _bullets(w.description),
            }
            for w in read.work
        ],
        "projects": [
            {
                **{f: getattr(p, f) for f in ("name", "role", "start", "end")},
                "bullets": _bullets(p.bullets),
                "description": _bullets(p.description),
            }
            for p in read.projects
        ],
        "skills": list(read.skills),
        "skill_lines": _bullets(read.skill_lines),
        "notes": _bullets(read.notes),
        "papers": list(read.papers),
        "places": [asdict(place) for place in read.places],
        "repairs": [asdict(repair) for repair in read.repairs],
        "missing": list(read.missing),
        "text": read.text,
    }


def _education(read: "Resume") -> list[dict[str, object]]:
    fields = ("school", "degree", "major", "start", "end")
    return [{f: getattr(e, f) for f in fields} for e in read.education]


def _bullets(bullets: tuple["Bullet", ...]) -> list[dict[str, object]]:
    return [{"id": b.id, "text": b.text, "span": [b.span.start, b.span.end]} for b in bullets]


def _show(found: "ReadResume", lang: "Lang") -> None:
    from rich.console import Console

    from service.domain.language import msg
    from service.wording.catalogue import load_wording

    read = found.resume
    console = Console(highlight=False, markup=False)
    if read is None:
        return
    wording = load_wording()
    contacts = "  ".join(c for c in (read.name, read.email, read.phone, read.city, *read.urls) if c)
    if contacts:
        console.print(contacts, style="bold")
    for e in read.education:
        console.print("  ".join(x for x in (e.school, e.degree, e.major, e.start, e.end) if x))
    _show_entries(read, console)
    for notice in found.notices:
        left_out = msg("Left out: {kind} ({count}).", kind=notice.kind, count=notice.count)
        console.print(wording.render(left_out, lang), style="yellow")


def _show_entries(read: "Resume", console: "Console") -> None:
    for heading, bullets in _entries(read):
        console.print(heading, style="bold")
        for bullet in bullets:
            console.print(f"  {bullet.id}  {bullet.text}")
    if read.skills:
        console.print(", ".join(read.skills), style="bold")
    for line in (*read.skill_lines, *read.notes):
        console.print(f"  {line.id}  {line.text}")


def _entries(read: "Resume") -> list[tuple[str, tuple["Bullet", ...]]]:
    work = [
        (
            "  ".join(x for x in (w.employer, w.title, w.start, w.end) if x),
            (*w.description, *w.bullets),
        )
        for w in read.work
    ]
    projects = [
        (
            "  ".join(x for x in (p.name, p.role, p.start, p.end) if x),
            (*p.description, *p.bullets),
        )
        for p in read.projects
    ]
    return [*work, *projects]
