"""An interview as a value: its plan, its turns, and which operation is allowed when.

Every operation returns a new Session; time and ids come in as arguments. Which move follows an
answer is decided in `service.domain.policy`.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from service.domain.grading import Grade, Level
from service.domain.language import Lang, Message
from service.domain.tasks import EngineNote, ReadAnswer
from service.errors import InputInvalid, SessionClosed, SessionPaused, TurnOutOfOrder


class Mode(StrEnum):
    EXAM = "exam"
    COACHED = "coached"


class SessionStatus(StrEnum):
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class TurnStatus(StrEnum):
    ASKED = "asked"  # awaits an answer
    STORED = "stored"  # the answer is safe, its reading is not finished
    ANSWERED = "answered"
    SKIPPED = "skipped"


class MoveKind(StrEnum):
    """What the interviewer does next; the engine only words it."""

    ASK = "ask"
    EXPAND = "expand"
    CLARIFY = "clarify"
    QUANTIFY = "quantify"
    CHALLENGE_MISCONCEPTION = "challenge_misconception"
    CHALLENGE_NUMBER = "challenge_number"
    CONTRADICTION = "contradiction"
    COUNTERFACTUAL = "counterfactual"
    MOVE_ON = "move_on"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """`why` says what it was chosen for; `bullet` is the résumé line behind it, if any."""

    question_id: str
    minutes: int
    why: Message
    bullet: str | None = None
    bullet_id: str | None = None
    drawn: tuple[tuple[str, str], ...] = ()  # numbers of this plan, by parameter; see drawing


@dataclass(frozen=True, slots=True)
class Plan:
    lang: Lang
    level: Level
    mode: Mode
    minutes: int
    questions: tuple[PlannedQuestion, ...]
    resume_id: str | None = None
    posting_id: str | None = None
    seed: str = ""  # of the drawn numbers: a plan made again from it has the same


@dataclass(frozen=True, slots=True)
class Move:
    """What to ask and about which gap. `about` is a point, a misconception or a number's text."""

    kind: MoveKind
    question_id: str | None = None
    about: str | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """`depth` 0 is the question itself, 1.. are its follow-ups."""

    seq: int
    question_id: str
    move: Move
    text: str  # as the interviewer said it
    depth: int
    asked_at: datetime
    status: TurnStatus = TurnStatus.ASKED
    answer: str | None = None
    answered_at: datetime | None = None
    grade: Grade | None = None  # of this answer alone
    snapshot: ReadAnswer | None = None  # all the engine was given
    read_by: EngineNote | None = None
    worded_by: EngineNote | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """`position` is the index of the current planned question."""

    id: str
    plan: Plan
    created_at: datetime
    updated_at: datetime
    status: SessionStatus = SessionStatus.OPEN
    position: int = 0
    turns: tuple[Turn, ...] = field(default=())
    revision: int = 0

    @property
    def current(self) -> Turn | None:
        return self.turns[-1] if self.turns else None

    def awaiting(self, seq: int) -> Turn:
        """The turn that may be answered now.

        Raises:
            SessionClosed, SessionPaused: the interview is not running.
            TurnOutOfOrder: `seq` is not the awaited turn.
        """
        self.require_open()
        turn = self.current
        if turn is None or turn.seq != seq or turn.status not in AWAITED:
            raise TurnOutOfOrder("This is not the question that awaits an answer.")
        return turn

    def require_open(self) -> None:
        if self.status is SessionStatus.CLOSED:
            raise SessionClosed("This interview is over; start a new one or read its report.")
        if self.status is SessionStatus.PAUSED:
            raise SessionPaused("This interview is paused; resume it first.")

    def turns_of(self, question_id: str) -> tuple[Turn, ...]:
        return tuple(t for t in self.turns if t.question_id == question_id)


AWAITED = (TurnStatus.ASKED, TurnStatus.STORED)


def ask(session: Session, move: Move, text: str, note: EngineNote | None, now: datetime) -> Session:
    """Append the interviewer's next words as a turn that awaits its answer.

    Raises:
        InputInvalid: the move names no question.
    """
    if move.question_id is None:
        raise InputInvalid("A move that asks must name its question.")
    depth = len(session.turns_of(move.question_id)) if move.kind is not MoveKind.ASK else 0
    turn = Turn(
        seq=len(session.turns) + 1,
        question_id=move.question_id,
        move=move,
        text=text,
        depth=depth,
        asked_at=now,
        worded_by=note,
    )
    position = _position_of(session, move)
    return replace(session, turns=(*session.turns, turn), position=position, updated_at=now)


def _position_of(session: Session, move: Move) -> int:
    ids = [q.question_id for q in session.plan.questions]
    return ids.index(move.question_id) if move.question_id in ids else session.position


def store_answer(session: Session, seq: int, answer: str, now: datetime) -> Session:
    """The answer is safe; its reading follows. A retry may not change the words."""
    turn = session.awaiting(seq)
    stored = replace(turn, answer=answer, answered_at=now, status=TurnStatus.STORED)
    return _replace_last(session, stored, now)


def record(
    session: Session, seq: int, grade: Grade, snapshot: ReadAnswer, note: EngineNote, now: datetime
) -> Session:
    """The answer has been read and graded."""
    turn = session.awaiting(seq)
    graded = replace(turn, status=TurnStatus.ANSWERED, grade=grade, snapshot=snapshot, read_by=note)
    return _replace_last(session, graded, now)


def skip(session: Session, seq: int, now: datetime) -> Session:
    turn = session.awaiting(seq)
    return _replace_last(session, replace(turn, status=TurnStatus.SKIPPED), now)


def pause(session: Session, now: datetime) -> Session:
    session.require_open()
    return replace(session, status=SessionStatus.PAUSED, updated_at=now)


def resume(session: Session, now: datetime) -> Session:
    """Go on after a pause; a running interview stays as it is."""
    if session.status is SessionStatus.CLOSED:
        session.require_open()
    return replace(session, status=SessionStatus.OPEN, updated_at=now)


def close(session: Session, now: datetime) -> Session:
    """End it; closing twice changes nothing."""
    if session.status is SessionStatus.CLOSED:
        return session
    return replace(session, status=SessionStatus.CLOSED, updated_at=now)


def _replace_last(session: Session, turn: Turn, now: datetime) -> Session:
    return replace(session, turns=(*session.turns[:-1], turn), updated_at=now)


def next_planned(session: Session) -> PlannedQuestion | None:
    """The next question of the plan that has not been asked yet."""
    asked = {t.question_id for t in session.turns}
    return next((q for q in session.plan.questions if q.question_id not in asked), None)
