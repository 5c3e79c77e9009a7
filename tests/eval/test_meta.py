from eval.answers import AnswerLine, Label
from eval.gate import value_at
from eval.meta import agreement, label_score
from service.domain.knowledge import Knowledge
from tests.flows.conftest import knowledge

__all__ = ["knowledge"]


def line(answer_id: str, score: float | None = None, **fields):
    return AnswerLine(
        id=answer_id, answer="A long enough answer.", score=score, points=fields, misconceptions=()
    )


def row(score: float | None = None, misconceptions: tuple[str, ...] = (), **points):
    verdicts = {name: {"verdict": v, "quote": ""} for name, v in points.items()}
    return {
        "id": "x", "status": "graded", "score": score, "dimensions": {}, "coverage": 1.0,
        "misconceptions": list(misconceptions), "points": verdicts, "question": "zero-stages",
    }  # fmt: skip


def test_points_and_totals_by_hand():
    answers = [line("a", 50, m1="met", s1="met"), line("b", 40, m1="missed", s1="met")]
    rows = {"a": row(60.0, m1="met", s1="missed"), "b": row(20.0, m1="met", s1="met")}
    found = agreement(answers, rows, {})
    assert value_at(found, "points.precision") == 2 / 3
    assert value_at(found, "points.recall") == 2 / 3
    assert value_at(found, "by_point.s1.recall") == 0.5
    assert value_at(found, "totals.mae") == 15.0
    assert value_at(found, "totals.bias") == -5.0
    assert found["confusion"][2][3] == 1  # pyright: ignore[reportIndexIssue]


def test_an_answer_without_a_mark_is_counted_apart_and_as_nothing_only_with_the_blanks():
    found = agreement([line("a", 50), line("b", 40)], {"a": row(60.0), "b": row(None)}, {})
    assert (found["no_mark"], value_at(found, "totals.n")) == (1, 1)
    assert value_at(found, "totals_with_blanks.mae") == 25.0


def test_a_failed_row_is_missing_and_never_a_mark():
    found = agreement([line("a", 50)], {"a": row() | {"status": "error"}}, {})
    assert found["missing"] == 1
    assert value_at(found, "totals.n") == 0


def test_a_false_accusation_costs_precision():
    answers = [line("a").model_copy(update={"score": 1.0, "misconceptions": ("M01",)})]
    found = agreement(answers, {"a": row(1.0, ("M07",))}, {})
    assert value_at(found, "misconceptions.precision") == 0.0
    assert value_at(found, "misconceptions.recall") == 0.0


def test_labels_of_every_point_make_a_total_by_the_weights(knowledge: Knowledge):
    rubric = knowledge.questions["zero-stages"].rubric
    points = {p.id: "met" if p.id.startswith("m") else "missed" for p in rubric.points}
    assert label_score(points, rubric)[0] == 20.0
    assert label_score({"m1": "met"}, rubric)[0] is None


def test_two_raters_make_a_ceiling():
    raters = [
        (Label(rater="a", score=50), Label(rater="b", score=60)),
        (Label(rater="a", score=20), Label(rater="b", score=20)),
    ]
    answers = [line(str(n), 50).model_copy(update={"raters": two}) for n, two in enumerate(raters)]
    found = agreement(answers, {"0": row(55.0), "1": row(30.0)}, {})
    assert value_at(found, "raters.each_against_the_others.a.mae") == 5.0
    assert value_at(found, "raters.grader_against_all.mae") == 5.0
