"""PostgreSQL as a server: lines cut, locks held by others, and what the store makes of it."""

import asyncio
import inspect
import time
from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import create_engine, make_url, text

from service.domain.interview import TurnStatus
from service.errors import StoreBusy
from service.store.open import open_store
from service.store.port import Owners, Reserved, Store
from service.store.sql import SqlStore


@pytest.fixture
async def server_store(postgres_url: str, clock) -> AsyncGenerator[Store]:
    opened = await open_store(postgres_url, clock=clock, patience=0.5)
    yield opened
    await opened.close()


def _cut_lines(url: str) -> None:
    """Everything that idles in our schema's pool is ended by the server."""
    engine = create_engine(make_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid()"
                " AND application_name = current_setting('application_name')"
            )
        )
    engine.dispose()


@pytest.mark.postgres
async def test_a_cut_line_costs_nobody_an_answer(
    server_store, postgres_url: str, a, now, lease
) -> None:
    owner = await server_store.create_owner("Ada")
    await server_store.add_session(owner.id, a.session())

    async def reserve(token: str) -> object:
        return await server_store.reserve_turn(
            owner.id, "s1", 1, answer="x", key="k", body_hash="h", token=token, now=now,
            lease_until=lease,
        )  # fmt: skip

    await asyncio.to_thread(_cut_lines, postgres_url)
    assert isinstance(await reserve("t1"), Reserved)


@pytest.mark.postgres
async def test_a_line_cut_in_the_middle_of_a_turn_changes_nothing(
    server_store, postgres_url: str, a
) -> None:
    owner = await server_store.create_owner("Ada")
    await server_store.add_session(owner.id, a.session())

    async def write_and_be_cut() -> None:
        async with server_store.database.write() as db:
            await db.execute(text("UPDATE turns SET status = 'answered'"))
            await asyncio.to_thread(_cut_lines, postgres_url)
            await db.execute(text("SELECT 1"))

    with pytest.raises(StoreBusy):
        await write_and_be_cut()
    kept = await server_store.get_session(owner.id, "s1")
    assert kept.turns[0].status is TurnStatus.ASKED


@pytest.mark.postgres
async def test_a_lock_held_by_another_is_waited_for_then_named(
    server_store, postgres_url: str, a, clock
) -> None:
    owner = await server_store.create_owner("Ada")
    kept = await server_store.add_session(owner.id, a.session())
    other = await open_store(postgres_url, clock=clock)
    async with other.database.write() as db:  # type: ignore[attr-defined]
        await db.execute(text("SELECT * FROM sessions FOR UPDATE"))
        began = time.monotonic()
        with pytest.raises(StoreBusy):
            await server_store.update_session(owner.id, kept, kept.revision)
        assert 0.4 < time.monotonic() - began < 4
        # Reading goes on all the while.
        assert await server_store.get_session(owner.id, "s1") == kept
    await other.close()
    assert (await server_store.update_session(owner.id, kept, 1)).revision == 2


def test_every_call_of_the_store_is_run_whole() -> None:
    own = {
        name: method
        for name, method in inspect.getmembers(SqlStore, inspect.isfunction)
        if not name.startswith("_") and name != "close"
    }
    assert len(own) >= 40
    assert [name for name, method in own.items() if not hasattr(method, "__wrapped__")] == []
    assert {n for n in vars(Owners) if not n.startswith("_")} <= own.keys()
