"""From a URL to a store that is ready: made, looked at, brought up to date."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL

from service.errors import StoreBusy, StoreInvalid
from service.store.database import (
    PATIENCE,
    Database,
    is_memory,
    is_sqlite,
    make_engine,
    make_migrating_engine,
    read_url,
)
from service.store.failures import translated
from service.store.file import inspect_file, make_room, new_file, put_in_place
from service.store.migrate import create_newest, upgrade
from service.store.port import Store
from service.store.sql import SqlStore


async def open_store(
    url: str, *, clock: Callable[[], datetime], patience: float = PATIENCE
) -> Store:
    """Open, make or update the database behind `url`; wait `patience` seconds for others' locks.

    Raises:
        StoreInvalid: damaged, newer than this code, another program's, or not to be reached.
    """
    parsed = read_url(url)
    engine = make_engine(parsed, patience)
    if is_memory(parsed):
        async with engine.begin() as connection:
            await connection.run_sync(create_newest)
    else:
        await asyncio.to_thread(_prepare, parsed)
    return SqlStore(Database(engine, patience), clock)


def _prepare(url: URL) -> None:
    if is_sqlite(url):
        _prepare_file(url, Path(url.database or ""))
    _migrate(url)


def _prepare_file(url: URL, path: Path) -> None:
    make_room(path)
    if not path.exists():
        draft = new_file(path)
        try:
            _migrate(url.set(database=str(draft)))
            put_in_place(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    inspect_file(path)


def _migrate(url: URL) -> None:
    engine = make_migrating_engine(url)
    try:
        with translated(), engine.begin() as connection:
            upgrade(connection)
    except StoreBusy as error:
        raise _unusable(url, error) from error
    finally:
        engine.dispose()


def _unusable(url: URL, error: StoreBusy) -> StoreInvalid:
    return StoreInvalid(
        "The database cannot be opened: {url}.",
        [str(error.__cause__ or error).splitlines()[0]],
        url=url.render_as_string(hide_password=True),
    )
