"""Step three for bytes per parameter."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import (
    Choice,
    bytes_per_param,
    choices,
    memory_row,
    state_formula,
    width,
)
from service.domain.claims.gaps import STATES
from service.domain.claims.judge import (
    EXACT,
    Judgement,
    Option,
    because,
    missing,
    pick,
)
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.tokens import Number, Unit
from service.domain.language import Message, msg
from service.domain.memory import Scheme


def judge_width(asked: Asked) -> Judgement:
    """Bytes per parameter."""
    number = asked.number
    if _is_multiple(number):
        return _judge_multiple(asked)
    broken = _broken_sum(number)
    if broken:
        return broken
    low, high = _figure(number)
    options = list(_width_options(asked))
    if "from" in asked.words and asked.recipe:
        options.extend(_width_options(replace(asked, recipe="")))
    if "gradmix" in asked.words and asked.part == ("gradients",):
        options.extend(_width_options(replace(asked, part=())))
    judged = pick(number, low, high, options, EXACT)
    if judged.verdict is ClaimVerdict.WRONG and _may_be_one_tensor(asked, low):
        return missing(_STATE)
    return because(judged, lambda: _SLIPS.get((asked.part, low)))


def _may_be_one_tensor(asked: Asked, said: float) -> bool:
    """4 bytes a parameter may be the width of the weights, where nothing says all states."""
    if asked.offload:
        return True
    is_open = not asked.part or "weakpart" in asked.words
    says_all = asked.words & {"train", "states", "adam"} or asked.per == "total" or asked.recipe
    return is_open and said in _TYPE_WIDTHS and not says_all and "mixed" not in asked.words


_TYPE_WIDTHS: Final = frozenset({0.5, 1.0, 2.0, 4.0})
_STATE: Final = msg("which of the model states is meant")


def _figure(number: Number) -> tuple[float, float]:
    scale = number.scale if number.unit is Unit.LETTER_B else 1.0
    return number.amount.low / scale, number.amount.high / scale


def _is_multiple(number: Number) -> bool:
    return number.unit in {Unit.FACTOR, Unit.SHARE, Unit.PERCENT}


def _judge_multiple(asked: Asked) -> Judgement:
    """Optimizer state as a multiple of the parameters: 2 values, 6 times the 16-bit bytes."""
    note = msg(
        "fp32 moments are 2 values (8 bytes) per parameter; with the fp32 master copy 12 bytes, "
        "six times the 16-bit weights."
    )
    options = [
        Option(2, "2x", "m, v", STATES),
        Option(6, "6x", "12/2", STATES),
        Option(3, "3x", "12/4", STATES, is_default=False, when=note),
    ]
    return because(pick(asked.number, *_figure(asked.number), options, EXACT), lambda: note)


def _broken_sum(number: Number) -> Judgement | None:
    """2+2+8=16 does not add up."""
    if number.sums_to is None or number.unit not in {Unit.NONE, Unit.WIDTH}:
        return None
    if abs(number.sums_to - number.amount.low) <= EXACT * number.sums_to:
        return None
    return Judgement(
        ClaimVerdict.WRONG,
        msg(
            "The parts add up to {sum}, not {said}.",
            sum=f"{number.sums_to:g}",
            said=f"{number.amount.low:g}",
        ),
        f"{number.sums_to:g}",
        fact_ids=STATES,
    )


def _width_options(asked: Asked) -> Iterator[Option]:
    row = memory_row(asked.schemes[0]) if asked.schemes else None
    for choice in choices(asked, row):
        yield _width_option(asked, choice, None, 1)
        if row and asked.shards and row.sharded:
            yield _width_option(asked, choice, row, asked.shards)
    if not asked.part and "adam" in asked.words:
        yield Option(12, "12", "4+4+4", ("F001", "F002"))
    is_each = "each" in asked.words and "typed" in asked.words and not asked.part
    if asked.weight_bytes and (is_each or _is_plain_tensor(asked)):
        yield Option(asked.weight_bytes, f"{asked.weight_bytes:g}", "", STATES)
    if asked.recipe == "adam8bit" and asked.part == ("optimizer",):
        yield Option(2, "2", "1+1", ())
        yield Option(6, "6", "4+1+1", ())


def _is_plain_tensor(asked: Asked) -> bool:
    """Weights and gradients are as wide as the type that is named for them."""
    if not asked.part:
        return "infer" in asked.words
    return set(asked.part) <= {"parameters", "gradients", "master"} and len(asked.part) == 1


def _width_option(asked: Asked, choice: Choice, row: Scheme | None, shards: int) -> Option:
    value = bytes_per_param(asked.part, row, shards, choice.recipe)
    names = asked.part or ("parameters", "gradients", "optimizer")
    formula = (
        "+".join(f"{width(n, choice.recipe):g}" for n in names)
        if row is None
        else state_formula(asked.part, row, choice.recipe)
    )
    return Option(
        value,
        f"{value:.6g}",
        formula,
        choice.recipe.fact_ids or STATES,
        is_default=choice.is_default
        or (
            len(asked.part) == 1
            and asked.part != ("gradients",)
            and choice.recipe.id != "adam_fp16_fp32gradcopy"
        ),
        when=choice.when,
        scheme=row.id if row else "",
    )


_SLIPS: Final[Mapping[tuple[tuple[str, ...], float], Message]] = {
    (("optimizer",), 16): msg(
        "16 bytes are all model states; the optimizer's share is 12 "
        "(fp32 master, momentum and variance, 4 each)."
    ),
    (("optimizer",), 8): msg(
        "8 bytes are momentum and variance only; "
        "with the fp32 master copy the optimizer state is 12."
    ),
    ((), 14): msg("14 bytes leave out the 2 bytes of gradients."),
    ((), 12): msg("12 bytes are the optimizer states alone; parameters and gradients add 2 each."),
}
