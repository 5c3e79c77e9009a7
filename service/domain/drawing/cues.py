"""Which figure a number is meant for: by the words that name figures around it.

Within a sentence cues and numbers alternate (ZeRO-2 26 GB, ZeRO-3 14 GB), or a row of cues is
followed by as many numbers; a number without a cue before it belongs to the one that follows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from service.domain.claims.tokens import Number, Sheet
from service.domain.drawing.amounts import values_of
from service.domain.drawing.model import Figure

# Names of what is asked in nearly every exercise; a cue of a question may be one of these keys.
SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "@ddp": ("ddp", "数据并行", "不切", "不切分", "data parallel", "stage 0", "zero-0"),
    "@zero1": ("zero-1", "zero1", "zero 1", "z1", "stage 1", "stage1", "一阶段", "第一阶段",
               "零一", "stage one"),
    "@zero2": ("zero-2", "zero2", "zero 2", "z2", "stage 2", "stage2", "二阶段", "第二阶段",
               "零二", "stage two"),
    "@zero3": ("zero-3", "zero3", "zero 3", "z3", "stage 3", "stage3", "三阶段", "第三阶段",
               "零三", "stage three"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A number and the figures it can be meant for; `is_named`: a cue says so."""

    number: Number
    candidates: tuple[Figure, ...]
    is_named: bool


@dataclass(frozen=True, slots=True)
class _Event:
    at: int
    end: int
    figures: tuple[Figure, ...] = ()
    number: Number | None = None


def told_in(sheet: Sheet, asked: Sequence[Figure]) -> Iterator[Told]:
    """Every number that could be one of the figures, in reading order."""
    cues = tuple(_cue_events(sheet, asked))
    events = sorted((*cues, *_number_events(sheet, asked, cues)), key=_place)
    sentence: list[_Event] = []
    for event in events:
        if sentence and sheet.sentences[event.at] != sheet.sentences[sentence[-1].at]:
            yield from _of_sentence(sheet, sentence, asked)
            sentence = []
        sentence.append(event)
    yield from _of_sentence(sheet, sentence, asked)


def _place(event: _Event) -> tuple[int, bool]:
    return event.at, event.number is not None


def _number_events(
    sheet: Sheet, asked: Sequence[Figure], cues: Sequence[_Event]
) -> Iterator[_Event]:
    """Numbers inside a cue, such as the four of `4-bit`, are names."""
    named = {at for cue in cues for at in range(cue.at, cue.end)}
    for number in sheet.numbers:
        if sheet.low[number.start - 1 : number.start] == "." and number.start:
            continue  # the tail of a figure that was read in two pieces
        if number.start not in named and any(_fits(sheet, number, f) for f in asked):
            yield _Event(number.start, number.end, number=number)


def _cue_events(sheet: Sheet, asked: Sequence[Figure]) -> Iterator[_Event]:
    figures: dict[str, list[Figure]] = {}
    for figure in asked:
        for word in words_of(figure):
            figures.setdefault(word, []).append(figure)
    if not figures:
        return
    for match in _any_of(tuple(figures)).finditer(sheet.low):
        yield _Event(match.start(), match.end(), tuple(figures[match[0]]))


def words_of(figure: Figure) -> tuple[str, ...]:
    """The cues in lower case, sets opened."""
    return tuple(w.lower() for cue in figure.cues for w in SETS.get(cue, (cue,)))


@lru_cache(maxsize=256)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Longest first; a Latin word is a whole word."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(_whole, ordered)))


def _whole(word: str) -> str:
    before = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    after = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return before + re.escape(word) + after


def _fits(sheet: Sheet, number: Number, figure: Figure) -> bool:
    said = sheet.low[number.start : number.end]
    return any(True for _ in values_of(number, figure.unit, said))


def _of_sentence(sheet: Sheet, events: Sequence[_Event], asked: Sequence[Figure]) -> Iterator[Told]:
    runs = _runs(events)
    for place, (cues, numbers) in enumerate(runs):
        following = runs[place + 1][0][:1] if place + 1 < len(runs) else []
        apart = _apart(cues)
        for rank, number in enumerate(numbers):
            named = [apart[rank]] if len(apart) == len(numbers) else apart[::-1]
            is_over = len(numbers) > max(1, len(apart)) and rank == len(numbers) - 1
            near = [*named, *(following if is_over or not cues else [])]
            earlier = [c for before, _ in reversed(runs[:place]) for c in reversed(before)]
            yield _told(sheet, number, (near, earlier), asked)


def _runs(events: Sequence[_Event]) -> list[tuple[list[_Event], list[Number]]]:
    """Cues in a row and the numbers in a row behind them."""
    runs: list[tuple[list[_Event], list[Number]]] = [([], [])]
    for event in events:
        if event.number is not None:
            runs[-1][1].append(event.number)
        elif runs[-1][1]:
            runs.append(([event], []))
        else:
            runs[-1][0].append(event)
    return runs


def _apart(cues: Sequence[_Event]) -> list[_Event]:
    """Cues of different figures: as many numbers go with them in order, else any may be meant."""
    return list({tuple(f.id for f in cue.figures): cue for cue in cues}.values())


def _told(
    sheet: Sheet, number: Number, cues: Sequence[Sequence[_Event]], asked: Sequence[Figure]
) -> Told:
    """The figures that the nearest row of cues names, as far as the unit fits."""
    for row in cues:
        named = {f.id: f for cue in row for f in cue.figures if _fits(sheet, number, f)}
        if named:
            return Told(number, tuple(named.values()), is_named=True)
    return Told(number, tuple(f for f in asked if _fits(sheet, number, f)), is_named=False)
