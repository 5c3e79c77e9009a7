"""Single characters of a page: code, place, and the ink they are drawn with."""

import ctypes
from dataclasses import dataclass
from typing import Final

from pypdfium2.raw import FS_MATRIX, FS_RECTF

from service.documents.pdf import native
from service.documents.pdf.objects import Ink, Objects, ink_of

# In the names of bold fonts; PDFium's own weight is 400 or 700 at random for subsets.
_BOLD_MARKS: Final = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx", "-bd", "simhei")


@dataclass(frozen=True, slots=True)
class Type:
    """The size in points as it appears, and the weight."""

    size: float
    bold: bool


_NO_INK: Final = Ink(0, 0, 0, faint=False, unseen=False)


def read_units(page: int) -> str:
    """All characters in PDFium's order, one UTF-16 unit each."""
    count: int = native.count_chars(page)
    buffer = ctypes.create_string_buffer((count + 1) * 2)
    written: int = native.get_text(page, 0, count, ctypes.addressof(buffer))
    if written - 1 == count:
        return "".join(map(chr, memoryview(buffer).cast("B").cast("H")[:count]))
    return "".join(chr(native.get_unicode(page, i) or 0) for i in range(count))


class Measured:
    """Places and ink of single characters of one page."""

    def __init__(self, page: int, objects: Objects) -> None:
        self._page = page
        self._rect = FS_RECTF()
        self._ref = ctypes.addressof(self._rect)
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._origin_refs = tuple(ctypes.addressof(v) for v in self._origin)
        self._inks = objects.inks
        self.alike = objects.alike
        self._types: dict[int, Type] = {}
        self._bold: dict[int, bool] = {}
        self._matrix = FS_MATRIX()
        self._matrix_at = ctypes.addressof(self._matrix)
        self._at = -1
        self._pointer: int | None = None

    def sides(self, index: int) -> tuple[float, float]:
        """Left and right edge."""
        if not native.loose_box(self._page, index, self._ref):
            return (0.0, 0.0)
        return (self._rect.left, self._rect.right)

    def base(self, index: int) -> float:
        """The baseline. A font's own box is no measure: drawn fonts change it glyph by glyph."""
        native.char_origin(self._page, index, *self._origin_refs)
        return self._origin[1].value

    def ink(self, index: int) -> Ink:
        pointer = self._object(index)
        if not pointer:
            return _NO_INK
        known = self._inks.get(pointer)
        if known is None:  # an object the survey did not reach
            known = self._inks[pointer] = ink_of(pointer, 0)
            self.alike = False
        return known

    def _object(self, index: int) -> int | None:
        """The text object of a character; the first of a word is asked for more than once."""
        if index != self._at:
            self._at = index
            self._pointer = native.text_object(self._page, index)
        return self._pointer

    def type(self, index: int) -> Type:
        """Size and weight; the same for all of a text object."""
        pointer = self._object(index)
        address = pointer or 0
        known = self._types.get(address)
        if known is None:
            bold = self._is_bold(pointer) if pointer else False
            known = self._types[address] = Type(self._size(index), bold)
        return known

    def _size(self, index: int) -> float:
        """As it appears: the nominal size under the matrix of the place."""
        matrix = self._matrix
        native.char_matrix(self._page, index, self._matrix_at)
        return native.font_size(self._page, index) * (matrix.c**2 + matrix.d**2) ** 0.5

    def _is_bold(self, pointer: int) -> bool:
        key: int = native.font_of(pointer) or 0
        if key not in self._bold:
            buffer = ctypes.create_string_buffer(256)
            native.font_name(key, ctypes.addressof(buffer), 256)
            name = buffer.value.decode("latin-1").lower()
            self._bold[key] = any(mark in name for mark in _BOLD_MARKS)
        return self._bold[key]
