"""Marks over time: one row an interview, the oldest first. No rank among others, no forecast."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from service.domain.grading import Dimension, Level
from service.domain.interview import Mode
from service.domain.learning.model import Learned


@dataclass(frozen=True, slots=True)
class TrendRow:
    """Marks run 0..100; None where the answers were too thin to judge."""

    session_id: str
    at: datetime
    level: Level
    mode: Mode
    score: float | None
    dimensions: Mapping[Dimension, float | None]
    asked: Mapping[Dimension, float | None]


def trend(learned: Iterable[Learned]) -> tuple[TrendRow, ...]:
    """Every interview in which something was judged."""
    rows = [
        TrendRow(x.session_id, x.began_at, x.level, x.mode, x.score, x.dimensions, x.asked)
        for x in learned
        if any(v is not None for v in x.dimensions.values())
    ]
    return tuple(sorted(rows, key=lambda r: (r.at, r.session_id)))


def series(rows: Sequence[TrendRow], dimension: Dimension) -> tuple[tuple[int, float], ...]:
    """The marks of one dimension by the place of their row; rows without a mark are left out."""
    marks = ((place, row.dimensions.get(dimension)) for place, row in enumerate(rows))
    return tuple((place, mark) for place, mark in marks if mark is not None)
