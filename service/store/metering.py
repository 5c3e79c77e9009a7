"""What the model was asked, per interview and per day."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from service.store.port import Usage
from service.store.rows import OnDatabase, insert_once, whole
from service.store.schema import OwnerRow, SessionRow, UsageDayRow, UsageRow

_OUTSIDE = ""  # the session of calls that belong to no interview


class SqlMetering(OnDatabase):
    @whole
    async def add_usage(
        self, day: date, owner_id: str, session_id: str | None, calls: int, tokens: int
    ) -> None:
        async with self.database.write() as db:
            await _count(db, UsageDayRow, {"day": day.isoformat()}, Usage(calls, tokens))
            if await _is_there(db, owner_id, session_id):
                key = {
                    "owner_id": owner_id,
                    "day": day.isoformat(),
                    "session_id": session_id or _OUTSIDE,
                }
                await _count(db, UsageRow, key, Usage(calls, tokens))

    @whole
    async def usage_of_day(self, day: date) -> Usage:
        async with self.database.read() as db:
            row = await db.get(UsageDayRow, day.isoformat())
            return Usage(row.calls, row.tokens) if row else Usage()

    @whole
    async def usage_of_session(self, owner_id: str, session_id: str) -> Usage:
        query = select(func.sum(UsageRow.calls), func.sum(UsageRow.tokens)).where(
            UsageRow.owner_id == owner_id, UsageRow.session_id == session_id
        )
        async with self.database.read() as db:
            calls, tokens = (await db.execute(query)).one()
            return Usage(int(calls or 0), int(tokens or 0))


async def _is_there(db: AsyncSession, owner_id: str, session_id: str | None) -> bool:
    if session_id is None:
        return await db.get(OwnerRow, owner_id) is not None
    return await db.get(SessionRow, (owner_id, session_id)) is not None


async def _count(
    db: AsyncSession,
    row: type[UsageDayRow] | type[UsageRow],
    key: Mapping[str, str],
    used: Usage,
) -> None:
    """Add to the row, which is made first if need be; the addition is the database's own."""
    await insert_once(db, row, {**key, "calls": 0, "tokens": 0})
    await db.execute(
        update(row)
        .filter_by(**key)
        .values(calls=row.calls + used.calls, tokens=row.tokens + used.tokens)
    )
