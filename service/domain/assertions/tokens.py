"""From folded text to tokens: stems of Latin words, single Han characters, numbers, signs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from service.domain.text import Folded

# Every alternative starts with another class of character, so the scan is linear.
TOKEN: Final = re.compile(
    r"[^\W\d_\u3400-\u9fff]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[\u3400-\u9fff]|\S", re.UNICODE
)
GLUE: Final = frozenset("-_‐‑‒–—−·")
NEGATIVE_TAIL: Final = "n't"
TAILS: Final = {"d": "would", "ll": "will", "ve": "have", "re": "are", "m": "am"}
SHORT: Final = 3


class Shape(StrEnum):
    WORD = "word"
    HAN = "han"
    NUMBER = "number"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """`form` is what forms of the lexicon are compared with; start..end index the folded text."""

    form: str
    shape: Shape
    start: int
    end: int
    line_end: bool = False  # a line break follows


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Strip English endings so that split/splits/splitting and slice/sliced meet.

    Own light stemmer: plural, -ing, -ed, doubled consonant, final e. Not a linguist's stem,
    only the same key for the forms of one word.
    """
    if len(word) <= SHORT or not word.isascii():
        return word
    word = _strip_plural(word)
    word = _strip_tense(word)
    return word[:-1] if word.endswith("e") and len(word) > SHORT else word


def _strip_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > SHORT + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("pus"):  # gpus, cpus
        return word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _strip_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > SHORT + 1:
        return word[:-3] + "y"
    for tail in ("ing", "ed"):
        root = word.removesuffix(tail)
        if root != word and len(root) >= SHORT and any(v in root for v in "aeiouy"):
            return _undouble(root)
    return word


def _undouble(root: str) -> str:
    doubled = len(root) > SHORT and root[-1] == root[-2] and root[-1] not in "lsze"
    return root[:-1] if doubled else root


def lower_keeping_length(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def tokenize(folded: Folded, text: str, characters: Mapping[str, str]) -> tuple[Token, ...]:
    """Tokens in order; `characters` maps variant Han characters to the lexicon's own."""
    tokens: list[Token] = []
    lowered = lower_keeping_length(folded.text)
    for match in TOKEN.finditer(lowered):
        start, end = match.span()
        broken = _line_break_follows(folded, text, end)
        tokens.extend(_pieces(match.group(), start, end, characters, broken=broken))
    return tuple(tokens)


def _line_break_follows(folded: Folded, text: str, end: int) -> bool:
    """Folding keeps one blank for a run of white space; the original run may hold a break."""
    if end >= len(folded.text) or folded.text[end] != " ":
        return False
    gap = text[folded.offsets[end] : folded.offsets[end + 1]]
    return "\n" in gap or "\r" in gap


def _pieces(
    form: str, start: int, end: int, characters: Mapping[str, str], *, broken: bool
) -> list[Token]:
    head = form[0]
    if head.isdigit():
        return [Token(form, Shape.NUMBER, start, end, broken)]
    if "\u3400" <= head <= "\u9fff":
        return [Token(characters.get(form, form), Shape.HAN, start, end, broken)]
    if not head.isalpha():
        return [Token(form, Shape.SIGN, start, end, broken)]
    if form.endswith(NEGATIVE_TAIL):
        cut = end - len(NEGATIVE_TAIL)
        tail = Token(NEGATIVE_TAIL, Shape.WORD, cut, end, broken)
        return [Token(stem(form[: cut - start]), Shape.WORD, start, cut), tail][cut == start :]
    base, _, short = form.partition("'")
    if short not in TAILS:
        return [Token(stem(base), Shape.WORD, start, end, broken)]
    cut = start + len(base)
    full = Token(TAILS[short], Shape.WORD, cut, end, broken)
    return [Token(stem(base), Shape.WORD, start, cut), full]
