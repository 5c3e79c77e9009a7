"""Résumés, job postings, and how one fits the other."""

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.resume import Quality, Resume
from service.store.cards import release_cards
from service.store.codec import MATCH, POSTING, RESUME
from service.store.port import LONGEST_LIST, StoredMatch, StoredPosting, StoredResume
from service.store.rows import OnDatabase, own_row, seen_row, whole
from service.store.schema import MatchRow, PostingRow, RequestRow, ResumeRow, ResumeVersionRow
from service.store.scrubbing import empty_log

ShelfT = TypeVar("ShelfT", ResumeRow, PostingRow, MatchRow)


class SqlLibrary(OnDatabase):
    @whole
    async def add_resume(self, owner_id: str, stored: StoredResume) -> None:
        await self._add(
            ResumeRow(
                owner_id=owner_id,
                id=stored.id,
                created_at=stored.created_at,
                filename=stored.filename,
                quality=stored.quality.value,
                content_hash=stored.content_hash,
                schema_version=RESUME.version,
                payload=RESUME.encode(stored.resume),
            )
        )

    @whole
    async def get_resume(self, owner_id: str, resume_id: str) -> StoredResume:
        return _resume(await self._get(ResumeRow, owner_id, resume_id))

    @whole
    async def replace_resume(self, owner_id: str, resume_id: str, resume: Resume) -> None:
        async with self.database.write() as db:
            row = await own_row(db, ResumeRow, owner_id, resume_id)
            row.schema_version = RESUME.version
            row.payload = RESUME.encode(resume)

    @whole
    async def list_resumes(self, owner_id: str) -> Sequence[StoredResume]:
        return tuple(_resume(row) for row in await self._list(ResumeRow, owner_id))

    @whole
    async def delete_resume(self, owner_id: str, resume_id: str) -> None:
        async with self.database.write() as db:
            row = await own_row(db, ResumeRow, owner_id, resume_id)
            versions = select(ResumeVersionRow.id).where(
                ResumeVersionRow.owner_id == owner_id, ResumeVersionRow.resume_id == resume_id
            )
            await release_cards(db, owner_id, (await db.scalars(versions)).all())
            await db.delete(row)
            await forget_responses_about(db, owner_id, resume_id)
        await empty_log(self.database)

    @whole
    async def add_posting(self, owner_id: str, stored: StoredPosting) -> None:
        await self._add(
            PostingRow(
                owner_id=owner_id,
                id=stored.id,
                created_at=stored.created_at,
                schema_version=POSTING.version,
                payload=POSTING.encode(stored.posting),
            )
        )

    @whole
    async def get_posting(self, owner_id: str, posting_id: str) -> StoredPosting:
        return _posting(await self._get(PostingRow, owner_id, posting_id))

    @whole
    async def list_postings(self, owner_id: str) -> Sequence[StoredPosting]:
        return tuple(_posting(row) for row in await self._list(PostingRow, owner_id))

    @whole
    async def delete_posting(self, owner_id: str, posting_id: str) -> None:
        await self._delete(PostingRow, owner_id, posting_id)

    @whole
    async def add_match(self, owner_id: str, stored: StoredMatch) -> None:
        await self._add(
            MatchRow(
                owner_id=owner_id,
                id=stored.id,
                created_at=stored.created_at,
                resume_id=stored.resume_id,
                posting_id=stored.posting_id,
                schema_version=MATCH.version,
                payload=MATCH.encode(stored.match),
            )
        )

    @whole
    async def get_match(self, owner_id: str, match_id: str) -> StoredMatch:
        return _match(await self._get(MatchRow, owner_id, match_id))

    @whole
    async def list_matches(self, owner_id: str) -> Sequence[StoredMatch]:
        return tuple(_match(row) for row in await self._list(MatchRow, owner_id))

    @whole
    async def delete_match(self, owner_id: str, match_id: str) -> None:
        await self._delete(MatchRow, owner_id, match_id)

    async def _add(self, row: ShelfT) -> None:
        async with self.database.write() as db:
            db.add(row)

    async def _get(self, row: type[ShelfT], owner_id: str, own_id: str) -> ShelfT:
        async with self.database.read() as db:
            return await seen_row(db, row, owner_id, own_id)

    async def _list(self, row: type[ShelfT], owner_id: str) -> Sequence[ShelfT]:
        query = select(row).where(row.owner_id == owner_id)
        query = query.order_by(row.created_at.desc(), row.id.desc()).limit(LONGEST_LIST)
        async with self.database.read() as db:
            return (await db.scalars(query)).all()

    async def _delete(self, row: type[ShelfT], owner_id: str, own_id: str) -> None:
        async with self.database.write() as db:
            await db.delete(await own_row(db, row, owner_id, own_id))
            await forget_responses_about(db, owner_id, own_id)
        await empty_log(self.database)


async def forget_responses_about(db: AsyncSession, owner_id: str, own_id: str) -> None:
    """A response kept for replay may quote what was deleted; it names the id when it does."""
    await db.execute(
        delete(RequestRow).where(
            RequestRow.owner_id == owner_id, RequestRow.response.contains(own_id, autoescape=True)
        )
    )


def _resume(row: ResumeRow) -> StoredResume:
    resume = RESUME.decode(row.payload, row.schema_version)
    return StoredResume(
        row.id, row.created_at, row.filename, Quality(row.quality), resume, row.content_hash
    )


def _posting(row: PostingRow) -> StoredPosting:
    return StoredPosting(row.id, row.created_at, POSTING.decode(row.payload, row.schema_version))


def _match(row: MatchRow) -> StoredMatch:
    match = MATCH.decode(row.payload, row.schema_version)
    return StoredMatch(row.id, row.created_at, row.resume_id, row.posting_id, match)
