"""A DOCX's bytes to lines, with what was left out."""

import io
from dataclasses import replace
from typing import Final

from docx import Document
from docx.opc.exceptions import PackageNotFoundError
from lxml.etree import LxmlError  # pyright: ignore[reportUnknownVariableType]

from service.documents.clean import clean
from service.documents.docx.guard import Refused, check_archive
from service.documents.docx.look import Looks
from service.documents.docx.obstacles import obstacles_of
from service.documents.docx.place import paper_of
from service.documents.docx.walk import Walk
from service.documents.sheet import Sheet
from service.domain.resume import Notice, Quality
from service.domain.resume_reading.lines import Line

LONGEST_QUOTE: Final = 200  # characters of hidden text that are shown


def read_docx(data: bytes) -> Sheet:
    """Never raises for bad bytes: the quality says what is wrong."""
    try:
        active = check_archive(data)
        document = Document(io.BytesIO(data))
    except Refused as refused:
        quality = Quality.PROTECTED if str(refused) == "encrypted" else Quality.GARBLED
        return Sheet(quality, (), (Notice("refused", 1, str(refused)),))
    except (PackageNotFoundError, KeyError, ValueError, LxmlError):
        return Sheet(Quality.GARBLED)
    walk = Walk(document, Looks(document), paper_of(document))
    cleaned = [_cleaned(line) for line in walk.lines()]
    hidden, stripped = walk.hidden + sum(h for _, h, _ in cleaned), sum(s for _, _, s in cleaned)
    notices = _notices(hidden, stripped, clean(" ".join(walk.unseen)).text[:LONGEST_QUOTE])
    if active:
        notices.append(Notice("active_content", len(active), ", ".join(active[:3])))
    lines = tuple(line for line, _, _ in cleaned if line.text)
    has_text = any(c.isalnum() for line in lines for c in line.text)
    pictured = any(r.reltype.endswith("/image") for r in document.part.rels.values())
    if not has_text:
        return Sheet(Quality.SCAN if pictured else Quality.EMPTY, (), tuple(notices))
    return Sheet(Quality.OK, lines, tuple(notices), tuple(obstacles_of(document, walk)))


def _cleaned(line: Line) -> tuple[Line, int, int]:
    done = clean(line.text)
    return replace(line, text=done.text.strip()), done.hidden, done.stripped


def _notices(hidden: int, stripped: int, said: str) -> list[Notice]:
    counts = (("hidden_text", hidden, said), ("invisible_characters", stripped, ""))
    return [Notice(kind, count, detail) for kind, count, detail in counts if count]
