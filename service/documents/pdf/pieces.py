"""Rows read one by one: list marks and side columns told apart, running titles taken out."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.documents.pdf.layout import Row, Run, run_of
from service.documents.pdf.objects import Box
from service.documents.pdf.words import Word
from service.domain.resume_reading.dates import find_dates
from service.domain.resume_reading.lines import BULLET_MARKS

LONGEST_ASIDE: Final = 46
_HAN: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
# What Word and LibreOffice draw as list marks in the Symbol and Wingdings fonts.
_DRAWN_MARKS: Final = "\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf06e\uf075\uf0a8\uf02d"
_MARK: Final = re.compile(rf"[{re.escape(BULLET_MARKS)}{_DRAWN_MARKS}o]")
_PAGE_NUMBER: Final = re.compile(
    r"[-–—\s]*(?:page|第)?\s*\d{1,2}\s*页?(?:\s*(?:/|of|共)\s*\d{1,2}\s*页?)?[-–—\s]*",
    re.IGNORECASE,
)
_NUMBER_MARK: Final = re.compile(r"(?:\d{1,2}[.)、]|[（(]\d{1,2}[)）]|[①-⑳])$")
_EDGE: Final = 0.09  # share of a page at its top and bottom where running titles stand


@dataclass(frozen=True, slots=True)
class Piece:
    """One row read: its text, its side text and what its shape says."""

    text: str
    aside: str
    bullet: bool
    bold: bool
    size: float
    x0: float  # where the text begins, behind a list mark
    x1: float
    mark_x: float  # where the list mark or the text begins
    base: float
    top: float
    column: int
    page: int
    first_word: float  # width of its first word
    links: tuple[str, ...] = ()


def pieces_of(rows: Sequence[Row], dots: Sequence[Box], page: int) -> list[Piece]:
    rows = list(rows)
    edges = {c: max(r.x1 for r in rows if r.column == c) for c in {r.column for r in rows}}
    return [p for row in rows if (p := _piece(row, dots, page, edges[row.column])).text or p.aside]


def _piece(row: Row, dots: Sequence[Box], page: int, edge: float) -> Piece:
    runs = list(row.runs)
    mark_x = runs[0].x0
    runs, marked = _without_mark(runs)
    runs, aside = _without_aside(runs, edge)
    main = runs or list(row.runs)
    words = [w for r in main for w in r.words]
    text = "\t".join(r.text for r in runs)
    dotted = _dotted(dots, main[0])
    return Piece(
        text=text,
        aside=aside,
        bullet=marked or dotted,
        bold=all(w.bold for w in words),
        size=round(max(w.height for w in words), 1),
        x0=main[0].x0,
        x1=main[-1].x1,
        mark_x=mark_x,
        base=row.base,
        top=row.top,
        column=row.column,
        page=page,
        first_word=_first_word(words),
    )


def _first_word(words: Sequence[Word]) -> float:
    """The width that would have been needed to keep the first word on the line before."""
    first = words[0]
    if _HAN.match(first.text):
        return first.height
    latin = re.match(r"[^\u3000-\u9fff]+", first.text)
    share = len(latin[0]) / len(first.text) if latin else 1.0
    return (first.x1 - first.x0) * share


def _without_mark(runs: list[Run]) -> tuple[list[Run], bool]:
    """A list mark may be a run of its own or the first word of the first run."""
    first = runs[0].words[0]
    is_mark = len(first.text) == 1 and _MARK.fullmatch(first.text)
    if not (is_mark or _NUMBER_MARK.fullmatch(first.text)):
        return runs, False
    rest = runs[0].words[1:]
    kept = [run_of(rest), *runs[1:]] if rest else runs[1:]
    return (kept, True) if kept else (runs, False)


def _without_aside(runs: list[Run], edge: float) -> tuple[list[Run], str]:
    """A date or place in a column of its own, at the right edge or left of the text."""
    if len(runs) < 2:  # noqa: PLR2004 - one run has nothing beside it
        return runs, ""
    last, first = runs[-1], runs[0]
    short = len(last.text) <= LONGEST_ASIDE
    if short and (find_dates(last.text) or abs(last.x1 - edge) < last.height):
        rest, more = runs[:-1], last.text
        if len(rest) > 1 and find_dates(rest[-1].text):
            rest, more = rest[:-1], f"{rest[-1].text}\t{more}"
        return rest, more
    if len(first.text) <= LONGEST_ASIDE and find_dates(first.text):
        return runs[1:], first.text
    return runs, ""


def _dotted(dots: Sequence[Box], run: Run) -> bool:
    """A list mark that is drawn, not written, just left of the text."""
    middle = (run.y0 + run.y1) / 2
    return any(
        0 < run.x0 - dot[2] < 1.6 * run.height
        and abs((dot[1] + dot[3]) / 2 - middle) < 0.45 * run.height
        for dot in dots
    )


def without_running_titles(pages: Sequence[Sequence[Piece]], height: float) -> list[list[Piece]]:
    """Text that stands at the edge of several pages, numbers aside, belongs to the paper.

    A title repeated at the top stays where it stands first: it may be the person's name.
    """
    pages = [[p for p in page if not _is_page_number(p, height)] for page in pages]
    if len(pages) < 2:  # noqa: PLR2004 - nothing repeats on one page
        return pages
    counted = Counter(
        key for page in pages for key in {_key(p) for p in page if _at_edge(p, height)}
    )
    repeated = {key for key, n in counted.items() if n > 1 and key}
    kept: list[list[Piece]] = []
    for number, page in enumerate(pages):
        drop = [p for p in page if _at_edge(p, height) and _key(p) in repeated]
        at_top = [p for p in drop if p.base > height / 2]
        stay = {id(p) for p in at_top} if number == 0 else set[int]()
        gone = {id(p) for p in drop} - stay
        kept.append([p for p in page if id(p) not in gone])
    return kept


def _is_page_number(piece: Piece, height: float) -> bool:
    alone = _PAGE_NUMBER.fullmatch(f"{piece.text}{piece.aside}") is not None
    return alone and piece.base < _EDGE * height


def _at_edge(piece: Piece, height: float) -> bool:
    return piece.base < _EDGE * height or piece.top > (1 - _EDGE) * height


def _key(piece: Piece) -> str:
    return re.sub(r"\d+", "#", f"{piece.text} {piece.aside}").strip().lower()


def linked(piece: Piece, links: Sequence[tuple[Box, str]]) -> Piece:
    """The piece with the addresses whose boxes lie on its row."""
    middle = (piece.base + piece.top) / 2
    here = [
        u
        for box, u in links
        if box[1] <= middle <= box[3] and box[0] < piece.x1 + 2 and box[2] > piece.mark_x - 2
    ]
    return replace(piece, links=tuple(dict.fromkeys(here))) if here else piece
