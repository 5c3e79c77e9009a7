"""`shardwise resume export`: the file written, and its certificate."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli.language import reader_language
from service.cli.output import print_json
from service.cli.resume import UNREADABLE, open_reader, read_file
from service.documents.export.write import EXTENSION, ExportForm
from service.domain.language import Message, msg
from service.domain.resume_writing.naming import field_title
from service.errors import FileTooLarge, FileUnreadable, FileUnsupported, InputInvalid
from service.wording.catalogue import load_wording

if TYPE_CHECKING:
    from service.domain.resume_writing.certificate import Certificate, Check

FORMS = {**{f.value: f for f in ExportForm}, "md": ExportForm.MARKDOWN}
LOST = 1
_NOT_REREAD = msg("{field}: “{value}” was not read back.")
_NOT_SEEN = msg("{field}: “{value}” was not seen by the second reader.")


def run_export(file: Path, to: str, out: Path | None, *, as_json: bool, lang: str) -> None:
    """Exit code 1 when a value did not come back, 2 when the file cannot be read.

    Raises:
        InputInvalid: no such form, or the target cannot be written.
    """
    import asyncio

    from service.documents.export.certify import export_certified

    form = FORMS.get(to.lower())
    if form is None:
        raise InputInvalid("{value} is none of {known}.", value=to, known="pdf, docx, md, json")
    reader = open_reader()
    try:
        found = read_file(file, reader)
    except (FileUnreadable, FileUnsupported, FileTooLarge) as error:
        print(load_wording().error(error, reader_language(lang)), file=sys.stderr)
        raise typer.Exit(UNREADABLE) from error
    if found.resume is None:
        raise typer.Exit(UNREADABLE)
    data, proof = asyncio.run(export_certified(found.resume, form, reader))
    target = out or file.with_name(f"{file.stem}.export.{EXTENSION[form]}")
    _write(target, data)
    if as_json:
        print_json({"file": str(target), **asdict(proof), "kept": proof.kept})
    else:
        _show(target, proof, reader_language(lang, found.resume.text))
    if proof.lost:
        raise typer.Exit(LOST)


def _write(target: Path, data: bytes) -> None:
    try:
        target.write_bytes(data)
    except OSError as error:
        raise InputInvalid("{path} cannot be written.", path=str(target)) from error


def _show(target: Path, proof: "Certificate", lang: str) -> None:
    wording, reader = load_wording(), reader_language(lang)
    counted = msg(
        "{path}: {kept} of {total} values came back unchanged; second reader: {second}.",
        path=str(target),
        kept=proof.kept,
        total=len(proof.checks),
        second=proof.second or "-",
    )
    print(wording.render(counted, reader))
    for check in proof.lost:
        print(f"  {wording.render(_told(check), reader)}")


def _told(check: "Check") -> Message:
    """A value that did not come back, and who missed it."""
    missed = _NOT_REREAD if not check.same else _NOT_SEEN
    field = field_title(check.field)
    return Message(missed.template, (("field", field), ("value", check.value)))
