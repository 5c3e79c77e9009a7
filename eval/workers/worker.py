"""A worker: takes answers of any run from the queue, grades them, hands the attempts back.

Killed, its answers are given to another worker: what was under way is graded anew there, what
was handed back stays. DBOS lets only the present owner of an answer hand it back.
"""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import URL

from eval.grader import open_grader
from eval.pace import Gate, Pace
from eval.run import Attempt, Grader, grade_patiently, worker_fault
from eval.workers.database import (
    APPLICATION,
    POLL_SECONDS,
    QUEUE,
    SCHEMA,
    WORKFLOW,
    dbos_address,
    prepare,
    quieten,
    reachable,
)
from eval.workers.job import Job, version_of, write_attempt
from eval.workers.presence import WORKERS, Presence
from eval.workers.spread import CLAIMED
from service.errors import StoreGone

BEAT_SECONDS: Final = 1.0
# What is under way at SIGTERM may end.
FAREWELL_SECONDS: Final = 30


@dataclass(frozen=True, slots=True)
class Door:
    """Of one run: the pause of all, and room for so many."""

    gate: Gate
    room: asyncio.Semaphore


@dataclass
class Bench:
    """One grader and the loop it lives in; a pause that a server asks for holds for its run."""

    grader: Grader
    pace: Pace
    loop: asyncio.AbstractEventLoop
    doors: dict[int, Door] = field(default_factory=dict[int, Door])
    under_way: int = 0
    graded: int = 0
    last: float = 0.0

    def grade(self, text: str) -> str:
        """Called from threads of DBOS."""
        return asyncio.run_coroutine_threadsafe(self._grade(Job.read(text)), self.loop).result()

    async def _grade(self, job: Job) -> str:
        door = self.doors.setdefault(job.run, Door(Gate(self.pace), asyncio.Semaphore(job.at_once)))
        attempts: list[Attempt] = []
        self.under_way += 1
        try:
            async with door.room:
                await grade_patiently(self.grader, job.line, self.pace, door.gate, attempts.append)
        finally:
            self.under_way -= 1
            self.last = self.pace.clock()
        self.graded += 1
        return write_attempt(attempts[0]) if attempts else write_attempt(worker_fault(job.line))

    def has_idled(self, seconds: float | None) -> bool:
        quiet = self.pace.clock() - self.last
        return seconds is not None and not self.under_way and quiet >= seconds


@dataclass(frozen=True, slots=True)
class Shift:
    """`number` is new for each process; `idle` seconds without work end it, None never."""

    number: int
    pace: Pace
    idle: float | None
    ready: Callable[[], None]


async def work(url: URL, engine: str, shift: Shift) -> int:
    """Serve until told to stop; how many answers were graded.

    Raises:
        StoreInvalid: the database does not answer at the start.
        StoreGone: the connection was lost; others take over what was under way.
        SetupError, InputInvalid: as open_grader.
    """
    prepare(url)
    async with open_grader(None, engine) as grader:
        bench = Bench(grader, shift.pace, asyncio.get_running_loop(), last=shift.pace.clock())
        with Presence(url) as presence:
            if not presence.hold(WORKERS, shift.number):
                raise StoreGone("Another worker has the number {number}.", number=shift.number)
            with reachable(url):
                await asyncio.to_thread(_launch, url, bench, shift)
            shift.ready()
            try:
                await _serve(bench, presence, shift)
            finally:
                await asyncio.to_thread(_leave)
    return bench.graded


def _launch(url: URL, bench: Bench, shift: Shift) -> None:
    from dbos import DBOS, DBOSPortableJSONSerializer

    quieten()
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": dbos_address(url),
            "dbos_system_schema": SCHEMA,
            "executor_id": str(shift.number),
            "application_version": version_of(bench.grader),
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "ERROR",
            "sys_db_pool_size": 5,
        }
    )

    @DBOS.workflow(name=WORKFLOW)
    def grade_answer(text: str) -> str:
        return bench.grade(text)

    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    DBOS.register_queue(
        QUEUE,
        worker_concurrency=CLAIMED,  # until a run says how many
        polling_interval_sec=POLL_SECONDS,
        on_conflict="never_update",
    )


def _leave() -> None:
    from dbos import DBOS

    DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=FAREWELL_SECONDS)


async def _serve(bench: Bench, presence: Presence, shift: Shift) -> None:
    told = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows: Ctrl-C raises instead
            bench.loop.add_signal_handler(name, told.set)
    while not told.is_set() and not bench.has_idled(shift.idle):
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), BEAT_SECONDS)
        if not await asyncio.to_thread(presence.beat):
            raise StoreGone("The workers' database went away; others take over.")
