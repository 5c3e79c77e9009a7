"""The report of an interview: what was earned, by which words, and what to do next.

Computed from the session and the knowledge base alone; nothing is stored that could disagree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.drawing.fill import as_planned
from service.domain.grading import (
    AssertedMisconception,
    Dimension,
    Finding,
    Grade,
    GradeStatus,
    RubricPoint,
    Verdict,
    grade,
)
from service.domain.interview import Session, SessionStatus, Turn, TurnStatus
from service.domain.knowledge import Fact, Knowledge, Misconception, Question
from service.domain.language import Bilingual, Message, msg
from service.domain.policy import merge_findings, required_points
from service.domain.reporting_level import asked_of_level
from service.domain.reporting_lift import lift
from service.domain.reporting_next import NextSession, QuestionState, next_session
from service.domain.tasks import EngineNote

MOST_GAPS: Final = 3


@dataclass(frozen=True, slots=True)
class PointReport:
    """One mark: the point, the verdict, the quote, and what would lift it."""

    point: RubricPoint
    finding: Finding
    required: bool
    facts: tuple[Fact, ...]
    lift: Message | None


@dataclass(frozen=True, slots=True)
class MisconceptionReport:
    misconception: Misconception
    asserted: AssertedMisconception
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class QuestionReport:
    question: Question
    state: QuestionState
    why: Message
    turns: tuple[Turn, ...]
    grade: Grade | None
    points: tuple[PointReport, ...]
    numbers: tuple[NumericClaim, ...]
    misconceptions: tuple[MisconceptionReport, ...]
    reference: tuple[Fact, ...]
    versions: Mapping[str, Bilingual]
    asked: Mapping[Dimension, float | None]  # what saying all that the level requires would earn
    attempts: tuple[float | None, ...] = ()  # the mark of each, where there were several

    def is_doubtful(self, point_id: str) -> bool:
        """Two readers, or the votes of one, differ on this point: a person should look."""
        notes = [turn.read_by for turn in self.turns if turn.read_by]
        ids = {doubt.point_id for note in notes for doubt in note.doubts}
        return point_id in ids | {spread.point_id for note in notes for spread in note.spread}


@dataclass(frozen=True, slots=True)
class GapReport:
    """`text` is what was missing or wrong; `facts` say what is right."""

    question_id: str
    question: Bilingual
    point_id: str
    text: Bilingual
    why: Message
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """`score` and dimensions 0..100, None where the answers were too thin to judge.

    `asked` is what each dimension would be if exactly the points that the level requires had been
    covered, over the same judged points: the line that a bar is to be held against.
    """

    session: Session
    finished: bool
    score: float | None
    dimensions: Mapping[Dimension, float | None]
    asked: Mapping[Dimension, float | None]
    penalty: float
    questions: tuple[QuestionReport, ...]
    gaps: tuple[GapReport, ...]
    next_action: Message
    next_session: NextSession
    read_by: tuple[EngineNote, ...]
    fell_back: bool


def make_report(session: Session, knowledge: Knowledge) -> Report:
    """Put the report together; pure, so it is always the same for the same session."""
    bank = as_planned(knowledge.questions, session.plan.questions)
    knowledge = replace(knowledge, questions=bank)
    questions = tuple(
        _question_report(session, planned.question_id, planned.why, knowledge)
        for planned in session.plan.questions
        if planned.question_id in knowledge.questions
    )
    graded = [q for q in questions if q.grade and q.grade.status is GradeStatus.GRADED]
    gaps = _gaps(questions, knowledge)
    notes = _notes(session)
    states = {q.question.id: q.state for q in questions}
    return Report(
        session=session,
        finished=session.status is SessionStatus.CLOSED,
        score=_mean_score(graded),
        dimensions=_mean_dimensions([(q, q.grade.dimensions) for q in graded if q.grade]),
        asked=_mean_dimensions([(q, q.asked) for q in graded]),
        penalty=max((q.grade.penalty for q in graded if q.grade), default=0.0),
        questions=questions,
        gaps=gaps,
        next_action=_next_action(graded, gaps),
        next_session=next_session(
            session.plan, [g.question_id for g in gaps], states, knowledge.questions
        ),
        read_by=notes,
        fell_back=any(n.fallback_from for n in notes),
    )


def question_grade(
    question: Question, turns: Sequence[Turn], atlas: Mapping[str, Misconception]
) -> Grade | None:
    """One grade over a question's turns: the best of its attempts, of equal ones the last."""
    grades = [g for g in attempt_grades(question, turns, atlas) if g is not None]
    return max(reversed(grades), key=lambda g: -1.0 if g.score is None else g.score, default=None)


def attempt_grades(
    question: Question, turns: Sequence[Turn], atlas: Mapping[str, Misconception]
) -> tuple[Grade | None, ...]:
    """The grade of each attempt, in their order; None where nothing was answered."""
    numbers = dict.fromkeys(t.attempt for t in turns)
    return tuple(
        _attempt_grade(question, [t for t in turns if t.attempt == n], atlas) for n in numbers
    )


def _attempt_grade(
    question: Question, turns: Sequence[Turn], atlas: Mapping[str, Misconception]
) -> Grade | None:
    """The final stance on each point counts once."""
    answered = [t for t in turns if t.grade is not None]
    if not answered:
        return None
    merged = merge_findings(answered)
    ordered = [merged[p.id] for p in question.rubric.points if p.id in merged]
    held = _still_held(answered, atlas)
    claims = tuple(c for t in answered if t.grade for c in t.grade.claims)
    return grade(question.rubric, ordered, held, claims)


def _still_held(
    turns: Sequence[Turn], atlas: Mapping[str, Misconception]
) -> tuple[AssertedMisconception, ...]:
    """Beliefs that no later turn took back by saying right what they contradict."""
    held: dict[str, AssertedMisconception] = {}
    for turn in turns:
        if turn.grade is None:
            continue
        right = {f.point_id for f in turn.grade.findings if f.verdict is Verdict.MET}
        kept = {i: m for i, m in held.items() if not right.intersection(_opposed(atlas, i))}
        held = kept | {
            m.misconception_id: kept.get(m.misconception_id, m) for m in turn.grade.misconceptions
        }
    return tuple(held.values())


def _opposed(atlas: Mapping[str, Misconception], misconception_id: str) -> set[str]:
    """Ids of the points a belief contradicts, without the question's name before them."""
    known = atlas.get(misconception_id)
    return {c.rpartition("/")[2] for c in known.contradicts} if known else set()


def _question_report(
    session: Session, question_id: str, why: Message, knowledge: Knowledge
) -> QuestionReport:
    question = knowledge.questions[question_id]
    turns = session.turns_of(question_id)
    total = question_grade(question, turns, knowledge.misconceptions)
    return QuestionReport(
        question=question,
        state=_state(turns, total),
        why=why,
        turns=turns,
        grade=total,
        points=_points(session, question, total, knowledge),
        numbers=total.claims if total else (),
        misconceptions=_misconceptions(total, knowledge),
        reference=_facts(question.fact_ids, knowledge),
        versions=question.versions,
        asked=asked_of_level(question, session.plan.level, total.findings if total else ()),
        attempts=_marks(attempt_grades(question, turns, knowledge.misconceptions)),
    )


def _marks(grades: Sequence[Grade | None]) -> tuple[float | None, ...]:
    tried = [g.score for g in grades if g is not None]
    return tuple(tried) if len(tried) > 1 else ()


def _state(turns: Sequence[Turn], total: Grade | None) -> QuestionState:
    if total is not None:
        return QuestionState(total.status.value)
    if any(t.status is TurnStatus.SKIPPED for t in turns):
        return QuestionState.SKIPPED
    return QuestionState.NOT_ANSWERED if turns else QuestionState.NOT_REACHED


def _points(
    session: Session, question: Question, total: Grade | None, knowledge: Knowledge
) -> tuple[PointReport, ...]:
    if total is None:
        return ()
    required = {p.id for p in required_points(question, session.plan.level)}
    findings = {f.point_id: f for f in total.findings}
    return tuple(
        PointReport(
            point=p,
            finding=findings[p.id],
            required=p.id in required,
            facts=_facts(p.fact_ids, knowledge),
            lift=lift(p, findings[p.id].verdict),
        )
        for p in question.rubric.points
        if p.id in findings
    )


def _misconceptions(total: Grade | None, knowledge: Knowledge) -> tuple[MisconceptionReport, ...]:
    if total is None:
        return ()
    return tuple(
        MisconceptionReport(known, asserted, _facts(known.fact_ids, knowledge))
        for asserted in total.misconceptions
        if (known := knowledge.misconceptions.get(asserted.misconception_id))
    )


def _facts(ids: Sequence[str], knowledge: Knowledge) -> tuple[Fact, ...]:
    return tuple(knowledge.facts[i] for i in ids if i in knowledge.facts)


def _mean_score(graded: Sequence[QuestionReport]) -> float | None:
    weighted = [
        (q.question.minutes, q.grade.score)
        for q in graded
        if q.grade is not None and q.grade.score is not None
    ]
    total = sum(w for w, _ in weighted)
    return round(sum(w * s for w, s in weighted) / total, 1) if total else None


def _mean_dimensions(
    graded: Sequence[tuple[QuestionReport, Mapping[Dimension, float | None]]],
) -> dict[Dimension, float | None]:
    """Each dimension over the questions that have it, weighted by minutes and its share there."""
    means: dict[Dimension, float | None] = {}
    for dimension in Dimension:
        weighted = [
            (q.question.minutes * float(q.question.rubric.dimensions[dimension]), value)
            for q, values in graded
            if (value := values.get(dimension)) is not None
        ]
        total = sum(w for w, _ in weighted)
        means[dimension] = round(sum(w * v for w, v in weighted) / total, 1) if total else None
    return means


# What hurts most first: a wrong belief costs trust, an unsaid point only its weight.
SEVERITY: Final[Mapping[Verdict, int]] = {
    Verdict.CONTRADICTED: 0,
    Verdict.MISSED: 1,
    Verdict.UNSUPPORTED: 1,
    Verdict.PARTIAL: 2,
}
GAP_WHY: Final[Mapping[Verdict, Message]] = {
    Verdict.CONTRADICTED: msg("You said the opposite."),
    Verdict.MISSED: msg("Not covered."),
    Verdict.UNSUPPORTED: msg("Only in copied words."),
    Verdict.PARTIAL: msg("Half said."),
}


def _gaps(questions: Sequence[QuestionReport], knowledge: Knowledge) -> tuple[GapReport, ...]:
    """At most three: readers act on few."""
    lost = [
        (SEVERITY[p.finding.verdict], not p.required, -_loss(q, p), q, p)
        for q in questions
        for p in q.points
        if p.finding.verdict in SEVERITY
    ]
    lost.sort(key=lambda row: row[:3])
    return tuple(
        GapReport(
            question_id=q.question.id,
            question=q.question.text,
            point_id=p.point.id,
            text=p.point.text,
            why=GAP_WHY[p.finding.verdict],
            facts=_facts(p.point.fact_ids, knowledge),
        )
        for *_, q, p in lost[:MOST_GAPS]
    )


def _loss(report: QuestionReport, point: PointReport) -> float:
    rubric = report.question.rubric
    dimension = point.point.dimension
    total = sum(p.weight for p in rubric.points if p.dimension is dimension)
    return float(rubric.dimensions[dimension] * point.point.weight / total)


def _next_action(graded: Sequence[QuestionReport], gaps: Sequence[GapReport]) -> Message:
    wrong = [n for q in graded for n in still_wrong(q.numbers)]
    if wrong:
        return msg(
            "Recompute {said} aloud until you reach {expected}, then answer the question again.",
            said=wrong[0].text,
            expected=wrong[0].expected,
        )
    if gaps:
        return msg(
            "Read the facts of the first gap, say them in your own words, and answer again: "
            "{question}",
            question=gaps[0].question,
        )
    if graded:
        return msg("Take a harder level or a question you have not been asked yet.")
    return msg("Answer at least one question in two or three full sentences.")


def still_wrong(numbers: Sequence[NumericClaim]) -> list[NumericClaim]:
    """Wrong numbers that no later right one of the same kind replaced: the last word counts."""
    return [
        n
        for i, n in enumerate(numbers)
        if n.verdict is ClaimVerdict.WRONG
        and n.expected
        and not any(
            later.verdict is ClaimVerdict.RIGHT
            and (later.quantity, later.scheme) == (n.quantity, n.scheme)
            for later in numbers[i + 1 :]
        )
    ]


def _notes(session: Session) -> tuple[EngineNote, ...]:
    return tuple(t.read_by for t in session.turns if t.read_by)


__all__ = [
    "GapReport",
    "MisconceptionReport",
    "NextSession",
    "PointReport",
    "QuestionReport",
    "QuestionState",
    "Report",
    "lift",
    "make_report",
    "question_grade",
    "still_wrong",
]
