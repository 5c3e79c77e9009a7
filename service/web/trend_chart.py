"""Marks over time as lines in a picture; the table beside it says the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.grading import Dimension
from service.domain.learning.trend import TrendRow, series

WIDTH: Final = 320
HEIGHT: Final = 120
MARGIN: Final = 10  # room for the dots at the edges
HIGHEST: Final = 100.0  # marks


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    mark: float


@dataclass(frozen=True, slots=True)
class Curve:
    """One dimension: its dots, the line through them, and the line of what the level asks for."""

    dimension: Dimension
    dots: tuple[Dot, ...]
    line: str
    asked: str

    @property
    def last(self) -> float | None:
        return self.dots[-1].mark if self.dots else None


def curves(rows: Sequence[TrendRow]) -> tuple[Curve, ...]:
    """One for each dimension that was ever judged; interviews stand at even distances."""
    found = (_curve(rows, dimension) for dimension in Dimension)
    return tuple(curve for curve in found if curve.dots)


def _curve(rows: Sequence[TrendRow], dimension: Dimension) -> Curve:
    dots = _dots(series(rows, dimension), len(rows))
    asked = tuple(
        (i, a) for i, row in enumerate(rows) if (a := row.asked.get(dimension)) is not None
    )
    return Curve(dimension, dots, _points(dots), _across(_dots(asked, len(rows))))


def _dots(marks: Sequence[tuple[int, float]], count: int) -> tuple[Dot, ...]:
    step = (WIDTH - 2 * MARGIN) / max(1, count - 1)
    alone = (WIDTH - 2 * MARGIN) / 2 if count == 1 else 0.0
    return tuple(
        Dot(
            round(MARGIN + alone + place * step, 1),
            round(HEIGHT - MARGIN - mark / HIGHEST * (HEIGHT - 2 * MARGIN), 1),
            mark,
        )
        for place, mark in marks
    )


def _across(dots: Sequence[Dot]) -> str:
    """A line through all; a single mark is drawn over the whole width, or nobody would see it."""
    if len(dots) != 1:
        return _points(dots)
    return f"{MARGIN},{dots[0].y} {WIDTH - MARGIN},{dots[0].y}"


def _points(dots: Sequence[Dot]) -> str:
    return " ".join(f"{dot.x},{dot.y}" for dot in dots)
