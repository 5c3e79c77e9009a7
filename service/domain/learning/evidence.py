"""What an interview or a drill showed of its skill points, as reviews.

A verdict is confirmed when fixed rules read the answer, when they see the point as well, or when
a number in its quote was recomputed and is right. A model alone confirms nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.grading import (
    CREDIT,
    Finding,
    Grade,
    GradeStatus,
    Level,
    Verdict,
)
from service.domain.interview import Mode, PlannedQuestion, Session, Turn
from service.domain.knowledge import Misconception, Question
from service.domain.learning.model import (
    Drill,
    DrillStatus,
    Origin,
    PointShown,
    Review,
)
from service.domain.learning.rating import RATING, Shown, rule_of
from service.domain.policy import merge_findings, required_points, says_dont_know
from service.domain.reporting import question_grade, still_wrong
from service.domain.tasks import EngineNote

# Raise it when a rule here or in `rating` changes: what was learned is then made anew.
RULES: Final = 3
# Engines whose verdicts are fixed rules.
BY_RULES: Final = frozenset({"builtin"})

# Ids of the points that the fixed rules see as met, by the number of the turn.
Agreed = Mapping[int, frozenset[str]]


def is_read_by_rules(note: EngineNote | None) -> bool:
    return note is not None and note.engine in BY_RULES


def reviews_of(
    session: Session,
    questions: Mapping[str, Question],
    atlas: Mapping[str, Misconception],
    agreed: Agreed,
) -> tuple[Review, ...]:
    """One review for each question that was judged; skipped and thin ones are none."""
    found = (
        _review_of(session, planned, questions[planned.question_id], atlas, agreed)
        for planned in session.plan.questions
        if planned.question_id in questions
    )
    return tuple(review for review in found if review)


def _review_of(
    session: Session,
    planned: PlannedQuestion,
    question: Question,
    atlas: Mapping[str, Misconception],
    agreed: Agreed,
) -> Review | None:
    turns = [t for t in session.turns_of(question.id) if t.grade is not None]
    total = question_grade(question, turns, atlas)
    if total is None:
        return None
    points = tuple(
        _shown(session, turns, finding, agreed)
        for finding in merge_findings(turns).values()
        if finding.verdict is not Verdict.UNJUDGED
    )
    unknown = any(says_dont_know(t.answer or "") for t in turns)
    first = tuple(f for f in merge_findings(turns[:1]).values() if f.verdict is Verdict.MET)
    shown = _summed(question, session.plan.level, points, total, unknown, len(first))
    if shown is None:
        return None
    rule = rule_of(shown)
    return Review(
        id=f"{session.id}/{question.id}",
        at=max(t.answered_at or t.asked_at for t in turns),
        topic=question.topic,
        question_id=question.id,
        origin=Origin.INTERVIEW,
        origin_id=session.id,
        rating=RATING[rule],
        rule=rule,
        share=round(shown.share, 4),
        proved=round(shown.proved, 4),
        points=points,
        bullet=planned.bullet,
        bullet_id=planned.bullet_id,
    )


def _shown(session: Session, turns: Sequence[Turn], finding: Finding, agreed: Agreed) -> PointShown:
    """The point with the turn that decided it: was it hinted there, was it confirmed there?"""
    deciding = (t for t in turns if t.grade and finding in t.grade.findings)
    turn = next(deciding, None) or _correcting(turns, finding)
    return PointShown(
        point_id=finding.point_id,
        verdict=finding.verdict,
        quote=finding.evidence.quote if finding.evidence else "",
        hinted=is_hinted(session, turn) or finding.ceiling < 1,
        confirmed=is_read_by_rules(turn.read_by)
        or finding.point_id in agreed.get(turn.seq, frozenset())
        or has_right_number(finding, turn.grade),
    )


def _correcting(turns: Sequence[Turn], finding: Finding) -> Turn:
    """A number put right later decides without naming the point: the turn that said it."""
    said = finding.evidence
    saying = (t for t in turns if said and t.answer and said.span.of(t.answer) == said.quote)
    return next(saying, turns[-1])


def is_hinted(session: Session, turn: Turn) -> bool:
    """Coached interviews show after each answer what was missing: the next one is helped."""
    return session.plan.mode is Mode.COACHED and (turn.depth > 0 or turn.attempt > 1)


def has_right_number(finding: Finding, total: Grade | None) -> bool:
    """A number inside the quote was recomputed and is right."""
    if total is None or finding.evidence is None:
        return False
    span = finding.evidence.span
    return any(c.verdict is ClaimVerdict.RIGHT and c.span.overlaps(span) for c in total.claims)


def _summed(
    question: Question,
    level: Level,
    points: Sequence[PointShown],
    total: Grade,
    unknown: bool,
    met_first: int,
) -> Shown | None:
    """None where too little was judged, unless the person said honestly not to know."""
    weights = _weights(question, level, points)
    if unknown and not any(p.credit for p in points):
        return Shown(0.0, 0.0, 0.0, says_dont_know=True)
    if total.status is not GradeStatus.GRADED or not weights:
        return None
    return Shown(
        share=_share(weights, points),
        unaided=_share(weights, (p for p in points if not p.hinted)),
        proved=_share(weights, (p for p in points if p.is_own)),
        is_wrong=_is_wrong(points, total),
        at_once=met_first >= len(weights),
    )


def _is_wrong(points: Sequence[PointShown], total: Grade) -> bool:
    contradicted = any(p.verdict is Verdict.CONTRADICTED for p in points)
    return contradicted or bool(total.misconceptions) or bool(still_wrong(total.claims))


def _weights(question: Question, level: Level, points: Sequence[PointShown]) -> dict[str, float]:
    """Share in the mark of each judged point that the level asks for; of all where it asks none."""
    judged = {p.point_id for p in points if p.verdict in CREDIT}
    required = [p for p in required_points(question, level) if p.id in judged]
    counted = required or [p for p in question.rubric.points if p.id in judged]
    sums = {
        d: sum(p.weight for p in question.rubric.points if p.dimension is d)
        for d in question.rubric.dimensions
    }
    return {
        p.id: float(question.rubric.dimensions[p.dimension] * p.weight / sums[p.dimension])
        for p in counted
    }


def _share(weights: Mapping[str, float], points: Iterable[PointShown]) -> float:
    earned = sum(weights.get(p.point_id, 0.0) * p.credit for p in points)
    return earned / sum(weights.values())


def review_of_drill(drill: Drill) -> Review | None:
    """A drill that was judged, as a review; None for one that is open, skipped or too thin."""
    if drill.status is not DrillStatus.ANSWERED or drill.grade is None:
        return None
    finding = next((f for f in drill.grade.findings if f.point_id == drill.point_id), None)
    unknown = says_dont_know(drill.answer or "")
    if finding is None or (finding.verdict is Verdict.UNJUDGED and not unknown):
        return None
    point = PointShown(
        point_id=drill.point_id,
        verdict=finding.verdict,
        quote=finding.evidence.quote if finding.evidence else "",
        hinted=drill.hints > 0,
        confirmed=is_read_by_rules(drill.read_by)
        or drill.point_id in drill.confirmed
        or has_right_number(finding, drill.grade),
    )
    credit = point.credit
    shown = Shown(
        share=credit,
        unaided=0.0 if point.hinted else credit,
        proved=credit if point.is_own else 0.0,
        is_wrong=_is_wrong((point,), drill.grade),
        says_dont_know=unknown and not credit,
    )
    rule = rule_of(shown)
    return Review(
        id=drill.id,
        at=drill.updated_at,
        topic=drill.topic,
        question_id=drill.question_id,
        origin=Origin.DRILL,
        origin_id=drill.id,
        rating=RATING[rule],
        rule=rule,
        share=shown.share,
        proved=shown.proved,
        points=(point,),
    )
