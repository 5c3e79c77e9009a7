"""`shardwise resume ats`: what applicant systems stumble over in a file, and where."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli.language import reader_language
from service.cli.output import print_json
from service.cli.resume import UNREADABLE, open_reader, read_file
from service.domain.ats import FINDINGS
from service.domain.language import Lang, msg
from service.errors import FileTooLarge, FileUnreadable, FileUnsupported
from service.wording.catalogue import load_wording

if TYPE_CHECKING:
    from service.domain.resume import Obstacle


def run_ats(file: Path, *, as_json: bool, lang: str) -> None:
    """Exit code 2 when the file cannot be read at all."""
    try:
        read = read_file(file, open_reader()).resume
    except (FileUnreadable, FileUnsupported, FileTooLarge) as error:
        print(load_wording().error(error, reader_language(lang)), file=sys.stderr)
        raise typer.Exit(UNREADABLE) from error
    found = [one for one in (read.obstacles if read else ()) if one.kind in FINDINGS]
    reader = reader_language(lang, read.text if read else "")
    if as_json:
        print_json({"obstacles": [_document(one, reader) for one in found]})
        return
    for one in found:
        shown = _document(one, reader)
        print(f"{_place(one, reader)}{shown['what']} {shown['remedy']}")
        if one.quote:
            print(f"    {one.quote}")
    if not found:
        print(load_wording().render(msg("Nothing stands in the way of a parser."), reader))


def _document(one: "Obstacle", lang: Lang) -> dict[str, object]:
    finding, wording = FINDINGS[one.kind], load_wording()
    said = {"what": finding.what, "remedy": finding.remedy}
    words = {name: wording.render(text, lang) for name, text in said.items()}
    return {**asdict(one), "harm": finding.harm.value, **words}


def _place(one: "Obstacle", lang: Lang) -> str:
    if one.page is None:
        return ""
    where = ", ".join(f"{side:g}" for side in one.box or ())
    named = msg("Page {page} [{box}]: ", page=one.page, box=where)
    return load_wording().render(named, lang)
