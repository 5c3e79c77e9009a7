"""Time in an interview: kept on the server, without pauses, and proof against odd clocks.

A turn never takes more than its question's minutes from the whole: a lid that was closed, or a
clock that leapt ahead, costs one question its follow-ups and leaves the others theirs. In exam
mode a question out of time gets no more follow-ups, and an interview out of time ends with the
answer at hand. An answer that is under way is always taken. Coached mode only shows the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from service.domain.interview import (
    WARM_UP,
    Mode,
    Session,
    SessionStatus,
    Turn,
    TurnStatus,
)

SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds; what is left is below 0 in overtime. Deadlines are None while time stands still."""

    question: float
    question_left: float
    session_left: float
    question_deadline: datetime | None
    session_deadline: datetime | None
    runs: bool


def timing(session: Session, now: datetime) -> Timing | None:
    """The time of the current question and of the whole; None before the first question."""
    turn = session.current
    if turn is None:
        return None
    now = session.moment(now)
    allowed = _allowed(session, turn.question_id)
    left = allowed - spent_on(session, turn.question_id, now)
    whole = session.plan.minutes * SECONDS - spent(session, now)
    runs = session.status is SessionStatus.OPEN and turn.status is TurnStatus.ASKED
    return Timing(
        question=allowed,
        question_left=left,
        session_left=whole,
        question_deadline=now + timedelta(seconds=left) if runs else None,
        session_deadline=now + timedelta(seconds=whole) if runs else None,
        runs=runs,
    )


def spent_on(session: Session, question_id: str, now: datetime) -> float:
    """Seconds on the last attempt at a question, pauses left out."""
    attempt = session.attempt_of(question_id)
    ends = _ends(session, now)
    return sum(_lasted(t, ends[t.seq]) for t in attempt)


def spent(session: Session, now: datetime) -> float:
    """Seconds on the whole interview, pauses left out, each turn up to its question's minutes."""
    ends = _ends(session, now)
    return sum(
        min(_lasted(t, ends[t.seq]), _allowed(session, t.question_id)) for t in session.turns
    )


def is_question_over(session: Session, question_id: str, now: datetime) -> bool:
    """Exam mode: the question has had its minutes."""
    if session.plan.mode is not Mode.EXAM:
        return False
    return spent_on(session, question_id, session.moment(now)) >= _allowed(session, question_id)


def is_over(session: Session, now: datetime) -> bool:
    """Exam mode: the whole interview has had its minutes."""
    if session.plan.mode is not Mode.EXAM:
        return False
    return spent(session, session.moment(now)) >= session.plan.minutes * SECONDS


def _ends(session: Session, now: datetime) -> dict[int, datetime]:
    """When each turn stopped taking time, by its number."""
    following: Sequence[Turn | None] = (*session.turns[1:], None)
    still = session.paused_at or (session.updated_at if _is_closed(session) else now)
    return {
        turn.seq: turn.answered_at or (after.asked_at if after else still)
        for turn, after in zip(session.turns, following, strict=True)
    }


def _is_closed(session: Session) -> bool:
    return session.status is SessionStatus.CLOSED


def _lasted(turn: Turn, end: datetime) -> float:
    return max(0.0, (end - turn.asked_at).total_seconds() - turn.paused)


WARM_UP_MINUTES: Final = 2


def _allowed(session: Session, question_id: str) -> float:
    if question_id == WARM_UP:
        return WARM_UP_MINUTES * SECONDS
    planned = (q.minutes for q in session.plan.questions if q.question_id == question_id)
    return next(planned, session.plan.minutes) * SECONDS
