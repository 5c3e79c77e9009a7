"""The reading child: limits itself, opens one file from standard input, writes lines as JSON.

It has no secrets in its environment and, once its libraries are loaded, can open no file and
no socket: the limit of open descriptors is lowered to those it already has.
"""

import codecs
import json
import resource
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from service.documents.sheet import Sheet

MOST_LINES: Final = 4_000
MOST_OBSTACLES: Final = 400


def main() -> None:
    kind, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    _limit(memory, seconds)
    data = sys.stdin.buffer.read()
    sys.stdout.write(_answer(kind, data))


def _limit(memory: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


# Codecs are modules found at first use; after the door is closed none can be found.
_CODECS: Final = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp437", "ascii", "idna")


def _close_the_door() -> None:
    """No descriptor above standard error can be had: no files, no sockets, no pipes."""
    for name in _CODECS:
        codecs.lookup(name)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def _answer(kind: str, data: bytes) -> str:
    from service.documents.sheet import Sheet
    from service.domain.resume import Notice, Quality

    readers: Mapping[str, Callable[[], Callable[[bytes], Sheet]]] = {
        "pdf": _pdf_reader,
        "docx": _docx_reader,
    }
    read = readers[kind]()
    _close_the_door()
    try:
        sheet = read(data)
    except MemoryError:
        sheet = Sheet(Quality.GARBLED, (), (Notice("too_big"),))
    return json.dumps(
        {
            "quality": sheet.quality.value,
            "lines": [asdict(line) for line in sheet.lines[:MOST_LINES]],
            "notices": [asdict(notice) for notice in sheet.notices],
            "obstacles": [asdict(one) for one in sheet.obstacles[:MOST_OBSTACLES]],
        }
    )


def _pdf_reader() -> "Callable[[bytes], Sheet]":
    from service.documents.pdf.read import read_pdf

    return read_pdf


def _docx_reader() -> "Callable[[bytes], Sheet]":
    from service.documents.docx.read import read_docx

    return read_docx


if __name__ == "__main__":
    main()
