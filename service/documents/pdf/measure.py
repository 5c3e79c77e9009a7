"""Single characters of a page: code, box, size, weight, object."""

import ctypes
from typing import Final, cast

import pypdfium2.raw as pdf

from service.documents.pdf.objects import Box, Objects, address_of

# A line's extent around its baseline, as shares of the size.
BELOW: Final = 0.22
ABOVE: Final = 0.78
# In the names of bold fonts; PDFium's own weight is 400 or 700 at random for subsets.
_BOLD_MARKS: Final = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx", "-bd", "simhei")


def read_codes(raw: object) -> list[int]:
    """UTF-16 units of all characters, in PDFium's order."""
    count = int(cast("int", pdf.FPDFText_CountChars(raw)))  # pyright: ignore[reportUnknownMemberType]
    buffer = ctypes.create_string_buffer((count + 1) * 2)
    units = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    written = int(cast("int", pdf.FPDFText_GetText(raw, 0, count, units)))  # pyright: ignore[reportUnknownMemberType]
    if written - 1 == count:
        return list(memoryview(buffer).cast("B").cast("H")[:count])
    return [pdf.FPDFText_GetUnicode(raw, i) for i in range(count)]


class Measured:
    """Boxes and objects of single characters of one page."""

    def __init__(self, raw: object, objects: Objects) -> None:
        self._raw = raw
        self._rect = pdf.FS_RECTF()
        self._ref = ctypes.byref(self._rect)
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._origin_refs = tuple(ctypes.byref(v) for v in self._origin)
        self._matrix = pdf.FS_MATRIX()
        self._sizes: dict[int, float] = {}
        self.objects = objects

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
        return address_of(pointer) if pointer else 0

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
        key = address_of(font)
        if key not in self.objects.bold:
            self.objects.bold[key] = _is_bold(font)
        return self.objects.bold[key]


def _is_bold(font: object) -> bool:
    buffer = ctypes.create_string_buffer(256)
    pdf.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("latin-1").lower()
    return any(mark in name for mark in _BOLD_MARKS)
