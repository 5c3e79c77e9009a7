"""A person's data: all of it handed over, all of it removed.

Both walk the tables instead of naming them, so that a new table cannot be forgotten.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, RowMapping, Table, delete, select

from service.errors import StoreBusy
from service.store.owners import LOCAL_OWNER_ID
from service.store.rows import OnDatabase, seen_row, whole
from service.store.schema import NOT_PERSONAL, Base, OwnerRow
from service.store.scrubbing import empty_log

FORMAT: Final = "shardwise-export/1"


class SqlPrivacy(OnDatabase):
    @whole
    async def export_owner(self, owner_id: str) -> Mapping[str, object]:
        tables: dict[str, object] = {}
        async with self.database.read() as db:
            await seen_row(db, OwnerRow, owner_id)
            for table in personal_tables():
                columns = personal_columns(table)
                query = select(*columns).where(owner_column(table) == owner_id)
                rows = await db.execute(query.order_by(*table.primary_key))
                tables[table.name] = [_exported(row) for row in rows.mappings()]
        return {"format": FORMAT, "exported_at": self._clock().isoformat(), "tables": tables}

    @whole
    async def delete_owner_data(self, owner_id: str) -> None:
        async with self.database.write() as db:
            for table in reversed(personal_tables()):
                # The local user has no name and comes back silently: its row may stay.
                if table.name != OwnerRow.__tablename__ or owner_id != LOCAL_OWNER_ID:
                    await db.execute(delete(table).where(owner_column(table) == owner_id))
        if not await empty_log(self.database):
            raise StoreBusy(
                "Your data are deleted, but a copy is still in the log of the database; "
                "delete them again in a moment."
            )


def personal_tables() -> tuple[Table, ...]:
    """Parents before children."""
    return tuple(t for t in Base.metadata.sorted_tables if NOT_PERSONAL not in t.info)


def personal_columns(table: Table) -> tuple[Column[Any], ...]:
    return tuple(c for c in table.columns if NOT_PERSONAL not in c.info)


def owner_column(table: Table) -> Column[Any]:
    return table.columns["id" if table.name == OwnerRow.__tablename__ else "owner_id"]


def _exported(row: RowMapping) -> dict[str, object]:
    return {str(name): _plain(str(name), value) for name, value in row.items()}


def _plain(name: str, value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if name == "payload" and isinstance(value, str):
        return json.loads(value)
    return value
