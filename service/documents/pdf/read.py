"""A PDF's bytes to lines in reading order, with its quality and what was left out."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdf

from service.documents.clean import clean
from service.documents.pdf.layout import rows_of, runs_of
from service.documents.pdf.objects import Box, handle, paper
from service.documents.pdf.obstacles import obstacles_of
from service.documents.pdf.paragraphs import lines_of
from service.documents.pdf.pieces import Piece, linked, pieces_of, without_running_titles
from service.documents.pdf.words import PageWords, read_words
from service.documents.sheet import Sheet
from service.domain.resume import Notice, Quality
from service.domain.resume_reading.lines import Line

MOST_PAGES: Final = 30
# Fewer characters than this on all pages are no text; with a picture it is a scan.
LEAST_CHARACTERS: Final = 4
FEW_CHARACTERS: Final = 60
LEAST_IMAGE: Final = 0.3
MOST_BROKEN: Final = 0.3
_LINKS: Final = ("http://", "https://", "mailto:", "tel:")
LONGEST_QUOTE: Final = 200  # characters of hidden text that are shown
_LONGEST_LINK: Final = 2_000
_ACTIVE: Final = re.compile(rb"/(?:JavaScript|JS|Launch|OpenAction|EmbeddedFile|XFA|RichMedia)\b")
_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD


def read_pdf(data: bytes) -> Sheet:
    """Never raises for bad bytes: the quality says what is wrong."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        protected = _last_error() == _PASSWORD or b"/Encrypt" in data
        return Sheet(Quality.PROTECTED if protected else Quality.GARBLED)
    with document:
        pages = len(document)
        if pages == 0:
            return Sheet(Quality.GARBLED)
        if pages > MOST_PAGES:
            return Sheet(Quality.UNSUPPORTED, (), (Notice("too_many_pages", pages),))
        return _read(document, data)


def _last_error() -> int:
    return int(cast("int", pdf.FPDF_GetLastError()))


def _read(document: pdfium.PdfDocument, data: bytes) -> Sheet:
    seen: list[PageWords] = []
    pages: list[list[Piece]] = []
    height = 1.0
    for number, page in enumerate(document, 1):
        words = read_words(page)
        height = paper(page)[3]
        links = list(_links(document, page))
        rows = rows_of(runs_of(words.words)) if words.words else []
        pieces = pieces_of(rows, words.dots, number)
        pages.append([linked(p, links) for p in pieces])
        seen.append(words)
    notices = _notices(seen, data)
    quality = _quality(seen)
    if quality is not Quality.OK:
        return Sheet(quality, (), notices)
    kept = without_running_titles(pages, height)
    obstacles = tuple(obstacles_of(seen, pages, kept))
    lines = [_cleaned(line) for line in lines_of([p for page in kept for p in page])]
    return Sheet(
        Quality.OK, tuple(x for x in lines if x.text or x.aside or x.links), notices, obstacles
    )


def _quality(seen: Sequence[PageWords]) -> Quality:
    visible = sum(len(w.text) for p in seen for w in p.words)
    broken = sum(p.broken for p in seen)
    pictured = max(p.image_share for p in seen) >= LEAST_IMAGE
    if visible < FEW_CHARACTERS and pictured:
        return Quality.SCAN
    if visible < LEAST_CHARACTERS:
        return Quality.EMPTY
    return Quality.GARBLED if broken > MOST_BROKEN * max(visible, 1) else Quality.OK


def _notices(seen: Sequence[PageWords], data: bytes) -> tuple[Notice, ...]:
    hidden = sum(p.hidden for p in seen)
    said = " ".join(w.text for p in seen for w in p.unseen)[:LONGEST_QUOTE]
    found = [Notice("hidden_text", hidden, clean(said).text)] if hidden else []
    active = sorted({m[0].decode() for m in _ACTIVE.finditer(data)})
    if active:
        found.append(Notice("active_content", len(active), ", ".join(active)))
    return tuple(found)


def _links(document: pdfium.PdfDocument, page: pdfium.PdfPage) -> Iterator[tuple[Box, str]]:
    """Addresses of link annotations with their boxes."""
    position = ctypes.c_int(0)
    link = pdf.FPDF_LINK()
    rect = pdf.FS_RECTF()
    while pdf.FPDFLink_Enumerate(handle(page), ctypes.byref(position), ctypes.byref(link)):
        action = pdf.FPDFLink_GetAction(link)
        uri = _uri(document, action) if action else ""
        if uri.lower().startswith(_LINKS) and pdf.FPDFLink_GetAnnotRect(link, ctypes.byref(rect)):
            yield (rect.left, rect.bottom, rect.right, rect.top), uri


def _uri(document: pdfium.PdfDocument, action: object) -> str:
    length = pdf.FPDFAction_GetURIPath(handle(document), action, None, 0)
    if not 0 < length <= _LONGEST_LINK:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdf.FPDFAction_GetURIPath(handle(document), action, buffer, length)
    return buffer.value.decode("utf-8", "replace")


def _cleaned(line: Line) -> Line:
    text = clean(line.text, soft_hyphen="-").text.strip()
    aside = clean(line.aside, soft_hyphen="-").text.strip()
    return replace(line, text=" ".join(text.split("\n")), aside=aside)
