"""Dates and ranges of dates as résumés write them, brought to YYYY-MM, YYYY or present."""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from service.domain.text import Span

PRESENT: Final = "present"
MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_SEASONS: Final = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "春": 3,
    "夏": 6,
    "秋": 9,
    "冬": 12,
}
_YEAR: Final = r"(?:19[5-9]\d|20[0-4]\d)"
_NAMED: Final = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_POINT: Final = (
    rf"(?:(?P<y1>{_YEAR})\s*年\s*(?:(?P<m1>1[0-2]|0?[1-9])\s*月(?:\s*\d{{1,2}}\s*日)?)?"
    rf"|(?P<y2>{_YEAR})\s?[./\-‐‑]\s?(?P<m2>1[0-2]|0?[1-9])(?:[./-](?:3[01]|[12]\d|0?[1-9]))?(?![\d])"
    rf"|(?P<m3>1[0-2]|0?[1-9])\s?[./\-]\s?(?P<y3>{_YEAR})(?!\d)"
    rf"|(?P<m4>{_NAMED})\.?,?\s*(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?'?(?P<y4>{_YEAR})(?!\d)"
    rf"|(?P<s5>spring|summer|autumn|fall|winter)\s+(?P<y5>{_YEAR})(?!\d)"
    rf"|(?P<y6>{_YEAR})\s*年?\s*(?P<s6>[春夏秋冬])季?"
    rf"|(?P<y7>{_YEAR})(?![\d,.]?\d|\s?[%张卡块台个条次倍×xX]))"
)
_NOW: Final = r"(?P<now>至今|现在|目前|在职|在读|迄今|今日?(?![年天])|present|current(?:ly)?|now|ongoing|today|to date|till (?:now|date)|until now)"
_TO: Final = r"\s*(?:-|–|—|~|～|〜|至|到|－|―|−|‒|‑|‐|\bto\b|\buntil\b|\bthrough\b)+\s*"
# Groups of the second point carry the suffix _b.
_SECOND: Final = re.sub(r"\(\?P<(\w+)>", r"(?P<\1_b>", _POINT)
MONTHS_ONE_YEAR: Final = re.compile(
    rf"(?<![A-Za-z])(?P<a>{_NAMED})\.?{_TO}(?P<b>{_NAMED})\.?,?\s+(?P<y>{_YEAR})(?!\d)",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(
    rf"(?<![\dA-Za-z.]){_POINT}(?:{_TO}(?:{_NOW}|{_SECOND})|\s*(?P<tail>至今|[-–—~～]\s*(?=$|[)）\t|])|起))",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    rf"(?:\bsince\b|自|从)\s*{_POINT}(?:\s*(?:起|开始|以来))?", re.IGNORECASE
)
_SINGLE: Final = re.compile(rf"(?<![\dA-Za-z.]){_POINT}", re.IGNORECASE)
_MASKED: Final = re.compile(
    r"20[x*×]{2}(?:[./年-]?(?:\d{1,2}|[x*×]{2})月?)?(?:\s*[-–—~至到]+\s*(?:20[x*×]{2}(?:[./年-]?(?:\d{1,2}|[x*×]{2})月?)?|至今|present))?",
    re.IGNORECASE,
)
DURATION: Final = re.compile(
    r"[(（]?\b\d{1,2}\s*(?:years?|yrs?|年)\s*(?:\d{1,2}\s*(?:months?|mos?|个月|月))?[)）]?$|^[(（]?\d{1,2}\s*(?:months?|mos?|个月)[)）]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class When:
    """`end` is None for a single date; the span is where it was written."""

    start: str | None
    end: str | None
    span: Span


def find_dates(text: str) -> When | None:
    """The first range in `text`, else the first "since …", else a month or year by itself."""
    one_year = MONTHS_ONE_YEAR.search(text)
    if one_year is not None:
        year = one_year["y"]
        start, end = (f"{year}-{_month(one_year[g]):02d}" for g in ("a", "b"))
        return When(start, end, Span(*one_year.span()))
    ranged = _RANGE.search(text)
    if ranged is not None:
        return _ordered(ranged)
    since = _SINCE.search(text)
    if since is not None:
        return When(_point(since), PRESENT, Span(*since.span()))
    return _single(text)


def _ordered(match: re.Match[str]) -> When:
    start = _point(match)
    open_end = match["now"] is not None or match["tail"] is not None
    end = PRESENT if open_end else _point(match, "_b")
    if end is not None and start is not None and end != PRESENT and _key(end) < _key(start):
        start, end = end, start
    return When(start, end, Span(*match.span()))


def _key(date: str) -> str:
    return date if "-" in date else f"{date}-00"


def _single(text: str) -> When | None:
    masked = _MASKED.search(text)
    if masked is not None:
        return When(None, None, Span(*masked.span()))
    for match in _singles(text):
        return When(_point(match), None, Span(*match.span()))
    return None


def _singles(text: str) -> Iterator[re.Match[str]]:
    """A bare year counts only at the edge of the text or in brackets: 2048 may be a batch size."""
    for match in _SINGLE.finditer(text):
        if match["y7"] is None or _stands_alone(text, match):
            yield match


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()].rstrip(" \t"), text[match.end() :].lstrip(" \t")
    closed = not after or after[0] in ")）|｜,，】]·•\t"
    opened = not before or before[-1] in "(（|｜,，【[·•\t/" or match.start() > len(before)
    return closed and opened


def _point(match: re.Match[str], suffix: str = "") -> str | None:
    groups = {
        k[: len(k) - len(suffix)] if suffix else k: v
        for k, v in match.groupdict().items()
        if v and k.endswith(suffix)
    }
    for n in "1234567":
        year = groups.get(f"y{n}")
        if year is None:
            continue
        month = groups.get(f"m{n}") or groups.get(f"s{n}")
        return f"{year}-{_month(month):02d}" if month else year
    return None


def _month(written: str) -> int:
    if written.isdigit():
        return int(written)
    lowered = written.lower()
    if lowered in _SEASONS:
        return _SEASONS[lowered]
    return MONTHS.index(lowered[:3]) + 1
