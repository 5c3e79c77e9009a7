"""The board of applications: cards in columns, with their dates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Final

MOST_DATES: Final = 40


class Column(StrEnum):
    SAVED = "saved"
    APPLIED = "applied"
    INTERVIEW = "interview"
    OFFER = "offer"
    CLOSED = "closed"


class DateKind(StrEnum):
    DEADLINE = "deadline"
    APPLIED = "applied"
    INTERVIEW = "interview"
    REMINDER = "reminder"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class CardDate:
    """A day; `at` is hours and minutes (HH:MM) in the person's own time, or empty."""

    id: str
    kind: DateKind
    day: date
    at: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """`revision` counts changes, so that a page that is out of date changes nothing."""

    id: str
    created_at: datetime
    updated_at: datetime
    title: str
    column: Column = Column.SAVED
    company: str = ""
    note: str = ""
    url: str = ""
    version_id: str | None = None
    dates: tuple[CardDate, ...] = ()
    revision: int = 1

    def upcoming(self, today: date) -> CardDate | None:
        """The next date from today on."""
        return min((d for d in self.dates if d.day >= today), key=_when, default=None)


def _when(one: CardDate) -> tuple[date, str]:
    return one.day, one.at


def moved(card: Card, column: Column, today: date, date_id: str) -> Card:
    """The card in another column; the day of applying is noted once, by itself."""
    dates = card.dates
    is_noted = any(d.kind is DateKind.APPLIED for d in dates)
    if column is Column.APPLIED and not is_noted and len(dates) < MOST_DATES:
        dates = (*dates, CardDate(date_id, DateKind.APPLIED, today))
    return replace(card, column=column, dates=dates)


def due(cards: Sequence[Card], today: date) -> tuple[tuple[Card, CardDate], ...]:
    """What lies ahead of open cards, soonest first; a reminder stays until it is taken away."""
    ahead = [
        (card, one)
        for card in cards
        if card.column is not Column.CLOSED
        for one in card.dates
        if one.day >= today or one.kind is DateKind.REMINDER
        if one.kind is not DateKind.APPLIED
    ]
    return tuple(sorted(ahead, key=lambda pair: _when(pair[1])))
