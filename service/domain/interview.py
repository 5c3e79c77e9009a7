"""An interview as a value: its plan, its turns, and which operation is allowed when.

Every operation returns a new Session; time and ids come in as arguments. Which move follows an
answer is decided in `service.domain.policy`.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

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
    SET_ASIDE = "set_aside"  # the person went back to an earlier question first


class MoveKind(StrEnum):
    """What the interviewer does next; the engine only words it."""

    WARM_UP = "warm_up"  # unscored
    ASK = "ask"
    RETRY = "retry"  # the same question once more
    EXPAND = "expand"
    CLARIFY = "clarify"
    QUANTIFY = "quantify"
    CHALLENGE_MISCONCEPTION = "challenge_misconception"
    CHALLENGE_NUMBER = "challenge_number"
    CONTRADICTION = "contradiction"
    COUNTERFACTUAL = "counterfactual"
    EVIDENCE = "evidence"  # how do you know that it was that?
    MOVE_ON = "move_on"
    CLOSE = "close"


# Moves that put a question anew; all others are follow-ups.
OPENINGS: Final = frozenset(
    {MoveKind.WARM_UP, MoveKind.ASK, MoveKind.RETRY, MoveKind.MOVE_ON, MoveKind.CLOSE}
)
# Stands for the warm-up, which is in no bank and earns no mark.
WARM_UP: Final = "warm-up"


class Basis(StrEnum):
    """What a question was chosen for."""

    USUAL = "usual"  # it belongs to such interviews
    REQUIREMENT = "requirement"  # of the posting
    BULLET = "bullet"  # a line of the résumé
    NUMBER = "number"  # a figure of the résumé that its words do not explain
    GAP = "gap"  # asked for and not shown
    WEAK_POINT = "weak_point"  # of earlier practice
    CHOSEN = "chosen"  # by the person


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """`why` says what it was chosen for; `bullet` is the résumé line behind it, if any."""

    question_id: str
    minutes: int
    why: Message
    bullet: str | None = None
    bullet_id: str | None = None
    drawn: tuple[tuple[str, str], ...] = ()  # numbers of this plan, by parameter; see drawing
    basis: Basis = Basis.USUAL


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
    warm_up: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """What to ask and about which gap. `about` is a point, a misconception or a number's text.

    `earlier` are the candidate's words that `quote` does not go with.
    """

    kind: MoveKind
    question_id: str | None = None
    about: str | None = None
    quote: str = ""
    earlier: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint that was given: which point, how much it told (1..3), when."""

    point_id: str
    level: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """`depth` 0 is the question itself, 1.. are its follow-ups.

    `attempt` counts the times the question was begun; `paused` are the seconds of pauses while
    this turn waited.
    """

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
    attempt: int = 1
    paused: float = 0.0
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """`position` is the index of the current planned question.

    Its moments never go back: an operation at a clock that was set back takes the last moment.
    """

    id: str
    plan: Plan
    created_at: datetime
    updated_at: datetime
    status: SessionStatus = SessionStatus.OPEN
    position: int = 0
    turns: tuple[Turn, ...] = field(default=())
    revision: int = 0
    paused_at: datetime | None = None

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

    def attempt_of(self, question_id: str, attempt: int | None = None) -> tuple[Turn, ...]:
        """The turns of one attempt at a question, the last one by default."""
        turns = self.turns_of(question_id)
        wanted = attempt or (turns[-1].attempt if turns else 1)
        return tuple(t for t in turns if t.attempt == wanted)

    def moment(self, now: datetime) -> datetime:
        return max(now, self.updated_at)


AWAITED = (TurnStatus.ASKED, TurnStatus.STORED)


def ask(session: Session, move: Move, text: str, note: EngineNote | None, now: datetime) -> Session:
    """Append the interviewer's next words as a turn that awaits its answer.

    Raises:
        InputInvalid: the move names no question.
    """
    if move.question_id is None:
        raise InputInvalid("A move that asks must name its question.")
    now = session.moment(now)
    before = session.attempt_of(move.question_id)
    is_opening = move.kind in OPENINGS
    turn = Turn(
        seq=len(session.turns) + 1,
        question_id=move.question_id,
        move=move,
        text=text,
        depth=0 if is_opening else sum(t.status is not TurnStatus.SET_ASIDE for t in before),
        asked_at=now,
        worded_by=note,
        attempt=_attempt(before, is_opening),
    )
    position = _position_of(session, move)
    return replace(session, turns=(*session.turns, turn), position=position, updated_at=now)


def _attempt(before: tuple[Turn, ...], is_opening: bool) -> int:
    """A question that was only put and set aside has not been tried yet."""
    if not before:
        return 1
    is_new = is_opening and any(t.answer is not None for t in before)
    return before[-1].attempt + is_new


def _position_of(session: Session, move: Move) -> int:
    ids = [q.question_id for q in session.plan.questions]
    return ids.index(move.question_id) if move.question_id in ids else session.position


def store_answer(session: Session, seq: int, answer: str, now: datetime) -> Session:
    """The answer is safe; its reading follows. A retry may not change the words."""
    turn = session.awaiting(seq)
    at = session.moment(now)
    stored = replace(turn, answer=answer, answered_at=at, status=TurnStatus.STORED)
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
    at = session.moment(now)
    return replace(session, status=SessionStatus.PAUSED, paused_at=at, updated_at=at)


def resume(session: Session, now: datetime) -> Session:
    """Go on after a pause, whose length is taken off the time; a running one stays as it is."""
    if session.status is SessionStatus.CLOSED:
        session.require_open()
    at = session.moment(now)
    return replace(_unpaused(session, at), status=SessionStatus.OPEN, updated_at=at)


def close(session: Session, now: datetime) -> Session:
    """End it; closing twice changes nothing."""
    if session.status is SessionStatus.CLOSED:
        return session
    at = session.moment(now)
    return replace(_unpaused(session, at), status=SessionStatus.CLOSED, updated_at=at)


def _unpaused(session: Session, at: datetime) -> Session:
    turn = session.current
    if session.paused_at is None or turn is None:
        return session
    paused = turn.paused + (at - session.paused_at).total_seconds()
    turns = (*session.turns[:-1], replace(turn, paused=paused))
    return replace(session, turns=turns, paused_at=None)


def add_hint(session: Session, seq: int, hint: Hint, now: datetime) -> Session:
    """Write down that a hint was given to the awaited turn."""
    turn = session.awaiting(seq)
    return _replace_last(session, replace(turn, hints=(*turn.hints, hint)), now)


def may_retry(session: Session, question_id: str) -> bool:
    """Coached, running, and the question was answered or left out before."""
    if session.plan.mode is not Mode.COACHED or session.status is not SessionStatus.OPEN:
        return False
    turn = session.current
    if turn is None or turn.status is TurnStatus.STORED or question_id == WARM_UP:
        return False
    done = (TurnStatus.ANSWERED, TurnStatus.SKIPPED)
    return any(t.status in done for t in session.turns_of(question_id))


def set_aside(session: Session, question_id: str, now: datetime) -> Session:
    """Make room for another attempt at `question_id`; what awaits an answer is asked again later.

    Raises:
        SessionClosed, SessionPaused: the interview is not running.
        InputInvalid: this question may not be tried again.
    """
    session.require_open()
    if not may_retry(session, question_id):
        raise InputInvalid(
            "Only in coached mode, and only a question that was answered or skipped "
            "can be tried again."
        )
    turn = session.current
    if turn is None or turn.status is not TurnStatus.ASKED:
        return session
    return _replace_last(session, replace(turn, status=TurnStatus.SET_ASIDE), now)


def _replace_last(session: Session, turn: Turn, now: datetime) -> Session:
    return replace(session, turns=(*session.turns[:-1], turn), updated_at=session.moment(now))


def next_planned(session: Session) -> PlannedQuestion | None:
    """The next question of the plan that has not been asked yet, or was only set aside."""
    asked = {t.question_id for t in session.turns if t.status is not TurnStatus.SET_ASIDE}
    return next((q for q in session.plan.questions if q.question_id not in asked), None)
