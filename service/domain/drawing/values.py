"""Drawing numbers from a seed, and working out what follows from them.

Pure: the same seed gives the same numbers on every machine and Python; the seed comes in.
"""

from hashlib import sha256
from math import prod

from service.domain.claims.model import ClaimContext
from service.domain.drawing.model import (
    RELATIONS,
    Choice,
    Condition,
    Drawing,
    Drawn,
    Figure,
    Parameter,
    Value,
    Values,
)
from service.domain.drawing.rules import RULES
from service.domain.drawing.show import show
from service.domain.language import Bilingual
from service.domain.memory import ModelShape


def draw(drawing: Drawing, seed: str, question_id: str) -> Drawn:
    """One of the allowed combinations, chosen by `seed`; questions draw apart from each other.

    Starts at the combination the seed names and takes the first from there that holds every
    condition; the first choices of all parameters when none does.
    """
    total = prod(len(p.choices) for p in drawing.parameters)
    digest = sha256(f"{seed}\n{question_id}".encode()).digest()
    start = int.from_bytes(digest[:8], "big") % total
    for step in range(total):
        drawn = _combination(drawing.parameters, (start + step) % total)
        if _is_allowed(drawing, drawn):
            return drawn
    return usual(drawing)


def usual(drawing: Drawing) -> Drawn:
    """The first choice of every parameter: what the bank shows outside an interview."""
    return tuple((p.id, p.choices[0].key) for p in drawing.parameters)


def every_draw(drawing: Drawing) -> tuple[Drawn, ...]:
    """All combinations that hold the conditions."""
    total = prod(len(p.choices) for p in drawing.parameters)
    drawn = (_combination(drawing.parameters, at) for at in range(total))
    return tuple(one for one in drawn if _is_allowed(drawing, one))


def _combination(parameters: tuple[Parameter, ...], at: int) -> Drawn:
    keys: list[tuple[str, str]] = []
    for parameter in parameters:
        at, index = divmod(at, len(parameter.choices))
        keys.append((parameter.id, parameter.choices[index].key))
    return tuple(keys)


def _is_allowed(drawing: Drawing, drawn: Drawn) -> bool:
    numbers = _numbers(drawing, _chosen(drawing, drawn))
    return all(_holds(c, numbers) for c in drawing.conditions)


def _holds(condition: Condition, numbers: dict[str, float]) -> bool:
    left, right = _read(condition.left, numbers), _read(condition.right, numbers)
    return RELATIONS[condition.relation](left, right)


def _read(text: str, numbers: dict[str, float]) -> float:
    return numbers[text] if text in numbers else float(text)


def work_out(drawing: Drawing, drawn: Drawn) -> Values:
    """Every number of a draw, and how it is shown.

    Raises:
        InputInvalid: a rule refuses the drawn values; the loader tries all of them first.
    """
    chosen = _chosen(drawing, drawn)
    numbers = _numbers(drawing, chosen)
    units = {p.id: p.unit for p in drawing.parameters} | {f.id: f.unit for f in drawing.figures}
    shown = {name: show(value, units[name]) for name, value in numbers.items()}
    titles = {
        name: Bilingual(zh=choice.title, en=choice.title)
        for name, choice in chosen.items()
        if isinstance(choice.value, ModelShape)
    }
    return Values(numbers, shown | titles)


def context_of(drawing: Drawing, drawn: Drawn) -> ClaimContext:
    """What the number check may take as known: the drawn conditions."""
    numbers = _numbers(drawing, _chosen(drawing, drawn))
    given = {
        name: numbers[value] if isinstance(value, str) and value in numbers else value
        for name, value in drawing.context.items()
    }
    return ClaimContext(
        model_params=_float(given.get("model_params")),
        dp_degree=_int(given.get("dp_degree")),
        gpus=_int(given.get("gpus")),
        micro_batches=_int(given.get("micro_batches")),
    )


def _float(value: str | float | None) -> float | None:
    return None if value is None else float(value)


def _int(value: str | float | None) -> int | None:
    return None if value is None else int(float(value))


def _chosen(drawing: Drawing, drawn: Drawn) -> dict[str, Choice]:
    keys = dict(drawn)
    return {p.id: p.chosen(keys.get(p.id, "")) for p in drawing.parameters}


def _numbers(drawing: Drawing, chosen: dict[str, Choice]) -> dict[str, float]:
    known: dict[str, Value] = {name: choice.value for name, choice in chosen.items()}
    for figure in drawing.figures:
        known[figure.id] = _computed(figure, known)
    return {name: value for name, value in known.items() if isinstance(value, float | int)}


def _computed(figure: Figure, known: dict[str, Value]) -> float:
    inputs = {
        name: known.get(given, given) if isinstance(given, str) else given
        for name, given in figure.inputs.items()
    }
    return RULES[figure.rule](**inputs)
