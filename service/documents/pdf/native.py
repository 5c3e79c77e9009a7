"""PDFium's functions called by address: a third of the cost of the library's own wrappers.

Handles are plain integers here, so the same text object is the same number; None is no object.
Structures and numbers to be filled are passed by `ctypes.addressof`.
"""

import ctypes
from collections.abc import Callable
from typing import Any, Final, cast

import pypdfium2.raw

_P: Final = ctypes.c_void_p
_I: Final = ctypes.c_int
_F: Final = ctypes.c_float
_D: Final = ctypes.c_double


def _bound(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    function = cast("object", getattr(pypdfium2.raw, name))
    address = ctypes.cast(cast("Any", function), _P).value
    return cast("Callable[..., Any]", ctypes.CFUNCTYPE(result, *arguments)(cast("Any", address)))


def number_of(pointer: object) -> int:
    """The address in a handle of the library's own making."""
    return _P.from_buffer(cast("bytearray", pointer)).value or 0


count_chars: Final = _bound("FPDFText_CountChars", _I, _P)
get_text: Final = _bound("FPDFText_GetText", _I, _P, _I, _I, _P)
get_unicode: Final = _bound("FPDFText_GetUnicode", ctypes.c_uint, _P, _I)
text_object: Final = _bound("FPDFText_GetTextObject", _P, _P, _I)
loose_box: Final = _bound("FPDFText_GetLooseCharBox", _I, _P, _I, _P)
char_origin: Final = _bound("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
char_matrix: Final = _bound("FPDFText_GetMatrix", _I, _P, _I, _P)
font_size: Final = _bound("FPDFText_GetFontSize", _D, _P, _I)
font_of: Final = _bound("FPDFTextObj_GetFont", _P, _P)
font_name: Final = _bound("FPDFFont_GetBaseFontName", ctypes.c_size_t, _P, _P, ctypes.c_size_t)
render_mode: Final = _bound("FPDFTextObj_GetTextRenderMode", _I, _P)
page_objects: Final = _bound("FPDFPage_CountObjects", _I, _P)
page_object: Final = _bound("FPDFPage_GetObject", _P, _P, _I)
form_objects: Final = _bound("FPDFFormObj_CountObjects", _I, _P)
form_object: Final = _bound("FPDFFormObj_GetObject", _P, _P, ctypes.c_ulong)
object_type: Final = _bound("FPDFPageObj_GetType", _I, _P)
fill_colour: Final = _bound("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
bounds: Final = _bound("FPDFPageObj_GetBounds", _I, _P, _P, _P, _P, _P)
draw_mode: Final = _bound("FPDFPath_GetDrawMode", _I, _P, _P, _P)
clip_of: Final = _bound("FPDFPageObj_GetClipPath", _P, _P)
clip_paths: Final = _bound("FPDFClipPath_CountPaths", _I, _P)
clip_segments: Final = _bound("FPDFClipPath_CountPathSegments", _I, _P, _I)
clip_segment: Final = _bound("FPDFClipPath_GetPathSegment", _P, _P, _I, _I)
segment_point: Final = _bound("FPDFPathSegment_GetPoint", _I, _P, _P, _P)
