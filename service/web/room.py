"""What the room shows of a session: progress, turns, and what a coached answer is told."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from service.domain.grading import Finding, Verdict
from service.domain.hinting import CEILING, LEVELS, hint_text
from service.domain.interview import Mode, PlannedQuestion, Session, Turn, TurnStatus
from service.domain.knowledge import Question
from service.domain.language import Bilingual, Message
from service.domain.reporting import lift
from service.domain.timing import Timing, timing
from service.web.highlight import Piece, evidence_marks, pieces

# What a coached candidate is told; unsaid points stay unsaid, they may still be asked.
TOLD: Final = frozenset({Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED, Verdict.UNSUPPORTED})
SENTENCE_END: Final = re.compile(r"(?<=[。！？!?；;])|(?<=[.] )")


@dataclass(frozen=True, slots=True)
class Progress:
    """`steps` has a look for each planned question; `time` is None where none runs."""

    now: int
    all: int
    depth: int
    minutes: int
    asked_at: datetime | None
    steps: tuple[str, ...]
    time: Timing | None = None


@dataclass(frozen=True, slots=True)
class CoachedPoint:
    text: Bilingual
    finding: Finding
    lift: Message | None


def progress(session: Session, now: datetime | None = None) -> Progress:
    turn = session.current
    planned = session.plan.questions
    waits = turn is not None and turn.status in (TurnStatus.ASKED, TurnStatus.STORED)
    return Progress(
        now=min(session.position + 1, len(planned)),
        all=len(planned),
        depth=turn.depth if turn and waits else 0,
        minutes=planned[session.position].minutes,
        asked_at=_asked_at(session, turn) if turn and waits else None,
        steps=tuple(_look(session, index, one) for index, one in enumerate(planned)),
        time=timing(session, now) if now and waits else None,
    )


def _asked_at(session: Session, turn: Turn) -> datetime:
    """When the question itself was put, follow-ups included in its time."""
    return session.attempt_of(turn.question_id)[0].asked_at


def _look(session: Session, index: int, planned: PlannedQuestion) -> str:
    turns = session.turns_of(planned.question_id)
    waits = any(t.status in (TurnStatus.ASKED, TurnStatus.STORED) for t in turns)
    if waits and index == session.position:
        return "now"
    if any(t.answer is not None for t in turns):
        return "done"
    return "left-out" if turns else ""


def sentences(text: str) -> tuple[str, ...]:
    """The interviewer's words in the pieces in which they appear."""
    return tuple(piece for piece in SENTENCE_END.split(text) if piece)


def highlight(turn: Turn, shows_evidence: bool) -> tuple[Piece, ...]:
    """The answer; with the words marked that its findings rest on, where that may be shown."""
    marks = evidence_marks(turn.grade) if shows_evidence else ()
    return pieces(turn.answer or "", marks)


def coaching(turn: Turn, question: Question | None) -> tuple[CoachedPoint, ...]:
    if turn.grade is None or question is None:
        return ()
    points = {p.id: p for p in question.rubric.points}
    return tuple(
        CoachedPoint(points[f.point_id].text, f, lift(points[f.point_id], f.verdict))
        for f in turn.grade.findings
        if f.verdict in TOLD and f.point_id in points
    )


def clock(seconds: float) -> str:
    """M:SS, or H:MM:SS; what is below 0 is time over, without a sign."""
    whole = abs(int(seconds))
    hours, rest = divmod(whole, 3_600)
    minutes, last = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{last:02}" if hours else f"{minutes}:{last:02}"


@dataclass(frozen=True, slots=True)
class GivenHint:
    text: Message
    percent: int  # what its point can still earn
    is_last: bool


def hints(turn: Turn, question: Question | None) -> tuple[GivenHint, ...]:
    if question is None:
        return ()
    return tuple(
        GivenHint(hint_text(question, h), round(CEILING[h.level] * 100), h.level == LEVELS)
        for h in turn.hints
    )


def is_coached(session: Session) -> bool:
    return session.plan.mode is Mode.COACHED


def turn_key(session: Session, turn: Turn) -> str:
    """One key a turn: a second click or a refresh repeats the same request."""
    return f"page-{session.id}-{turn.seq}"
