"""Fences around what strangers wrote, and the breaking of marks that such text brings along.

A broken mark has its bracket widened (`<` to `＜`): a reader still sees it, NFKC folding still
finds a quote of it, and no server's tokenizer takes it for a control token.
"""

import re
from typing import Final

from service.domain.text import fold

OPENING: Final = '<untrusted name="{name}" nonce="{nonce}">'
CLOSING: Final = '</untrusted name="{name}" nonce="{nonce}">'

# Names that follow a bracket in a mark of ours or in a chat template's control token.
_CONTROL_WORDS: Final = (
    "untrusted",
    "think",
    "tool_call",
    "im_start",
    "im_end",
    "start_of_turn",
    "end_of_turn",
    "start_header_id",
    "end_header_id",
    "eot_id",
    "begin_of_text",
    "bos>",
    "eos>",
    "s>",
    "sys>",
    "<sys>",
)
_MARK: Final = re.compile(
    r"<(?=[\s/\\]*(?:\||"
    + "|".join(map(re.escape, _CONTROL_WORDS))
    + r"))|\[(?=\s*/?\s*inst\s*\])",
    re.IGNORECASE,
)
_WIDE: Final = {"<": "＜", "[": "［"}
# Everything that folds to one of the two brackets; without one there is nothing to break.
_BRACKETS: Final = re.compile("[<＜﹤\\[［]")


class Fenced(str):
    """Text that already stands between its marks; rendering leaves it alone."""

    __slots__ = ()


def break_marks(text: str) -> str:
    """Widen the bracket of every mark, also of one hidden by case, spaces or invisible characters.

    Lone surrogates, which no request can carry, become question marks.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not _BRACKETS.search(text):
        return text
    folded = fold(text)
    out = list(text)
    for mark in _MARK.finditer(folded.text):
        at = folded.offsets[mark.start()]
        out[at] = _WIDE.get(out[at], out[at])
    return "".join(out)


def fence(name: str, text: str, nonce: str) -> Fenced:
    """Put `text` between exactly one opening and one closing mark that carry `nonce`."""
    opening = OPENING.format(name=name, nonce=nonce)
    closing = CLOSING.format(name=name, nonce=nonce)
    return Fenced(f"{opening}\n{break_marks(text)}\n{closing}")
