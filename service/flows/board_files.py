"""Cards as files: CSV that no spreadsheet runs, iCalendar that any calendar reads."""

import csv
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from io import StringIO
from typing import Final

from icalendar import Alarm, Calendar, Component, Event

from service.domain.applications import Card, CardDate, DateKind
from service.domain.text import is_invisible

COLUMNS: Final = (
    "title",
    "company",
    "column",
    "note",
    "url",
    "date_kind",
    "date",
    "time",
    "date_note",
)
# What a spreadsheet takes for a formula (OWASP ASVS 1.2.10).
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\0", "＝", "＋", "－", "＠")
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


def as_table(cards: Sequence[Card]) -> str:
    """One line for each date of a card; a card without dates has one line."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for card in cards:
        for one in card.dates or (None,):
            writer.writerow([_neutral(c) for c in _cells(card, one)])
    return out.getvalue()


def _cells(card: Card, one: CardDate | None) -> Iterator[str]:
    yield from (card.title, card.company, card.column.value, card.note, card.url)
    yield from (one.kind.value, one.day.isoformat(), one.at, one.note) if one else ("",) * 4


def _neutral(cell: str) -> str:
    """A spreadsheet does not see what nobody sees; a formula behind it is still one."""
    seen = next((i for i, c in enumerate(cell) if not (c == " " or is_invisible(c))), len(cell))
    return f"'{cell}" if cell[seen:].startswith(_FORMULA) else cell


def as_calendar(cards: Sequence[Card], now: datetime) -> bytes:
    """Every date but the day of applying; times are the reader's own (floating)."""
    calendar = Calendar()
    _put(calendar, "prodid", "-//Shardwise//Applications//EN")
    _put(calendar, "version", "2.0")
    for card in cards:
        for one in card.dates:
            if one.kind is not DateKind.APPLIED:
                calendar.add_component(_event(card, one, now))
    return calendar.to_ical()


def _event(card: Card, one: CardDate, now: datetime) -> Event:
    event = Event()
    _put(event, "uid", f"{one.id}@{card.id}.shardwise")
    _put(event, "dtstamp", now)
    title = " · ".join(x for x in (card.company, card.title) if x)
    _put(event, "summary", f"{title} ({one.kind.value})")
    if one.at:
        start = datetime.combine(one.day, time.fromisoformat(one.at))
        _put(event, "dtstart", start)
        _put(event, "dtend", start + _HOUR)
    else:
        _put(event, "dtstart", one.day)
        _put(event, "dtend", one.day + _DAY)
    if one.note:
        _put(event, "description", one.note)
    event.add_component(_alarm(_HOUR if one.at else _DAY / 2))
    return event


def _put(component: Component, name: str, value: object) -> None:
    component.add(name, value)  # pyright: ignore[reportUnknownMemberType]


def _alarm(before: timedelta) -> Alarm:
    alarm = Alarm()
    _put(alarm, "action", "DISPLAY")
    _put(alarm, "description", "Shardwise")
    _put(alarm, "trigger", -before)
    return alarm
