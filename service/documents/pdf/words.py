"""Words with boxes from PDFium, and which of them nobody can see.

Only the first and last character of a word is measured: that is what keeps the extraction
within twice PDFium's own time. A page with suspicious text is measured character by character.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdf

Box = tuple[float, float, float, float]  # left, bottom, right, top in points

# A line's extent around its baseline, as shares of the size.
BELOW: Final = 0.22
ABOVE: Final = 0.78
# Characters lower than this (points) are not meant to be read.
LEAST_HEIGHT: Final = 2.5
# Text whose grey differs from its ground by less than this (of 255) cannot be seen.
LEAST_CONTRAST: Final = 26
LIGHT: Final = 200
_INVISIBLE_MODES: Final = frozenset({3, 7})
_LEAST_COVER: Final = 4.0  # a covering shape is at least so wide and high; rules are thinner
_MOST_DOT: Final = 7.0  # a drawn list mark is at most so wide
_LEAST_DOT: Final = 1.2
_DEEPEST_FORM: Final = 6
# In the names of bold fonts; PDFium's own weight is 400 or 700 at random for subsets.
_BOLD_MARKS: Final = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx", "-bd", "simhei")
_MOST_OBJECTS: Final = 60_000


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
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(slots=True)
class Objects:
    """What lies on a page, in drawing order."""

    text: dict[int, int] = field(default_factory=dict[int, int])  # pointer -> order
    grey: dict[int, int] = field(default_factory=dict[int, int])  # pointer -> fill grey
    unseen: set[int] = field(default_factory=set[int])  # by render mode
    faint: set[int] = field(default_factory=set[int])  # by opacity, as far as PDFium knows it
    covers: list[tuple[int, Box]] = field(default_factory=list[tuple[int, Box]])
    dots: list[Box] = field(default_factory=list[Box])
    image_area: float = 0.0
    bold: dict[int, bool] = field(default_factory=dict[int, bool])  # by font pointer

    @property
    def suspicious(self) -> bool:
        return bool(self.unseen or self.faint) or any(g >= LIGHT for g in self.grey.values())

    def doubtful(self, address: int) -> bool:
        """Only a look at the rendered page tells whether this text shows."""
        return address in self.faint or self.grey.get(address, 0) >= LIGHT


@dataclass(frozen=True, slots=True)
class PageWords:
    words: tuple[Word, ...]
    dots: tuple[Box, ...]
    hidden: int  # characters
    broken: int  # characters without a readable code
    characters: int
    image_share: float  # of the page's area, 0..1


def _address(pointer: object) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0  # pyright: ignore[reportArgumentType]


def read_words(page: pdfium.PdfPage) -> PageWords:
    text_page = page.get_textpage()
    objects = survey(page)
    width, height = page.get_size()
    count = pdf.FPDFText_CountChars(text_page.raw)
    codes = _codes(text_page.raw, count)
    measured = _Measured(text_page.raw, objects, (0.0, 0.0, width, height))
    splitting = objects.suspicious
    words = list(_words(codes, measured, by_object=splitting))
    kept, hidden = _visible(words, page, objects)
    broken = sum(c in _UNREADABLE or 0xE000 <= c <= 0xF8FF for c in codes)  # noqa: PLR2004 - private use
    area = max(width * height, 1.0)
    printable = sum(1 for c in codes if c > 32)  # noqa: PLR2004 - above the space
    return PageWords(
        tuple(w for w, _ in kept),
        tuple(objects.dots),
        hidden,
        broken,
        printable,
        min(1.0, objects.image_area / area),
    )


def survey(page: pdfium.PdfPage) -> Objects:
    """All objects of a page with what matters for reading: colour, mode, cover, marks."""
    found = Objects()
    raw = page.raw
    roots = (pdf.FPDFPage_GetObject(raw, i) for i in range(pdf.FPDFPage_CountObjects(raw)))
    for order, (pointer, kind) in enumerate(_flat(roots, 0)):
        if order > _MOST_OBJECTS:
            break
        if kind == pdf.FPDF_PAGEOBJ_TEXT:
            _note_text(found, pointer, order)
        else:
            _note_shape(found, pointer, kind, order)
    return found


def _flat(pointers: Iterator[object], depth: int) -> Iterator[tuple[object, int]]:
    for pointer in pointers:
        kind = pdf.FPDFPageObj_GetType(pointer)
        if kind == pdf.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
            count = pdf.FPDFFormObj_CountObjects(pointer)
            inner = (pdf.FPDFFormObj_GetObject(pointer, i) for i in range(count))
            yield from _flat(inner, depth + 1)
            continue
        yield pointer, kind


_RGBA = tuple(ctypes.c_uint() for _ in range(4))
_RGBA_REFS = tuple(ctypes.byref(c) for c in _RGBA)


def _fill(pointer: object) -> tuple[int, int]:
    """Grey (0..255) and opacity (0..255) of an object's fill."""
    if not pdf.FPDFPageObj_GetFillColor(pointer, *_RGBA_REFS):
        return 0, 255
    red, green, blue, alpha = (c.value for c in _RGBA)
    return (red * 299 + green * 587 + blue * 114) // 1000, alpha


def _note_text(found: Objects, pointer: object, order: int) -> None:
    address = _address(pointer)
    grey, alpha = _fill(pointer)
    found.text[address] = order
    found.grey[address] = grey
    if pdf.FPDFTextObj_GetTextRenderMode(pointer) in _INVISIBLE_MODES:
        found.unseen.add(address)
    if alpha < LEAST_CONTRAST:
        found.faint.add(address)


def _note_shape(found: Objects, pointer: object, kind: int, order: int) -> None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    refs = (ctypes.byref(v) for v in (left, bottom, right, top))
    if not pdf.FPDFPageObj_GetBounds(pointer, *refs):
        return
    box = (left.value, bottom.value, right.value, top.value)
    width, height = box[2] - box[0], box[3] - box[1]
    if kind == pdf.FPDF_PAGEOBJ_IMAGE:
        found.image_area += max(width, 0) * max(height, 0)
    elif kind == pdf.FPDF_PAGEOBJ_PATH:
        if _LEAST_DOT <= width <= _MOST_DOT and 0.6 <= height / max(width, 0.1) <= 1.6:  # noqa: PLR2004 - about square
            found.dots.append(box)
            return
        if not _is_filled(pointer):
            return
    if width >= _LEAST_COVER and height >= _LEAST_COVER:
        found.covers.append((order, box))


def _is_filled(pointer: object) -> bool:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    known = pdf.FPDFPath_GetDrawMode(pointer, ctypes.byref(mode), ctypes.byref(stroke))
    return bool(known) and mode.value != pdf.FPDF_FILLMODE_NONE and _fill(pointer)[1] > 0xC0  # noqa: PLR2004 - nearly opaque


def _codes(raw: object, count: int) -> list[int]:
    get = pdf.FPDFText_GetUnicode
    buffer = ctypes.create_string_buffer((count + 1) * 2)
    written = pdf.FPDFText_GetText(
        raw, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    )
    if written - 1 == count:
        return list(memoryview(buffer).cast("B").cast("H")[:count])
    return [get(raw, i) for i in range(count)]


class _Measured:
    """Boxes and objects of single characters of one page."""

    def __init__(self, raw: object, objects: Objects, paper: Box) -> None:
        self._raw = raw
        self._rect = pdf.FS_RECTF()
        self._ref = ctypes.byref(self._rect)
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._origin_refs = tuple(ctypes.byref(v) for v in self._origin)
        self._matrix = pdf.FS_MATRIX()
        self._sizes: dict[int, float] = {}
        self.objects = objects
        self.paper = paper

    def box(self, index: int) -> Box:
        """Left and right by PDFium's box; bottom and top by baseline and size.

        A font's own box is no measure: in fonts made of drawings it changes from glyph to glyph.
        """
        rect = self._rect
        if not pdf.FPDFText_GetLooseCharBox(self._raw, index, self._ref):
            return (0.0, 0.0, 0.0, 0.0)
        pdf.FPDFText_GetCharOrigin(self._raw, index, *self._origin_refs)
        base, size = self._origin[1].value, self.size(index)
        return (rect.left, base - BELOW * size, rect.right, base + ABOVE * size)

    def size(self, index: int) -> float:
        """The size in points as it appears; the same for all of a text object."""
        address = self.object(index)
        if address not in self._sizes:
            nominal = pdf.FPDFText_GetFontSize(self._raw, index)
            matrix = self._matrix
            pdf.FPDFText_GetMatrix(self._raw, index, ctypes.byref(matrix))
            self._sizes[address] = nominal * (matrix.c**2 + matrix.d**2) ** 0.5
        return self._sizes[address]

    def object(self, index: int) -> int:
        pointer = pdf.FPDFText_GetTextObject(self._raw, index)
        return _address(pointer) if pointer else 0

    def differ(self, one: int, other: int) -> bool:
        """Whether two characters are not alike in what makes text visible."""
        first, second = self.object(one), self.object(other)
        if first == second:
            return False
        unseen, doubtful = self.objects.unseen, self.objects.doubtful
        return doubtful(first) != doubtful(second) or (first in unseen) != (second in unseen)

    def bold(self, index: int) -> bool:
        pointer = pdf.FPDFText_GetTextObject(self._raw, index)
        if not pointer:
            return False
        font = pdf.FPDFTextObj_GetFont(pointer)
        key = _address(font)
        if key not in self.objects.bold:
            self.objects.bold[key] = _is_bold(font)
        return self.objects.bold[key]


def _is_bold(font: object) -> bool:
    buffer = ctypes.create_string_buffer(256)
    pdf.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("latin-1").lower()
    return any(mark in name for mark in _BOLD_MARKS)


_BREAKS: Final = frozenset({9, 10, 11, 12, 13, 32, 0xA0, 0x2002, 0x2003, 0x2009, 0x3000, 0x200B})
_UNREADABLE: Final = frozenset({0xFFFD, 1, 3, 4, 5, 6, 7, 8})
_NOTHING: Final = frozenset({0, 0xFEFF})
_HYPHENS: Final = frozenset({2, 0xFFFE})  # what PDFium puts for a hyphen at the end of a line


def _words(
    codes: Sequence[int], measured: _Measured, *, by_object: bool
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
    codes: Sequence[int], start: int, end: int, measured: _Measured, *, spaced: bool
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
    codes: Sequence[int], start: int, end: int, measured: _Measured, *, spaced: bool
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
        (45 if c in _HYPHENS else c).to_bytes(2, "little") if c < 0x10000 else chr(c).encode("utf-16-le") for c in codes
    )  # noqa: PLR2004 - the basic plane
    return raw.decode("utf-16-le", "replace")


def _visible(
    words: Sequence[tuple[Word, int]], page: pdfium.PdfPage, objects: Objects
) -> tuple[list[tuple[Word, int]], int]:
    """Drop what is off the paper, tiny, in an invisible mode, of the ground's colour, or covered."""
    width, height = page.get_size()
    kept: list[tuple[Word, int]] = []
    doubtful: list[tuple[Word, int]] = []
    hidden = 0
    for word, address in words:
        if _is_off(word, width, height) or word.height < LEAST_HEIGHT or address in objects.unseen:
            hidden += len(word.text)
        elif objects.doubtful(address) or _covered(word, address, objects):
            doubtful.append((word, address))
        else:
            kept.append((word, address))
    if not doubtful:
        return kept, hidden
    ground = _Ground(page)
    greys = {a: None if a in objects.faint else objects.grey.get(a, 0) for _, a in doubtful}
    seen = {id(w) for w, a in doubtful if ground.shows(w, greys[a])}
    hidden += sum(len(w.text) for w, _ in doubtful if id(w) not in seen)
    standing = {id(w) for w, _ in kept} | seen
    return [(w, a) for w, a in words if id(w) in standing], hidden


def _is_off(word: Word, width: float, height: float) -> bool:
    return word.x1 <= 0 or word.y1 <= 0 or word.x0 >= width or word.y0 >= height


def _covered(word: Word, address: int, objects: Objects) -> bool:
    """Something opaque was drawn over it later."""
    order = objects.text.get(address, 0)
    middle = (word.y0 + word.y1) / 2
    return any(
        later > order
        and box[0] <= word.x0 + 1
        and box[2] >= word.x1 - 1
        and box[1] <= middle <= box[3]
        for later, box in objects.covers
    )


class _Ground:
    """The rendered page in grey, to see what a reader sees. At most 1,500 pixels a side."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        width, height = page.get_size()
        self._scale = min(2.0, 1_500 / max(width, height, 1.0))
        bitmap = page.render(scale=self._scale, grayscale=True)
        self._stride = bitmap.stride
        self._width, self._height = bitmap.width, bitmap.height
        self._pixels = bytes(bitmap.buffer)

    def shows(self, word: Word, grey: int | None) -> bool:
        """Its place is not of one colour, and its own grey, if known, differs from the ground."""
        rows = self._rows(word)
        if not rows:
            return False
        flat = b"".join(rows)
        spread = max(flat) - min(flat)
        ground = max(set(flat), key=flat.count)
        return spread >= LEAST_CONTRAST and (grey is None or abs(ground - grey) >= LEAST_CONTRAST)

    def _rows(self, word: Word) -> list[bytes]:
        left = max(0, int(word.x0 * self._scale))
        right = min(self._width, int(word.x1 * self._scale) + 1)
        top = max(0, self._height - int(word.y1 * self._scale) - 1)
        bottom = min(self._height, self._height - int(word.y0 * self._scale))
        if right <= left:
            return []
        return [
            self._pixels[y * self._stride + left : y * self._stride + right]
            for y in range(top, bottom)
        ]
