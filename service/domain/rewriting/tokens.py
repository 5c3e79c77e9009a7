"""A text cut into what the guard compares: Latin words, and runs of Chinese covered by known words."""

# ruff: noqa: E501 - word lists and patterns are read in one piece

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from service.domain.assertions.tokens import stem
from service.domain.rewriting.lexicon import (
    DEEDS,
    LONGEST_HAN,
    MODEST,
    PLAIN_HAN,
    ROLES,
    SAME,
    SCALE,
    TIMES,
)
from service.domain.text import Span

LATIN: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9]*(?:[-+#./'’_][A-Za-z0-9]+)*[+#]*|\d+[A-Za-z][A-Za-z0-9]*"
)
_HAN_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_JOINTS: Final = re.compile(r"[-./'’_]")
_CLAIMS: Final = (*DEEDS, *ROLES, *MODEST, *SCALE, *TIMES)
HAN_CLAIMS: Final = frozenset(w for w in _CLAIMS if not w.isascii())


@dataclass(frozen=True, slots=True)
class Word:
    """`text` as written; `key` for comparison: the stem, or the Chinese word."""

    text: str
    key: str
    span: Span


def latin_words(text: str) -> Iterator[Word]:
    for m in LATIN.finditer(text):
        yield Word(m[0], _key(m[0]), Span(*m.span()))


def parts(word: Word) -> tuple[str, ...]:
    """The keys of a joined word's parts: large-scale is large and scale."""
    return tuple(_key(p) for p in _JOINTS.split(word.text) if p)


def _key(word: str) -> str:
    low = word.lower()
    return stem(SAME.get(low, low))


def latin_keys(text: str) -> frozenset[str]:
    """Every word of a text, whole and in parts."""
    words = tuple(latin_words(text))
    return frozenset((*(w.key for w in words), *(p for w in words for p in parts(w))))


def han_words(text: str) -> Iterator[Word]:
    """Words of claim in Chinese, the longest at each place."""
    for run in _HAN_RUN.finditer(text):
        at = run.start()
        while at < run.end():
            size = _longest(text, at, run.end(), HAN_CLAIMS)
            if size:
                yield Word(text[at : at + size], text[at : at + size], Span(at, at + size))
            at += size or 1


def uncovered(text: str, source: str, allowed: frozenset[str]) -> Iterator[Word]:
    """Chinese that neither stands in the source nor is among the `allowed` or plain words."""
    known = PLAIN_HAN | allowed
    for run in _HAN_RUN.finditer(text):
        yield from _open(text, Span(*run.span()), source, known)


def _open(text: str, run: Span, source: str, known: frozenset[str]) -> Iterator[Word]:
    at, began = run.start, None
    while at < run.end:
        size = max(_longest(text, at, run.end, known), _shared(text, at, run.end, source))
        if size and began is not None:
            yield from _left(text, began, at, source)
            began = None
        elif not size and began is None:
            began = at
        at += size or 1
    if began is not None:
        yield from _left(text, began, run.end, source)


def _left(text: str, start: int, end: int, source: str) -> Iterator[Word]:
    """A lone character of the source is a remnant of a word, not a new one."""
    if end - start > 1 or text[start] not in source:
        yield Word(text[start:end], text[start:end], Span(start, end))


def _longest(text: str, at: int, end: int, words: frozenset[str]) -> int:
    sizes = range(min(LONGEST_HAN, end - at), 0, -1)
    return next((n for n in sizes if text[at : at + n] in words), 0)


def _shared(text: str, at: int, end: int, source: str) -> int:
    """How many characters from here also stand side by side in the source; two at least."""
    size = 1
    while at + size < end and text[at : at + size + 1] in source:
        size += 1
    return size if size > 1 else 0
