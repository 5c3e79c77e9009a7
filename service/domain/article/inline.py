"""Which characters of a block are words: marks of emphasis, links, tags and struck text are not."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.text import Span

# Each alternative is bounded, so that the scan stays linear. What group `keep` holds is kept.
MARKS: Final = re.compile(
    r"!\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)"
    r"|\[(?P<link>[^\]\n]{1,200})\]\([^)\n]{0,400}\)"
    r"|\[\^[^\]\n]{1,40}\]"
    r"|<!--.{0,2000}?-->|</?(?:a|b|i|u|s|p|br|hr|em|strong|code|pre|div|span|sup|sub|kbd|font"
    r"|center|h[1-6]|[uo]l|li|table|thead|tbody|tr|t[dh]|img|details|summary)"
    r"(?:[ /][^<>\n]{0,200})?>"
    r"|~~(?:[^~\n]{1,400})~~"
    r"|(?P<code>`{1,3})(?P<verbatim>[^`\n]{1,400})(?P=code)"
    r"|(?<![A-Za-z0-9_*])(?:\*\*|__)(?=\S)|(?<=\S)(?:\*\*|__)(?![A-Za-z0-9_*])"
    r"|(?<![\w*)\]}ψφ])\*(?=[^\s\d*])|(?<=[^\s\d*+\-/(])\*(?![\w*(\[{ψφ])"
    r"|\\(?=[|*_`\[\]#>])",
    re.DOTALL,
)
KEPT: Final = ("link", "verbatim")


def own_places(text: str, lines: Sequence[Span]) -> list[int]:
    """Places of the characters that are words, line after line.

    A line break between two Latin words stays as the place of the break, for it parts them.
    """
    places: list[int] = []
    for line in lines:
        following = list(_line_places(text, line))
        if places and following and _needs_blank(text[places[-1]], text[following[0]]):
            places.append(places[-1] + 1)
        places += following
    return _trimmed(text, places)


def _line_places(text: str, line: Span) -> Iterator[int]:
    at = line.start
    for mark in MARKS.finditer(text, line.start, line.end):
        yield from range(at, mark.start())
        for group in KEPT:
            if mark[group] is not None:
                yield from range(*mark.span(group))
        at = mark.end()
    yield from range(at, line.end)


def _needs_blank(before: str, after: str) -> bool:
    return not ("\u3000" <= before <= "\u9fff" or "\u3000" <= after <= "\u9fff")


def _trimmed(text: str, places: list[int]) -> list[int]:
    first, last = 0, len(places)
    while first < last and text[places[first]].isspace():
        first += 1
    while last > first and text[places[last - 1]].isspace():
        last -= 1
    return places[first:last]
