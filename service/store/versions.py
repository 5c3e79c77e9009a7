"""Versions of résumés and the board: each change is compared with what the caller had seen."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.applications import Card
from service.domain.resume import Resume
from service.domain.rewriting import Rewriting
from service.domain.versions import Change, Revision, Version
from service.errors import VersionOutdated
from service.store.cards import card_of, card_row, fill_card, release_cards
from service.store.codec import RESUME, REWRITING
from service.store.library import forget_responses_about
from service.store.port import LONGEST_LIST
from service.store.port_versions import StoredRewriting
from service.store.rows import OnDatabase, insert_once, missing, own_row, seen_row, whole
from service.store.schema import (
    ApplicationRow,
    PostingRow,
    ResumeRow,
    ResumeVersionRow,
    RewriteRow,
    VersionRevisionRow,
)
from service.store.scrubbing import empty_log

LARGEST: Final = 2**31 - 1  # what the column of revisions can hold
MASTER: Final = ""  # in the column of postings: a version for none


class SqlVersions(OnDatabase):
    @whole
    async def add_version(
        self, owner_id: str, version: Version, resume: Resume, card: Card | None = None
    ) -> Version:
        async with self.database.write() as db:
            await seen_row(db, ResumeRow, owner_id, version.resume_id)
            if version.posting_id is not None:
                await seen_row(db, PostingRow, owner_id, version.posting_id)
            if not await insert_once(db, ResumeVersionRow, _values(owner_id, version)):
                return await _existing(db, owner_id, version)
            change = Change.IMPORTED if version.is_master else Change.TAILORED
            about = version.resume_id if version.is_master else (version.posting_id or "")
            first = Revision(1, version.created_at, change, about, resume)
            db.add(_revision_row(owner_id, version.id, first))
            if card is not None:
                db.add(card_row(owner_id, card))
        return version

    @whole
    async def get_version(self, owner_id: str, version_id: str) -> Version:
        async with self.database.read() as db:
            return _version(await seen_row(db, ResumeVersionRow, owner_id, version_id))

    @whole
    async def list_versions(self, owner_id: str) -> Sequence[Version]:
        row = ResumeVersionRow
        query = select(row).where(row.owner_id == owner_id)
        query = query.order_by(row.updated_at.desc(), row.id.desc()).limit(LONGEST_LIST)
        async with self.database.read() as db:
            return tuple(_version(r) for r in (await db.scalars(query)).all())

    @whole
    async def save_version(
        self,
        owner_id: str,
        version_id: str,
        seen: int,
        revision: Revision,
        rewriting: StoredRewriting | None = None,
    ) -> Version:
        async with self.database.write() as db:
            row = await own_row(db, ResumeVersionRow, owner_id, version_id)
            if row.revision != seen:
                raise _outdated()
            row.revision = seen + 1
            row.updated_at = revision.created_at
            db.add(_revision_row(owner_id, version_id, replace(revision, seq=seen + 1)))
            if rewriting is not None:
                await _save_rewriting(db, owner_id, version_id, rewriting, revision.created_at)
            return _version(row)

    @whole
    async def set_note(self, owner_id: str, version_id: str, title: str, note: str) -> Version:
        async with self.database.write() as db:
            row = await own_row(db, ResumeVersionRow, owner_id, version_id)
            row.title, row.note, row.updated_at = title, note, self._clock()
            return _version(row)

    @whole
    async def list_revisions(self, owner_id: str, version_id: str) -> Sequence[Revision]:
        row = VersionRevisionRow
        query = select(row).where(row.owner_id == owner_id, row.version_id == version_id)
        query = query.order_by(row.seq.desc()).limit(LONGEST_LIST)
        async with self.database.read() as db:
            await seen_row(db, ResumeVersionRow, owner_id, version_id)
            return tuple(_revision(r) for r in (await db.scalars(query)).all())

    @whole
    async def get_revision(self, owner_id: str, version_id: str, seq: int) -> Revision:
        if not 0 < seq <= LARGEST:
            raise missing(VersionRevisionRow.__tablename__)
        async with self.database.read() as db:
            return _revision(await seen_row(db, VersionRevisionRow, owner_id, version_id, seq))

    @whole
    async def delete_version(self, owner_id: str, version_id: str) -> None:
        async with self.database.write() as db:
            await db.delete(await own_row(db, ResumeVersionRow, owner_id, version_id))
            await release_cards(db, owner_id, [version_id])
            await forget_responses_about(db, owner_id, version_id)
        await empty_log(self.database)

    @whole
    async def get_rewriting(self, owner_id: str, version_id: str) -> StoredRewriting:
        async with self.database.read() as db:
            await seen_row(db, ResumeVersionRow, owner_id, version_id)
            row = await db.get(RewriteRow, (owner_id, version_id))
        if row is None:
            return StoredRewriting(Rewriting(), 0)
        return StoredRewriting(REWRITING.decode(row.payload, row.schema_version), row.revision)

    @whole
    async def put_rewriting(
        self, owner_id: str, version_id: str, rewriting: StoredRewriting, now: datetime
    ) -> None:
        async with self.database.write() as db:
            await own_row(db, ResumeVersionRow, owner_id, version_id)
            await _save_rewriting(db, owner_id, version_id, rewriting, now)

    @whole
    async def add_card(self, owner_id: str, card: Card) -> None:
        async with self.database.write() as db:
            db.add(card_row(owner_id, card))

    @whole
    async def get_card(self, owner_id: str, card_id: str) -> Card:
        async with self.database.read() as db:
            return card_of(await seen_row(db, ApplicationRow, owner_id, card_id))

    @whole
    async def list_cards(self, owner_id: str) -> Sequence[Card]:
        row = ApplicationRow
        query = select(row).where(row.owner_id == owner_id)
        query = query.order_by(row.updated_at.desc(), row.id.desc()).limit(LONGEST_LIST)
        async with self.database.read() as db:
            return tuple(card_of(r) for r in (await db.scalars(query)).all())

    @whole
    async def save_card(self, owner_id: str, card: Card, seen: int) -> Card:
        async with self.database.write() as db:
            row = await own_row(db, ApplicationRow, owner_id, card.id)
            if row.revision != seen:
                raise _outdated()
            saved = replace(card, revision=seen + 1)
            fill_card(row, saved)
            return saved

    @whole
    async def delete_card(self, owner_id: str, card_id: str) -> None:
        async with self.database.write() as db:
            await db.delete(await own_row(db, ApplicationRow, owner_id, card_id))
            await forget_responses_about(db, owner_id, card_id)
        await empty_log(self.database)


async def _existing(db: AsyncSession, owner_id: str, version: Version) -> Version:
    """The version that is there already for this résumé and posting."""
    row = ResumeVersionRow
    query = select(row).where(
        row.owner_id == owner_id,
        row.resume_id == version.resume_id,
        row.posting_id == (version.posting_id or MASTER),
    )
    return _version((await db.scalars(query)).one())


async def _save_rewriting(
    db: AsyncSession, owner_id: str, version_id: str, stored: StoredRewriting, now: datetime
) -> None:
    """Compare and set; revision 0 stands for none yet."""
    values = {
        "updated_at": now,
        "revision": stored.revision + 1,
        "schema_version": REWRITING.version,
        "payload": REWRITING.encode(stored.rewriting),
    }
    if stored.revision == 0:
        key = {"owner_id": owner_id, "version_id": version_id}
        if not await insert_once(db, RewriteRow, key | values):
            raise _outdated()
        return
    row = await own_row(db, RewriteRow, owner_id, version_id)
    if row.revision != stored.revision:
        raise _outdated()
    for name, value in values.items():
        setattr(row, name, value)


def _outdated() -> VersionOutdated:
    return VersionOutdated("It was changed meanwhile; look at it again.")


def _values(owner_id: str, version: Version) -> dict[str, object]:
    return {
        "owner_id": owner_id,
        "id": version.id,
        "created_at": version.created_at,
        "updated_at": version.updated_at,
        "resume_id": version.resume_id,
        "posting_id": version.posting_id or MASTER,
        "title": version.title,
        "note": version.note,
        "revision": 1,
    }


def _version(row: ResumeVersionRow) -> Version:
    return Version(
        row.id, row.created_at, row.updated_at, row.resume_id, row.posting_id or None,
        row.title, row.note, row.revision,
    )  # fmt: skip


def _revision_row(owner_id: str, version_id: str, revision: Revision) -> VersionRevisionRow:
    return VersionRevisionRow(
        owner_id=owner_id,
        version_id=version_id,
        seq=revision.seq,
        created_at=revision.created_at,
        change=revision.change.value,
        about=revision.about,
        schema_version=RESUME.version,
        payload=RESUME.encode(revision.resume),
    )


def _revision(row: VersionRevisionRow) -> Revision:
    resume = RESUME.decode(row.payload, row.schema_version)
    return Revision(row.seq, row.created_at, Change(row.change), row.about, resume)
