"""When the disk is full, when others hold the lock, when the file breaks while it is used."""

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, text

from service.domain.interview import TurnStatus
from service.errors import StoreBusy, StoreFull
from service.store.port import Reserved

HELD_LONG, HELD_SHORT = 2.0, 0.6  # seconds


def _hold_lock(path: Path, seconds: float) -> threading.Thread:
    """Another process's writer, as far as SQLite can tell."""
    held = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            held.set()
            time.sleep(seconds)
            other.execute("ROLLBACK")

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    return thread


async def test_a_short_wait_for_anothers_writing_is_waited_out(
    sqlite_store, sqlite_path: Path, a
) -> None:
    owner = await sqlite_store.local_owner()
    thread = _hold_lock(sqlite_path, HELD_SHORT)
    await sqlite_store.add_resume(owner.id, a.resume())
    thread.join()
    assert await sqlite_store.get_resume(owner.id, "r1") == a.resume()


async def test_locked_too_long_is_said_within_the_time_and_changes_nothing(
    impatient_store, sqlite_path: Path, a
) -> None:
    owner = await impatient_store.local_owner()
    await impatient_store.add_session(owner.id, a.session())
    thread = _hold_lock(sqlite_path, HELD_LONG)
    began = time.monotonic()
    results = await asyncio.gather(
        *(impatient_store.add_resume(owner.id, a.resume(f"r{n}")) for n in range(3)),
        return_exceptions=True,
    )
    took = time.monotonic() - began
    assert all(isinstance(r, StoreBusy) for r in results), results
    assert took < HELD_LONG
    # Reading goes on all the while.
    assert (await impatient_store.get_session(owner.id, "s1")).id == "s1"
    await asyncio.to_thread(thread.join)
    await impatient_store.add_resume(owner.id, a.resume())
    assert [r.id for r in await impatient_store.list_resumes(owner.id)] == ["r1"]


async def _limit_pages(store, extra: int) -> None:
    """Let the file grow by `extra` pages only, on connections there are and on those to come."""
    async with store.database.alone() as connection:
        pages = int((await connection.execute(text("PRAGMA page_count"))).scalar_one())
        await connection.execute(text(f"PRAGMA max_page_count = {pages + extra}"))

    def limit(connection, _) -> None:
        connection.cursor().execute(f"PRAGMA max_page_count = {pages + extra}")

    event.listen(store.database.engine.sync_engine, "connect", limit)


async def test_a_full_disk_stops_writing_and_nothing_else(sqlite_store, a, now, lease) -> None:
    owner = await sqlite_store.local_owner()
    await sqlite_store.add_session(owner.id, a.session())
    await _limit_pages(sqlite_store, 4)

    async def reserve(answer: str, token: str) -> object:
        return await sqlite_store.reserve_turn(
            owner.id, "s1", 1, answer=answer, key="k", body_hash="h", token=token, now=now,
            lease_until=lease,
        )  # fmt: skip

    with pytest.raises(StoreFull):
        await sqlite_store.add_resume(owner.id, a.resume(words="w" * 100_000))
    with pytest.raises(StoreFull):
        await reserve("w" * 100_000, "t1")
    kept = await sqlite_store.get_session(owner.id, "s1")
    assert (kept.turns[0].status, kept.turns[0].answer) == (TurnStatus.ASKED, None)
    assert await sqlite_store.list_resumes(owner.id) == ()
    await _limit_pages(sqlite_store, 1_000)
    reserved = await reserve("w" * 100_000, "t2")
    assert isinstance(reserved, Reserved)
    assert (await sqlite_store.health()).ok


def _ruin(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(b"\xa5" * size)


async def test_a_file_that_breaks_while_it_is_used_makes_the_store_unwell(
    sqlite_store, sqlite_path: Path, a
) -> None:
    owner = await sqlite_store.local_owner()
    for number in range(30):
        await sqlite_store.add_resume(owner.id, a.resume(f"r{number}", words="words " * 400))
    await sqlite_store.delete_resume(owner.id, "r0")  # empties the log into the file
    await sqlite_store.database.engine.dispose()
    _ruin(sqlite_path)
    health = await sqlite_store.health()
    assert not health.ok
    assert "backup" in health.why
