"""Which move follows an answer. The domain decides what to ask; an engine only words it.

One layer down per turn: a contradiction first, then a false belief, a wrong number, a half-said
point, an unsaid point; then the next question, and at the end of the plan the interview closes.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Finding, Grade, Level, RubricPoint, Verdict
from service.domain.interview import Move, MoveKind, Session, Turn, TurnStatus, next_planned
from service.domain.knowledge import Question
from service.domain.text import SENTENCE_ENDS, clause_ends, first_clauses, fold

# Follow-ups per question: deeper than this a real interviewer changes the subject.
DEPTH_BY_LEVEL: Final[Mapping[Level, int]] = {
    Level.JUNIOR: 2,
    Level.MID: 3,
    Level.SENIOR: 3,
    Level.ARCHITECT: 4,
}
LEVELS: Final = tuple(Level)
# Whole answers that say "I do not know", after folding, without punctuation, lower case.
DONT_KNOW: Final = (
    "不知道", "不会", "不太会", "不清楚", "不太清楚", "没了解过", "没接触过", "不了解", "不太了解",
    "i dont know", "i do not know", "dont know", "no idea", "not sure", "im not sure", "pass",
    "i have no idea", "skip",
)  # fmt: skip
DONT_KNOW_LONGEST: Final = 40


def next_move(session: Session, questions: Mapping[str, Question]) -> Move:
    """The move after the last turn of `session`, which must be answered or skipped."""
    turn = session.turns[-1]
    question = questions[turn.question_id]
    follow_up = _follow_up(session, turn, question)
    return follow_up or _next_question(session)


def says_dont_know(answer: str) -> bool:
    """The whole answer is an honest "I don't know", in either language."""
    bare = "".join(c for c in fold(answer).text.lower() if c.isalnum() or c == " ").strip()
    return len(bare) <= DONT_KNOW_LONGEST and any(phrase in bare for phrase in DONT_KNOW)


def required_points(question: Question, level: Level) -> tuple[RubricPoint, ...]:
    """The points a good answer at `level` must have."""
    rank = LEVELS.index(level)
    return tuple(p for p in question.rubric.points if LEVELS.index(p.required_from) <= rank)


def merge_findings(turns: Sequence[Turn]) -> dict[str, Finding]:
    """Per point the final stance over a question's turns: a later decision replaces an earlier.

    Saying nothing about a point in a follow-up takes nothing back.
    """
    merged: dict[str, Finding] = {}
    for turn in turns:
        for finding in turn.grade.findings if turn.grade else ():
            known = merged.get(finding.point_id)
            if known is None or _replaces(finding, known):
                merged[finding.point_id] = finding
    return merged


DECIDED: Final = frozenset({Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED})


def _replaces(later: Finding, known: Finding) -> bool:
    """Only a change of verdict replaces: the words that earned a point first are its best quote."""
    if later.verdict not in DECIDED:
        return known.verdict is Verdict.UNJUDGED
    return (known.verdict, later.verdict) not in KEPT


# (before, later): what was said before stands.
KEPT: Final = frozenset(
    {
        (Verdict.MET, Verdict.MET),
        (Verdict.MET, Verdict.PARTIAL),
        (Verdict.PARTIAL, Verdict.PARTIAL),
        (Verdict.CONTRADICTED, Verdict.CONTRADICTED),
    }
)


def _follow_up(session: Session, turn: Turn, question: Question) -> Move | None:
    if not _may_follow_up(session, turn):
        return None
    grade = turn.grade
    if grade is None or turn.answer is None:
        return None
    return (
        _contradiction(session, turn, grade)
        or _false_belief(session, turn, grade)
        or _wrong_number(session, turn, grade)
        or _gap(session, turn, question)
    )


def _may_follow_up(session: Session, turn: Turn) -> bool:
    if turn.status is not TurnStatus.ANSWERED or not turn.answer:
        return False
    if says_dont_know(turn.answer):
        return False
    return turn.depth < DEPTH_BY_LEVEL[session.plan.level]


def _move(kind: MoveKind, turn: Turn, about: str, quote: str) -> Move:
    return Move(kind, turn.question_id, about, quote)


def _already(session: Session, turn: Turn) -> set[tuple[MoveKind, str | None]]:
    return {(t.move.kind, t.move.about) for t in session.turns_of(turn.question_id)}


def _contradiction(session: Session, turn: Turn, grade: Grade) -> Move | None:
    """A point once said right and now denied; putting a mistake right is no contradiction."""
    earlier = merge_findings(session.turns_of(turn.question_id)[:-1])
    for finding in grade.findings:
        before = earlier.get(finding.point_id)
        if before is None or finding.evidence is None:
            continue
        taken_back = (before.verdict, finding.verdict) == (Verdict.MET, Verdict.CONTRADICTED)
        if taken_back and (MoveKind.CONTRADICTION, finding.point_id) not in _already(session, turn):
            return _move(MoveKind.CONTRADICTION, turn, finding.point_id, finding.evidence.quote)
    return None


def _false_belief(session: Session, turn: Turn, grade: Grade) -> Move | None:
    seen = _already(session, turn)
    kind = MoveKind.CHALLENGE_MISCONCEPTION
    for asserted in grade.misconceptions:
        if (kind, asserted.misconception_id) not in seen:
            return _move(kind, turn, asserted.misconception_id, asserted.evidence.quote)
    return None


def _wrong_number(session: Session, turn: Turn, grade: Grade) -> Move | None:
    seen = _already(session, turn)
    for claim in grade.claims:
        key = (MoveKind.CHALLENGE_NUMBER, claim.text)
        if claim.verdict is ClaimVerdict.WRONG and key not in seen:
            return _move(MoveKind.CHALLENGE_NUMBER, turn, claim.text, claim.text)
    return None


def _gap(session: Session, turn: Turn, question: Question) -> Move | None:
    """The heaviest required point that is half said, else the heaviest unsaid one."""
    merged = merge_findings(session.turns_of(turn.question_id))
    asked = {t.move.about for t in session.turns_of(turn.question_id)}
    points = [p for p in required_points(question, session.plan.level) if p.id not in asked]
    half = [p for p in points if _verdict(merged, p) is Verdict.PARTIAL]
    if half:
        point = max(half, key=lambda p: _weight(question, p))
        return _move(MoveKind.CLARIFY, turn, point.id, _quote_for(merged, point, turn))
    unsaid = [p for p in points if _verdict(merged, p) in UNSAID]
    if not unsaid:
        return None
    point = max(unsaid, key=lambda p: _weight(question, p))
    kind = MoveKind.QUANTIFY if point.quantities else MoveKind.EXPAND
    return _move(kind, turn, point.id, _quote_for(merged, point, turn))


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
    planned = next_planned(session)
    if planned is None:
        return Move(MoveKind.CLOSE)
    return Move(MoveKind.ASK, planned.question_id, quote=planned.bullet or "")
