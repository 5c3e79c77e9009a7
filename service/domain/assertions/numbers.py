"""Brings the verdicts of the number check into the frames, for patterns to ask about."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from service.domain.assertions.model import Frame, Kind, Mention
from service.domain.tasks import CheckedNumber

RIGHT: Final = "right"
# By the number in a scheme's name; schemes without one are plain data parallelism.
BY_STAGE: Final = {"1": "right_stage1", "2": "right_stage2", "3": "right_stage3"}
STAGE_NAMES: Final = frozenset(f"stage{number}" for number in BY_STAGE)
TOTALS: Final = frozenset({"memory_per_gpu", "total_memory"})
FIGURE: Final = "figure"  # its scheme is the concept that stands for it
READ: Final = TOTALS | {FIGURE}


def with_numbers(
    text: str, frames: Sequence[Frame], numbers: Iterable[CheckedNumber]
) -> tuple[Frame, ...]:
    """Frames with one more mention for each right memory figure that stands in them."""
    right = [n for n in numbers if n.verdict == RIGHT and n.quantity in READ and n.text]
    if not right:
        return tuple(frames)
    return tuple(_with(text, frame, right) for frame in frames)


def _with(text: str, frame: Frame, right: Sequence[CheckedNumber]) -> Frame:
    said = frame.span.of(text)
    found = [_mention(n) for n in right if n.text in said and _is_of(n, frame)]
    return replace(frame, mentions=(*frame.mentions, *found)) if found else frame


def _is_of(number: CheckedNumber, frame: Frame) -> bool:
    """A figure right for stage 2 says nothing about it in a clause about stage 3 alone."""
    if number.quantity == FIGURE:
        return True
    named = {*frame.subjects, *(c for m in frame.mentions for c in m.concepts)} & STAGE_NAMES
    stage = next((c for c in number.scheme or "" if c in BY_STAGE), "")
    return not stage or not named or f"stage{stage}" in named


def _mention(number: CheckedNumber) -> Mention:
    if number.quantity == FIGURE:
        return Mention((number.scheme or FIGURE,), Kind.QUANTITY, 0, 0)
    stage = next((c for c in number.scheme or "" if c in BY_STAGE), "")
    return Mention((BY_STAGE.get(stage, "right_total"), "right_number"), Kind.QUANTITY, 0, 0)
