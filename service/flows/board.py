"""The board of applications: cards moved, dated, noted and handed out as files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from service.domain.applications import MOST_DATES, Card, CardDate, Column, DateKind, due, moved
from service.errors import InputInvalid, NotFound, TextTooLong
from service.flows.board_files import as_calendar, as_table
from service.flows.parts import Parts
from service.flows.texts import require_text

LONGEST: Final = 200
_CLOCK: Final = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2200
LONGEST_NOTE: Final = 5_000
LONGEST_URL: Final = 1_000


@dataclass(frozen=True, slots=True)
class CardWish:
    """What a person says about a card; None leaves a field as it is."""

    title: str | None = None
    company: str | None = None
    note: str | None = None
    url: str | None = None
    column: Column | None = None


async def new_card(parts: Parts, owner_id: str, wish: CardWish) -> Card:
    """A card made by hand.

    Raises:
        TextEmpty, TextTooLong, TextInvalid, InputInvalid: nothing was kept.
    """
    now = parts.clock()
    card = _with(Card(parts.new_id(), now, now, require_text(wish.title or "", LONGEST)), wish)
    await parts.store.add_card(owner_id, card)
    return card


async def change_card(parts: Parts, owner_id: str, card_id: str, seen: int, wish: CardWish) -> Card:
    """Change what is named. `seen` is the revision the person looked at.

    Raises:
        NotFound, VersionOutdated, TextEmpty, TextTooLong, TextInvalid, InputInvalid.
    """
    now = parts.clock()
    card = await parts.store.get_card(owner_id, card_id)
    changed = _with(card, wish)
    if wish.column is not None and wish.column is not card.column:
        changed = moved(changed, wish.column, now.date(), parts.new_id())
    return await parts.store.save_card(owner_id, replace(changed, updated_at=now), seen)


def _with(card: Card, wish: CardWish) -> Card:
    title = require_text(wish.title, LONGEST) if wish.title is not None else card.title
    return replace(
        card,
        title=" ".join(title.split()),
        company=_short(wish.company, card.company, LONGEST),
        note=_short(wish.note, card.note, LONGEST_NOTE),
        url=_link(_short(wish.url, card.url, LONGEST_URL)),
        column=card.column if wish.column is None or card.revision > 1 else wish.column,
    )


def _short(text: str | None, before: str, longest: int) -> str:
    if text is None:
        return before
    return require_text(text, longest).strip() if text.strip() else ""


def _link(url: str) -> str:
    """Only addresses a browser may follow from here."""
    if url and not url.lower().startswith(("https://", "http://")):
        raise InputInvalid("A link begins with http:// or https://.")
    return url


async def add_date(
    parts: Parts,
    owner_id: str,
    card_id: str,
    seen: int,
    kind: DateKind,
    day: str,
    at: str,
    note: str,
) -> Card:
    """A date of a card: `day` as YYYY-MM-DD, `at` as HH:MM or empty.

    Raises:
        NotFound, VersionOutdated, TextTooLong, InputInvalid.
    """
    card = await parts.store.get_card(owner_id, card_id)
    if len(card.dates) >= MOST_DATES:
        raise TextTooLong("A card has at most {most} dates.", most=MOST_DATES)
    said = _short(note, "", LONGEST)
    one = CardDate(parts.new_id(), kind, _day(day), _time(at), " ".join(said.split()))
    changed = replace(card, dates=(*card.dates, one), updated_at=parts.clock())
    return await parts.store.save_card(owner_id, changed, seen)


def _day(text: str) -> date:
    written = text.strip()
    try:
        day = date.fromisoformat(written)
    except ValueError:
        raise InputInvalid("A day reads YYYY-MM-DD.") from None
    if day.isoformat() != written or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise InputInvalid("A day reads YYYY-MM-DD.")
    return day


def _time(text: str) -> str:
    """Hours and minutes of the person's own clock; a zone or seconds would be lost unseen."""
    written = text.strip()
    if written and not _CLOCK.fullmatch(written):
        raise InputInvalid("A time reads HH:MM.")
    return written


async def remove_date(parts: Parts, owner_id: str, card_id: str, seen: int, date_id: str) -> Card:
    """Raises NotFound, VersionOutdated."""
    card = await parts.store.get_card(owner_id, card_id)
    left = tuple(d for d in card.dates if d.id != date_id)
    if len(left) == len(card.dates):
        raise NotFound("There is no such date.")
    changed = replace(card, dates=left, updated_at=parts.clock())
    return await parts.store.save_card(owner_id, changed, seen)


async def reminders(parts: Parts, owner_id: str) -> Sequence[tuple[Card, CardDate]]:
    cards = await parts.store.list_cards(owner_id)
    return due(cards, parts.clock().date())


async def board_table(parts: Parts, owner_id: str) -> str:
    """All cards as CSV."""
    return as_table(await parts.store.list_cards(owner_id))


async def board_calendar(parts: Parts, owner_id: str) -> bytes:
    """All dates as iCalendar."""
    return as_calendar(await parts.store.list_cards(owner_id), parts.clock())
