"""Single characters of a page: code, place, and the ink they are drawn with."""

import ctypes
from dataclasses import dataclass
from typing import Final, cast

import pypdfium2.raw as pdf

from service.documents.pdf.objects import Ink, Objects, address_of, ink_of

# In the names of bold fonts; PDFium's own weight is 400 or 700 at random for subsets.
_BOLD_MARKS: Final = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx", "-bd", "simhei")


@dataclass(frozen=True, slots=True)
class Type:
    """The size in points as it appears, and the weight."""

    size: float
    bold: bool


_NO_INK: Final = Ink(0, 0, 0, faint=False, unseen=False)


def read_units(raw: object) -> str:
    """All characters in PDFium's order, one UTF-16 unit each."""
    count = int(cast("int", pdf.FPDFText_CountChars(raw)))  # pyright: ignore[reportUnknownMemberType]
    buffer = ctypes.create_string_buffer((count + 1) * 2)
    units = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    written = int(cast("int", pdf.FPDFText_GetText(raw, 0, count, units)))  # pyright: ignore[reportUnknownMemberType]
    if written - 1 == count:
        return "".join(map(chr, memoryview(buffer).cast("B").cast("H")[:count]))
    return "".join(chr(pdf.FPDFText_GetUnicode(raw, i) or 0) for i in range(count))


class Measured:
    """Places and ink of single characters of one page."""

    def __init__(self, raw: object, objects: Objects) -> None:
        self._raw = raw
        self._rect = pdf.FS_RECTF()
        self._ref = ctypes.byref(self._rect)
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._origin_refs = tuple(ctypes.byref(v) for v in self._origin)
        self._inks = objects.inks
        self.alike = objects.alike
        self._types: dict[int, Type] = {}
        self._bold: dict[int, bool] = {}
        self._at = -1
        self._pointer: object = None

    def sides(self, index: int) -> tuple[float, float]:
        """Left and right edge."""
        if not pdf.FPDFText_GetLooseCharBox(self._raw, index, self._ref):
            return (0.0, 0.0)
        return (self._rect.left, self._rect.right)

    def base(self, index: int) -> float:
        """The baseline. A font's own box is no measure: drawn fonts change it glyph by glyph."""
        pdf.FPDFText_GetCharOrigin(self._raw, index, *self._origin_refs)
        return self._origin[1].value

    def ink(self, index: int) -> Ink:
        pointer = self._object(index)
        if not pointer:
            return _NO_INK
        address = address_of(pointer)
        known = self._inks.get(address)
        if known is None:  # an object the survey did not reach
            known = self._inks[address] = ink_of(pointer, address, 0)
            self.alike = False
        return known

    def _object(self, index: int) -> object:
        """The text object of a character; the first of a word is asked for more than once."""
        if index != self._at:
            self._at = index
            self._pointer = pdf.FPDFText_GetTextObject(self._raw, index)
        return self._pointer

    def type(self, index: int) -> Type:
        """Size and weight; the same for all of a text object."""
        pointer = self._object(index)
        address = address_of(pointer) if pointer else 0
        known = self._types.get(address)
        if known is None:
            bold = self._is_bold(pointer) if pointer else False
            known = self._types[address] = Type(self._size(index), bold)
        return known

    def _size(self, index: int) -> float:
        """As it appears: the nominal size under the matrix of the place."""
        matrix = pdf.FS_MATRIX()
        pdf.FPDFText_GetMatrix(self._raw, index, ctypes.byref(matrix))
        return pdf.FPDFText_GetFontSize(self._raw, index) * (matrix.c**2 + matrix.d**2) ** 0.5

    def _is_bold(self, pointer: object) -> bool:
        font = pdf.FPDFTextObj_GetFont(pointer)
        key = address_of(font)
        if key not in self._bold:
            buffer = ctypes.create_string_buffer(256)
            pdf.FPDFFont_GetBaseFontName(font, buffer, 256)
            name = buffer.value.decode("latin-1").lower()
            self._bold[key] = any(mark in name for mark in _BOLD_MARKS)
        return self._bold[key]
