"""How commands read files and print: one JSON document, or JSON lines, and nothing else there."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from service.errors import FileUnreadable, InputInvalid


def print_json(document: object) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")


def read_text_file(path: Path | None) -> str:
    """The file's text, or standard input for None and `-`; UTF-8 with or without a BOM.

    Raises:
        InputInvalid: no such file.
        FileUnreadable: not UTF-8 text.
    """
    try:
        raw = sys.stdin.buffer.read() if path is None or str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise InputInvalid("{path} cannot be read.", path=str(path)) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileUnreadable("{path} is not UTF-8 text.", "garbled", path=str(path)) from error


def read_json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    """Each line's object.

    Raises:
        InputInvalid: a line is not a JSON object; says which.
    """
    for number, line in enumerate(read_text_file(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputInvalid(
                "{path}, line {line}: not JSON.", path=str(path), line=number
            ) from error
        if not isinstance(found, dict):
            raise InputInvalid(
                "{path}, line {line}: not a JSON object.", path=str(path), line=number
            )
        yield cast("Mapping[str, object]", found)
