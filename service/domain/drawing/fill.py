"""Putting drawn numbers into the texts of a question: `{name}` becomes the number as shown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from service.domain.drawing.model import Drawn
from service.domain.drawing.values import draw, work_out
from service.domain.grading import RubricPoint
from service.domain.interview import Plan, PlannedQuestion
from service.domain.knowledge import Question
from service.domain.language import Bilingual, Lang

PLACEHOLDER: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")
Shown = Mapping[str, Bilingual]


def filled(question: Question, drawn: Drawn) -> Question:
    """The question with the numbers of `drawn`; one without drawn numbers stays as it is."""
    if question.drawing is None or question.template is None:
        return question
    shown = work_out(question.drawing, drawn).shown
    text = question.template
    points = tuple(_point(p, shown) for p in text.rubric.points)
    return replace(
        text,
        text=put_in(text.text, shown),
        rubric=replace(text.rubric, points=points),
        follow_ups={name: put_in(pair, shown) for name, pair in text.follow_ups.items()},
        versions={name: put_in(pair, shown) for name, pair in text.versions.items()},
        drawing=question.drawing,
        template=text,
    )


def put_in(pair: Bilingual, shown: Shown) -> Bilingual:
    return Bilingual(zh=_put(pair.zh, shown, Lang.ZH), en=_put(pair.en, shown, Lang.EN))


def _put(text: str, shown: Shown, lang: Lang) -> str:
    return PLACEHOLDER.sub(
        lambda m: shown[m[1]].in_(lang) if m[1] in shown else m[0],
        text,
    )


def _point(point: RubricPoint, shown: Shown) -> RubricPoint:
    wordings = {
        lang: tuple(_put(w, shown, Lang(lang)) for w in words)
        for lang, words in point.wordings.items()
    }
    return replace(point, text=put_in(point.text, shown), wordings=wordings)


def with_draws(
    planned: Iterable[PlannedQuestion], questions: Mapping[str, Question], seed: str
) -> tuple[PlannedQuestion, ...]:
    """The plan with numbers drawn for each question that wants them."""
    return tuple(_drawn(one, questions.get(one.question_id), seed) for one in planned)


def _drawn(planned: PlannedQuestion, question: Question | None, seed: str) -> PlannedQuestion:
    if question is None or question.drawing is None:
        return planned
    return replace(planned, drawn=draw(question.drawing, seed, question.id))


def as_planned(
    questions: Mapping[str, Question], planned: Iterable[PlannedQuestion]
) -> Mapping[str, Question]:
    """The bank, with the numbers of this plan in the questions that it draws numbers for."""
    drawn = {
        one.question_id: filled(questions[one.question_id], one.drawn)
        for one in planned
        if one.drawn and one.question_id in questions
    }
    return {**questions, **drawn} if drawn else questions


def patterns_for(slots: Sequence[str]) -> tuple[Mapping[str, object], ...]:
    """What a point looks like that asks for nothing but right figures: each is a part of it."""
    if len(slots) == 1:
        return ({"says": [slots[0]]},)
    return tuple({"says": [slot], "part": slot} for slot in slots)


def drawn_of(planned: Iterable[PlannedQuestion], question_id: str) -> Drawn:
    """The numbers the plan drew for a question; none where it draws none."""
    return next((one.drawn for one in planned if one.question_id == question_id), ())


def question_text(questions: Mapping[str, Question], plan: Plan, planned: PlannedQuestion) -> str:
    """A planned question as it will be said; its id where the bank no longer holds it."""
    question = questions.get(planned.question_id)
    return filled(question, planned.drawn).text.in_(plan.lang) if question else planned.question_id
