"""What every part of the store needs: run whole, find one's own row, insert once."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from types import CoroutineType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.language import Message, msg
from service.errors import NotFound
from service.store.database import Database
from service.store.schema import Base

RowT = TypeVar("RowT", bound=Base)
SelfT = TypeVar("SelfT", bound="OnDatabase")
P = ParamSpec("P")
T = TypeVar("T")
Clock = Callable[[], datetime]

_INSERT: Final = {"sqlite": insert_sqlite, "postgresql": insert_postgresql}
NO_SUCH: Final[Mapping[str, Message]] = {
    "owners": msg("There is no such owner."),
    "api_keys": msg("There is no such key."),
    "resumes": msg("There is no such résumé."),
    "postings": msg("There is no such job posting."),
    "matches": msg("There is no such match."),
    "resume_versions": msg("There is no such version."),
    "version_revisions": msg("There is no such revision."),
    "rewrites": msg("There is no such version."),
    "applications": msg("There is no such card."),
    "sessions": msg("There is no such interview."),
    "drills": msg("There is no such short question."),
}


class OnDatabase:
    """What each part of the store holds."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self._clock = clock


def whole(
    method: "Callable[Concatenate[SelfT, P], CoroutineType[Any, Any, T]]",
) -> "Callable[Concatenate[SelfT, P], CoroutineType[Any, Any, T]]":
    """Once begun, done: a caller who is cancelled leaves no transaction open in a driver's thread.

    The caller still gets its CancelledError at once; the statement ends by itself, as it would if
    the answer had been lost on the way.
    """

    @wraps(method)
    async def run(self: SelfT, *args: P.args, **kwargs: P.kwargs) -> T:
        task = asyncio.ensure_future(method(self, *args, **kwargs))
        self.database.keep(task)
        return await asyncio.shield(task)

    return run


async def own_row(db: AsyncSession, row: type[RowT], *key: str | int) -> RowT:
    """The row with this key, locked until the transaction ends; the key begins with the owner.

    Raises:
        NotFound: unknown, or somebody else's: nobody can tell which.
    """
    found = await db.get(row, key, with_for_update=True)
    if found is None:
        raise missing(row.__tablename__)
    return found


async def seen_row(db: AsyncSession, row: type[RowT], *key: str | int) -> RowT:
    """As `own_row`, for reading alone. Raises NotFound."""
    found = await db.get(row, key)
    if found is None:
        raise missing(row.__tablename__)
    return found


def missing(table: str) -> NotFound:
    return NotFound(NO_SUCH[table].template)


async def insert_once(db: AsyncSession, row: type[Base], values: Mapping[str, Any]) -> bool:
    """Insert unless the key is there already; True when this call did it."""
    table = Base.metadata.tables[row.__tablename__]
    statement = _INSERT[db.get_bind().dialect.name](table).values(**values)
    result = await db.execute(statement.on_conflict_do_nothing().returning(*table.primary_key))
    return result.first() is not None
