"""Which move follows an answer. The domain decides what to ask; an engine only words it.

A contradiction comes first, then a false belief, a wrong number, a denied point, a half-said one,
an unsaid one; unsaid points one layer down per turn: what it is and why, how it works, what it
costs, when to choose it, one's own run, and at last how one knows. Then the next question, until
time or plan end.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.disagreeing import earlier_number, earlier_point
from service.domain.grading import Dimension, Finding, Grade, Level, RubricPoint, Verdict
from service.domain.interview import (
    WARM_UP,
    Move,
    MoveKind,
    Session,
    Turn,
    TurnStatus,
    next_planned,
)
from service.domain.knowledge import Misconception, Question
from service.domain.merging import merge_findings
from service.domain.not_knowing import NotKnowing, not_knowing
from service.domain.quoting import quotable
from service.domain.text import SENTENCE_ENDS, clause_ends, first_clauses
from service.domain.timing import is_over, is_question_over

# Follow-ups per question: deeper than this a real interviewer changes the subject.
DEPTH_BY_LEVEL: Final[Mapping[Level, int]] = {
    Level.JUNIOR: 2,
    Level.MID: 3,
    Level.SENIOR: 3,
    Level.ARCHITECT: 4,
}
LEVELS: Final = tuple(Level)


def next_move(
    session: Session,
    questions: Mapping[str, Question],
    atlas: Mapping[str, Misconception] | None = None,
    now: datetime | None = None,
) -> Move:
    """The move after the last turn of `session`, which must be answered or skipped.

    Without `now` no time has run out; without `atlas` beliefs are not held against other questions.
    """
    turn = session.turns[-1]
    if now is not None and is_over(session, now):
        return Move(MoveKind.CLOSE)
    question = questions.get(turn.question_id)
    is_late = now is not None and is_question_over(session, turn.question_id, now)
    if question is None or is_late:
        return _next_question(session)
    return _follow_up(session, turn, question, atlas or {}) or _next_question(session)


def says_dont_know(answer: str) -> bool:
    """The whole answer is an honest "I don't know", in either language."""
    return not_knowing(answer) is NotKnowing.ALL


def required_points(question: Question, level: Level) -> tuple[RubricPoint, ...]:
    """The points a good answer at `level` must have."""
    rank = LEVELS.index(level)
    return tuple(p for p in question.rubric.points if LEVELS.index(p.required_from) <= rank)


def _follow_up(
    session: Session, turn: Turn, question: Question, atlas: Mapping[str, Misconception]
) -> Move | None:
    if not _may_follow_up(session, turn):
        return None
    grade = turn.grade
    if grade is None or turn.answer is None:
        return None
    return (
        _contradiction(session, turn, grade)
        or _false_belief(session, turn, grade, atlas)
        or _wrong_number(session, turn, grade)
        or _gap(session, turn, question, atlas)
        or _how_known(session, turn, question)
    )


def _may_follow_up(session: Session, turn: Turn) -> bool:
    if turn.status is not TurnStatus.ANSWERED or not turn.answer:
        return False
    if says_dont_know(turn.answer):
        return False
    return turn.depth < DEPTH_BY_LEVEL[session.plan.level]


def _move(kind: MoveKind, turn: Turn, about: str, quote: str, earlier: str = "") -> Move:
    return Move(kind, turn.question_id, about, quotable(quote), quotable(earlier))


def _attempt(session: Session, turn: Turn) -> tuple[Turn, ...]:
    return session.attempt_of(turn.question_id, turn.attempt)


def _already(session: Session, turn: Turn) -> set[tuple[MoveKind, str | None]]:
    return {(t.move.kind, t.move.about) for t in _attempt(session, turn)}


def _contradiction(session: Session, turn: Turn, grade: Grade) -> Move | None:
    """A point once said right and now denied; putting a mistake right is no contradiction."""
    earlier = merge_findings(_attempt(session, turn)[:-1])
    for finding in grade.findings:
        before = earlier.get(finding.point_id)
        if before is None or finding.evidence is None:
            continue
        taken_back = (before.verdict, finding.verdict) == (Verdict.MET, Verdict.CONTRADICTED)
        if taken_back and (MoveKind.CONTRADICTION, finding.point_id) not in _already(session, turn):
            said = before.evidence.quote if before.evidence else ""
            quote = finding.evidence.quote
            return _move(MoveKind.CONTRADICTION, turn, finding.point_id, quote, said)
    return None


def _false_belief(
    session: Session, turn: Turn, grade: Grade, atlas: Mapping[str, Misconception]
) -> Move | None:
    """A belief is probed; one that goes against what was said before is held against it."""
    seen = {about for _, about in _already(session, turn)}
    for asserted in grade.misconceptions:
        about = asserted.misconception_id
        if about in seen:
            continue
        said = earlier_point(session, turn, atlas.get(about))
        kind = MoveKind.CONTRADICTION if said else MoveKind.CHALLENGE_MISCONCEPTION
        return _move(kind, turn, about, asserted.evidence.quote, said)
    return None


def _wrong_number(session: Session, turn: Turn, grade: Grade) -> Move | None:
    seen = {about for _, about in _already(session, turn)}
    for claim in grade.claims:
        if claim.verdict is not ClaimVerdict.WRONG or claim.text in seen:
            continue
        said = earlier_number(session, turn, claim)
        kind = MoveKind.CONTRADICTION if said else MoveKind.CHALLENGE_NUMBER
        return Move(kind, turn.question_id, claim.text, claim.text, said)
    return None


def _gap(
    session: Session, turn: Turn, question: Question, atlas: Mapping[str, Misconception]
) -> Move | None:
    """The heaviest required point that is denied, else half said, else an unsaid one a layer down.

    Who does not know a number is not asked for another one.
    """
    attempt = _attempt(session, turn)
    merged = merge_findings(attempt)
    asked = {t.move.about for t in attempt}
    points = [p for p in required_points(question, session.plan.level) if p.id not in asked]
    if not_knowing(turn.answer or "") is NotKnowing.NUMBER:
        points = [p for p in points if not _is_numeric(p)]
    half = [p for p in points if _verdict(merged, p) is Verdict.PARTIAL]
    doubtful = _denied(merged, points, [atlas[i] for i in asked if i and i in atlas]) or half
    if doubtful:
        point = max(doubtful, key=lambda p: _weight(question, p))
        return _move(MoveKind.CLARIFY, turn, point.id, _quote_for(merged, point, turn))
    unsaid = layer_order(question, unsaid_points(merged, points), attempt)
    if not unsaid:
        return None
    point = unsaid[0]
    kind = MoveKind.QUANTIFY if _is_numeric(point) else MoveKind.EXPAND
    return _move(kind, turn, point.id, _quote_for(merged, point, turn))


def _denied(
    merged: Mapping[str, Finding], points: Sequence[RubricPoint], probed: Sequence[Misconception]
) -> list[RubricPoint]:
    """The points that were denied, without those whose belief has been asked about."""
    settled = {named.rpartition("/")[2] for belief in probed for named in belief.contradicts}
    denied = (p for p in points if _verdict(merged, p) is Verdict.CONTRADICTED)
    return [p for p in denied if p.id not in settled]


def _is_numeric(point: RubricPoint) -> bool:
    return bool(point.quantities or point.figures)


def unsaid_points(
    merged: Mapping[str, Finding], points: Sequence[RubricPoint]
) -> list[RubricPoint]:
    return [p for p in points if _verdict(merged, p) in UNSAID]


# From the first question of a chain to its last: why, how, its cost, the choice, one's own run.
LAYER: Final[Mapping[Dimension, int]] = {
    Dimension.MOTIVATION: 0,
    Dimension.STAGES: 1,
    Dimension.TRADEOFFS: 3,
    Dimension.EXPERIENCE: 4,
}
LAYERS: Final = 5
_COST: Final = 2


def layer(point: RubricPoint) -> int:
    layer_of = LAYER[point.dimension]
    return max(layer_of, _COST) if _is_numeric(point) else layer_of


def layer_order(
    question: Question, points: Sequence[RubricPoint], attempt: Sequence[Turn]
) -> list[RubricPoint]:
    """The heaviest first; after a follow-up those of the next layer down, then round again."""
    by_id = {p.id: p for p in question.rubric.points}
    asked = [by_id[t.move.about] for t in attempt if t.move.about in by_id]
    if not asked:
        return sorted(points, key=lambda p: -_weight(question, p))
    last = layer(asked[-1])
    return sorted(points, key=lambda p: ((layer(p) - last - 1) % LAYERS, -_weight(question, p)))


def _how_known(session: Session, turn: Turn, question: Question) -> Move | None:
    """The last question of a chain: something of one's own was told, how is it known?"""
    attempt = _attempt(session, turn)
    if session.plan.level is Level.JUNIOR or any(t.move.kind is MoveKind.EVIDENCE for t in attempt):
        return None
    own = {p.id for p in question.rubric.points if p.dimension is Dimension.EXPERIENCE}
    for finding in turn.grade.findings if turn.grade else ():
        told = finding.verdict in (Verdict.MET, Verdict.PARTIAL) and finding.evidence
        if finding.point_id in own and told:
            return _move(MoveKind.EVIDENCE, turn, finding.point_id, told.quote)
    return None


# An answer too short to be read leaves every point unjudged: ask for more, too.
UNSAID: Final = frozenset({Verdict.MISSED, Verdict.UNSUPPORTED, Verdict.UNJUDGED})


def _verdict(merged: Mapping[str, Finding], point: RubricPoint) -> Verdict:
    finding = merged.get(point.id)
    return finding.verdict if finding else Verdict.UNJUDGED


def _weight(question: Question, point: RubricPoint) -> float:
    """The point's share of the whole mark; ties keep the rubric's order (max takes the first)."""
    total = sum(p.weight for p in question.rubric.points if p.dimension is point.dimension)
    return float(question.rubric.dimensions[point.dimension] * point.weight / total)


def _quote_for(merged: Mapping[str, Finding], point: RubricPoint, turn: Turn) -> str:
    """The candidate's own words to hook on: about this point if any, else what earned credit."""
    own = merged.get(point.id)
    this_turn = turn.grade.findings if turn.grade else ()
    candidates = [own, *this_turn, *merged.values()]
    for finding in candidates:
        if finding and finding.evidence and finding.evidence.quote in (turn.answer or ""):
            return finding.evidence.quote
    return _first_clause(turn.answer or "")


LONGEST_QUOTE: Final = 80  # characters


def _first_clause(answer: str) -> str:
    text = answer.strip()
    ends = [at for at in clause_ends(text, SENTENCE_ENDS) if at]
    return first_clauses(text[: ends[0]] if ends else text, LONGEST_QUOTE)


def _next_question(session: Session) -> Move:
    """Leave the subject; who did not know is let off kindly."""
    planned = next_planned(session)
    if planned is None:
        return Move(MoveKind.CLOSE)
    last = session.turns[-1]
    unknown = last.question_id != WARM_UP and says_dont_know(last.answer or "")
    kind = MoveKind.MOVE_ON if unknown else MoveKind.ASK
    return Move(kind, planned.question_id, quote=planned.bullet or "")
