"""Any history of an interview, with faults, restarts, kills and odd clocks, fits a plain model."""

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from service.domain.interview import Mode, Session, SessionStatus, Turn, TurnStatus
from service.domain.language import Lang
from service.domain.policy import DEPTH_BY_LEVEL
from service.domain.reporting import make_report
from service.errors import (
    EngineUnavailable,
    InputInvalid,
    KeyReused,
    SessionClosed,
    SessionPaused,
    ShardwiseError,
    TextEmpty,
    TurnInProgress,
    TurnOutOfOrder,
)
from service.flows import interviews
from service.flows.answer import AnswerCall, answer
from service.flows.interviews import Level, PlanWish
from service.flows.parts import Parts
from service.store.open import open_store
from tests.domain.samples import NOON
from tests.fakes import ScriptedEngine, reading
from tests.flows.conftest import MakeParts

T = TypeVar("T")
PLANNED = ("zero-stages", "collectives")
SAID = (
    "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP.",
    "I don't know.",
    "是的",
    "ZeRO-3 takes 16*7e9/64 = 3.5 GB per GPU.",
)


@dataclass
class Clock:
    now: datetime = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now


@dataclass
class Model:
    """The interview as one careful person with paper would keep it."""

    status: SessionStatus = SessionStatus.OPEN
    turns: list[tuple[str, TurnStatus, str | None]] = field(
        default_factory=list[tuple[str, TurnStatus, str | None]]
    )
    hints: int = 0

    @property
    def last(self) -> TurnStatus:
        return self.turns[-1][1]

    def refusal(self) -> tuple[type[ShardwiseError], ...]:
        """What any act on the awaited turn meets now; empty when it may go on."""
        if self.status is SessionStatus.CLOSED:
            return (SessionClosed,)
        return (SessionPaused,) if self.status is SessionStatus.PAUSED else ()

    def end_last(self, status: TurnStatus, words: str | None) -> None:
        question, _, _ = self.turns[-1]
        self.turns[-1] = (question, status, words)


class Engine(ScriptedEngine):
    fails = False

    async def perform(self, task: Any) -> Any:
        if self.fails:
            raise EngineUnavailable("down")
        return await super().perform(task)


class RoomMachine(RuleBasedStateMachine):
    """Each rule does one thing for real and says what the model makes of it."""

    base: Parts

    @initialize(mode=st.sampled_from(Mode), warm_up=st.booleans())
    def begin(self, mode: Mode, warm_up: bool) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        self.clock = Clock()
        self.engine = Engine(lambda t: reading(*((p.id, "missed", "") for p in t.points[:9])))
        self.open()
        self.owner = self.do(self.parts.store.local_owner()).id
        wish = PlanWish(Lang.EN, Level.JUNIOR, mode, 30, PLANNED, warm_up=warm_up)
        session = self.do(interviews.start(self.parts, self.owner, wish))
        self.id = session.id
        self.mode = mode
        self.model = Model(turns=[(session.turns[0].question_id, TurnStatus.ASKED, None)])
        self.seen = self.session()
        self.sent: tuple[AnswerCall, str] | None = None

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def open(self) -> None:
        url = f"sqlite+aiosqlite:///{Path(self.folder.name) / 'room.db'}"
        store = self.do(open_store(url, clock=self.clock))
        self.parts = replace(self.base, store=store, engine=self.engine, clock=self.clock)

    def session(self) -> Session:
        return self.do(self.parts.store.get_session(self.owner, self.id))

    def call(self, text: str | None, key: str | None = None) -> AnswerCall:
        seq = len(self.model.turns)
        return AnswerCall(self.owner, self.id, seq, text, key or self.parts.new_id())

    def refused(self, work: Coroutine[Any, Any, object], *errors: type[ShardwiseError]) -> None:
        """It is refused for the right reason, and nothing has changed."""
        with pytest.raises(errors):
            self.do(work)
        assert self.session() == self.seen

    def follow(self) -> Session:
        """The model takes what the interviewer asked next, which is the interviewer's choice."""
        session = self.session()
        if len(session.turns) > len(self.model.turns):
            self.model.turns.append((session.turns[-1].question_id, TurnStatus.ASKED, None))
        elif self.last_is_done():
            self.model.status = SessionStatus.CLOSED
        self.seen = session
        return session

    def last_is_done(self) -> bool:
        return self.model.last in (TurnStatus.ANSWERED, TurnStatus.SKIPPED)

    @rule(text=st.sampled_from(SAID))
    def answers(self, text: str) -> None:
        call = self.call(text)
        if self.model.refusal():
            self.refused(answer(self.parts, call), *self.model.refusal())
            return
        if self.model.last is TurnStatus.STORED and text != self.model.turns[-1][2]:
            self.refused(answer(self.parts, call), TurnOutOfOrder)
            return
        done = self.do(answer(self.parts, call))
        self.sent = (call, done.answered.model_dump_json())
        self.model.end_last(TurnStatus.ANSWERED, text)
        self.follow()

    @rule(text=st.sampled_from(SAID))
    def answers_while_the_engine_is_down(self, text: str) -> None:
        """The words are kept; only phrasing may fail without a trace."""
        if self.model.refusal() or self.model.last is TurnStatus.STORED:
            return
        if self.model.turns[-1][0] not in PLANNED:
            return  # the warm-up needs no reader
        self.engine.fails = True
        heard = len(text) > len(SAID[2])  # two letters are not read, so nothing can fail
        try:
            if heard:
                with pytest.raises(EngineUnavailable):
                    self.do(answer(self.parts, self.call(text)))
                self.model.end_last(TurnStatus.STORED, text)
            else:
                self.do(answer(self.parts, self.call(text)))
                self.model.end_last(TurnStatus.ANSWERED, text)
        finally:
            self.engine.fails = False
        self.follow()

    @rule()
    def reads_again(self) -> None:
        again = answer(self.parts, self.call(None))
        if self.model.refusal():
            self.refused(again, *self.model.refusal())
        elif self.model.last is not TurnStatus.STORED:
            self.refused(again, TextEmpty)
        else:
            self.do(again)
            self.model.end_last(TurnStatus.ANSWERED, self.model.turns[-1][2])
            self.follow()

    @rule(text=st.sampled_from(SAID))
    def is_killed_while_reading(self, text: str) -> None:
        """The turn is reserved, then the process is gone; after the lease it goes on."""
        if self.model.refusal() or self.model.last is TurnStatus.STORED:
            return
        now = self.clock()
        self.do(
            self.parts.store.reserve_turn(
                self.owner,
                self.id,
                len(self.model.turns),
                answer=text,
                key=self.parts.new_id(),
                body_hash="h",
                token=self.parts.new_id(),
                now=now,
                lease_until=now + timedelta(seconds=60),
            )
        )
        self.model.end_last(TurnStatus.STORED, text)
        self.seen = self.session()
        self.restarts()
        self.refused(answer(self.parts, self.call(None)), TurnInProgress)
        self.clock.now += timedelta(seconds=61)

    @precondition(lambda self: self.sent is not None)
    @rule()
    def sends_the_last_answer_once_more(self) -> None:
        """The same key is the same request, whatever has happened since."""
        assert self.sent is not None
        call, said = self.sent
        done = self.do(answer(self.parts, call))
        assert done.replayed
        assert done.answered.model_dump_json() == said
        other = replace(call, answer="other words than before")
        self.refused(answer(self.parts, other), KeyReused)

    @rule()
    def answers_a_turn_of_the_past_or_future(self) -> None:
        errors = self.model.refusal() or (TurnOutOfOrder,)
        past = replace(self.call(SAID[0]), seq=0)
        future = replace(self.call(SAID[0]), seq=99)
        self.refused(answer(self.parts, past), *errors)
        self.refused(answer(self.parts, future), *errors)

    @rule()
    def skips(self) -> None:
        skip = interviews.skip_turn(self.parts, self.owner, self.id, len(self.model.turns))
        if self.model.refusal():
            self.refused(skip, *self.model.refusal())
            return
        self.do(skip)
        self.model.end_last(TurnStatus.SKIPPED, self.model.turns[-1][2])
        self.follow()

    @rule()
    def pauses(self) -> None:
        pause = interviews.pause_session(self.parts, self.owner, self.id)
        if self.model.refusal():
            self.refused(pause, *self.model.refusal())
            return
        self.do(pause)
        self.model.status = SessionStatus.PAUSED
        self.seen = self.session()

    @rule()
    def resumes(self) -> None:
        resume = interviews.resume_session(self.parts, self.owner, self.id)
        if self.model.status is SessionStatus.CLOSED:
            self.refused(resume, SessionClosed)
            return
        self.do(resume)
        self.model.status = SessionStatus.OPEN
        self.seen = self.session()

    @rule(sure=st.integers(0, 3))
    def ends(self, sure: int) -> None:
        if sure == 0:
            self.do(interviews.end_session(self.parts, self.owner, self.id))
            self.model.status = SessionStatus.CLOSED
            self.seen = self.session()

    @rule()
    def asks_for_a_hint(self) -> None:
        hint = interviews.hint_turn(self.parts, self.owner, self.id, len(self.model.turns))
        if self.model.refusal():
            self.refused(hint, *self.model.refusal())
            return
        may = self.mode is Mode.COACHED and self.model.last is TurnStatus.ASKED
        if not may or self.model.turns[-1][0] not in PLANNED:
            self.refused(hint, InputInvalid)
            return
        given = self.do(hint).turns[-1].hints
        assert len(given) == len(self.seen.turns[-1].hints) + 1
        self.seen = self.session()

    @rule(question=st.sampled_from(PLANNED))
    def tries_again(self, question: str) -> None:
        retry = interviews.retry_question(self.parts, self.owner, self.id, question)
        if self.model.refusal():
            self.refused(retry, *self.model.refusal())
            return
        done = (TurnStatus.ANSWERED, TurnStatus.SKIPPED)
        was_done = any(q == question and s in done for q, s, _ in self.model.turns)
        if self.mode is Mode.EXAM or self.model.last is TurnStatus.STORED or not was_done:
            self.refused(retry, InputInvalid)
            return
        self.do(retry)
        if self.model.last is TurnStatus.ASKED:
            self.model.end_last(TurnStatus.SET_ASIDE, None)
        self.model.turns.append((question, TurnStatus.ASKED, None))
        self.seen = self.session()

    @rule(seconds=st.sampled_from([-86_400, -30, 40, 900, 86_400]))
    def the_clock_jumps(self, seconds: int) -> None:
        self.clock.now += timedelta(seconds=seconds)

    @rule()
    def restarts(self) -> None:
        self.do(self.parts.store.close())
        self.open()

    @invariant()
    def it_is_as_the_model_has_it(self) -> None:
        if not hasattr(self, "model"):
            return
        session = self.session()
        assert session.status is self.model.status
        assert [(t.question_id, t.status, t.answer) for t in session.turns] == self.model.turns

    @invariant()
    def its_turns_are_sound(self) -> None:
        if not hasattr(self, "model"):
            return
        session = self.session()
        moments = [m for t in session.turns for m in (t.asked_at, t.answered_at) if m]
        assert moments == sorted(moments)
        assert all(t.depth <= DEPTH_BY_LEVEL[Level.JUNIOR] for t in session.turns)
        assert all(_is_settled(t) for t in session.turns[:-1])
        report = make_report(session, self.parts.knowledge)
        assert len(report.questions) == len(PLANNED)

    def teardown(self) -> None:
        if hasattr(self, "parts"):
            self.do(self.parts.store.close())
            self.loop.close()
            self.folder.cleanup()


def _is_settled(turn: Turn) -> bool:
    return turn.status not in (TurnStatus.ASKED, TurnStatus.STORED)


def test_any_history_fits_the_sequential_model(make_parts: MakeParts):
    class Machine(RoomMachine):
        base = make_parts(ScriptedEngine())

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
