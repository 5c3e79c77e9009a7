"""Who owns what: owners, their API keys and their signed-in pages."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import uuid4

from sqlalchemy import delete, select

from service.store.port import ApiKey, Owner
from service.store.rows import OnDatabase, insert_once, own_row, seen_row, whole
from service.store.schema import ApiKeyRow, OwnerRow, PageSessionRow

# A fixed id makes "created once" a matter of the primary key, for any number of processes.
LOCAL_OWNER_ID: Final = "local"


class SqlOwners(OnDatabase):
    # Every local request asks for it; its row never goes once it is there.
    _local: Owner | None = None

    @whole
    async def local_owner(self) -> Owner:
        self._local = self._local or await self._find_local() or await self._make_local()
        return self._local

    async def _find_local(self) -> Owner | None:
        async with self.database.read() as db:
            found = await db.get(OwnerRow, LOCAL_OWNER_ID)
        return _owner(found) if found else None

    async def _make_local(self) -> Owner:
        async with self.database.write() as db:
            values = {"id": LOCAL_OWNER_ID, "name": "local", "created_at": self._clock()}
            await insert_once(db, OwnerRow, values)
            return _owner(await seen_row(db, OwnerRow, LOCAL_OWNER_ID))

    @whole
    async def create_owner(self, name: str) -> Owner:
        row = OwnerRow(id=uuid4().hex, name=name, created_at=self._clock())
        async with self.database.write() as db:
            db.add(row)
        return _owner(row)

    @whole
    async def list_owners(self) -> Sequence[Owner]:
        async with self.database.read() as db:
            rows = await db.scalars(select(OwnerRow).order_by(OwnerRow.created_at, OwnerRow.id))
            return tuple(_owner(row) for row in rows)

    @whole
    async def add_key(self, owner_id: str, name: str, key_hash: str, now: datetime) -> ApiKey:
        row = ApiKeyRow(
            owner_id=owner_id, id=uuid4().hex, name=name, key_hash=key_hash, created_at=now
        )
        async with self.database.write() as db:
            await own_row(db, OwnerRow, owner_id)
            db.add(row)
        return _api_key(row)

    @whole
    async def list_keys(self, owner_id: str) -> Sequence[ApiKey]:
        query = select(ApiKeyRow).where(ApiKeyRow.owner_id == owner_id)
        async with self.database.read() as db:
            rows = await db.scalars(query.order_by(ApiKeyRow.created_at, ApiKeyRow.id))
            return tuple(_api_key(row) for row in rows)

    @whole
    async def revoke_key(self, owner_id: str, key_id: str, now: datetime) -> None:
        async with self.database.write() as db:
            row = await own_row(db, ApiKeyRow, owner_id, key_id)
            row.revoked_at = row.revoked_at or now

    @whole
    async def owner_of_key(self, key_hash: str) -> Owner | None:
        query = select(OwnerRow).join(ApiKeyRow, ApiKeyRow.owner_id == OwnerRow.id)
        query = query.where(ApiKeyRow.key_hash == key_hash, ApiKeyRow.revoked_at.is_(None))
        async with self.database.read() as db:
            row = await db.scalar(query)
            return _owner(row) if row else None

    @whole
    async def add_page_session(self, owner_id: str, token_hash: str, expires_at: datetime) -> None:
        now = self._clock()
        async with self.database.write() as db:
            await own_row(db, OwnerRow, owner_id)
            await db.execute(
                delete(PageSessionRow).where(
                    PageSessionRow.owner_id == owner_id, PageSessionRow.expires_at <= now
                )
            )
            db.add(
                PageSessionRow(
                    owner_id=owner_id, token_hash=token_hash, created_at=now, expires_at=expires_at
                )
            )

    @whole
    async def owner_of_page_session(self, token_hash: str, now: datetime) -> Owner | None:
        query = select(OwnerRow).join(PageSessionRow, PageSessionRow.owner_id == OwnerRow.id)
        query = query.where(PageSessionRow.token_hash == token_hash)
        async with self.database.read() as db:
            row = await db.scalar(query.where(PageSessionRow.expires_at > now))
            return _owner(row) if row else None

    @whole
    async def end_page_session(self, token_hash: str) -> None:
        async with self.database.write() as db:
            await db.execute(delete(PageSessionRow).where(PageSessionRow.token_hash == token_hash))

    @whole
    async def end_all_page_sessions(self, owner_id: str) -> None:
        async with self.database.write() as db:
            await db.execute(delete(PageSessionRow).where(PageSessionRow.owner_id == owner_id))


def _owner(row: OwnerRow) -> Owner:
    return Owner(row.id, row.name, row.created_at)


def _api_key(row: ApiKeyRow) -> ApiKey:
    return ApiKey(row.id, row.name, row.created_at, row.revoked_at)
