"""What must hold where numbers are drawn: every name known, every draw computable."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import chain
from typing import Final

from service.corpus.drawings import DrawForm, drawing_of, names_of
from service.corpus.entries import Entry
from service.corpus.forms import Pair, PointForm, QuestionForm
from service.domain.claims.model import ClaimContext
from service.domain.drawing.fill import PLACEHOLDER
from service.domain.drawing.model import Drawing
from service.domain.drawing.values import context_of, every_draw, usual, work_out
from service.domain.memory import ModelShape
from service.errors import InputInvalid

LEAST_DRAWS: Final = 4  # fewer are learned by heart
BRACES: Final = re.compile(r"[{}]")
CONTEXT: Final = frozenset(f.name for f in fields(ClaimContext))


def asked_figures(points: Iterable[PointForm]) -> tuple[str, ...]:
    """The figures that points ask for, each once, in the order of the points."""
    return tuple(dict.fromkeys(chain.from_iterable(p.figures for p in points)))


def drawing_faults(
    questions: Iterable[Entry[QuestionForm]], models: Mapping[str, ModelShape]
) -> list[str]:
    """Every fault of the drawn numbers, with its place."""
    return [
        f"{entry.place('draw')}: {fault}"
        for entry in questions
        for fault in _faults(entry.form, models)
    ]


def _faults(form: QuestionForm, models: Mapping[str, ModelShape]) -> Iterator[str]:
    asked = asked_figures(form.points)
    if form.draw is None:
        yield from (f"figure {name} is asked for and nothing is drawn" for name in asked)
        return
    yield from (f"no figure {name}" for name in asked if name not in form.draw.figures)
    yield from _named(form, form.draw)
    yield from _given_away(form, frozenset(asked))
    yield from (f"{n} is no condition of a number" for n in form.draw.context if n not in CONTEXT)
    try:
        yield from _not_computable(drawing_of(form.draw, asked, models))
    except (ValueError, InputInvalid, TypeError, KeyError) as error:
        yield str(error)


def _not_computable(drawing: Drawing) -> Iterator[str]:
    draws = every_draw(drawing)
    if usual(drawing) not in draws:
        yield "the first choices do not hold the conditions"
    if len(draws) < LEAST_DRAWS:
        yield f"only {len(draws)} draws hold the conditions"
    for drawn in draws:
        work_out(drawing, drawn)
        context_of(drawing, drawn)


def _named(form: QuestionForm, draw: DrawForm) -> Iterator[str]:
    known = frozenset(names_of(draw))
    for text in _texts(form):
        yield from (f"no number {{{n}}}" for n in PLACEHOLDER.findall(text) if n not in known)
        if BRACES.search(PLACEHOLDER.sub("", text)):
            yield f"a brace without a name: {text[:40]}"


def _given_away(form: QuestionForm, asked: frozenset[str]) -> Iterator[str]:
    """Neither the question nor a follow-up may hold a figure that is asked for."""
    pairs = (form.text, *(p.follow_up for p in form.points if p.follow_up))
    for pair in pairs:
        named = PLACEHOLDER.findall(pair.zh + pair.en)
        yield from (f"{{{n}}} is asked for and given away" for n in named if n in asked)


def _texts(form: QuestionForm) -> Iterator[str]:
    yield from _both(form.text)
    for point in form.points:
        yield from _both(point.text)
        yield from (*point.wordings.zh, *point.wordings.en)
        if point.follow_up:
            yield from _both(point.follow_up)
    for pair in form.versions.pairs():
        yield from _both(pair)


def _both(pair: Pair) -> tuple[str, str]:
    return pair.zh, pair.en
