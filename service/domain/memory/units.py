"""Bytes and counts, and how they are written. Bytes inside; GB and GiB only at the edge."""

import re
from typing import Final

from service.domain.language import Message, msg
from service.errors import InputInvalid

KB: Final = 10**3
MB: Final = 10**6
GB: Final = 10**9
TB: Final = 10**12
KIB: Final = 2**10
MIB: Final = 2**20
GIB: Final = 2**30
TIB: Final = 2**40

_SHOWN: Final = (("TB", TB, "TiB", TIB), ("GB", GB, "GiB", GIB), ("MB", MB, "MiB", MIB))
_BYTES: Final = {
    "": 1,
    "b": 1,
    "kb": KB,
    "mb": MB,
    "g": GB,
    "gb": GB,
    "tb": TB,
    "kib": KIB,
    "mib": MIB,
    "gib": GIB,
    "tib": TIB,
}
_COUNTS: Final = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "b": 10**9,
    "t": 10**12,
    "万": 10**4,
    "亿": 10**8,
    "万亿": 10**12,
}
_QUANTITY: Final = re.compile(
    r"\s*([0-9][0-9_,]*\.?[0-9]*(?:e[+-]?[0-9]{1,3})?)\s*(\D{0,4}?)\s*", re.IGNORECASE
)
_LONGEST_NUMBER: Final = 40


def gb(n_bytes: float) -> float:
    """Decimal gigabytes, as papers and vendors count."""
    return n_bytes / GB


def gib(n_bytes: float) -> float:
    """Binary gibibytes, as allocators count; DeepSpeed prints them under the name GB."""
    return n_bytes / GIB


def show_bytes(n_bytes: float) -> str:
    """Both units, for people: `14 GB (13.04 GiB)`."""
    size = abs(n_bytes)
    for decimal, ten, binary, two in _SHOWN:
        if size >= ten:
            return f"{n_bytes / ten:.4g} {decimal} ({n_bytes / two:.4g} {binary})"
    if size >= KB:
        return f"{n_bytes / KB:.4g} KB ({n_bytes / KIB:.4g} KiB)"
    return f"{n_bytes:.4g} B"


def show_count(count: float) -> str:
    """A count of parameters or elements with the letter the field uses: `7.5B`."""
    for letter, size in (("T", 10**12), ("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if abs(count) >= size:
            return f"{count / size:.4g}{letter}"
    return f"{count:.4g}"


def show_number(value: float) -> str:
    """A plain figure without a trailing .0, for formulas: `16`, `0.25`, `7.5e9`."""
    if value >= GB:
        return f"{value / GB:.4g}e9"
    return f"{value / MB:.4g}e6" if value >= MB else f"{value:.6g}"


def parse_count(text: str) -> float:
    """Read `7.5e9`, `7B`, `350M`, `70亿`, `1,000` as a count.

    Raises:
        InputInvalid: it is no count above zero.
    """
    return _parse(text, _COUNTS, msg("a count such as 7.5e9, 7B or 70亿"))


def parse_bytes(text: str) -> float:
    """Read `80GB`, `74.5GiB`, `80G` (decimal) or plain bytes.

    Raises:
        InputInvalid: it is no size above zero.
    """
    return _parse(text, _BYTES, msg("a size such as 80GB or 74.5GiB"))


def _parse(text: str, scales: dict[str, int], wanted: Message) -> float:
    found = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    scale = scales.get(found[2].strip().lower()) if found else None
    value = float(found[1].replace(",", "").replace("_", "")) * scale if found and scale else 0.0
    if not 0 < value < float("inf"):
        raise InputInvalid(
            "{text} is not {wanted}", text=repr(text[:_LONGEST_NUMBER]), wanted=wanted
        )
    return value
