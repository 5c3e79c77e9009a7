"""Idempotency-Key: a request that came before is answered as before, to the character."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from service.errors import InputInvalid, KeyReused, TurnInProgress
from service.store.port import Replay
from service.store.rows import OnDatabase, insert_once, whole
from service.store.schema import LONGEST_KEY, RequestRow

KEPT: Final = timedelta(days=30)  # as long as a response can be had again


class SqlRequests(OnDatabase):
    @whole
    async def recall(self, owner_id: str, key: str, route: str, body_hash: str) -> Replay | None:
        require_sound(key)
        async with self.database.read() as db:
            request = await db.get(RequestRow, (owner_id, key))
            return _checked(request, route, body_hash)

    @whole
    async def claim(
        self,
        owner_id: str,
        key: str,
        route: str,
        body_hash: str,
        *,
        now: datetime,
        lease_until: datetime,
    ) -> Replay | None:
        require_sound(key)
        async with self.database.write() as db:
            await drop_old(db, owner_id, now)
            values = _values(owner_id, key, route, body_hash, now)
            if await insert_once(db, RequestRow, {**values, "lease_until": lease_until}):
                return None
            request = await db.get(RequestRow, (owner_id, key), with_for_update=True)
            replay = _checked(request, route, body_hash)
            if replay is not None or request is None:
                return replay
            if request.lease_until is not None and request.lease_until > now:
                raise TurnInProgress("The same request is being handled right now.")
            request.lease_until = lease_until
            return None

    @whole
    async def remember(
        self, owner_id: str, key: str, route: str, body_hash: str, status: int, response: str
    ) -> Replay:
        require_sound(key)
        now = self._clock()
        async with self.database.write() as db:
            await drop_old(db, owner_id, now)
            await insert_once(db, RequestRow, _values(owner_id, key, route, body_hash, now))
            request = await db.get_one(RequestRow, (owner_id, key), with_for_update=True)
            earlier = _checked(request, route, body_hash)
            if earlier is not None:
                return earlier
            request.status, request.response, request.lease_until = status, response, None
            return Replay(response, status)

    @whole
    async def forget(self, owner_id: str, key: str) -> None:
        async with self.database.write() as db:
            await db.execute(
                delete(RequestRow).where(
                    RequestRow.owner_id == owner_id,
                    RequestRow.key == key,
                    RequestRow.session_id.is_(None),
                    RequestRow.response.is_(None),
                )
            )


def require_sound(key: str) -> None:
    if not key or len(key) > LONGEST_KEY or not key.isprintable():
        raise InputInvalid(
            "An Idempotency-Key has 1 to {longest} printable characters.", longest=LONGEST_KEY
        )


def key_reused() -> KeyReused:
    return KeyReused("This Idempotency-Key came before with another request; use a new one.")


def replay_of(request: RequestRow | None) -> Replay | None:
    if request is None or request.response is None or request.status is None:
        return None
    return Replay(request.response, request.status)


async def drop_old(db: AsyncSession, owner_id: str, now: datetime) -> None:
    await db.execute(
        delete(RequestRow).where(
            RequestRow.owner_id == owner_id, RequestRow.created_at < now - KEPT
        )
    )


def _checked(request: RequestRow | None, route: str, body_hash: str) -> Replay | None:
    if request is not None and (request.route, request.body_hash) != (route, body_hash):
        raise key_reused()
    return replay_of(request)


def _values(
    owner_id: str, key: str, route: str, body_hash: str, now: datetime
) -> dict[str, object]:
    return {
        "owner_id": owner_id,
        "key": key,
        "route": route,
        "body_hash": body_hash,
        "created_at": now,
    }
