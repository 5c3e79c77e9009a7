"""Contacts that a narrow column broke over two lines are put together again.

Only what is plainly unfinished is joined: an address or number at the end of its line, followed by
a line that is nothing but the rest of one. Nothing is guessed.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from service.domain.resume_reading.dates import find_dates
from service.domain.resume_reading.lines import Line

# An address at the end of a line; what may go on with it stands alone on the next one.
_ADDRESS: Final = re.compile(r"(?:^|[\s:：|·])(\S{2,200})$")
_LOOKS_LIKE_ONE: Final = re.compile(
    r"@|://|^www\.|[a-z0-9]\.(?:com|org|net|io|me|dev|ai|cn|edu|page|app|co|de|fr|uk|eu)(?:/|$)",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(r"[-/_.@?=&]$")
_EMAIL_SO_FAR: Final = re.compile(r"[\w.+-]+@[\w.-]*")
_WHOLE_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,18}")
_REST: Final = re.compile(r"[\w%~./@?=&#-]{1,120}")
_NUMBER: Final = re.compile(r"(?:^|[:：|·]\s*|\s)[(（]?\+?\d[\d\s().（）-]*$")
_MORE_DIGITS: Final = re.compile(r"[-.\s(（]*\d[\d\s().（）-]*")
_LEAST_DIGITS: Final = 7
_MOST_DIGITS: Final = 15
_EDGE: Final = 1.6  # sizes: the next character did not fit in


def unwrapped(lines: Sequence[Line]) -> list[Line]:
    """The lines with broken contacts joined; everything else as it was."""
    edges = _edges(lines)
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        glue = _glue(last, line, edges) if last is not None else None
        if last is None or glue is None:
            joined.append(line)
            continue
        links = tuple(dict.fromkeys((*last.links, *line.links)))
        whole = f"{_end(last)}{glue}{line.text.strip()}"
        joined[-1] = replace(last, **{"aside" if last.aside else "text": whole}, links=links)
    return joined


def _end(line: Line) -> str:
    """The value of a labelled row stands in its second cell."""
    return line.aside or line.text


def _edges(lines: Sequence[Line]) -> dict[tuple[int | None, int], float]:
    edges: dict[tuple[int | None, int], float] = {}
    for line in lines:
        if line.box is not None:
            key = (line.page, line.column)
            edges[key] = max(edges.get(key, 0.0), line.box[2])
    return edges


def _glue(last: Line, line: Line, edges: dict[tuple[int | None, int], float]) -> str | None:
    """What belongs between the two, or None when they are two things."""
    if last.box is None or line.box is None or line.bullet or line.aside:
        return None
    if (last.page, last.column) != (line.page, line.column) or abs(last.size - line.size) > 0.5:  # noqa: PLR2004 - points
        return None
    before, rest = _end(last).rstrip(), line.text.strip()
    if _number_goes_on(before, rest):
        return "" if before.endswith("-") else " "
    is_full = last.box[2] + _EDGE * max(last.size, 1.0) >= edges[last.page, last.column]
    return "" if _address_goes_on(before, rest, is_full=is_full) else None


def _address_goes_on(text: str, rest: str, *, is_full: bool) -> bool:
    match = _ADDRESS.search(text)
    if match is None or _REST.fullmatch(rest) is None or _LOOKS_LIKE_ONE.search(match[1]) is None:
        return False
    email = _EMAIL_SO_FAR.fullmatch(match[1])
    if email is not None:
        unfinished = _WHOLE_EMAIL.fullmatch(match[1]) is None
        return unfinished and _WHOLE_EMAIL.fullmatch(match[1] + rest) is not None
    if _LOOKS_LIKE_ONE.search(rest):
        return False
    return _OPEN.search(text) is not None or (is_full and "/" in match[1] and rest[:1].islower())


def _number_goes_on(text: str, rest: str) -> bool:
    number = _NUMBER.search(text)
    if number is None or _MORE_DIGITS.fullmatch(rest) is None or find_dates(rest) is not None:
        return False
    so_far, more = (sum(c.isdigit() for c in part) for part in (number[0], rest))
    is_begun = "+" in number[0] or so_far < _LEAST_DIGITS or number[0].rstrip().endswith("-")
    return is_begun and _LEAST_DIGITS <= so_far + more <= _MOST_DIGITS
