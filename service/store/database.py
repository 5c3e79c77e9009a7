"""The way to the database: one engine, read and write transactions, SQLite's pragmas."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, NullPool

from service.errors import StoreGone, StoreInvalid
from service.store.failures import busy, translated

PATIENCE: Final = 5.0  # seconds
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}

# An acknowledged answer survives a power cut only with FULL: in WAL mode NORMAL does not sync at
# commit. See docs/decisions/0007-sqlite-as-we-use-it.md.
SERVING: Final[Mapping[str, str]] = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "secure_delete": "ON",
    "temp_store": "MEMORY",
}
# A step that rebuilds a table must not cascade into its children; the journal mode stays.
MIGRATING: Final[Mapping[str, str]] = {
    "busy_timeout": "60000",
    "synchronous": "FULL",
    "foreign_keys": "OFF",
    "secure_delete": "ON",
}


def read_url(url: str) -> URL:
    """The URL with the driver that is used here.

    Raises:
        StoreInvalid: not a URL, or a database that is not supported.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreInvalid(
            "The database URL cannot be read; it begins with sqlite: or postgresql:."
        ) from error
    driver = _DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        raise StoreInvalid(
            "The database {name} is not supported; use sqlite or postgresql.",
            name=parsed.get_backend_name(),
        )
    return parsed.set(drivername=driver)


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def is_memory(url: URL) -> bool:
    return is_sqlite(url) and url.database in (None, "", ":memory:")


def make_engine(url: URL, patience: float) -> AsyncEngine:
    """An engine that waits `patience` seconds for a lock or a connection.

    It shows no values in its error messages: they are people's texts.

    Raises:
        StoreInvalid: the driver of PostgreSQL is not installed.
    """
    with _driver_needed():
        if not is_sqlite(url):
            return create_async_engine(
                _with_lock_timeout(url, patience),
                hide_parameters=True,
                pool_pre_ping=True,
                pool_timeout=patience,
            )
        # A database in memory lives as long as its one connection.
        size = {"pool_size": 1, "max_overflow": 0} if is_memory(url) else {"pool_size": 5}
        engine = create_async_engine(
            url,
            hide_parameters=True,
            poolclass=AsyncAdaptedQueuePool,
            pool_timeout=patience,
            **size,
        )
    _attach(engine.sync_engine, {"busy_timeout": _milliseconds(patience), **SERVING})
    return engine


def make_migrating_engine(url: URL) -> Engine:
    """A plain engine without a pool: steps run in a thread, one process after the other.

    Raises:
        StoreInvalid: the driver of PostgreSQL is not installed.
    """
    with _driver_needed():
        if not is_sqlite(url):
            return create_engine(url, hide_parameters=True, poolclass=NullPool)
        engine = create_engine(
            url.set(drivername="sqlite"), hide_parameters=True, poolclass=NullPool
        )
    _attach(engine, MIGRATING)
    return engine


@contextmanager
def _driver_needed() -> Generator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise StoreInvalid(
            'PostgreSQL needs its driver; install it with: pip install "shardwise[postgres]"'
        ) from error


def _with_lock_timeout(url: URL, patience: float) -> URL:
    given = url.query.get("options", "")
    options = f"{given} -c lock_timeout={_milliseconds(patience)}".strip()
    return url.update_query_dict({"options": options})


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))


def _attach(engine: Engine, pragmas: Mapping[str, str]) -> None:
    """Prepare each SQLite connection, and send our own BEGIN: Python's is deferred and late."""

    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for name, value in pragmas.items():
            cursor.execute(f"PRAGMA {name} = {value}")
        cursor.close()

    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(options.get("begin_with", "BEGIN IMMEDIATE"))

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)


# A session and its turns are two statements: both must see the same moment.
_READING: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {"begin_with": "BEGIN"},
    "postgresql": {"isolation_level": "REPEATABLE READ"},
}

# Outside any transaction: SQLite refuses to empty its log inside one.
_ALONE: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {"begin_with": "SELECT 1"},
    "postgresql": {"isolation_level": "AUTOCOMMIT"},
}


class Database:
    """Sessions over one engine. Writers of one process queue here instead of on SQLite's lock."""

    def __init__(self, engine: AsyncEngine, patience: float) -> None:
        self.engine = engine
        self._patience = patience
        self.name = engine.dialect.name
        self._reads = async_sessionmaker(
            engine.execution_options(**_READING[self.name]), expire_on_commit=False
        )
        self._writes = async_sessionmaker(engine, expire_on_commit=False)
        self._running: set[asyncio.Future[Any]] = set()
        self._gate = asyncio.Semaphore(1 if self.name == "sqlite" else 64)

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """One consistent view; nothing is locked.

        Raises:
            StoreBusy: no connection came free in time.
        """
        with translated():
            async with self._reads.begin() as session:
                yield session

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """One transaction, taken for writing from its first statement.

        Raises:
            StoreBusy: others wrote for longer than the patience of this store.
            StoreFull: no room on the disk; nothing was written.
            StoreGone: the database's file is not there; nothing was written.
        """
        gone = self.missing_file()
        if gone is not None:
            raise gone
        await self._enter()
        try:
            with translated():
                async with self._writes.begin() as session:
                    yield session
        finally:
            self._gate.release()

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[AsyncConnection]:
        """A connection outside any transaction, for upkeep."""
        with translated():
            async with self.engine.execution_options(**_ALONE[self.name]).connect() as connection:
                yield connection

    def missing_file(self) -> StoreGone | None:
        """SQLite writes on into a file that was removed below it; what it writes is lost."""
        url = self.engine.url
        if not is_sqlite(url) or is_memory(url) or Path(url.database or "").exists():
            return None
        return StoreGone(
            "The database is not there any more: {path}. Put it back and start again.",
            path=url.database,
        )

    async def _enter(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._gate.acquire()
        except TimeoutError as error:
            raise busy() from error

    def keep(self, task: asyncio.Future[Any]) -> None:
        """Hold on to a task until it ends; its failure is for its caller, if he still waits."""
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()

    async def close(self) -> None:
        """Let what has begun end, then close every connection."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.engine.dispose()
