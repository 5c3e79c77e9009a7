"""Text to search terms: Latin words whole and in parts, pairs of Chinese characters, concepts."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from service.domain.text import is_invisible
from service.retrieval.concepts import concepts_in

# Longest text that is searched for, code points: more adds cost and no direction.
LONGEST_QUERY: Final = 2_000

WORD: Final = re.compile(r"[a-z0-9]+(?:[-_.+/]+[a-z0-9]+)*")
PART: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
HAN: Final = re.compile(r"[\u3400-\u9fff]+")


def terms(text: str) -> list[str]:
    """The search terms of `text`, repeated as often as they occur.

    "ZeRO-3", "zero3" and "ZeRO 3" share the terms zero, 3 and zero3. Terms hold only a-z, digits,
    full stops, underscores and Chinese characters, so they need no quoting in a search expression.
    """
    lowered = _plain(text[:LONGEST_QUERY])
    return [*_words(lowered), *(f"_{name}" for name in concepts_in(lowered))]


def words_only(text: str) -> list[str]:
    """The terms without concepts: what a plain word search would use."""
    return _words(_plain(text[:LONGEST_QUERY]))


def _words(lowered: str) -> list[str]:
    return [*_latin(lowered), *_han(lowered)]


def _plain(text: str) -> str:
    """Compatibility forms unified, invisible characters gone, lower case."""
    unified = unicodedata.normalize("NFKC", text)
    return "".join(c for c in unified if c.isascii() or not is_invisible(c)).lower()


def _latin(text: str) -> Iterator[str]:
    before: re.Match[str] | None = None
    last = ""
    for word in WORD.finditer(text):
        parts: list[str] = PART.findall(word[0])
        yield from parts
        if len(parts) > 1:
            yield _joined(*parts)
        if before is not None and text[before.end() : word.start()].isspace():
            yield _joined(last, parts[0])
        before, last = word, parts[-1]


def _joined(*parts: str) -> str:
    return "".join(parts).replace(".", "")


def _han(text: str) -> Iterator[str]:
    for run in HAN.findall(text):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
