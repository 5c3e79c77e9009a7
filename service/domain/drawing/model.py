"""What a question with drawn numbers declares: parameters, figures computed from them, conditions.

Values only; `values` draws and computes, `fill` puts the numbers into the texts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import ge, gt, le, lt
from typing import Final

from service.domain.language import Bilingual
from service.domain.memory import ModelShape

Value = float | ModelShape
# What a session keeps of a draw: the key of each parameter's choice, in the drawing's order.
Drawn = tuple[tuple[str, str], ...]


class Unit(StrEnum):
    """What a number counts; how it is shown, and which numbers of an answer can be meant."""

    BYTES = "bytes"  # shown in GB (1e9)
    BINARY = "binary"  # bytes shown in KiB, MiB, GiB
    SECONDS = "seconds"
    SHARE = "share"  # a fraction of one, shown in percent
    COUNT = "count"
    TOKENS = "tokens"
    PARAMS = "params"
    TIMES = "times"  # a factor
    RATE = "rate"  # bytes per second
    PLAIN = "plain"
    MODEL = "model"


TOLERANCE: Final[Mapping[Unit, float]] = {
    Unit.BYTES: 0.08,  # GB or GiB, as people mix them
    Unit.BINARY: 0.08,
    Unit.SECONDS: 0.05,
    Unit.SHARE: 0.04,
    Unit.COUNT: 0.0,
    Unit.TOKENS: 0.06,  # 1,000 or 1,024
    Unit.PARAMS: 0.05,
    Unit.TIMES: 0.04,
    Unit.RATE: 0.05,
    Unit.PLAIN: 0.04,
    Unit.MODEL: 0.0,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value a parameter can take; `key` is what a session keeps of it."""

    key: str
    value: Value
    title: str = ""  # of a model


@dataclass(frozen=True, slots=True)
class Parameter:
    id: str
    unit: Unit
    choices: tuple[Choice, ...]

    def chosen(self, key: str) -> Choice:
        """The choice of that key; the first where the bank no longer offers it."""
        return next((c for c in self.choices if c.key == key), self.choices[0])


@dataclass(frozen=True, slots=True)
class Figure:
    """A value computed from the draw: `rule` of `service.domain.drawing.rules` over `inputs`.

    An input is a number, a word the rule knows, or the name of a parameter or earlier figure.
    `cues` are words of an answer that say this figure is meant. `slot` is the concept that stands
    for it in patterns once it was said right; helpers, which no point asks for, have none.
    """

    id: str
    rule: str
    inputs: Mapping[str, str | float]
    unit: Unit
    tolerance: float
    cues: tuple[str, ...] = ()
    slot: str = ""


RELATIONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """Draws that do not hold it are passed over: the texts say that it holds."""

    left: str
    relation: str
    right: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """`context` names the draw's values, or plain numbers, by the fields of `ClaimContext`."""

    parameters: tuple[Parameter, ...]
    figures: tuple[Figure, ...]
    conditions: tuple[Condition, ...] = ()
    context: Mapping[str, str | float] = field(default_factory=dict[str, str | float])

    @property
    def asked(self) -> tuple[Figure, ...]:
        return tuple(f for f in self.figures if f.slot)


@dataclass(frozen=True, slots=True)
class Values:
    """A draw worked out: every parameter and figure by name, and as shown in each language."""

    numbers: Mapping[str, float]
    shown: Mapping[str, Bilingual]
