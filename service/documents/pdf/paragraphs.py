"""Rows to logical lines: wrapped text is joined, side text is brought to its heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.documents.hyphens import Hyphens
from service.documents.pdf.pieces import Piece
from service.domain.resume_reading.dates import find_dates
from service.domain.resume_reading.lines import Line

_SPACE: Final = 0.25  # of the size: a word space
_SAME_SIZE: Final = 0.04
NARROW: Final = 20.0  # columns narrower than so many letters
HUGE: Final = 16.0  # points: the name at the top of a page
_ADDRESS_START: Final = re.compile(
    r"\S*(?:@|://|\.(?:com|org|io|net|cn|dev|me|ai)\b)", re.IGNORECASE
)
# An address that the end of a row cut: what follows goes on with it, hyphen and all.
_OPEN_ADDRESS: Final = re.compile(
    r"(?:https?://|(?:^|[\s|(])(?:[\w-]{1,40}\.){1,3}(?:com|org|io|net|cn|dev|me|ai)/)(?:[^\s|]{0,200}[-/?=&_])?$",
    re.IGNORECASE,
)
_OPEN_END: Final = re.compile(
    r"(?:[,，、/(（&-]|\b(?:and|or|of|in|the|for|with|to|a))$", re.IGNORECASE
)
_DATE_END: Final = re.compile(
    r"(?:(?:19|20)\d\d(?:[./年-]\d{1,2}月?)?|至今|present)\s*[)）]?$", re.IGNORECASE
)
_SAME_EDGE: Final = 2.5  # points
_TALLEST_PITCH: Final = 1.9  # of the height: lines further apart are not one paragraph
_HAN: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def lines_of(pieces: Sequence[Piece]) -> list[Line]:
    """Join each wrapped line to the one before; bring side text to the heading it belongs to."""
    return _asides_home(list(_joined_lines(pieces)))


def _asides_home(lines: list[Line]) -> list[Line]:
    """A side column runs on beside the list items under a heading; its text is the heading's."""
    home: int | None = None
    for index, line in enumerate(lines):
        if not line.bullet:
            home = index
            continue
        if line.aside and home is not None and lines[home].page == line.page:
            host = lines[home]
            lines[home] = replace(host, aside="\t".join(a for a in (host.aside, line.aside) if a))
            lines[index] = replace(line, aside="")
    return lines


def _joined_lines(pieces: Sequence[Piece]) -> Iterator[Line]:
    edges = _right_edges(pieces)
    hyphens = Hyphens.of(p.text for p in pieces)
    group: list[Piece] = []
    for piece in pieces:
        if group and _wraps(group, piece, edges[piece.page, piece.column]):
            group.append(piece)
            continue
        if group:
            yield _line(group, hyphens)
        group = [piece]
    if group:
        yield _line(group, hyphens)


def _right_edges(pieces: Sequence[Piece]) -> dict[tuple[int, int], float]:
    edges: dict[tuple[int, int], float] = {}
    for piece in pieces:
        key = (piece.page, piece.column)
        edges[key] = max(edges.get(key, 0.0), piece.x1)
    return edges


def _wraps(group: Sequence[Piece], piece: Piece, edge: float) -> bool:
    """Whether the row goes on with the text before: same shape, and the word did not fit there."""
    first, last = group[0], group[-1]
    if not _same_paragraph(last, piece):
        return False
    if first.bullet and abs(piece.x0 - first.x0) < _SAME_EDGE < first.x0 - first.mark_x:
        return True  # a hanging indent says it all
    if not _same_margin(group, piece) or _is_closed(last, piece):
        return False
    narrow = edge - first.x0 < NARROW * piece.size
    if narrow and not first.bullet and not _runs_on(last, piece):
        return False
    return last.x1 + _SPACE * piece.size + piece.first_word > edge


def _same_paragraph(last: Piece, piece: Piece) -> bool:
    """Next to each other, of one size, and nothing that begins something new."""
    if piece.bullet or not piece.text or (last.page, last.column) != (piece.page, piece.column):
        return False
    if abs(last.size - piece.size) > _SAME_SIZE * last.size or (piece.bold and not last.bold):
        return False
    return 0 < last.base - piece.base <= _TALLEST_PITCH * max(last.size, piece.size)


def _same_margin(group: Sequence[Piece], piece: Piece) -> bool:
    """Under the text, under its list mark, or under a first line set in by two characters."""
    first, last = group[0], group[-1]
    set_in = (first.x0 - piece.x0) / piece.size
    if abs(piece.x0 - last.x0) < _SAME_EDGE or (len(group) == 1 and 1.4 < set_in < 2.6):  # noqa: PLR2004 - about two
        return True
    return first.bullet and abs(piece.x0 - first.mark_x) < 0.9 * piece.size


def _is_closed(last: Piece, piece: Piece) -> bool:
    """Rows of a grid, headings with side text, lines that end in a date, addresses."""
    if "\t" in last.text or "\t" in piece.text or last.aside or last.bold:
        return True
    if piece.aside and find_dates(piece.aside):
        return True
    begins = _ADDRESS_START.match(piece.text) is not None and not last.text.endswith("://")
    return begins or _DATE_END.search(last.text) is not None


def _runs_on(last: Piece, piece: Piece) -> bool:
    """In a narrow column nearly every line is full: the words must ask to be continued."""
    if _HAN.match(last.text[-1:]) and _HAN.match(piece.text[:1]):
        return True
    if piece.text[:1].islower() or _OPEN_END.search(last.text) or piece.size >= HUGE:
        return True
    few = len(piece.text.split()) < 3 and "," not in piece.text  # noqa: PLR2004 - a word or two left over
    return few and "," in last.text and not any(c.isdigit() for c in last.text + piece.text)


def _line(group: Sequence[Piece], hyphens: Hyphens) -> Line:
    first = group[0]
    text = first.text
    for piece in group[1:]:
        text = _glue(text, piece.text, hyphens)
    return Line(
        text=text,
        aside="\t".join(p.aside for p in group if p.aside),
        bullet=first.bullet,
        bold=all(p.bold for p in group),
        size=first.size,
        indent=first.mark_x,
        page=first.page,
        box=(min(p.mark_x for p in group), group[-1].base, max(p.x1 for p in group), first.top),
        links=tuple(dict.fromkeys(k for p in group for k in p.links)),
        column=first.column,
    )


def _glue(before: str, after: str, hyphens: Hyphens) -> str:
    if not before or not after:
        return before + after
    if _HAN.match(before[-1]) or _HAN.match(after[0]) or _OPEN_ADDRESS.search(before):
        return before + after
    return hyphens.glued(before, after) or f"{before} {after}"
