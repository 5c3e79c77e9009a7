"""What applicant systems stumble over on a PDF page, each with its place."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from service.documents.clean import clean
from service.documents.pdf.objects import Box
from service.documents.pdf.pieces import Piece
from service.documents.pdf.words import PageWords, Word
from service.domain.resume import Obstacle
from service.domain.resume_reading.dates import find_dates

LONGEST_QUOTE: Final = 80
LEAST_IMAGE: Final = 16.0  # points a side; smaller ones are ornaments
LEAST_CELLS: Final = 3
LEAST_ROWS: Final = 2
SPACED: Final = 0.85  # of the size, for each letter
LEAST_LETTERS: Final = 5
_ICON: Final = re.compile("[\ue000-\uf8ff]")
_NO_UNICODE: Final = re.compile("[\x01\x03-\x08\ufffd]")
_LATIN: Final = re.compile(r"[A-Za-z@.]+")


def obstacles_of(
    seen: Sequence[PageWords], pages: Sequence[Sequence[Piece]], kept: Sequence[Sequence[Piece]]
) -> Iterator[Obstacle]:
    """Page by page. `kept` are the pieces without running titles."""
    for number, (words, pieces, left) in enumerate(zip(seen, pages, kept, strict=True), 1):
        yield from _of_words(words, number)
        yield from _of_shape(pieces, number)
        for image in words.images:
            if min(image[2] - image[0], image[3] - image[1]) >= LEAST_IMAGE:
                yield Obstacle("image", page=number, box=_rounded(image))
        staying = {id(p) for p in left}
        gone = [p for p in pieces if id(p) not in staying]
        yield from (_from_pieces("running_title", [p], number) for p in gone)


def _of_words(words: PageWords, page: int) -> Iterator[Obstacle]:
    for kind, pattern in (("icons", _ICON), ("no_unicode", _NO_UNICODE)):
        found = [w for w in words.words if pattern.search(w.text)]
        if found:
            yield _from_words(kind, found, page)
    if words.unseen:
        yield _from_words("hidden_text", words.unseen, page)


def _of_shape(pieces: Sequence[Piece], page: int) -> Iterator[Obstacle]:
    sided = [p for p in pieces if p.column]
    if sided:
        yield _from_pieces("columns", sided, page)
    for is_row, group in groupby(pieces, lambda p: _cells(p) >= LEAST_CELLS):
        rows = list(group)
        if is_row and len(rows) >= LEAST_ROWS:
            yield _from_pieces("table", rows, page)
    spaced = [p for p in pieces if _is_spaced(p)]
    if spaced:
        yield _from_pieces("spaced_letters", spaced, page)


def _cells(piece: Piece) -> int:
    """Parts of a row; a date set at its side is the usual form of an entry and no cell."""
    beside = bool(piece.aside) and find_dates(piece.aside) is None
    return piece.text.count("\t") + 1 + beside


def _is_spaced(piece: Piece) -> bool:
    letters = piece.text
    if len(letters) < LEAST_LETTERS or _LATIN.fullmatch(letters) is None:
        return False
    return piece.x1 - piece.x0 > SPACED * piece.size * len(letters)


def _from_words(kind: str, words: Sequence[Word], page: int) -> Obstacle:
    text = clean(" ".join(w.text for w in words)).text.strip()
    box = _around([w.box for w in words])
    return Obstacle(kind, sum(len(w.text) for w in words), text[:LONGEST_QUOTE], page, box)


def _from_pieces(kind: str, pieces: Sequence[Piece], page: int) -> Obstacle:
    quote = clean(pieces[0].text or pieces[0].aside).text.replace("\t", " | ")
    box = _around([(p.mark_x, p.base, p.x1, p.top) for p in pieces])
    return Obstacle(kind, len(pieces), quote[:LONGEST_QUOTE], page, box)


def _around(boxes: Sequence[Box]) -> Box:
    left, bottom, right, top = zip(*boxes, strict=True)
    return _rounded((min(left), min(bottom), max(right), max(top)))


def _rounded(box: Box) -> Box:
    return (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
