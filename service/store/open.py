"""From a URL to a store that is ready: made, looked at, brought up to date."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL

from service.errors import ShardwiseError, StoreBusy, StoreInvalid
from service.store.database import (
    MIGRATING,
    SERVING,
    Database,
    is_memory,
    is_sqlite,
    make_engine,
    read_url,
)
from service.store.failures import translated
from service.store.file import inspect_file, make_room, new_file, put_in_place
from service.store.migrate import upgrade
from service.store.port import Store
from service.store.sql import SqlStore


async def open_store(url: str, *, clock: Callable[[], datetime]) -> Store:
    """Open, make or update the database behind `url`.

    Raises:
        StoreInvalid: damaged, newer than this code, another program's, or not to be reached.
    """
    parsed = read_url(url)
    if is_memory(parsed):
        return await _opened_in_memory(parsed, clock)
    if is_sqlite(parsed):
        await _prepare_file(parsed)
    await _migrate(parsed)
    return SqlStore(Database(make_engine(parsed, SERVING)), clock)


async def _opened_in_memory(url: URL, clock: Callable[[], datetime]) -> Store:
    engine = make_engine(url, SERVING)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade)
    return SqlStore(Database(engine), clock)


async def _prepare_file(url: URL) -> None:
    path = Path(url.database or "")
    await asyncio.to_thread(make_room, path)
    if not await asyncio.to_thread(path.exists):
        draft = await asyncio.to_thread(new_file, path)
        try:
            await _migrate(url.set(database=str(draft)))
        except ShardwiseError:
            await asyncio.to_thread(draft.unlink, missing_ok=True)
            raise
        await asyncio.to_thread(put_in_place, draft, path)
    await asyncio.to_thread(inspect_file, path)


async def _migrate(url: URL) -> None:
    engine = make_engine(url, MIGRATING)
    try:
        with translated():
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
    except StoreBusy as error:
        raise _unusable(url, error) from error
    finally:
        await engine.dispose()


def _unusable(url: URL, error: StoreBusy) -> StoreInvalid:
    return StoreInvalid(
        "The database cannot be opened: {url}.",
        [str(error.__cause__ or error).splitlines()[0]],
        url=url.render_as_string(hide_password=True),
    )
