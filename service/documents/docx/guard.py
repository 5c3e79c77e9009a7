"""What a DOCX must be before anything opens it: a small, honest archive of plain XML."""

import io
import re
import stat
import zipfile
from typing import IO, Final

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse

MOST_ENTRIES: Final = 1_000
MOST_INFLATED: Final = 50_000_000
# Larger parts than this may not be inflated from a hundredth of their size.
RATIO_FROM: Final = 1_000_000
MOST_RATIO: Final = 100
DEEPEST: Final = 256
_CHUNK: Final = 65_536
_ENCRYPTED: Final = 0x1
_XML: Final = re.compile(r"\.(?:xml|rels)$", re.IGNORECASE)
_DOCUMENT: Final = "word/document.xml"
_ACTIVE: Final = re.compile(r"vbaProject\.bin|/embeddings/|/activeX/|oleObject", re.IGNORECASE)


class Refused(Exception):
    """The archive breaks a rule; the message names it in one word."""


def check_archive(data: bytes) -> list[str]:
    """Names of parts with active content.

    Raises:
        Refused: too many entries or bytes, a forged size, a bad name, a DOCTYPE, no document.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _check(archive)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,
    ) as error:
        raise Refused("damaged") from error


def _check(archive: zipfile.ZipFile) -> list[str]:
    entries = archive.infolist()
    names = [e.filename for e in entries]
    if len(entries) > MOST_ENTRIES:
        raise Refused("entries")
    if len({n.lower() for n in names}) != len(names):
        raise Refused("duplicates")
    for entry in entries:
        _check_entry(entry)
    if _DOCUMENT not in names:
        raise Refused("no_document")
    total = 0
    for entry in entries:
        total += _inflate(archive, entry, MOST_INFLATED - total)
    return [n for n in names if _ACTIVE.search(n)]


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or ":" in name:
        raise Refused("name")
    if entry.flag_bits & _ENCRYPTED:
        raise Refused("encrypted")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise Refused("link")


def _inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> int:
    """The entry's true size, counted while it is inflated; XML is parsed on the way."""
    kept = io.BytesIO()
    size = 0
    is_xml = _XML.search(entry.filename) is not None
    with archive.open(entry) as part:
        while chunk := part.read(_CHUNK):
            size += len(chunk)
            if size > left or (
                size > RATIO_FROM and size > MOST_RATIO * max(entry.compress_size, 1)
            ):
                raise Refused("inflated")
            if is_xml:
                kept.write(chunk)
    if is_xml:
        kept.seek(0)
        _check_xml(kept)
    return size


def _check_xml(part: IO[bytes]) -> None:
    """No DOCTYPE, no entity, no deep nest. Empty parts happen and are harmless."""
    depth = 0
    try:
        for event, element in iterparse(part, events=("start", "end"), forbid_dtd=True):
            depth += 1 if event == "start" else -1
            if depth > DEEPEST:
                raise Refused("depth")
            if event == "end":
                element.clear()
    except DefusedXmlException as error:
        raise Refused("doctype") from error
    except (ParseError, UnicodeError, LookupError) as error:
        raise Refused("xml") from error
