"""Run as a program: answers interviews in children that are killed, and logs what was promised.

`crash_driver.py URL LOG statements` kills child n before its n-th statement or commit, n = 1, 2,
... until one comes through. `crash_driver.py URL LOG moments` kills ten children at any moment.
`crash_driver.py URL LOG opening` kills child n before the n-th statement that makes `URL`n.
Nothing here cleans up: that is the point.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import timedelta

from conftest import NOW, a_session, graded
from sqlalchemy import Engine, event

from service.store.open import open_store
from service.store.port import Reserved

MOMENTS_MS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
MOST_STATEMENTS = 200


class Log:
    """One line a promise, in one write each, so that a kill cannot tear it."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def say(self, *words: object) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())


async def answer(url: str, log: Log, own_id: str, kill_at: int) -> None:
    """One interview: begin, reserve, finish. Dies before statement `kill_at` of the answer."""
    store = await open_store(url, clock=lambda: NOW)
    owner = await store.local_owner()
    await store.add_session(owner.id, a_session(own_id))
    log.say(own_id, "began")
    _arm(store.database.engine.sync_engine, kill_at)  # type: ignore[attr-defined]
    reserved = await store.reserve_turn(
        owner.id, own_id, 1, answer="optimizer states", key=own_id, body_hash="h", token=own_id,
        now=NOW, lease_until=NOW + timedelta(minutes=2),
    )  # fmt: skip
    assert isinstance(reserved, Reserved)
    log.say(own_id, "reserved")
    await store.finish_turn(
        owner.id, graded(reserved.session), token=own_id, response="first", now=NOW
    )
    log.say(own_id, "finished")
    await store.close()


def _arm(engine: object, kill_at: int) -> None:
    steps = 0

    def step(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", step)
    event.listen(engine, "commit", step)


async def make(url: str, kill_at: int) -> None:
    _arm(Engine, kill_at)
    await (await open_store(url, clock=lambda: NOW)).close()


async def many_answers(url: str, log: Log, prefix: str) -> None:
    for number in range(10_000):
        await answer(url, log, f"{prefix}.{number}", kill_at=0)


def in_child(work: Callable[[], object], kill_after: float | None = None) -> bool:
    """True when the child came to its end by itself."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1] == 0


def main(url: str, log_path: str, mode: str) -> None:
    log = Log(log_path)
    if mode == "moments":
        for ms in MOMENTS_MS:
            # The first interview of a child takes a while to begin: wait for it, then count.
            in_child(lambda ms=ms: asyncio.run(many_answers(url, log, f"m{ms}")), 0.25 + ms / 1000)
        return
    works = {
        "statements": lambda n: asyncio.run(answer(url, log, f"n{n}", n)),
        "opening": lambda n: asyncio.run(make(f"{url}{n}", n)),
    }
    for n in range(1, MOST_STATEMENTS):
        if in_child(lambda n=n: works[mode](n)):
            log.say("through", n)
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
