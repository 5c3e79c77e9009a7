"""The run's side: puts answers on the queue, takes the attempts, gives a lost worker's to others.

A bounded number waits at once. What was taken is deleted from the database after it is synced into
the run's folder, so a run killed anywhere goes on with what its workers did meanwhile.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from eval.answers import AnswerLine
from eval.run import Attempt, Grader, worker_fault
from eval.workers.database import QUEUE, WORKFLOW
from eval.workers.job import Job, prefix_of, read_attempt, version_of, with_question, workflow_id
from eval.workers.presence import WORKERS, Presence

if TYPE_CHECKING:
    from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

# A worker claims more than it grades at once, lest it wait for the next look at the queue.
CLAIMED: Final = 4
WINDOW: Final = 64
LEAST_WINDOW: Final = 256
ENDED: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
TAKE_SECONDS: Final = 0.2
LOOK_SECONDS: Final = 1.0
# An answer that so many workers died with is left out: it may be what kills them.
MOST_DEATHS: Final = 3
LONELY_SECONDS: Final = 10.0
GIVE_UP_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Tidings:
    """What people should hear of while they wait."""

    lonely: Callable[[], None]
    rescued: Callable[[int], None]
    gave_up: Callable[[], None]


@dataclass
class QueueSpread:
    """Grades by others. `run` is this run's number, the same when it goes on after a kill."""

    client: "DBOSClient"
    presence: Presence
    grader: Grader
    run: int
    at_once: int
    tidings: Tidings
    clock: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    give_up: float = GIVE_UP_SECONDS
    waiting: dict[str, AnswerLine] = field(default_factory=dict[str, AnswerLine])
    deaths: dict[str, int] = field(default_factory=dict[str, int])
    looked: float = 0.0
    attended: float = 0.0
    is_lonely: bool = False

    async def __call__(self, lines: Sequence[AnswerLine], done: Callable[[Attempt], None]) -> None:
        """Until every line is done, or no worker has been there for too long."""
        await self._forget_others(lines)
        self.looked = self.attended = self.clock()
        left = iter(lines)
        while await self._fill(left):
            if not await self._take(done):
                await self.sleep(TAKE_SECONDS)
            if self.clock() - self.looked >= LOOK_SECONDS and not await self._look_after(done):
                return

    async def _forget_others(self, lines: Sequence[AnswerLine]) -> None:
        """What was synced just before a kill and not deleted any more."""
        wanted = {workflow_id(self.run, line.id) for line in lines}
        here = await self._list()
        await self._delete([s.workflow_id for s in here if s.workflow_id not in wanted])

    async def _fill(self, left: Iterator[AnswerLine]) -> bool:
        """Put more on the queue; False when nothing is left."""
        window = max(LEAST_WINDOW, WINDOW * self.at_once)
        for line in islice(left, window - len(self.waiting)):
            job = Job(self.run, self.at_once, with_question(line, self.grader))
            name = workflow_id(self.run, line.id)
            options: EnqueueOptions = {
                "workflow_name": WORKFLOW,
                "queue_name": QUEUE,
                "workflow_id": name,
                "app_version": version_of(self.grader),
            }
            self.waiting[name] = line
            await self.client.enqueue_async(options, job.write())
        return bool(self.waiting)

    async def _take(self, done: Callable[[Attempt], None]) -> int:
        """Hand on what is done; how many there were."""
        ended = await self._list(list(ENDED), load_output=True)
        for status in ended:
            if line := self.waiting.pop(status.workflow_id, None):
                done(_attempt(line, status))
        await self._delete([s.workflow_id for s in ended])
        if ended:
            self._is_attended()
        return len(ended)

    async def _look_after(self, done: Callable[[Attempt], None]) -> bool:
        """Give the answers of lost workers to others; False when nobody has come for too long.

        First who holds what, then who lives: the other way round a new worker would seem dead.
        """
        self.looked = self.clock()
        held = await self._list(["PENDING"])
        alive = await asyncio.to_thread(self.presence.alive, WORKERS)
        lost = [s.workflow_id for s in held if int(s.executor_id or 0) not in alive]
        await self._hand_over(lost, done)
        if len(held) > len(lost):
            self._is_attended()
        return await self._has_hope()

    async def _hand_over(self, lost: Sequence[str], done: Callable[[Attempt], None]) -> None:
        if not lost:
            return
        for name in lost:
            self.deaths[name] = self.deaths.get(name, 0) + 1
        again = [name for name in lost if self.deaths[name] < MOST_DEATHS]
        await self.client.resume_workflows_async(again, queue_name=QUEUE)
        deadly = [name for name in lost if name not in again and name in self.waiting]
        for name in deadly:
            done(worker_fault(self.waiting.pop(name)))
        await self._delete(deadly)
        self.tidings.rescued(len(again))

    def _is_attended(self) -> None:
        self.attended, self.is_lonely = self.clock(), False

    async def _has_hope(self) -> bool:
        quiet = self.clock() - self.attended
        if quiet >= self.give_up:
            await self._delete(list(self.waiting))
            self.tidings.gave_up()
            return False
        if quiet >= LONELY_SECONDS and not self.is_lonely:
            self.is_lonely = True
            self.tidings.lonely()
        return True

    async def _list(
        self, status: list[str] | None = None, *, load_output: bool = False
    ) -> "list[WorkflowStatus]":
        return await self.client.list_workflows_async(
            workflow_id_prefix=prefix_of(self.run),
            status=status,
            load_input=False,
            load_output=load_output,
        )

    async def _delete(self, names: list[str]) -> None:
        if names:
            await self.client.delete_workflows_async(names)


def _attempt(line: AnswerLine, status: "WorkflowStatus") -> Attempt:
    """A worker's own fault is a row without a mark that the next run tries again."""
    if status.status != "SUCCESS" or not isinstance(status.output, str):
        return worker_fault(line)
    return read_attempt(status.output)
