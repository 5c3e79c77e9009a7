"""What a page's clipping leaves of its text."""

import ctypes
from typing import Final

from service.documents.pdf import native

Box = tuple[float, float, float, float]  # left, bottom, right, top in points

_MOST_PATHS: Final = 8
_MOST_SEGMENTS: Final = 64
_LEAST_SHOWN: Final = 0.2  # of a width and height; a page that cuts its own margin leaves more


_SIDES = tuple(ctypes.c_float() for _ in range(4))
_SIDE_REFS = tuple(ctypes.addressof(s) for s in _SIDES)
_POINT = (ctypes.c_float(), ctypes.c_float())
_POINT_REFS = tuple(ctypes.addressof(c) for c in _POINT)


def is_clipped(pointer: int) -> bool:
    """Whether clipping leaves next to nothing of a text object's width or height."""
    clip: int | None = native.clip_of(pointer)
    count: int = native.clip_paths(clip) if clip else 0
    if count <= 0 or not native.bounds(pointer, *_SIDE_REFS):
        return False
    left, bottom, right, top = (s.value for s in _SIDES)
    wide, high = right - left, top - bottom
    for index in range(min(count, _MOST_PATHS)):
        box = _bounds(clip, index)
        if box is not None:
            left, bottom = max(left, box[0]), max(bottom, box[1])
            right, top = min(right, box[2]), min(top, box[3])
    return right - left <= _LEAST_SHOWN * wide or top - bottom <= _LEAST_SHOWN * high


def _bounds(clip: int | None, index: int) -> Box | None:
    """The box around one clipping path; None for one with too many corners to look at."""
    segments: int = native.clip_segments(clip, index)
    if not 0 < segments <= _MOST_SEGMENTS:
        return None
    xs: list[float] = []
    ys: list[float] = []
    for number in range(segments):
        segment = native.clip_segment(clip, index, number)
        if native.segment_point(segment, *_POINT_REFS):
            xs.append(_POINT[0].value)
            ys.append(_POINT[1].value)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None
