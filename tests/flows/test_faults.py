"""One answer, with a fault at each of its side effects in turn: whole, or to be finished later.

The n-th call of the store or the engine fails or is the process's last, for n = 1, 2, ... until
the answer comes through untouched. After each fault the invariants are looked at, and then the
same request comes again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from itertools import count
from typing import Any, cast

import pytest

from service.domain.interview import Session, TurnStatus
from service.domain.language import Lang
from service.domain.tasks import Task
from service.engine.port import Engine
from service.errors import EngineUnavailable, ShardwiseError, StoreBusy
from service.flows import interviews
from service.flows.answer import AnswerCall, Done, answer
from service.flows.interviews import Level, Mode, PlanWish
from service.flows.parts import Parts
from service.store.port import Store
from tests.fakes import ScriptedEngine, reading
from tests.flows.conftest import MakeParts

MOST = 12  # side effects of one answer; more means that the loop never ends
WISH = PlanWish(Lang.EN, Level.MID, Mode.EXAM, 30, ("zero-stages",))
WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."


class Killed(BaseException):
    """The process is gone: nothing after this may have an effect."""


class When(Enum):
    BEFORE = "before"  # the effect did not happen
    AFTER = "after"  # it did, and nobody was told


@dataclass
class Nemesis:
    """Strikes at the `at`-th call; a kill strikes all calls after it, too."""

    at: int
    when: When
    fault: type[BaseException]
    calls: int = 0
    struck: bool = False

    async def around(self, call: Callable[[], Awaitable[Any]]) -> Any:
        self.calls += 1
        dead = self.struck and self.fault is Killed
        if dead or (self.calls == self.at and self.when is When.BEFORE):
            raise self._strike()
        result = await call()
        if self.calls == self.at:
            raise self._strike()
        return result

    def _strike(self) -> BaseException:
        self.struck = True
        return self.fault() if self.fault is Killed else self.fault("struck")


class FaultyStore:
    """Passes every call on, past the nemesis."""

    def __init__(self, store: Store, nemesis: Nemesis) -> None:
        self._store = store
        self._nemesis = nemesis

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._store, name)

        async def call(*args: Any, **named: Any) -> Any:
            return await self._nemesis.around(lambda: method(*args, **named))

        return call


class FaultyEngine:
    def __init__(self, engine: Engine, nemesis: Nemesis) -> None:
        self._engine = engine
        self._nemesis = nemesis

    async def perform(self, task: Task[Any]) -> Any:
        return await self._nemesis.around(lambda: self._engine.perform(task))


def reads_one_point(task: Any) -> Any:
    missed = ((p.id, "missed", "") for p in task.points[1:])
    return reading((task.points[0].id, "met", "Every GPU keeps a full copy"), *missed)


def with_faults(parts: Parts, nemesis: Nemesis) -> Parts:
    return replace(
        parts,
        store=cast("Store", FaultyStore(parts.store, nemesis)),
        engine=FaultyEngine(parts.engine, nemesis),
    )


def after_the_lease(parts: Parts) -> Parts:
    """Another process, later: the same store, nothing in memory."""
    now = parts.clock() + timedelta(seconds=parts.limits.lease_seconds + 1)
    ticks = count(1)

    def clock() -> datetime:
        return now + timedelta(seconds=next(ticks))

    return replace(parts, clock=clock)


def call(owner: str, session: str, text: str | None = WORDS) -> AnswerCall:
    return AnswerCall(owner, session, 1, text, f"key of {session}")


async def begin(parts: Parts) -> tuple[str, str]:
    owner = await parts.store.local_owner()
    return owner.id, (await interviews.start(parts, owner.id, WISH)).id


def assert_whole(session: Session) -> None:
    """What holds at every moment, whatever happened."""
    assert [t.seq for t in session.turns] == list(range(1, len(session.turns) + 1))
    for turn in session.turns:
        assert (turn.grade is not None) == (turn.status is TurnStatus.ANSWERED)
        assert turn.grade is None or turn.answer is not None
        assert (turn.read_by is not None) == (turn.grade is not None)
    waiting = [t for t in session.turns if t.status in {TurnStatus.ASKED, TurnStatus.STORED}]
    assert waiting in ([], [session.turns[-1]])
    first = session.turns[0]
    assert first.answer in {None, WORDS}
    assert len(session.turns) == (2 if first.status is TurnStatus.ANSWERED else 1)


async def struck(parts: Parts, nemesis: Nemesis, owner: str, session: str) -> Done | None:
    """What the caller was told; None when it was told of a fault, or nothing at all."""
    try:
        return await answer(with_faults(parts, nemesis), call(owner, session))
    except (ShardwiseError, Killed):
        return None
    except asyncio.CancelledError:
        return None


FAULTS = [(StoreBusy, When.BEFORE), (EngineUnavailable, When.BEFORE),
          (Killed, When.BEFORE), (Killed, When.AFTER)]  # fmt: skip


@pytest.mark.parametrize(("fault", "when"), FAULTS)
async def test_after_a_fault_at_any_side_effect_the_turn_is_whole_and_can_be_finished(
    make_parts: MakeParts, fault: type[BaseException], when: When
):
    reached: list[str] = []
    parts = make_parts(ScriptedEngine(reads_one_point))
    for at in range(1, MOST):
        owner, session_id = await begin(parts)
        nemesis = Nemesis(at, when, fault)
        told = await struck(parts, nemesis, owner, session_id)
        between = await parts.store.get_session(owner, session_id)
        assert_whole(between)
        reached.append(between.turns[0].status.value)
        if told is not None:
            assert between.turns[0].status is TurnStatus.ANSWERED
        await assert_finishes(after_the_lease(parts), owner, session_id, told)
        if not nemesis.struck:
            assert at > 3, "there was nothing to strike at"
            states = {"stored", "answered"} | ({"asked"} if when is When.BEFORE else set())
            assert set(reached) == states
            return
    pytest.fail("the answer never came through untouched")


async def assert_finishes(parts: Parts, owner: str, session_id: str, told: Done | None) -> None:
    """The same request again: graded once, and told as before when it was told before."""
    done = await answer(parts, call(owner, session_id))
    if told is not None:
        assert done.answered.model_dump_json() == told.answered.model_dump_json()
    session = await parts.store.get_session(owner, session_id)
    assert_whole(session)
    assert session.turns[0].status is TurnStatus.ANSWERED
    assert session.turns[0].answer == WORDS
    assert sum(t.grade is not None for t in session.turns) == 1
    again = await answer(parts, call(owner, session_id))
    assert again.replayed
    assert again.answered.model_dump_json() == done.answered.model_dump_json()


async def test_after_a_fault_the_turn_is_given_back_before_its_lease_ends(make_parts: MakeParts):
    """A fault that is not the process's end costs no waiting."""
    parts = make_parts(ScriptedEngine(reads_one_point))
    owner, session_id = await begin(parts)
    reserving = 1
    nemesis = Nemesis(reserving + 1, When.BEFORE, EngineUnavailable)
    assert await struck(parts, nemesis, owner, session_id) is None
    retry = replace(call(owner, session_id, None), key="a-retry")
    assert not (await answer(parts, retry)).replayed


@pytest.mark.parametrize("when", list(When))
@pytest.mark.parametrize("fault", [StoreBusy, Killed])
async def test_skip_pause_resume_and_end_happen_wholly_or_not_at_all(
    make_parts: MakeParts, fault: type[BaseException], when: When
):
    parts = make_parts(ScriptedEngine(reads_one_point))
    steps: list[Callable[[Parts, str, str], Awaitable[Session]]] = [
        lambda p, o, s: interviews.skip_turn(p, o, s, 1),
        interviews.pause_session,
        interviews.resume_session,
        interviews.end_session,
    ]
    for step in steps:
        for at in range(1, MOST):
            owner, session_id = await begin(parts)
            if step is interviews.resume_session:
                await interviews.pause_session(parts, owner, session_id)
            nemesis = Nemesis(at, when, fault)
            with suppress(ShardwiseError, Killed):
                await step(with_faults(parts, nemesis), owner, session_id)
            session = await parts.store.get_session(owner, session_id)
            assert [t.seq for t in session.turns] == list(range(1, len(session.turns) + 1))
            if not nemesis.struck:
                assert at > 1
                break
        else:
            pytest.fail("the step never came through untouched")
