"""Drawing, computing, showing, filling and reading of one small exercise."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

import pytest

from service.domain.claims.known import BUILT_IN, KnownModels
from service.domain.claims.model import ClaimVerdict
from service.domain.drawing.fill import as_planned, filled, with_draws
from service.domain.drawing.model import Choice, Condition, Drawing, Figure, Parameter, Unit
from service.domain.drawing.reading import check_figures, hold_to_figures
from service.domain.drawing.show import show
from service.domain.drawing.values import context_of, draw, every_draw, usual, work_out
from service.domain.grading import Dimension, Evidence, Finding, Level, Rubric, RubricPoint, Verdict
from service.domain.interview import PlannedQuestion
from service.domain.knowledge import Question, QuestionKind
from service.domain.language import Bilingual, msg
from service.domain.text import Span

MODELS: Final = KnownModels(BUILT_IN)


def _choices(*values: float) -> tuple[Choice, ...]:
    return tuple(Choice(f"{v:.12g}", v) for v in values)


def _states(name: str, scheme: str, cue: str) -> Figure:
    inputs = {"params": "psi", "scheme": scheme, "shards": "gpus"}
    return Figure(name, "states", inputs, Unit.BYTES, 0.05, (cue,), f"figure_{name[-1]}")


DRAWING: Final = Drawing(
    parameters=(
        Parameter("psi", Unit.PARAMS, _choices(7e9, 13e9, 70e9)),
        Parameter("gpus", Unit.COUNT, _choices(8, 16, 64)),
    ),
    figures=(_states("a", "zero2_paper", "@zero2"), _states("b", "zero3_paper", "@zero3")),
    conditions=(Condition("a", "<", "80e9"),),
    context={"model_params": "psi", "dp_degree": "gpus"},
)


def _pair(text: str) -> Bilingual:
    return Bilingual(text, text)


def _question() -> Question:
    points = (
        RubricPoint("two", Dimension.STAGES, _pair("ZeRO-2: {a}"), figures=("a",)),
        RubricPoint("three", Dimension.STAGES, _pair("ZeRO-3: {b}"), figures=("b",)),
    )
    plain = Question(
        id="states",
        text=_pair("{psi} on {gpus} GPUs?"),
        topic="zero",
        kind=QuestionKind.CALCULATE,
        level=Level.JUNIOR,
        minutes=5,
        rubric=Rubric("states", {Dimension.STAGES: Fraction(1)}, points),
    )
    return filled(replace(plain, drawing=DRAWING, template=plain), usual(DRAWING))


QUESTION: Final = _question()
HERE: Final = (("psi", "7000000000"), ("gpus", "8"))


def _verdicts(answer: str) -> dict[str | None, ClaimVerdict]:
    return {c.scheme: c.verdict for c in check_figures(answer, QUESTION, HERE, MODELS)}


def test_the_same_seed_draws_the_same_numbers() -> None:
    assert draw(DRAWING, "seed", "states") == draw(DRAWING, "seed", "states")
    assert len({draw(DRAWING, str(n), "states") for n in range(40)}) > 3


def test_draws_that_break_a_condition_are_passed_over() -> None:
    allowed = every_draw(DRAWING)
    assert all(work_out(DRAWING, drawn).numbers["a"] < 80e9 for drawn in allowed)
    assert all(draw(DRAWING, str(n), "states") in allowed for n in range(40))
    assert len(allowed) < 9


def test_figures_are_those_of_the_memory_module() -> None:
    numbers = work_out(DRAWING, HERE).numbers
    assert numbers["a"] == pytest.approx(26.25e9)
    assert numbers["b"] == pytest.approx(14e9)
    context = context_of(DRAWING, HERE)
    assert (context.model_params, context.dp_degree) == (7e9, 8)


def test_a_choice_the_bank_no_longer_has_becomes_the_first() -> None:
    numbers = work_out(DRAWING, (("psi", "1"), ("gpus", "64"))).numbers
    assert (numbers["psi"], numbers["gpus"]) == (7e9, 64)


def test_a_plan_keeps_its_numbers_and_the_bank_is_read_through_them() -> None:
    bank = {"states": QUESTION}
    planned = with_draws([PlannedQuestion("states", 5, msg("Asked."))], bank, "seed")
    assert planned[0].drawn == draw(DRAWING, "seed", "states")
    shown = work_out(DRAWING, planned[0].drawn).shown
    asked = as_planned(bank, planned)["states"]
    assert asked.text.en == f"{shown['psi']} on {shown['gpus']} GPUs?"
    assert asked.rubric.point("three").text.zh == f"ZeRO-3: {shown['b']}"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("ZeRO-3 leaves 14 GB on each GPU.", {"b": ClaimVerdict.RIGHT}),
        ("ZeRO-3 每卡十四个 G。", {"b": ClaimVerdict.RIGHT}),
        ("ZeRO-3 needs 13 GiB.", {"b": ClaimVerdict.RIGHT}),
        ("ZeRO-3 leaves 28 GB on each GPU.", {"b": ClaimVerdict.WRONG}),
        ("ZeRO-3 每卡不是 14 GB。", {}),
        ("It is not 14 GB with ZeRO-3.", {}),
        (
            "ZeRO-2, ZeRO-3 分别是 26.25 GB、14 GB。",
            {"a": ClaimVerdict.RIGHT, "b": ClaimVerdict.RIGHT},
        ),
        ("ZeRO-2 is 14 GB, ZeRO-3 is 26.25 GB.", {}),
        ("First I had 20 GB for ZeRO-3. ZeRO-3 is 14 GB.", {"b": ClaimVerdict.RIGHT}),
        ("The card has 80 GB.", {}),
    ],
)
def test_a_number_counts_for_the_figure_its_words_name(
    answer: str, expected: dict[str | None, ClaimVerdict]
) -> None:
    assert _verdicts(answer) == expected


def test_no_reader_can_credit_a_figure_that_is_not_right() -> None:
    answer = "ZeRO-2 is 26.25 GB and ZeRO-3 is 28 GB."
    evidence = Evidence(answer, Span(0, len(answer)))
    said = [Finding(p.id, Verdict.MET, evidence) for p in QUESTION.rubric.points]
    claims = check_figures(answer, QUESTION, HERE, MODELS)
    held = hold_to_figures(said, QUESTION.rubric, claims)
    assert [f.verdict for f in held] == [Verdict.MET, Verdict.MISSED]
    assert held[1].note is not None


@pytest.mark.parametrize(
    ("value", "unit", "zh", "en"),
    [
        (14e9, Unit.BYTES, "14 GB", "14 GB"),
        (1.12e12, Unit.BYTES, "1.12 TB", "1.12 TB"),
        (131_072, Unit.BINARY, "128 KiB", "128 KiB"),
        (0.084, Unit.SECONDS, "84 毫秒", "84 ms"),
        (60.9 * 86_400, Unit.SECONDS, "60.9 天", "60.9 days"),
        (0.304, Unit.SHARE, "30.4%", "30.4%"),
        (2048, Unit.COUNT, "2048", "2048"),
        (51_900, Unit.TOKENS, "51.9K", "51.9K"),
        (25e9, Unit.RATE, "25 GB/s", "25 GB/s"),
    ],
)
def test_numbers_are_shown_as_people_write_them(value: float, unit: Unit, zh: str, en: str) -> None:
    assert show(value, unit) == Bilingual(zh=zh, en=en)
