"""What a caller says is known before a text is read."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Final

from service.domain.claims.model import ClaimContext
from service.errors import InputInvalid

NUMBERS: Final[Mapping[str, Callable[[float], float | int]]] = {
    "model_params": float,
    "dp_degree": int,
    "gpus": int,
    "micro_batches": int,
}
WORDS: Final = ("scheme", "recipe", "model_name")


def read_context(given: Mapping[str, float | str | None] | None) -> ClaimContext:
    """Turn `model_params=7e9, dp_degree=64, ...` into a context; empty values are left out.

    Raises:
        InputInvalid: an unknown name or a value that is no number.
    """
    pairs = {name: value for name, value in (given or {}).items() if value is not None}
    unknown = [name for name in pairs if name not in NUMBERS and name not in WORDS]
    if unknown:
        raise InputInvalid(
            "{name} is not part of the context; known are {known}.",
            name=unknown[0],
            known=", ".join([*NUMBERS, *WORDS]),
        )
    numbers = {name: _number(name, pairs[name]) for name in NUMBERS if name in pairs}
    words = {name: str(pairs[name]) for name in WORDS if name in pairs}
    return ClaimContext(**numbers, **words)  # pyright: ignore[reportArgumentType]


def read_known_context(
    given: Mapping[str, float | str | None] | None,
) -> tuple[ClaimContext, tuple[str, ...]]:
    """As `read_context`, and the names that it does not know apart: a batch goes on without them.

    Raises:
        InputInvalid: a value that is no number.
    """
    pairs = given or {}
    known = {name: value for name, value in pairs.items() if name in NUMBERS or name in WORDS}
    return read_context(known), tuple(name for name in pairs if name not in known)


def _number(name: str, value: float | str) -> float | int:
    try:
        number = float(value)
    except ValueError as error:
        raise InputInvalid("{name} must be a number.", name=name) from error
    if not isfinite(number) or NUMBERS[name](number) <= 0:
        raise InputInvalid("{name} must be more than zero, and finite.", name=name)
    return NUMBERS[name](number)
