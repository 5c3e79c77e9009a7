"""Questions with drawn numbers hold for draws other than the one the bank shows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from service.corpus.load import load_knowledge
from service.domain.claims.known import BUILT_IN, KnownModels
from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.drawing.fill import PLACEHOLDER, filled
from service.domain.drawing.model import Drawing, Drawn, Figure
from service.domain.drawing.reading import check_figures
from service.domain.drawing.values import draw, every_draw, work_out
from service.domain.knowledge import Question, QuestionKind
from service.domain.language import Lang

ROOT: Final = Path(__file__).resolve().parents[2]
BANK: Final = load_knowledge(ROOT / "knowledge").questions
DRAWN: Final = tuple(q for q in BANK.values() if q.drawing)
MODELS: Final = KnownModels(BUILT_IN)
SEEDS: Final = ("one", "two", "three")
LOOSE: Final = 0.1
LEAST: Final = {
    QuestionKind.CALCULATE: 24,
    QuestionKind.COUNTERFACTUAL: 8,
    QuestionKind.DIAGNOSE: 6,
}

each_drawn = pytest.mark.parametrize("question", DRAWN, ids=lambda q: q.id)


def _drawing(question: Question) -> Drawing:
    assert question.drawing is not None
    return question.drawing


def _draws(question: Question) -> Sequence[Drawn]:
    return [draw(_drawing(question), seed, question.id) for seed in SEEDS]


def _right(claims: Sequence[NumericClaim]) -> set[str | None]:
    return {c.scheme for c in claims if c.verdict is ClaimVerdict.RIGHT}


def test_there_are_drawn_questions_of_each_kind() -> None:
    for kind, least in LEAST.items():
        assert sum(q.kind is kind for q in DRAWN) >= least


@each_drawn
def test_no_text_keeps_a_placeholder(question: Question) -> None:
    for drawn in _draws(question):
        one = filled(question, drawn)
        points = one.rubric.points
        pairs = [one.text, *one.versions.values(), *one.follow_ups.values()]
        pairs += [p.text for p in points]
        said = [pair.in_(lang) for pair in pairs for lang in Lang]
        said += [w for p in points for words in p.wordings.values() for w in words]
        assert not [text for text in said if PLACEHOLDER.search(text)]


@each_drawn
def test_every_wording_says_the_figures_of_its_point(question: Question) -> None:
    for drawn in _draws(question):
        for point in filled(question, drawn).rubric.points:
            for words in point.wordings.values():
                missed = [
                    w
                    for w in words
                    if not _right(check_figures(w, question, drawn, MODELS)).issuperset(
                        point.figures
                    )
                ]
                assert not missed


@each_drawn
def test_nothing_right_is_called_wrong(question: Question) -> None:
    for drawn in _draws(question):
        for pair in filled(question, drawn).versions.values():
            for lang in Lang:
                claims = check_figures(pair.in_(lang), question, drawn, MODELS)
                assert not [c for c in claims if c.verdict is ClaimVerdict.WRONG]


@each_drawn
def test_a_figure_of_another_draw_earns_nothing(question: Question) -> None:
    """What was right yesterday is not right today: figures are compared, not recognised."""
    draws = every_draw(_drawing(question))
    here = draws[0]
    asked = [f for f in _drawing(question).asked if f.tolerance <= LOOSE]
    figures = [f for f in asked if _moves(question, f, draws)]
    assert figures
    for figure in figures:
        there = next(d for d in draws if _apart(question, figure, here, d))
        for point in filled(question, there).rubric.points:
            if point.figures != (figure.id,):
                continue
            text = point.wordings[Lang.EN.value][1]
            assert figure.id not in _right(check_figures(text, question, here, MODELS))


def _moves(question: Question, figure: Figure, draws: Sequence[Drawn]) -> bool:
    return any(_apart(question, figure, draws[0], d) for d in draws)


def _apart(question: Question, figure: Figure, one: Drawn, other: Drawn) -> bool:
    """Further apart than the tolerance."""
    a = work_out(_drawing(question), one).numbers[figure.id]
    b = work_out(_drawing(question), other).numbers[figure.id]
    return max(a, b) > 1.2 * min(a, b)
