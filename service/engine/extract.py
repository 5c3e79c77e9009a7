"""Finds the one JSON object in a reply and refuses everything doubtful. Nothing is repaired.

A mark must never come from half a reply, from the second of two equal keys or from a guess at
what was meant, so each of those is a complaint that the model is shown once.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar, cast

from pydantic import ValidationError

from service.domain.tasks import Strict

LONGEST_REPLY: Final = 200_000  # characters
DEEPEST: Final = 16  # levels of nesting; the forms we ask for have three
MOST_DIGITS: Final = 20
MOST_FAULTS: Final = 8  # shown to the model at once

ReadingT = TypeVar("ReadingT", bound=Strict)

_FENCED: Final = re.compile(r"```[a-zA-Z]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_THOUGHT_END: Final = "</think>"
# A string, skipped whole, or a bracket outside of one.
_PIECE: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', re.DOTALL)
_STEP: Final = {"{": 1, "[": 1, "}": -1, "]": -1}


class Complaint(Exception):
    """What is wrong with a reply, in words for the model; holds nothing of the reply's text."""


def extract(text: str, reading_type: type[ReadingT]) -> ReadingT:
    """The reading in a reply.

    Raises:
        Complaint: not exactly one whole, unambiguous object of the agreed form.
    """
    if len(text) > LONGEST_REPLY:
        raise Complaint(f"The reply is longer than {LONGEST_REPLY} characters.")
    return _valid(_parse(_only_object(_without_thoughts(text))), reading_type)


def _without_thoughts(text: str) -> str:
    """Cut a leading chain of thought; some servers drop its opening mark."""
    text = text.strip()
    if text.startswith(("{", "```")):
        return text
    thoughts, end, rest = text.partition(_THOUGHT_END)
    if end:
        return rest.strip()
    if thoughts.startswith("<think>"):
        raise Complaint("The reply stops inside <think>; give the JSON object.")
    return text


def _only_object(text: str) -> str:
    """The whole text, else the only fenced block, else the only balanced braces."""
    if text.startswith("{") and text.endswith("}"):
        return text
    fenced = [block.strip() for block in _FENCED.findall(text)]
    found = fenced or list(_balanced(text))
    if len(found) > 1:
        raise Complaint("The reply holds more than one JSON object; give exactly one.")
    if not found:
        raise Complaint("The reply holds no complete JSON object.")
    return found[0]


def _balanced(text: str) -> Iterator[str]:
    """Top-level {...} runs, braces inside strings not counted; an unclosed one is no run."""
    start = text.find("{")
    while start >= 0:
        end = _closing(text, start)
        if end is None:
            return
        yield text[start:end]
        start = text.find("{", end)


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for piece in _PIECE.finditer(text, start):
        depth += _STEP.get(piece.group(), 0)
        if depth == 0:
            return piece.end()
    return None


def _parse(text: str) -> object:
    if _depth(text) > DEEPEST:
        raise Complaint(f"The JSON is nested deeper than {DEEPEST} levels.")
    try:
        return cast(
            "object",
            json.loads(
                text,
                object_pairs_hook=_unique,
                parse_constant=_no_constant,
                parse_float=_finite,
                parse_int=_short,
            ),
        )
    except json.JSONDecodeError as error:
        raise Complaint(f"The JSON is broken at character {error.pos}: {error.msg}.") from None


def _depth(text: str) -> int:
    depth = deepest = 0
    for piece in _PIECE.finditer(text):
        depth += _STEP.get(piece.group(), 0)
        deepest = max(deepest, depth)
    return deepest


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise Complaint("A key stands twice in one object.")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise Complaint(f"{name} is not JSON.")


def _finite(digits: str) -> float:
    value = float(digits) if len(digits) <= MOST_DIGITS else math.inf
    if not math.isfinite(value):
        raise Complaint("A number is too large or too long.")
    return value


def _short(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Complaint("A number has too many digits.")
    return int(digits)


def _valid(found: object, reading_type: type[ReadingT]) -> ReadingT:
    """Strict: "3" is no 3 and unknown keys are refused."""
    written = json.dumps(found, ensure_ascii=False)
    if "\\u0000" in written or any("\ud800" <= c <= "\udfff" for c in written):
        raise Complaint("The text holds characters that are no text (NUL or half a pair).")
    try:
        return reading_type.model_validate_json(written, strict=True)
    except ValidationError as error:
        faults = [f"{_place(e['loc'])}: {e['type']}" for e in error.errors()[:MOST_FAULTS]]
        raise Complaint(f"Not the agreed form: {'; '.join(faults)}.") from None


def _place(loc: Sequence[int | str]) -> str:
    """Keys come from the reply, so their length is bounded."""
    return ".".join(str(part)[:40] for part in loc) or "reply"
