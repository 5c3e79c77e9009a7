"""Saying what a checked figure is: the state, the scheme or the layer, by its name for a reader."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import family
from service.domain.claims.judge import GIVES, RIGHT_GIVES, Judgement
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.slips import TITLES
from service.domain.language import Bilingual, Message, msg
from service.domain.memory import SCHEMES

_STATES: Final[Mapping[tuple[str, ...], Message]] = {
    (): msg("all model states"),
    ("parameters",): msg("the weights"),
    ("gradients",): msg("the gradients"),
    ("optimizer",): msg("the optimizer states"),
    ("master",): msg("the fp32 master weights"),
    ("momentum",): msg("the momentum"),
    ("variance",): msg("the variance"),
    ("moments",): msg("momentum and variance"),
}
_SHIPPED: Final = ("ds_", "ddp_")  # what an implementation does, unlike the paper
_SEVERAL: Final = msg("the states named")
_Say = Callable[[Asked, Judgement], Message | None]


def told(asked: Asked, judged: Judgement) -> Judgement:
    """The same judgement; a reason that only repeats the value says what the value is of."""
    if judged.why.template not in {RIGHT_GIVES.template, GIVES.template}:
        return judged
    say = _SAY.get(asked.quantity)
    why = say(asked, judged) if say else None
    return judged if why is None else replace(judged, why=why)


def title(scheme: str) -> str | Bilingual:
    """The name of a scheme as a reader knows it."""
    short = TITLES.get(family(scheme))
    if short and not scheme.startswith(_SHIPPED):
        return short
    row = SCHEMES.get(scheme)
    return row.title if row else scheme


def _state(asked: Asked) -> Message:
    return _STATES.get(asked.part, _SEVERAL)


def _is_right(judged: Judgement) -> bool:
    return judged.verdict is ClaimVerdict.RIGHT


def _repeats(judged: Judgement) -> bool:
    return judged.formula is None or judged.formula == judged.expected


def _width(asked: Asked, judged: Judgement) -> Message | None:
    state, value = _state(asked), judged.expected
    if _repeats(judged) and _is_right(judged):
        return msg("Right: {value} bytes per parameter for {state}.", value=value, state=state)
    if _repeats(judged):
        return msg("It is {value} bytes per parameter for {state}.", value=value, state=state)
    if _is_right(judged):
        return msg(
            "Right: {formula} = {value} bytes per parameter for {state}.",
            formula=judged.formula,
            value=value,
            state=state,
        )
    return msg(
        "It is {formula} = {value} bytes per parameter for {state}.",
        formula=judged.formula,
        value=value,
        state=state,
    )


def _traffic(asked: Asked, judged: Judgement) -> Message | None:
    if " = " in (judged.formula or ""):
        return _worked(judged)
    if not (judged.expected or "").endswith("ψ"):
        return None
    if not judged.scheme:
        return _collective(judged)
    name, value = title(judged.scheme), judged.expected
    if asked.micro_batches > 1:
        return _accumulated(asked, judged)
    if _is_right(judged):
        return msg("Right: {scheme} sends {value} a step.", scheme=name, value=value)
    return msg("{scheme} sends {value} a step.", scheme=name, value=value)


def _worked(judged: Judgement) -> Message:
    """The line of arithmetic ends with the value."""
    if _is_right(judged):
        return msg("Right: {formula}.", formula=judged.formula)
    return msg("It is {formula}.", formula=judged.formula)


def _accumulated(asked: Asked, judged: Judgement) -> Message:
    name, value, count = title(judged.scheme or ""), judged.expected, asked.micro_batches
    if _is_right(judged):
        return msg(
            "Right: {scheme} sends {value} a step of {count} micro-batches.",
            scheme=name,
            value=value,
            count=count,
        )
    return msg(
        "{scheme} sends {value} a step of {count} micro-batches.",
        scheme=name,
        value=value,
        count=count,
    )


def _collective(judged: Judgement) -> Message:
    if _is_right(judged):
        return msg("Right: this collective sends {value}.", value=judged.expected)
    return msg("This collective sends {value}.", value=judged.expected)


def _formula(asked: Asked, judged: Judgement) -> Message | None:
    value = judged.expected
    if judged.scheme:
        name = title(judged.scheme)
        if _is_right(judged):
            return msg("Right: under {scheme} one GPU holds {value}.", scheme=name, value=value)
        return msg("Under {scheme} one GPU holds {value}.", scheme=name, value=value)
    if not _repeats(judged):
        return None
    if _is_right(judged):
        return msg("Right: {value} for {state}.", value=value, state=_state(asked))
    return msg("It is {value} for {state}.", value=value, state=_state(asked))


def _activation(_asked: Asked, judged: Judgement) -> Message | None:
    if _is_right(judged):
        return msg("Right: a layer keeps {value}.", value=judged.expected)
    return msg("Under these conditions a layer keeps {value}.", value=judged.expected)


_SAY: Final[Mapping[Quantity, _Say]] = {
    Quantity.BYTES_PER_PARAM: _width,
    Quantity.COMM_VOLUME: _traffic,
    Quantity.FORMULA: _formula,
    Quantity.ACTIVATION: _activation,
}
