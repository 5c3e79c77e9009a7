import pytest

from eval.answers import AnswerLine
from eval.meta import compare


def line(
    answer_id: str, score: float | None = None, misconceptions: tuple[str, ...] = (), **points
):
    return AnswerLine(
        id=answer_id, answer="x", points=points, misconceptions=misconceptions, score=score
    )


def result(score: float | None = None, misconceptions: tuple[str, ...] = (), **points):
    verdicts = {name: {"verdict": v, "quote": ""} for name, v in points.items()}
    return {"score": score, "misconceptions": list(misconceptions), "points": verdicts}


def test_precision_recall_and_f1_of_met_points():
    answers = [line("a", m1="met", s1="met"), line("b", m1="missed", s1="met")]
    results = {
        "a": result(m1="met", s1="missed"),
        "b": result(m1="met", s1="met"),
    }
    agreement = compare(answers, results)
    assert agreement.points.precision == pytest.approx(2 / 3)
    assert agreement.points.recall == pytest.approx(2 / 3)
    assert agreement.exact == 0.5
    assert agreement.by_point["s1"].recall == 0.5


def test_unjudged_points_are_counted_apart_and_miss_their_credit():
    agreement = compare([line("a", m1="met", s1="met")], {"a": result(m1="unjudged", s1="met")})
    assert (agreement.judged_points, agreement.unjudged_points) == (1, 1)
    assert agreement.exact == 1.0
    assert agreement.points.recall == 0.5


def test_a_false_accusation_costs_precision_and_a_missed_one_recall():
    answers = [line("a", misconceptions=("M01",)), line("b")]
    results = {"a": result(), "b": result(misconceptions=("M07",))}
    rates = compare(answers, results).misconceptions
    assert (rates.precision, rates.recall) == (0.0, 0.0)


def test_errors_of_the_total_are_signed_and_absolute():
    answers = [line("a", score=50), line("b", score=40)]
    results = {"a": result(score=60.0), "b": result(score=None)}
    agreement = compare(answers, results)
    assert agreement.mean_absolute_error == 25.0
    assert agreement.bias == -15.0


def test_nothing_to_compare_gives_no_figure_instead_of_a_perfect_one():
    agreement = compare([line("a")], {"a": result()})
    assert agreement.points.f1 is None
    assert agreement.exact is None
    assert agreement.mean_absolute_error is None
