"""What lies on a PDF page besides its characters: colours, modes, covers, drawn marks."""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdf

from service.documents.pdf import native
from service.documents.pdf.clips import is_clipped

Box = tuple[float, float, float, float]  # left, bottom, right, top in points

# Text whose grey differs from its ground by less than this (of 255) cannot be seen.
LEAST_CONTRAST: Final = 26
# Text lighter than this (of 255) may not show on paper.
LIGHT: Final = 200
_INVISIBLE_MODES: Final = frozenset({3, 7})
_LEAST_COVER: Final = 4.0  # a covering shape is at least so wide and high; rules are thinner
_MOST_DOT: Final = 7.0  # a drawn list mark is at most so wide
_LEAST_DOT: Final = 1.2
_SQUARE: Final = (0.6, 1.6)  # height by width of a mark
_OPAQUE: Final = 0xC0
_DEEPEST_FORM: Final = 6
_MOST_OBJECTS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Cover:
    """A filled shape or a picture; the grey of a picture is not known."""

    order: int
    box: Box
    grey: int | None

    def is_like(self, grey: int) -> bool:
        return self.grey is not None and abs(self.grey - grey) < LEAST_CONTRAST

    def holds(self, box: Box) -> bool:
        middle = (box[1] + box[3]) / 2
        beside = self.box[0] <= box[0] + 1 and self.box[2] >= box[2] - 1
        return beside and self.box[1] <= middle <= self.box[3]


@dataclass(frozen=True, slots=True)
class Ink:
    """How one text object is drawn. `order` is its place in the drawing."""

    address: int
    order: int
    grey: int
    faint: bool  # nearly transparent, as far as PDFium knows
    unseen: bool  # drawn in an invisible mode, or clipped away

    @property
    def doubtful(self) -> bool:
        """Only a look at the rendered page tells whether this text shows."""
        return self.faint or self.grey >= LIGHT

    def shows_like(self, other: "Ink") -> bool:
        return self.unseen == other.unseen and self.doubtful == other.doubtful


@dataclass(slots=True)
class Objects:
    """What lies on a page, in drawing order."""

    inks: dict[int, Ink] = field(default_factory=dict[int, Ink])  # of text, by address
    alike: bool = True  # all text shows in the same way: no word is part visible
    covers: list[Cover] = field(default_factory=list[Cover])
    dots: list[Box] = field(default_factory=list[Box])
    image_area: float = 0.0
    images: list[Box] = field(default_factory=list[Box])


def handle(thing: object) -> object:
    """PDFium's own handle of a page or text page; the library gives it no type."""
    return cast("object", getattr(thing, "raw"))  # noqa: B009


def paper(page: pdfium.PdfPage) -> Box:
    """What is seen of a page, in points."""
    return cast("Box", page.get_cropbox())


def survey(page: pdfium.PdfPage) -> Objects:
    """All objects of a page with what matters for reading: colour, mode, cover, marks."""
    found = Objects()
    raw = native.number_of(handle(page))
    roots = [native.page_object(raw, i) for i in range(native.page_objects(raw))]
    for order, (pointer, kind) in enumerate(_flat(roots, 0)):
        if order > _MOST_OBJECTS:
            break
        if kind == pdf.FPDF_PAGEOBJ_TEXT:
            found.inks[pointer] = ink_of(pointer, order)
        else:
            _note_shape(found, pointer, kind, order)
    found.alike = len({(ink.unseen, ink.doubtful) for ink in found.inks.values()}) <= 1
    return found


def ink_of(pointer: int, order: int) -> Ink:
    grey, alpha = fill_of(pointer)
    unseen = native.render_mode(pointer) in _INVISIBLE_MODES or is_clipped(pointer)
    return Ink(pointer, order, grey, alpha < LEAST_CONTRAST, unseen)


def _flat(pointers: Sequence[int], depth: int) -> Iterator[tuple[int, int]]:
    for pointer in pointers:
        kind: int = native.object_type(pointer)
        if kind == pdf.FPDF_PAGEOBJ_FORM and depth < _DEEPEST_FORM:
            count: int = native.form_objects(pointer)
            inner = [native.form_object(pointer, i) for i in range(min(count, _MOST_OBJECTS))]
            yield from _flat(inner, depth + 1)
            continue
        yield pointer, kind


_RGBA = (ctypes.c_uint * 4)()
_RGBA_REFS = tuple(ctypes.addressof(_RGBA) + 4 * i for i in range(4))
_RGBA_SEEN = memoryview(_RGBA).cast("B").cast("I")


def fill_of(pointer: int) -> tuple[int, int]:
    """Grey (0..255) and opacity (0..255) of an object's fill."""
    if not native.fill_colour(pointer, *_RGBA_REFS):
        return 0, 255
    red, green, blue, alpha = _RGBA_SEEN
    return (red * 299 + green * 587 + blue * 114) // 1000, alpha


def _note_shape(found: Objects, pointer: int, kind: int, order: int) -> None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    refs = (ctypes.addressof(v) for v in (left, bottom, right, top))
    if not native.bounds(pointer, *refs):
        return
    box = (left.value, bottom.value, right.value, top.value)
    width, height = box[2] - box[0], box[3] - box[1]
    if kind == pdf.FPDF_PAGEOBJ_IMAGE:
        found.image_area += max(width, 0) * max(height, 0)
        found.images.append(box)
    elif kind == pdf.FPDF_PAGEOBJ_PATH:
        if (
            _LEAST_DOT <= width <= _MOST_DOT
            and _SQUARE[0] <= height / max(width, 0.1) <= _SQUARE[1]
        ):
            found.dots.append(box)
            return
        if not _is_filled(pointer):
            return
    if width >= _LEAST_COVER and height >= _LEAST_COVER:
        grey = fill_of(pointer)[0] if kind == pdf.FPDF_PAGEOBJ_PATH else None
        found.covers.append(Cover(order, box, grey))


def _is_filled(pointer: int) -> bool:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    known = native.draw_mode(pointer, ctypes.addressof(mode), ctypes.addressof(stroke))
    return bool(known) and mode.value != pdf.FPDF_FILLMODE_NONE and fill_of(pointer)[1] > _OPAQUE
