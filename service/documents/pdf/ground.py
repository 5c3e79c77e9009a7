"""The rendered page in grey, to see what a reader sees."""

from collections.abc import Sequence
from typing import Final, Protocol, cast

import pypdfium2 as pdfium

from service.documents.pdf.objects import LEAST_CONTRAST, Box, paper

_MOST_PIXELS: Final = 1_500  # a side
_MARGIN: Final = 4.0  # points
_FINEST: Final = 1.0  # pixels a point: enough to see whether anything is there


class _Bitmap(Protocol):
    """What is used of pypdfium2's bitmap; the library gives it no types."""

    stride: int
    width: int
    height: int
    buffer: bytes


class _Draw(Protocol):
    def __call__(self, *, scale: float, grayscale: bool, crop: Box) -> _Bitmap: ...


class Ground:
    """The part of one page that holds the boxes, drawn once."""

    def __init__(self, page: pdfium.PdfPage, boxes: Sequence[Box]) -> None:
        left, bottom, right, top = whole = paper(page)
        self._paper = _around(boxes, whole)
        self._scale = min(_FINEST, _MOST_PIXELS / max(right - left, top - bottom, 1.0))
        draw = cast("_Draw", getattr(page, "render"))  # noqa: B009 - without types in the library
        crop = tuple(abs(a - b) for a, b in zip(self._paper, whole, strict=True))
        bitmap = draw(scale=self._scale, grayscale=True, crop=cast("Box", crop))
        self._stride = bitmap.stride
        self._width, self._height = bitmap.width, bitmap.height
        self._pixels = bytes(bitmap.buffer)

    def shows(self, box: Box, grey: int | None) -> bool:
        """Its place is not of one colour, and its own grey, if known, differs from the ground."""
        rows = self._rows(box)
        if not rows:
            return False
        flat = b"".join(rows)
        spread = max(flat) - min(flat)
        ground = max(set(flat), key=flat.count)
        return spread >= LEAST_CONTRAST and (grey is None or abs(ground - grey) >= LEAST_CONTRAST)

    def _rows(self, box: Box) -> list[bytes]:
        scale, (x, y, _, _) = self._scale, self._paper
        left = max(0, int((box[0] - x) * scale))
        right = min(self._width, int((box[2] - x) * scale) + 1)
        top = max(0, self._height - int((box[3] - y) * scale) - 1)
        bottom = min(self._height, self._height - int((box[1] - y) * scale))
        if right <= left:
            return []
        return [
            self._pixels[y * self._stride + left : y * self._stride + right]
            for y in range(top, bottom)
        ]


def _around(boxes: Sequence[Box], whole: Box) -> Box:
    """The box around all, a little wider, inside the paper; whole points from its edges."""
    left, bottom, right, top = zip(*boxes, strict=True)
    out = (min(left) - _MARGIN, min(bottom) - _MARGIN, max(right) + _MARGIN, max(top) + _MARGIN)
    inner = (
        whole[0] + max(0, int(out[0] - whole[0])),
        whole[1] + max(0, int(out[1] - whole[1])),
        whole[2] - max(0, int(whole[2] - out[2])),
        whole[3] - max(0, int(whole[3] - out[3])),
    )
    return inner if inner[0] < inner[2] and inner[1] < inner[3] else whole
