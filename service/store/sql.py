"""The store on SQLAlchemy: SQLite or PostgreSQL, put together from its parts."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from service.errors import InputInvalid, ShardwiseError
from service.store.learning import SqlLearning
from service.store.library import SqlLibrary
from service.store.metering import SqlMetering
from service.store.owners import SqlOwners
from service.store.port import Health
from service.store.privacy import SqlPrivacy
from service.store.requests import SqlRequests
from service.store.rows import whole
from service.store.sessions import SqlInterviews
from service.store.turns import SqlTurns
from service.store.versions import SqlVersions


class SqlStore(
    SqlOwners,
    SqlLibrary,
    SqlVersions,
    SqlInterviews,
    SqlLearning,
    SqlTurns,
    SqlRequests,
    SqlPrivacy,
    SqlMetering,
):
    @whole
    async def health(self) -> Health:
        gone = self.database.missing_file()
        if gone is not None:
            return Health(ok=False, why=str(gone))
        try:
            async with self.database.read() as db:
                await db.execute(text("SELECT version_num FROM alembic_version"))
        except ShardwiseError as error:
            return Health(ok=False, why=str(error))
        return Health(ok=True)

    @whole
    async def backup(self, target: Path) -> None:
        path = self.database.engine.url.database
        if self.database.name != "sqlite" or not path:
            raise InputInvalid("This database is backed up with its own tools: pg_dump.")
        await asyncio.to_thread(_copy, Path(path), target)

    async def close(self) -> None:
        await self.database.close()


def _copy(source: Path, target: Path) -> None:
    """SQLite's own online copy; as private as the original."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise InputInvalid(
            "The backup cannot be written to {path} ({why}).", path=target, why=error.strerror
        ) from error
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
