"""Short questions, one rubric point at a time: which comes next, and the steps of one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Final

from service.domain.drawing.fill import filled
from service.domain.drawing.values import draw
from service.domain.grading import Grade, Level, Rubric, RubricPoint, Verdict
from service.domain.knowledge import Question, QuestionKind
from service.domain.language import Bilingual, Lang, Message, msg
from service.domain.learning.mastery import SkillPoint, due_points, point_key
from service.domain.learning.model import Drill, DrillStatus, Standing
from service.domain.learning.schedule import in_order
from service.domain.tasks import EngineNote
from service.errors import InputInvalid, NotFound, TurnOutOfOrder

# A story of one's own work has no single right sentence.
UNFIT: Final = frozenset({QuestionKind.EXPERIENCE})
# What is asked of these makes sense only beside their log, configuration or numbers.
WITH_SETTING: Final = frozenset(
    {
        QuestionKind.DIAGNOSE,
        QuestionKind.CALCULATE,
        QuestionKind.COUNTERFACTUAL,
        QuestionKind.DECIDE,
    }
)
LEVELS: Final = tuple(Level)
MOST_HINTS: Final = 2


@dataclass(frozen=True, slots=True)
class Short:
    """A rubric point that can be asked alone."""

    question: Question
    point: RubricPoint
    text: Bilingual

    @property
    def key(self) -> str:
        return point_key(self.question.id, self.point.id)


def shorts_of(questions: Iterable[Question], topic: str) -> tuple[Short, ...]:
    """The points of a topic with a question of their own, the basic ones first."""
    found = [
        Short(question, point, question.follow_ups[point.id])
        for question in questions
        if question.topic == topic and question.kind not in UNFIT
        for point in question.rubric.points
        if point.id in question.follow_ups
    ]
    return tuple(sorted(found, key=lambda s: LEVELS.index(s.point.required_from)))


def short_question(question: Question, point_id: str) -> Question:
    """The question with this one point as its whole rubric, read by the same rules.

    Raises:
        NotFound: the knowledge base has no such point (any more).
    """
    point = next((p for p in question.rubric.points if p.id == point_id), None)
    if point is None:
        raise NotFound("This point is not in the knowledge base any more; take another one.")
    rubric = Rubric(question.id, {point.dimension: Fraction(1)}, (point,))
    text = question.follow_ups.get(point_id, question.text)
    return replace(question, text=text, rubric=rubric, fact_ids=point.fact_ids)


def next_short(
    skills: Sequence[SkillPoint],
    questions: Mapping[str, Question],
    recent: Sequence[str],
    now: datetime,
    topic: str = "",
) -> Short:
    """What to practise now: due first, then what is shaky, then new by how often it is asked.

    `recent` are keys of points asked lately, the newest first; what was failed comes before what
    was never asked, and that before what was proved. Deterministic.

    Raises:
        InputInvalid: no such topic, or it has no short questions.
    """
    ranked = [s for s in skills if s.topic == topic] if topic else _ranked(skills, now)
    for skill in ranked:
        found = shorts_of(questions.values(), skill.topic)
        if found:
            return _pick(skill, found, recent)
    raise InputInvalid("There is no short question on this topic.")


def _ranked(skills: Sequence[SkillPoint], now: datetime) -> list[SkillPoint]:
    due = due_points(skills, now)
    rest = [s for s in skills if s not in due]
    shaky = [s for s in rest if s.standing is Standing.SHAKY and not _was_today(s, now)]
    new = [s for s in rest if s.standing is Standing.NEW]
    later = sorted((s for s in rest if s.schedule), key=lambda s: (s.mastery or 0.0, s.topic))
    return [*due, *shaky, *new, *later]


def _was_today(skill: SkillPoint, now: datetime) -> bool:
    """A second try on the same day trains the ear, not the memory."""
    return skill.schedule is not None and skill.schedule.last.date() == now.date()


def _pick(skill: SkillPoint, shorts: Sequence[Short], recent: Sequence[str]) -> Short:
    last: dict[str, Verdict] = {
        point_key(r.question_id, p.point_id): p.verdict
        for r in in_order(skill.reviews)
        for p in r.points
    }
    age = {key: place for place, key in reversed(list(enumerate(recent)))}

    def order(short: Short) -> tuple[bool, int, int]:
        just_asked = bool(recent) and recent[0] == short.key
        return just_asked, _need(last.get(short.key)), -age.get(short.key, len(recent))

    return min(shorts, key=order)


def _need(verdict: Verdict | None) -> int:
    if verdict is None:
        return 1
    return 2 if verdict is Verdict.MET else 0


def new_drill(short: Short, drill_id: str, lang: Lang, now: datetime) -> Drill:
    """A drill that awaits its answer; its id is the seed of the numbers it draws."""
    question = short.question
    drawn = draw(question.drawing, drill_id, question.id) if question.drawing else ()
    question = filled(question, drawn)
    text = question.follow_ups[short.point.id].in_(lang)
    if question.kind in WITH_SETTING or drawn:
        text = f"{question.text.in_(lang)}\n\n{text}"
    return Drill(
        id=drill_id,
        topic=question.topic,
        question_id=question.id,
        point_id=short.point.id,
        lang=lang,
        text=text,
        asked_at=now,
        updated_at=now,
        drawn=drawn,
    )


def hinted(drill: Drill, now: datetime) -> Drill:
    """One more hint; its answer can then no longer make the point stable."""
    _require_asked(drill)
    return replace(drill, hints=min(MOST_HINTS, drill.hints + 1), updated_at=now)


def hints_shown(drill: Drill, question: Question) -> tuple[Message, ...]:
    """The hints so far: where the point belongs, then what it says."""
    point = next((p for p in question.rubric.points if p.id == drill.point_id), None)
    if point is None:
        return ()
    hints = (
        msg("It is part of the answer to: {question}", question=question.text),
        msg("A good answer says: {point}", point=point.text),
    )
    return hints[: drill.hints]


def stored(drill: Drill, answer: str, now: datetime) -> Drill:
    """The answer is safe; its reading follows. A retry may not change the words."""
    _require_asked(drill)
    return replace(drill, answer=answer, status=DrillStatus.STORED, updated_at=now)


def answered(
    drill: Drill, grade: Grade, note: EngineNote, confirmed: frozenset[str], now: datetime
) -> Drill:
    if drill.status is not DrillStatus.STORED:
        raise TurnOutOfOrder("This is not the question that awaits an answer.")
    return replace(
        drill,
        grade=grade,
        read_by=note,
        confirmed=confirmed,
        status=DrillStatus.ANSWERED,
        updated_at=now,
    )


def skipped(drill: Drill, now: datetime) -> Drill:
    """Left unanswered; that is no review."""
    if not drill.is_open:
        raise TurnOutOfOrder("This is not the question that awaits an answer.")
    return replace(drill, status=DrillStatus.SKIPPED, updated_at=now)


def _require_asked(drill: Drill) -> None:
    if drill.status is not DrillStatus.ASKED:
        raise TurnOutOfOrder("This is not the question that awaits an answer.")
