"""Hints in coached mode: three levels for a point, each telling more and leaving less to earn.

The first says where to look, the second how a good sentence begins, the third says the point.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from service.domain.grading import Dimension, Finding, RubricPoint
from service.domain.interview import Hint, Mode, Session, Turn, TurnStatus, add_hint
from service.domain.knowledge import Question
from service.domain.language import Bilingual, Message, msg
from service.domain.policy import layer_order, merge_findings, required_points, unsaid_points
from service.errors import InputInvalid

LEVELS: Final = 3
# The most a point can earn after its hints, by the highest level that was given.
CEILING: Final[Mapping[int, float]] = {0: 1.0, 1: 0.75, 2: 0.5, 3: 0.25}
_WHERE: Final[Mapping[Dimension, Message]] = {
    Dimension.MOTIVATION: msg(
        "Go back to what the problem is: one thing about it is not said yet."
    ),
    Dimension.STAGES: msg("Look at how it works step by step: one part is not said yet."),
    Dimension.TRADEOFFS: msg("Think of what it costs and when it pays: one side is not said yet."),
    Dimension.EXPERIENCE: msg("Think of a run of your own: what did you set, see or measure?"),
}
_WHERE_NUMBER: Final = msg("A number belongs here, with the terms it is made of.")
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)?")


def give_hint(session: Session, seq: int, question: Question, now: datetime) -> Session:
    """Write down the next hint for the awaited turn.

    Raises:
        SessionClosed, SessionPaused, TurnOutOfOrder: this turn awaits no answer.
        InputInvalid: exam mode, a stored answer, or nothing is left to hint at.
    """
    turn = session.awaiting(seq)
    if session.plan.mode is not Mode.COACHED or turn.status is not TurnStatus.ASKED:
        raise InputInvalid("Hints are given in coached mode, before the answer is sent.")
    point = _target(session, turn, question)
    if point is None:
        raise InputInvalid("There is nothing left to hint at here.")
    level = _given(session.attempt_of(question.id), point.id) + 1
    return add_hint(session, seq, Hint(point.id, level, session.moment(now)), now)


def hint_text(question: Question, hint: Hint) -> Message:
    """The words of a hint; they never stand in the interviewer's own lines."""
    point = question.rubric.point(hint.point_id)
    if hint.level == 1:
        return _WHERE_NUMBER if point.quantities or point.figures else _WHERE[point.dimension]
    if hint.level < LEVELS:
        return msg("A good sentence begins like this: {opening}", opening=_opening(point.text))
    return msg("What is looked for: {point}", point=point.text)


def with_ceilings(findings: Sequence[Finding], turns: Sequence[Turn]) -> tuple[Finding, ...]:
    """The findings with what hints left to earn; `turns` are those of the question up to now."""
    return tuple(_lowered(f, CEILING[_given(turns, f.point_id)]) for f in findings)


def _lowered(finding: Finding, ceiling: float) -> Finding:
    if ceiling == CEILING[0]:
        return finding
    note = msg("After hints it can earn {percent} % at most.", percent=round(ceiling * 100))
    return replace(finding, ceiling=ceiling, note=finding.note or note)


def _given(turns: Sequence[Turn], point_id: str) -> int:
    levels = [h.level for t in turns for h in t.hints if h.point_id == point_id]
    return min(LEVELS, max(levels, default=0))


def _target(session: Session, turn: Turn, question: Question) -> RubricPoint | None:
    """The point the turn asks about, else the next that is open; one with hints left."""
    attempt = session.attempt_of(question.id)
    required = required_points(question, session.plan.level)
    merged = merge_findings(attempt)
    asked = [p for p in question.rubric.points if p.id == turn.move.about]
    open_points = unsaid_points(merged, required)
    ordered = (*asked, *layer_order(question, open_points, attempt))
    return next((p for p in ordered if _given(attempt, p.id) < LEVELS), None)


def _opening(text: Bilingual) -> Bilingual:
    """The first words, with the figures taken out."""
    zh, en = text.zh, text.en.split()
    head = " ".join(en[: max(3, len(en) // 3)])
    return Bilingual(
        zh=_FIGURE.sub("□", zh[: max(6, len(zh) // 3)]) + "……", en=_FIGURE.sub("□", head) + " …"
    )
