"""Small invented values that tests of the domain and the flows share."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from service.domain.grading import Dimension, Level, Rubric, RubricPoint
from service.domain.interview import Mode, Move, MoveKind, Plan, PlannedQuestion, Session, ask
from service.domain.knowledge import Question, QuestionKind
from service.domain.language import Bilingual, Lang, msg

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


def both(text: str) -> Bilingual:
    return Bilingual(zh=text, en=text)


def point(point_id: str, dimension: Dimension, **more: Any) -> RubricPoint:
    return RubricPoint(point_id, dimension, both(f"says {point_id}"), **more)


RUBRIC = Rubric(
    "q1",
    {Dimension.MOTIVATION: Fraction(1, 4), Dimension.STAGES: Fraction(3, 4)},
    (
        point("m1", Dimension.MOTIVATION),
        point("s1", Dimension.STAGES),
        point("s2", Dimension.STAGES, quantities=("formula",)),
    ),
)


def question(question_id: str = "q1", **more: Any) -> Question:
    values: dict[str, Any] = {
        "text": both(f"what of {question_id}?"),
        "topic": "stages",
        "kind": QuestionKind.EXPLAIN,
        "level": Level.JUNIOR,
        "minutes": 10,
        "rubric": Rubric(question_id, RUBRIC.dimensions, RUBRIC.points),
    }
    return Question(question_id, **(values | more))


QUESTIONS = {"q1": question("q1"), "q2": question("q2")}


def plan(*ids: str) -> Plan:
    planned = tuple(PlannedQuestion(i, 10, msg("You chose it.")) for i in ids or ("q1", "q2"))
    return Plan(Lang.EN, Level.JUNIOR, Mode.EXAM, 30, planned)


def started(*ids: str) -> Session:
    session = Session("s", plan(*ids), NOON, NOON)
    first = session.plan.questions[0].question_id
    return ask(session, Move(MoveKind.ASK, first), f"what of {first}?", None, NOON)
