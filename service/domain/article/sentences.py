"""Where the sentences of a block begin and end, in places of the original text."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.text import Span

STOPS: Final = frozenset("。！？!?…")
CLOSING: Final = frozenset("\"'”’」』）)】]》*_")
# A dot behind one of these ends no sentence.
ABBREVIATIONS: Final = frozenset(
    {"e.g", "i.e", "vs", "etc", "cf", "fig", "eq", "sec", "approx", "al"}
)
LONGEST_ABBREVIATION: Final = 6


def split_sentences(text: str, places: Sequence[int]) -> Iterator[Span]:
    """The sentences of one block, blanks around them left out."""
    for inside in sentence_places(text, places):
        span = _trimmed(text, inside)
        if span:
            yield span


def sentence_places(text: str, places: Sequence[int]) -> Iterator[Sequence[int]]:
    """The places of each sentence; together they are all of the block's."""
    first = 0
    for at in range(len(places)):
        if at + 1 == len(places) or _ends(text, places, at):
            yield places[first : at + 1]
            first = at + 1


def _ends(text: str, places: Sequence[int], at: int) -> bool:
    """A stop, with the quotes and brackets that close behind it."""
    following = text[places[at + 1]]
    if following in CLOSING or following in STOPS:
        return False
    back = at
    while back > 0 and text[places[back]] in CLOSING:
        back -= 1
    stop = text[places[back]]
    if stop in STOPS:
        return True
    return stop == "." and following.isspace() and not _is_abbreviation(text, places, back)


def _is_abbreviation(text: str, places: Sequence[int], at: int) -> bool:
    first = max(0, at - LONGEST_ABBREVIATION)
    word = "".join(text[p] for p in places[first:at]).rsplit(None, 1)
    return bool(word) and word[-1].lstrip("(").lower() in ABBREVIATIONS


def _trimmed(text: str, places: Sequence[int]) -> Span | None:
    inside = [p for p in places if not text[p].isspace()]
    return Span(inside[0], inside[-1] + 1) if inside else None
