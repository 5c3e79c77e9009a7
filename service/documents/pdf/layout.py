"""Reading order: words to runs, runs to columns by an XY-cut, columns to rows.

Geometry only; coordinates are points, y grows upwards.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from service.documents.pdf.words import Word
from service.domain.resume_reading.dates import find_dates

# All relative to the height of the text.
SAME_LINE: Final = 0.4
WIDEST_SPACE: Final = 1.15  # a wider gap inside a line sets its parts asunder
LEAST_GUTTER: Final = 0.35
LEAST_ROWS: Final = 3  # a column has at least so many rows
# A side column of dates or places belongs to the lines it stands beside.
MOST_ASIDE: Final = 34  # characters
ALIGNED: Final = 0.8
PAIRED: Final = 0.75  # of the dates; one that wraps leaves its year on a row of its own
DATED: Final = 0.3
FEW: Final = 0.4  # of the lines it stands beside
_HAN: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one line with nothing but word spaces between them; measured once."""

    words: tuple[Word, ...]
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    height: float


def run_of(words: tuple[Word, ...]) -> Run:
    return Run(
        words,
        joined(words),
        words[0].x0,
        min(w.y0 for w in words),
        words[-1].x1,
        max(w.y1 for w in words),
        words[0].y0,
        max(w.height for w in words),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """The runs of one line of a column, left to right. `column` is 0 for the whole width."""

    runs: tuple[Run, ...]
    column: int

    @property
    def x0(self) -> float:
        return self.runs[0].x0

    @property
    def x1(self) -> float:
        return self.runs[-1].x1

    @property
    def top(self) -> float:
        return max(r.y1 for r in self.runs)

    @property
    def base(self) -> float:
        return min(r.base for r in self.runs)

    @property
    def height(self) -> float:
        return max(r.height for r in self.runs)


def joined(words: Sequence[Word]) -> str:
    """Words with a space where one was written or is wide enough to be seen."""
    parts: list[str] = []
    for index, word in enumerate(words):
        if index and _is_apart(words[index - 1], word):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def _is_apart(before: Word, word: Word) -> bool:
    gap = word.x0 - before.x1
    if _HAN.match(before.text[-1]) and _HAN.match(word.text[0]):
        return gap > 0.6 * word.height
    if not word.spaced:
        return gap > 0.18 * word.height
    return gap > -0.3 * word.height


def runs_of(words: Sequence[Word]) -> tuple[Run, ...]:
    """Stream order keeps the words of a line together, whatever stands beside them."""
    found: list[list[Word]] = []
    for word in words:
        if found and _continues(found[-1][-1], word):
            found[-1].append(word)
            continue
        found.append([word])
    closed = (_closed_up(tuple(run)) for run in found)
    return tuple(run_of(run) for run in _stitched([r for r in closed if r]))


def _continues(before: Word, word: Word) -> bool:
    height = max(before.height, word.height)
    if abs(before.y0 - word.y0) > SAME_LINE * height:
        return False
    gap = word.x0 - before.x1
    return -0.5 * height <= gap <= WIDEST_SPACE * height


def _stitched(runs: Sequence[tuple[Word, ...]]) -> list[tuple[Word, ...]]:
    """Runs that touch on one line although the file draws them apart (bold words, links)."""
    ordered = sorted(runs, key=lambda r: (-round(r[0].y0, 1), r[0].x0))
    merged: list[list[Word]] = []
    open_runs: list[list[Word]] = []
    for run in ordered:
        open_runs = [o for o in open_runs if o[-1].y0 - run[0].y0 < run[0].height]
        host = next((o for o in open_runs if _continues(o[-1], run[0])), None)
        if host is not None:
            host.extend(run)
            continue
        merged.append(list(run))
        open_runs.append(merged[-1])
    return [tuple(run) for run in merged]


def _closed_up(run: tuple[Word, ...]) -> tuple[Word, ...]:
    """Letter-spaced text: pieces of one or two letters at even distances are one word."""
    shorts = sum(len(w.text) <= 2 for w in run)  # noqa: PLR2004 - a letter, or two that touch
    if len(run) < 4 or shorts < 0.7 * len(run) or any(_HAN.match(w.text[0]) for w in run):  # noqa: PLR2004 - shorter may be words
        return run
    gaps = [b.x0 - a.x1 for a, b in pairwise(run)]
    usual = median(gaps)
    if max(usual, 0.0) > WIDEST_SPACE * run[0].height:
        return run
    words: list[Word] = [run[0]]
    for gap, word in zip(gaps, run[1:], strict=True):
        last = words[-1]
        if gap <= max(usual * 1.6, usual + 0.1 * word.height):
            words[-1] = Word(
                last.text + word.text, last.x0, last.y0, word.x1, last.y1, last.bold, last.spaced
            )
        else:
            words.append(word)
    return tuple(words)


def rows_of(runs: Sequence[Run]) -> list[Row]:
    """All rows of a page in reading order."""
    return list(_cut(list(runs), 0))


def _cut(runs: list[Run], column: int) -> Iterator[Row]:
    if not runs:
        return
    found = _columns(runs) if column == 0 else None
    if found is None:
        yield from _rows(runs, column)
        return
    top, bottom, gutter = found
    yield from _cut([r for r in runs if r.base > top], 0)
    inside = [r for r in runs if bottom <= r.base <= top]
    yield from _rows([r for r in inside if r.x1 <= gutter + 1], 1)
    yield from _rows([r for r in inside if r.x1 > gutter + 1], 2)
    yield from _cut([r for r in runs if r.base < bottom], 0)


def _rows(runs: Sequence[Run], column: int) -> Iterator[Row]:
    """Cluster by baseline, top to bottom."""
    ordered = sorted(runs, key=lambda r: -r.base)
    current: list[Run] = []
    for run in ordered:
        if current and abs(current[0].base - run.base) > SAME_LINE * max(
            current[0].height, run.height
        ):
            yield Row(tuple(sorted(current, key=lambda r: r.x0)), column)
            current = []
        current.append(run)
    if current:
        yield Row(tuple(sorted(current, key=lambda r: r.x0)), column)


def _columns(runs: Sequence[Run]) -> tuple[float, float, float] | None:
    """The tallest stretch (top, bottom) that a gutter (x) parts into two columns of text."""
    ordered = sorted(runs, key=lambda r: -r.base)
    best: tuple[float, tuple[float, float, float]] | None = None
    for gutter in _gutters(ordered):
        for stretch in _uncrossed(ordered, gutter):
            tall = stretch[0].base - stretch[-1].base
            if best is not None and tall <= best[0]:
                continue
            left = [r for r in stretch if r.x1 <= gutter + 1]
            right = [r for r in stretch if r.x1 > gutter + 1]
            if _are_columns(left, right):
                best = (tall, (stretch[0].base, stretch[-1].base, gutter))
    return best[1] if best else None


def _gutters(runs: Sequence[Run]) -> list[float]:
    """Left edges that several runs share: where a right-hand column may begin."""
    counts: dict[int, int] = {}
    for run in runs:
        counts[round(run.x0 / 2)] = counts.get(round(run.x0 / 2), 0) + 1
    left = min(r.x0 for r in runs)
    edges = [key * 2 for key, n in counts.items() if n >= LEAST_ROWS and key * 2 > left + 40]
    return sorted(x - 2.0 for x in edges)


def _uncrossed(runs: Sequence[Run], gutter: float) -> Iterator[list[Run]]:
    """Stretches of runs, top to bottom, none of which reaches over the gutter."""
    current: list[Run] = []
    for run in runs:
        need = LEAST_GUTTER * run.height
        if run.x0 < gutter and run.x1 > gutter - need + 1:
            if current:
                yield current
            current = []
            continue
        current.append(run)
    if current:
        yield current


def _are_columns(left: Sequence[Run], right: Sequence[Run]) -> bool:
    if len(left) < LEAST_ROWS or len(right) < LEAST_ROWS:
        return False
    if _is_beside(right, left) or _is_beside(left, right) or _is_form(left, right):
        return False
    spread = min(_extent(left), _extent(right))
    return spread >= 2.5 * median(r.height for r in (*left, *right))


def _is_form(left: Sequence[Run], right: Sequence[Run]) -> bool:
    """Labels at the left whose values stand in the same rows: `Email:` beside an address."""
    labels = [r for r in left if r.text.endswith((":", "："))]
    addresses = [r for r in right if "@" in r.text]
    return any(
        abs(label.base - address.base) < SAME_LINE * label.height
        for label in labels
        for address in addresses
    )


def _extent(runs: Sequence[Run]) -> float:
    return max(r.base for r in runs) - min(r.base for r in runs)


def _is_beside(side: Sequence[Run], main: Sequence[Run]) -> bool:
    """Dates, places and labels set beside the lines they belong to, not a text of their own."""
    texts = [r.text for r in side]
    if median(len(t) for t in texts) > MOST_ASIDE:
        return False
    aligned = [any(abs(r.base - m.base) < SAME_LINE * r.height for m in main) for r in side]
    dated = [find_dates(t) is not None for t in texts]
    paired = sum(a and d for a, d in zip(aligned, dated, strict=True))
    if sum(dated) >= DATED * len(side) and paired >= PAIRED * sum(dated):
        return True  # what else stands in the column are headings
    return sum(aligned) >= ALIGNED * len(side) and len(side) <= FEW * len(main)
