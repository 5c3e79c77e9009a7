"""Words with boxes from PDFium, and which of them nobody can see.

Only the first and last character of a word is measured: that is what keeps the extraction
within twice PDFium's own time. A page with suspicious text is measured character by character.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium

from service.documents.pdf.ground import Ground
from service.documents.pdf.measure import Measured, read_codes
from service.documents.pdf.objects import LEAST_CONTRAST, Box, Objects, handle, paper, survey

# Characters lower than this (points) are not meant to be read.
LEAST_HEIGHT: Final = 2.5
_PRIVATE: Final = range(0xE000, 0xF900)
_BASIC: Final = 0x10000  # codes from here on are two UTF-16 units


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    bold: bool = False
    spaced: bool = False  # a space stands before it

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(frozen=True, slots=True)
class PageWords:
    words: tuple[Word, ...]
    dots: tuple[Box, ...]
    hidden: int  # characters
    broken: int  # characters without a readable code
    characters: int
    image_share: float  # of the page's area, 0..1


def read_words(page: pdfium.PdfPage) -> PageWords:
    text_page = page.get_textpage()
    objects = survey(page)
    left, bottom, right, top = paper(page)
    raw = handle(text_page)
    codes = read_codes(raw)
    measured = Measured(raw, objects)
    splitting = objects.suspicious
    words = list(_words(codes, measured, by_object=splitting))
    kept, hidden = _visible(words, page, objects)
    broken = sum(c in _UNREADABLE or c in _PRIVATE for c in codes)
    area = max((right - left) * (top - bottom), 1.0)
    printable = sum(1 for c in codes if c > 32)  # noqa: PLR2004 - above the space
    return PageWords(
        tuple(w for w, _ in kept),
        tuple(objects.dots),
        hidden,
        broken,
        printable,
        min(1.0, objects.image_area / area),
    )


_BREAKS: Final = frozenset({9, 10, 11, 12, 13, 32, 0xA0, 0x2002, 0x2003, 0x2009, 0x3000, 0x200B})
_UNREADABLE: Final = frozenset({0xFFFD, 1, 3, 4, 5, 6, 7, 8})
_NOTHING: Final = frozenset({0, 0xFEFF})
_HYPHENS: Final = frozenset({2, 0xFFFE})  # what PDFium puts for a hyphen at the end of a line


def _words(
    codes: Sequence[int], measured: Measured, *, by_object: bool
) -> Iterator[tuple[Word, int]]:
    start = None
    spaced = False
    for index, code in enumerate((*codes, 32)):
        if code not in _BREAKS:
            if start is not None and by_object and measured.differ(index - 1, index):
                yield from _word(codes, start, index, measured, spaced=spaced)
                start, spaced = index, False
            start = index if start is None else start
            continue
        if start is not None:
            yield from _word(codes, start, index, measured, spaced=spaced)
            start = None
        spaced = True


def _word(
    codes: Sequence[int], start: int, end: int, measured: Measured, *, spaced: bool
) -> Iterator[tuple[Word, int]]:
    text = _decode([c for c in codes[start:end] if c not in _NOTHING])
    if not text:
        return
    first = measured.box(start)
    last = measured.box(end - 1) if end - start > 1 else first
    if last[0] < first[0] or abs(last[1] - first[1]) > max(first[3] - first[1], 1):
        yield from _broken_word(codes, start, end, measured, spaced=spaced)
        return
    word = Word(
        text,
        first[0],
        min(first[1], last[1]),
        last[2],
        max(first[3], last[3]),
        measured.bold(start),
        spaced,
    )
    yield word, measured.object(start)


def _broken_word(
    codes: Sequence[int], start: int, end: int, measured: Measured, *, spaced: bool
) -> Iterator[tuple[Word, int]]:
    """A run without spaces that turns into another line: cut it where the baseline jumps."""
    cut = start
    for index in range(start + 1, end + 1):
        if index < end:
            before, here = measured.box(index - 1), measured.box(index)
            height = max(before[3] - before[1], 1.0)
            if here[0] >= before[0] - height / 2 and abs(here[1] - before[1]) < height / 2:
                continue
        first, last = measured.box(cut), measured.box(index - 1)
        text = _decode([c for c in codes[cut:index] if c not in _NOTHING])
        if text:
            yield (
                Word(
                    text,
                    min(first[0], last[0]),
                    min(first[1], last[1]),
                    max(first[2], last[2]),
                    max(first[3], last[3]),
                    measured.bold(cut),
                    spaced,
                ),
                measured.object(cut),
            )
        cut = index


def _decode(codes: Sequence[int]) -> str:
    raw = b"".join(
        (45 if c in _HYPHENS else c).to_bytes(2, "little")
        if c < _BASIC
        else chr(c).encode("utf-16-le")
        for c in codes
    )
    return raw.decode("utf-16-le", "replace")


def _visible(
    words: Sequence[tuple[Word, int]], page: pdfium.PdfPage, objects: Objects
) -> tuple[list[tuple[Word, int]], int]:
    """Drop what is off the paper, tiny, drawn invisibly, of the ground's colour, or covered."""
    seen_paper = paper(page)
    kept: list[tuple[Word, int]] = []
    doubtful: list[tuple[Word, int]] = []
    hidden = 0
    for word, address in words:
        if _is_off(word, seen_paper) or word.height < LEAST_HEIGHT or address in objects.unseen:
            hidden += len(word.text)
        elif objects.doubtful(address) or _covered(word, address, objects):
            doubtful.append((word, address))
        else:
            kept.append((word, address))
    if not doubtful:
        return kept, hidden
    ground = Ground(page)
    greys = {a: None if a in objects.faint else objects.grey.get(a, 0) for _, a in doubtful}
    seen = {id(w) for w, a in doubtful if ground.shows(w.box, greys[a])}
    hidden += sum(len(w.text) for w, _ in doubtful if id(w) not in seen)
    standing = {id(w) for w, _ in kept} | seen
    return [(w, a) for w, a in words if id(w) in standing], hidden


def _is_off(word: Word, paper_box: Box) -> bool:
    left, bottom, right, top = paper_box
    return word.x1 <= left or word.y1 <= bottom or word.x0 >= right or word.y0 >= top


def _covered(word: Word, address: int, objects: Objects) -> bool:
    """Something opaque was drawn over it later, or something of its own grey before it."""
    order, grey = objects.text.get(address, 0), objects.grey.get(address, 0)
    return any(
        cover.holds(word.box)
        and (
            cover.order > order
            or (cover.grey is not None and abs(cover.grey - grey) < LEAST_CONTRAST)
        )
        for cover in objects.covers
    )
