"""Text as people see it: compatibility forms folded, invisible characters out and counted."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

_TAGS: Final = range(0xE0000, 0xE0080)
_SOFT_HYPHEN: Final = "\u00ad"
_SPACES: Final = re.compile(r"(?<=\S)[ \u00a0\u2000-\u200a\u202f\u205f\u3000]+")
# Two spaces or more inside a line set parts asunder, as a tab does.
_WIDE: Final = re.compile(r"(?<=\S)[ \u00a0\u2000-\u200a\u202f\u205f\u3000]{2,}(?=\S)")
_AROUND_TAB: Final = re.compile(r"(?<! ) *\t[ \t]*")
_KEPT_CONTROLS: Final = "\t\n\r"
# NFKC would turn these into something people do not read as the same.
_KEPT_FORMS: Final = frozenset("…№™℠①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """`hidden` counts tag characters (invisible writing), `stripped` all other invisible ones."""

    text: str
    hidden: int = 0
    stripped: int = 0


def clean(text: str, *, soft_hyphen: str = "") -> Cleaned:
    """Line by line structure is kept. In a PDF a soft hyphen was drawn: pass "-" for it."""
    if text.isascii() and text.isprintable():
        return Cleaned(_SPACES.sub(" ", _WIDE.sub("\t", text)))
    out: list[str] = []
    hidden = stripped = 0
    for char in text:
        if ord(char) in _TAGS:
            hidden += 1
            continue
        piece = _piece(char, soft_hyphen)
        stripped += piece == "" and char not in _SOFT_HYPHEN
        out.append(piece)
    joined = _SPACES.sub(
        " ", _WIDE.sub("\t", "".join(out)).replace("\r\n", "\n").replace("\r", "\n")
    )
    return Cleaned(_AROUND_TAB.sub("\t", joined), hidden, stripped)


# What becomes of a character by its category; the rest is folded.
_BY_CATEGORY: Final = {
    "Cf": "",
    "Cc": "",
    "Cs": "",
    "Cn": "",
    "Co": "\t",  # an icon font's glyph: it stands between things
    "Zl": "\n",
    "Zp": "\n",
}


@lru_cache(maxsize=16_384)
def _piece(char: str, soft_hyphen: str) -> str:
    if char.isascii():
        return char if char.isprintable() or char in _KEPT_CONTROLS else ""
    if char == _SOFT_HYPHEN:
        return soft_hyphen
    by_category = _BY_CATEGORY.get(unicodedata.category(char))
    if by_category is not None:
        return by_category
    if char in _KEPT_FORMS or "\uff01" <= char <= "\uff65":
        return _narrow(char)
    return unicodedata.normalize("NFKC", char)


def _narrow(char: str) -> str:
    """Full-width letters and digits become ASCII; full-width punctuation is Chinese and stays."""
    folded = unicodedata.normalize("NFKC", char)
    return folded if folded.isalnum() or folded in "+-@#/&%=~|" else char


def clean_strings(value: object) -> tuple[object, int, int]:
    """A decoded JSON value with every string cleaned, and the counts of all of them together."""
    counts = [0, 0]

    def walk(node: object) -> object:
        if isinstance(node, str):
            done = clean(node)
            counts[0] += done.hidden
            counts[1] += done.stripped
            return done.text
        if isinstance(node, list):
            return [walk(item) for item in cast("list[object]", node)]
        if isinstance(node, dict):
            return {k: walk(v) for k, v in cast("dict[str, object]", node).items()}
        return node

    return walk(value), counts[0], counts[1]
