"""Comparing what was said with what is right: tolerances, options, the verdict and its reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.claims.tokens import Limit, Number
from service.domain.language import Message, msg

TOLERANCE: Final = 0.08  # GB against GiB is 7.4 %
HEDGED: Final = 0.15
_ROUNDING: Final = 0.01  # "under 28" of 28.08
EXACT: Final = 0.02  # bytes per parameter, multiples of ψ, formulas


RIGHT_GIVES: Final = msg("Right: {formula} gives {value}.")
GIVES: Final = msg("{formula} gives {value}.")


@dataclass(frozen=True, slots=True)
class Option:
    """One value that may be right. `is_default` options need no further condition.

    `when` says under which condition the others hold; `shown` is the value for a reader.
    """

    value: float
    shown: str
    formula: str = ""
    fact_ids: tuple[str, ...] = ()
    is_default: bool = True
    when: Message | None = None
    scheme: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: ClaimVerdict
    why: Message
    expected: str | None = None
    formula: str | None = None
    fact_ids: tuple[str, ...] = ()
    scheme: str | None = None


def tolerance(number: Number) -> float:
    return HEDGED if number.is_hedged else TOLERANCE


def agrees(number: Number, low: float, high: float, exact: float, width: float) -> bool:
    """Whether a value said as low..high covers the exact one, bounds and ranges included."""
    if number.limit is Limit.LESS:
        return high / 2 <= exact <= high * (1 + _ROUNDING)
    if number.limit is Limit.MORE:
        return low <= exact <= 2 * low
    return (
        low * (1 - width) <= exact <= high * (1 + width)
        if low != high
        else _is_close(low, exact, width)
    )


def _is_close(said: float, exact: float, width: float) -> bool:
    return abs(said - exact) <= width * abs(exact)


def missing(name: Message, fact_ids: tuple[str, ...] = ()) -> Judgement:
    """A needed condition is not there."""
    return Judgement(
        ClaimVerdict.UNCHECKABLE,
        msg("It cannot be checked: {name} is not said.", name=name),
        fact_ids=fact_ids,
    )


def pick(
    number: Number, low: float, high: float, options: Sequence[Option], width: float
) -> Judgement:
    """Right for a default option, conditional for another one, wrong for none."""
    for option in sorted(options, key=lambda o: not o.is_default):
        if agrees(number, low, high, option.value, width):
            return _agreed(option, options)
    best = next((o for o in options if o.is_default), options[0])
    return Judgement(
        ClaimVerdict.WRONG,
        msg("{formula} gives {value}.", formula=best.formula or best.shown, value=best.shown),
        best.shown,
        best.formula or None,
        best.fact_ids,
        best.scheme or None,
    )


def _agreed(option: Option, options: Sequence[Option]) -> Judgement:
    verdict = ClaimVerdict.RIGHT if option.is_default else ClaimVerdict.CONDITIONAL
    facts = (
        option.fact_ids
        if option.is_default
        else tuple(dict.fromkeys(f for o in options for f in o.fact_ids))
    )
    when = option.when
    why = (
        msg(
            "Right: {formula} gives {value}.",
            formula=option.formula or option.shown,
            value=option.shown,
        )
        if option.is_default or when is None
        else when
    )
    return Judgement(
        verdict, why, option.shown, option.formula or None, facts, option.scheme or None
    )


def because(judgement: Judgement, find_slip: Callable[[], Message | None]) -> Judgement:
    """A better reason for a wrong one, when there is any; it is only looked for then."""
    if judgement.verdict is not ClaimVerdict.WRONG:
        return judgement
    why = find_slip()
    return judgement if why is None else replace(judgement, why=why)


_WEIGHT: Final = {
    ClaimVerdict.RIGHT: 0, ClaimVerdict.CONDITIONAL: 1, ClaimVerdict.UNCHECKABLE: 2,
    ClaimVerdict.WRONG: 3,
}  # fmt: skip


def best(judgements: Sequence[Judgement]) -> Judgement:
    """Several readings of one figure: the one that makes most sense of it."""
    return min(judgements, key=lambda j: _WEIGHT[j.verdict])


def worst(judgements: Sequence[Judgement]) -> Judgement:
    """One number said of several schemes is as right as it is for the least fitting."""
    return max(judgements, key=lambda j: _WEIGHT[j.verdict])
