"""From the `draw` part of a question's file to a drawing, with everything that is wrong with it."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from service.domain.drawing.model import (
    RELATIONS,
    TOLERANCE,
    Choice,
    Condition,
    Drawing,
    Figure,
    Parameter,
    Unit,
)
from service.domain.drawing.rules import RULES
from service.domain.memory import ModelShape

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
# Concepts of the lexicon that stand for the asked figures, in their order.
SLOTS: Final = ("figure_a", "figure_b", "figure_c", "figure_d", "figure_e", "figure_f")


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ParameterForm(_Strict):
    """Either numbers to choose from, with their unit, or ids of known models."""

    unit: Unit = Unit.MODEL
    choices: tuple[float, ...] = ()
    models: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _one_of_both(self) -> "ParameterForm":
        if bool(self.choices) == bool(self.models):
            raise ValueError("a parameter has choices or models")
        if bool(self.models) != (self.unit is Unit.MODEL):
            raise ValueError("choices need a unit, models have none")
        return self


class FigureForm(_Strict):
    rule: Name
    of: Mapping[str, str | float]
    unit: Unit
    tolerance: Annotated[float, Field(ge=0, lt=0.5)] | None = None
    cues: tuple[Text, ...] = ()


class DrawForm(_Strict):
    """`keep` holds conditions such as `z3 < card`; draws that break one are passed over."""

    parameters: Annotated[Mapping[Name, ParameterForm], Field(min_length=1)]
    figures: Mapping[Name, FigureForm] = {}
    keep: tuple[Text, ...] = ()
    context: Mapping[str, str | float] = {}


def drawing_of(form: DrawForm, asked: tuple[str, ...], models: Mapping[str, ModelShape]) -> Drawing:
    """The drawing; `asked` are the figures that points name, in order.

    Raises:
        ValueError: an unknown rule, model or condition, or more asked figures than slots.
    """
    if len(asked) > len(SLOTS):
        raise ValueError(f"more than {len(SLOTS)} figures are asked for")
    slots = dict(zip(asked, SLOTS, strict=False))
    return Drawing(
        parameters=tuple(_parameter(n, p, models) for n, p in form.parameters.items()),
        figures=tuple(_figure(n, f, slots.get(n, "")) for n, f in form.figures.items()),
        conditions=tuple(map(_condition, form.keep)),
        context=dict(form.context),
    )


def _parameter(name: str, form: ParameterForm, models: Mapping[str, ModelShape]) -> Parameter:
    unknown = [m for m in form.models if m not in models]
    if unknown:
        raise ValueError(f"no model {unknown[0]}")
    shapes = (models[m] for m in form.models)
    named = tuple(Choice(s.id, s, s.title or s.id) for s in shapes)
    numbers = tuple(Choice(f"{value:.12g}", value) for value in form.choices)
    return Parameter(name, form.unit, named or numbers)


def _figure(name: str, form: FigureForm, slot: str) -> Figure:
    if form.rule not in RULES:
        raise ValueError(f"no rule {form.rule}")
    tolerance = TOLERANCE[form.unit] if form.tolerance is None else form.tolerance
    return Figure(name, form.rule, dict(form.of), form.unit, tolerance, form.cues, slot)


def _condition(text: str) -> Condition:
    parts = text.split()
    match parts:
        case [left, relation, right] if relation in RELATIONS:
            return Condition(left, relation, right)
        case _:
            raise ValueError(f"no condition: {text}")


def names_of(form: DrawForm) -> Iterator[str]:
    """Every name that a text may hold as {name}."""
    yield from form.parameters
    yield from form.figures
