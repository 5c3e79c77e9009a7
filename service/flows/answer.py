"""One answer: stored, read, graded, and the interviewer's next move.

The reading runs in its own task: a client that leaves does not stop it, so a turn is either
wholly there or still waiting to be retried.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from service.domain.claims.model import ClaimContext
from service.domain.drawing.fill import as_planned, drawn_of
from service.domain.drawing.values import context_of
from service.domain.grading import Grade, GradeStatus, grade
from service.domain.hinting import with_ceilings
from service.domain.interview import (
    WARM_UP,
    Move,
    MoveKind,
    Session,
    Turn,
    TurnStatus,
    ask,
    close,
    record,
)
from service.domain.knowledge import Question
from service.domain.policy import next_move
from service.domain.tasks import EngineNote, ReadAnswer
from service.engine.budget import spending
from service.errors import ShardwiseError, StoreBusy
from service.flows.parts import Parts
from service.flows.phrasing import phrase
from service.flows.reading import NOT_READ, Asked, Read, Reader, read_answer
from service.flows.texts import require_text
from service.store.port import Replay, Reserved

# Within one lease: two renewals may fail before anybody else can take the turn over.
RENEWALS: Final = 3


class Stage(StrEnum):
    """Where an answer is on its way; sent to a waiting page."""

    STORED = "stored"  # the answer is safe
    READING = "reading"
    ASKING = "asking"


class NextTurn(BaseModel):
    model_config = ConfigDict(frozen=True)

    seq: int
    question_id: str
    kind: MoveKind
    depth: int
    text: str


class Answered(BaseModel):
    """What an answer led to. Stored as it is, so that a repeat replays the same bytes."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    seq: int
    question_id: str
    grade: Grade
    read_by: EngineNote
    next: NextTurn | None  # None when the interview has ended
    closing: str | None = None  # the interviewer's last words


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """`answer` is None when a stored answer is to be read again after a failure."""

    owner_id: str
    session_id: str
    seq: int
    answer: str | None
    key: str


@dataclass(frozen=True, slots=True)
class Done:
    answered: Answered
    replayed: bool


@dataclass(frozen=True, slots=True)
class Failed:
    error: ShardwiseError


Step = Stage | Done | Failed


async def answer(parts: Parts, call: AnswerCall) -> Done:
    """Answer the awaited turn and wait for the next move.

    Raises:
        UserError: the answer or the turn is not acceptable; nothing was stored.
        EngineError: the answer is stored, its reading failed; retry with `answer=None`.
    """
    async for step in answer_steps(parts, call):
        if isinstance(step, Done):
            return step
        if isinstance(step, Failed):
            raise step.error
    raise AssertionError("an answer ends in Done or Failed")


async def answer_steps(parts: Parts, call: AnswerCall) -> AsyncGenerator[Step]:
    """The stages of one answer as they happen, ending in Done or Failed."""
    steps: asyncio.Queue[Step | None] = asyncio.Queue()
    task = asyncio.create_task(_work(parts, call, steps))
    task.add_done_callback(lambda _: steps.put_nowait(None))
    _keep(task)
    while (step := await steps.get()) is not None:
        yield step
        if isinstance(step, (Done, Failed)):
            return
    # Only a bug gets here; it is raised instead of leaving the caller waiting for ever.
    await task


# The event loop holds tasks weakly; a reading whose client has left must still finish.
_RUNNING: Final[set[asyncio.Task[None]]] = set()


def _keep(task: asyncio.Task[None]) -> None:
    _RUNNING.add(task)
    task.add_done_callback(_RUNNING.discard)


async def settle(seconds: float) -> None:
    """Before the store closes: let readings finish; what is late gives its turn back."""
    loop = asyncio.get_running_loop()
    running = {task for task in _RUNNING if task.get_loop() is loop}
    if not running:
        return
    _, late = await asyncio.wait(running, timeout=seconds)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


async def _work(parts: Parts, call: AnswerCall, steps: asyncio.Queue[Step | None]) -> None:
    try:
        with spending(call.session_id):
            await steps.put(await _answer(parts, call, steps))
    except ShardwiseError as error:
        await steps.put(Failed(error))


async def _answer(parts: Parts, call: AnswerCall, steps: asyncio.Queue[Step | None]) -> Done:
    token = parts.new_id()
    reserved = await _reserve(parts, call, token)
    if isinstance(reserved, Replay):
        return Done(Answered.model_validate_json(reserved.response), replayed=True)
    await steps.put(Stage.STORED)
    release = parts.store.release_turn(call.owner_id, call.session_id, call.seq, token)
    renewing = asyncio.create_task(_renew(parts, call, token))
    try:
        return await _or_release(_read_and_ask(parts, call, reserved, token, steps), release)
    finally:
        renewing.cancel()


async def _renew(parts: Parts, call: AnswerCall, token: str) -> None:
    """Hold the turn for as long as this process reads it; when it is killed, one lease at most."""
    while True:
        await asyncio.sleep(parts.limits.lease_seconds / RENEWALS)
        with suppress(StoreBusy):
            await parts.store.renew_turn(
                call.owner_id, call.session_id, call.seq, token, _lease_end(parts)
            )


def _lease_end(parts: Parts) -> datetime:
    return parts.clock() + timedelta(seconds=parts.limits.lease_seconds)


async def _or_release(work: Coroutine[Any, Any, Done], release: Coroutine[Any, Any, None]) -> Done:
    """Give the turn back when the work fails, so that the same answer can be read again."""
    try:
        done = await work
    except BaseException:
        await asyncio.shield(release)
        raise
    release.close()
    return done


async def _reserve(parts: Parts, call: AnswerCall, token: str) -> Reserved | Replay:
    answer = None
    if call.answer is not None:
        answer = require_text(call.answer, parts.limits.answer_chars)
    return await parts.store.reserve_turn(
        call.owner_id,
        call.session_id,
        call.seq,
        answer=answer,
        key=call.key,
        body_hash=sha256((answer or "").encode()).hexdigest(),
        token=token,
        now=parts.clock(),
        lease_until=_lease_end(parts),
    )


async def _read_and_ask(
    parts: Parts,
    call: AnswerCall,
    reserved: Reserved,
    token: str,
    steps: asyncio.Queue[Step | None],
) -> Done:
    session = reserved.session
    turn = session.awaiting(call.seq)
    await steps.put(Stage.READING)
    session = await _read(parts, session, turn)
    await steps.put(Stage.ASKING)
    session, said = await move_on(parts, session)
    answered = _answered(session, call.seq, said)
    await parts.store.finish_turn(
        call.owner_id,
        session,
        token=token,
        response=answered.model_dump_json(),
        now=parts.clock(),
    )
    return Done(answered, replayed=False)


async def _read(parts: Parts, session: Session, turn: Turn) -> Session:
    if turn.question_id == WARM_UP:
        read = _unscored(session, turn)
        return record(session, turn.seq, read.grade, read.snapshot, read.note, parts.clock())
    question = as_planned(parts.knowledge.questions, session.plan.questions)[turn.question_id]
    drawn = drawn_of(session.plan.questions, turn.question_id)
    context = context_of(question.drawing, drawn) if question.drawing else ClaimContext()
    asked = Asked(question, turn.text, session.plan.lang, context, drawn)
    reader = Reader(
        parts.engine, parts.retriever, parts.knowledge, parts.lexicon, parts.known_models
    )
    read = await read_answer(asked, turn.answer or "", reader)
    graded = _after_hints(read.grade, question, session.turns_of(question.id))
    return record(session, turn.seq, graded, read.snapshot, read.note, parts.clock())


def _after_hints(total: Grade, question: Question, turns: Sequence[Turn]) -> Grade:
    """Hints leave less to earn; without any the grade stays as it is."""
    if not any(turn.hints for turn in turns):
        return total
    findings = with_ceilings(total.findings, turns)
    return grade(question.rubric, findings, total.misconceptions, total.claims)


def _unscored(session: Session, turn: Turn) -> Read:
    """The warm-up: nothing is read, so nothing of it can count."""
    snapshot = ReadAnswer(
        lang=session.plan.lang,
        question_id=turn.question_id,
        question=turn.text,
        points=(),
        misconceptions=(),
        passages=(),
        numbers=(),
        answer=turn.answer or "",
    )
    nothing = Grade(GradeStatus.NOT_ENOUGH_EVIDENCE, None, {}, 0.0, (), (), ())
    return Read(nothing, snapshot, NOT_READ)


async def move_on(parts: Parts, session: Session) -> tuple[Session, str]:
    """Pick the next move, have it worded, and put it into the session."""
    bank = as_planned(parts.knowledge.questions, session.plan.questions)
    move = next_move(session, bank, parts.knowledge.misconceptions, parts.clock())
    words, note = await phrase(parts, session, move)
    if move.kind is MoveKind.CLOSE:
        return close(session, parts.clock()), words
    return ask(session, move, words, note, parts.clock()), words


def _answered(session: Session, seq: int, said: str) -> Answered:
    turn = next(t for t in session.turns if t.seq == seq)
    if turn.grade is None or turn.read_by is None:
        raise AssertionError("a recorded turn has a grade and a reader")
    following = session.turns[-1]
    asked = following.status is TurnStatus.ASKED
    return Answered(
        session_id=session.id,
        seq=seq,
        question_id=turn.question_id,
        grade=turn.grade,
        read_by=turn.read_by,
        next=next_turn(following) if asked else None,
        closing=None if asked else said,
    )


def next_turn(turn: Turn) -> NextTurn:
    return NextTurn(
        seq=turn.seq,
        question_id=turn.question_id,
        kind=turn.move.kind,
        depth=turn.depth,
        text=turn.text,
    )


__all__ = [
    "AnswerCall",
    "Answered",
    "Done",
    "Failed",
    "Move",
    "NextTurn",
    "Stage",
    "Step",
    "answer",
    "answer_steps",
    "move_on",
    "next_turn",
    "settle",
]
