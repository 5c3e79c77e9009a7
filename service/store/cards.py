"""The rows of the board: a card as it is stored, and let go of a version that is deleted."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.applications import Card
from service.store.codec import CARD
from service.store.schema import ApplicationRow


def card_row(owner_id: str, card: Card) -> ApplicationRow:
    row = ApplicationRow(owner_id=owner_id, id=card.id, created_at=card.created_at)
    fill_card(row, card)
    return row


def fill_card(row: ApplicationRow, card: Card) -> None:
    row.updated_at = card.updated_at
    row.version_id = card.version_id
    row.revision = card.revision
    row.schema_version = CARD.version
    row.payload = CARD.encode(card)


def card_of(row: ApplicationRow) -> Card:
    return replace(CARD.decode(row.payload, row.schema_version), revision=row.revision)


async def release_cards(db: AsyncSession, owner_id: str, version_ids: Sequence[str]) -> None:
    """Cards stay when their version goes; they lead nowhere then instead of to nothing."""
    cards = select(ApplicationRow).where(
        ApplicationRow.owner_id == owner_id, ApplicationRow.version_id.in_(version_ids)
    )
    for row in (await db.scalars(cards)).all():
        fill_card(row, replace(card_of(row), version_id=None))
