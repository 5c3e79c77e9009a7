"""Kills at every statement and at any moment: what was promised is there, and never two grades."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from service.domain.interview import TurnStatus
from service.store.open import open_store
from service.store.port import Replay, Reserved, Store

DRIVER = Path(__file__).with_name("crash_driver.py")


async def _drive(url: str, log: Path, mode: str) -> dict[str, list[str]]:
    """What each interview was promised, in order."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(DRIVER), url, str(log), mode, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    promised: dict[str, list[str]] = {}
    for line in _lines(log):
        name, promise = line.split()
        promised.setdefault(name, []).append(promise)
    return promised


def _lines(log: Path) -> list[str]:
    return log.read_text().splitlines()


async def _check(store: Store, own_id: str, promised: list[str], a, now) -> str:
    """Look at one interview after the kill, then let the same request come again."""
    session = await store.get_session("local", own_id)
    first = session.turns[0]
    assert [t.seq for t in session.turns] == list(range(1, len(session.turns) + 1))
    assert (first.grade is not None) == (first.status is TurnStatus.ANSWERED)
    assert len(session.turns) == (2 if first.status is TurnStatus.ANSWERED else 1)
    if "reserved" in promised:
        assert first.answer == "optimizer states"
    if "finished" in promised:
        assert first.status is TurnStatus.ANSWERED
    later = now + timedelta(minutes=5)
    again = await store.reserve_turn(
        "local", own_id, 1, answer="optimizer states", key=own_id, body_hash="h", token="again",
        now=later, lease_until=later + timedelta(minutes=2),
    )  # fmt: skip
    if first.status is TurnStatus.ANSWERED:
        assert again == Replay("first", 200)
        return first.status.value
    assert isinstance(again, Reserved)
    saved = await store.finish_turn(
        "local", a.graded(again.session), token="again", response="second", now=later
    )
    assert [t.status for t in saved.turns] == [TurnStatus.ANSWERED, TurnStatus.ASKED]
    return first.status.value


@pytest.mark.timeout(300)
async def test_a_kill_before_any_statement_leaves_a_turn_that_a_retry_finishes(
    url: str, clock, tmp_path: Path, a, now
) -> None:
    store = await open_store(url, clock=clock)
    await store.local_owner()
    promised = await _drive(url, tmp_path / "log", "statements")
    kills = int(promised.pop("through")[0]) - 1
    assert kills >= 12, "too few statements were counted"
    seen = {n: await _check(store, n, promised[n], a, now) for n in promised}
    assert len(seen) == kills + 1
    # Kills fell before the answer was stored, between, and after all was done.
    assert set(seen.values()) == {"asked", "stored", "answered"}
    assert (await store.health()).ok
    await store.close()


@pytest.mark.timeout(300)
async def test_a_kill_at_any_moment_loses_nothing_that_was_promised(
    sqlite_url: str, clock, tmp_path: Path, a, now
) -> None:
    store = await open_store(sqlite_url, clock=clock)
    await store.local_owner()
    promised = await _drive(sqlite_url, tmp_path / "log", "moments")
    assert any("finished" in promises for promises in promised.values())
    for own_id, promises in promised.items():
        await _check(store, own_id, promises, a, now)
    assert (await store.health()).ok
    await store.close()
    await (await open_store(sqlite_url, clock=clock)).close()  # looks at every page


@pytest.mark.timeout(300)
async def test_a_kill_while_the_database_is_made_leaves_all_of_it_or_nothing(
    sqlite_url: str, sqlite_path: Path, clock, tmp_path: Path
) -> None:
    promised = await _drive(sqlite_url, tmp_path / "log", "opening")
    made = int(promised["through"][0])
    assert made >= 15, "too few statements were counted"
    there = [_is_there(sqlite_path, n) for n in range(1, made + 1)]
    assert there == sorted(there), "the file appears once, and stays"
    assert (there[0], there[-1]) == (False, True)
    for n in range(1, made + 1):
        opened = await open_store(f"{sqlite_url}{n}", clock=clock)
        assert (await opened.local_owner()).id == "local"
        await opened.close()


def _is_there(path: Path, n: int) -> bool:
    return path.with_name(f"{path.name}{n}").exists()
