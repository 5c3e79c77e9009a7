"""Words with boxes from PDFium, and which of them nobody can see.

Only the first and last character of a word is measured: that is what keeps the extraction
near PDFium's own time. A word of several text objects is looked at character by character.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import pypdfium2 as pdfium

from service.documents.pdf import native
from service.documents.pdf.ground import Ground
from service.documents.pdf.measure import Measured, Type, read_units
from service.documents.pdf.objects import Box, Cover, Ink, handle, paper, survey

# A line's extent around its baseline, as shares of the size.
BELOW: Final = 0.22
ABOVE: Final = 0.78
# Characters lower than this (points) are not meant to be read.
LEAST_HEIGHT: Final = 2.5
# Narrower letters than these shares of the size, on average, cannot be read.
LEAST_LATIN: Final = 0.1
LEAST_HAN: Final = 0.3
LEAST_LETTERS: Final = 3
_GAPS: Final = r"\s\u200b"
_WORD: Final = re.compile(rf"[^{_GAPS}]+")
_UNREADABLE: Final = re.compile(r"[\x01\x03-\x08\ufffd\ue000-\uf8ff]")
# What PDFium puts for a hyphen at the end of a line, and characters that say nothing.
_MENDED: Final = str.maketrans({"\x02": "-", "\ufffe": "-", "\0": None, "\ufeff": None})


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


Drawn = tuple[Word, Ink]


@dataclass(frozen=True, slots=True)
class PageWords:
    words: tuple[Word, ...]
    dots: tuple[Box, ...]
    hidden: int  # characters
    unseen: tuple[Word, ...]  # the words they stand in
    broken: int  # characters without a readable code
    image_share: float  # of the page's area, 0..1
    images: tuple[Box, ...]


def read_words(page: pdfium.PdfPage) -> PageWords:
    text_page = page.get_textpage()
    objects = survey(page)
    raw = native.number_of(handle(text_page))
    units = read_units(raw)
    drawn = list(_words(units, Measured(raw, objects)))
    kept, unseen = _visible(drawn, page, objects.covers)
    left, bottom, right, top = paper(page)
    area = max((right - left) * (top - bottom), 1.0)
    return PageWords(
        tuple(word for word, _ in kept),
        tuple(objects.dots),
        sum(len(w.text) for w in unseen),
        unseen,
        len(_UNREADABLE.findall(units)),
        min(1.0, objects.image_area / area),
        tuple(objects.images),
    )


def _words(units: str, measured: Measured) -> Iterator[Drawn]:
    for match in _WORD.finditer(units):
        start, end = match.span()
        spaced = start > 0
        for cut in _cuts(start, end, measured):
            yield from _word(units, start, cut, measured, spaced=spaced)
            start, spaced = cut, False


def _cuts(start: int, end: int, measured: Measured) -> Iterator[int]:
    """Where the ink changes between visible and doubtful; at last the end."""
    if not measured.alike:
        inks = [measured.ink(index) for index in range(start, end)]
        for index, (before, ink) in enumerate(pairwise(inks), start + 1):
            if ink is not before and not ink.shows_like(before):
                yield index
    yield end


def _word(units: str, start: int, end: int, measured: Measured, *, spaced: bool) -> Iterator[Drawn]:
    kind = measured.type(start)
    base = measured.base(start)
    left, right = measured.sides(start)
    if end - start > 1:
        last_left, right = measured.sides(end - 1)
        if last_left < left or abs(measured.base(end - 1) - base) > max(kind.size, 1.0) / 2:
            yield from _broken_word(units, start, end, measured, spaced=spaced)
            return
    text = _mended(units[start:end])
    if text:
        yield _drawn(text, (left, right), base, (kind, measured.ink(start)), spaced=spaced)


def _drawn(
    text: str, sides: tuple[float, float], base: float, look: tuple[Type, Ink], *, spaced: bool
) -> Drawn:
    kind, ink = look
    bottom, top = base - BELOW * kind.size, base + ABOVE * kind.size
    return Word(text, sides[0], bottom, sides[1], top, kind.bold, spaced), ink


def _broken_word(
    units: str, start: int, end: int, measured: Measured, *, spaced: bool
) -> Iterator[Drawn]:
    """A run without spaces that turns into another line: cut it where the baseline jumps."""
    cut = start
    for index in range(start + 1, end + 1):
        if index < end and _on_one_line(index, measured):
            continue
        sides = (*measured.sides(cut), *measured.sides(index - 1))
        text = _mended(units[cut:index])
        if text:
            look = measured.type(cut), measured.ink(cut)
            yield _drawn(text, (min(sides), max(sides)), measured.base(cut), look, spaced=spaced)
        cut = index


def _on_one_line(index: int, measured: Measured) -> bool:
    half = max(measured.type(index).size, 1.0) / 2
    goes_on = measured.sides(index)[0] >= measured.sides(index - 1)[0] - half
    return goes_on and abs(measured.base(index) - measured.base(index - 1)) < half


def _mended(units: str) -> str:
    """Hyphens at line ends are hyphens; two units of one character are joined."""
    text = units.translate(_MENDED)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _visible(
    drawn: Sequence[Drawn], page: pdfium.PdfPage, covers: Sequence[Cover]
) -> tuple[list[Drawn], tuple[Word, ...]]:
    """Drop what is off the paper, tiny, drawn invisibly, of the ground's colour, or covered."""
    seen_paper = paper(page)
    near: dict[int, list[Cover]] = {}
    doubtful: list[Drawn] = []
    gone: set[int] = set()
    for word, ink in drawn:
        small = word.height < LEAST_HEIGHT or _is_squeezed(word)
        if _is_off(word, seen_paper) or small or ink.unseen:
            gone.add(id(word))
        elif ink.doubtful or any(c.holds(word.box) for c in _rivals(ink, covers, near)):
            doubtful.append((word, ink))
    ground = Ground(page, [w.box for w, _ in doubtful]) if doubtful else None
    for word, ink in doubtful:
        if ground and not ground.shows(word.box, None if ink.faint else ink.grey):
            gone.add(id(word))
    unseen = tuple(w for w, _ in drawn if id(w) in gone)
    return [d for d in drawn if id(d[0]) not in gone], unseen


def _is_off(word: Word, paper_box: Box) -> bool:
    left, bottom, right, top = paper_box
    return word.x1 <= left or word.y1 <= bottom or word.x0 >= right or word.y0 >= top


def _is_squeezed(word: Word) -> bool:
    """Letters set so narrow that they are a stroke; single ones may be (l, i, dots)."""
    count = len(word.text)
    if count < LEAST_LETTERS or word.x1 - word.x0 >= LEAST_HAN * count * (word.y1 - word.y0):
        return False
    least = sum(LEAST_HAN if c >= "\u2e80" else LEAST_LATIN for c in word.text)
    return word.x1 - word.x0 < least * word.height


def _rivals(ink: Ink, covers: Sequence[Cover], near: dict[int, list[Cover]]) -> list[Cover]:
    """Shapes that could hide this ink: drawn later, or of its own grey and drawn before."""
    if ink.address not in near:
        near[ink.address] = [c for c in covers if c.order > ink.order or c.is_like(ink.grey)]
    return near[ink.address]
