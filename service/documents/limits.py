"""What a file may cost, and what is known of a file before it is opened."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Format(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    MARKDOWN = "md"
    TEXT = "txt"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Bytes of a file, seconds (wall; as many of CPU) and bytes of memory of the reading child."""

    file_bytes: int = 5_000_000
    wall_seconds: float = 10.0
    memory_bytes: int = 1_000_000_000


EXTENSIONS: Final = {
    "pdf": Format.PDF,
    "docx": Format.DOCX,
    "md": Format.MARKDOWN,
    "markdown": Format.MARKDOWN,
    "txt": Format.TEXT,
    "text": Format.TEXT,
    "json": Format.JSON,
}
# How other kinds of file begin; a text that begins so is no text.
_BINARY_STARTS: Final = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"MZ",
    b"\x7fELF",
    b"{\\rtf",
    b"\xd0\xcf\x11\xe0",
    b"\x1f\x8b",
)
_STARTS: Final = {Format.PDF: b"%PDF-", Format.DOCX: b"PK\x03\x04"}


def format_of(filename: str, data: bytes) -> Format | None:
    """The format on which name and first bytes agree; None when they do not."""
    _, dot, extension = filename.rpartition(".")
    named = EXTENSIONS.get(extension.strip().lower()) if dot else _sniffed(data)
    if named is None or not data:
        return named
    start = _STARTS.get(named)
    if start is not None:
        return named if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start) else None
    return None if data.startswith(_BINARY_STARTS) else named


def _sniffed(data: bytes) -> Format | None:
    for known, start in _STARTS.items():
        if data.startswith(start):
            return known
    return None if data.startswith(_BINARY_STARTS) else Format.TEXT
