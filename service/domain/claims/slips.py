"""Naming the term that is off: what the wrong figure would be right for."""

from collections.abc import Mapping
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import memory_row
from service.domain.language import Message, msg
from service.domain.memory import RECIPES, Scheme, State, model_states

_CLOSE: Final = 0.02
_NEAR: Final = 0.08
_OTHERS: Final = ("ddp", "zero1", "zero2", "zero3")
_DEFAULT: Final = RECIPES["adam_fp16_mixed"]
_NAMES: Final[Mapping[str, Message]] = {
    "parameters": msg("parameters"),
    "gradients": msg("gradients"),
    "optimizer": msg("optimizer states"),
}
TITLES: Final[Mapping[str, str]] = {
    "ddp": "DDP", "zero1": "ZeRO-1", "zero2": "ZeRO-2", "zero3": "ZeRO-3",
}  # fmt: skip


def formula_slip(asked: Asked, whole: float, split: float, row: Scheme | None) -> Message | None:
    """`whole` and `split` are the coefficients of ψ and of ψ/N that were said."""
    if row is None or asked.part:
        return _state_slip(asked, whole)
    other = _same_as(whole, split, row)
    if other:
        return _mixed_up(other, row)
    return _off_term(whole, split, sum(_share(s) for s in State if not row.shards(s)))


def _mixed_up(other: str, row: Scheme) -> Message:
    if other == "zero1" and row.id == "zero2_paper":
        return msg("Stage 2 also shards the 2ψ of gradients; you kept them whole: that is ZeRO-1.")
    return msg("That is the formula of {other}.", other=TITLES[other])


def _off_term(whole: float, split: float, right_whole: float) -> Message:
    if _close(whole, right_whole):
        right_split = _DEFAULT.total - right_whole
        return msg(
            "The split part is {right}ψ/N, not {said}ψ/N.",
            right=f"{right_split:g}",
            said=f"{split:g}",
        )
    if whole > right_whole:
        return msg(
            "{more}ψ too much is kept whole; this scheme splits it over N.",
            more=f"{whole - right_whole:g}",
        )
    return msg(
        "{less}ψ that this scheme keeps whole on every GPU is missing or split.",
        less=f"{right_whole - whole:g}",
    )


def _state_slip(asked: Asked, said: float) -> Message | None:
    if asked.part == ("optimizer",) and _close(said, _DEFAULT.total):
        return msg("16ψ are all model states; the optimizer's share is 12ψ.")
    return None


def _share(state: State) -> float:
    return {State.PARAMETERS: _DEFAULT.parameters, State.GRADIENTS: _DEFAULT.gradients}.get(
        state, _DEFAULT.optimizer
    )


def _same_as(whole: float, split: float, row: Scheme) -> str:
    for name in _OTHERS:
        other = memory_row(name)
        if other is None or other.id == row.id or other.sharded == row.sharded:
            continue
        right = sum(_share(s) for s in State if not other.shards(s))
        if _close(whole, right) and _close(split, _DEFAULT.total - right):
            return name
    return ""


def size_slip(asked: Asked, row: Scheme) -> Message | None:
    """The same model and N under another scheme, or only one of the states."""
    if asked.psi is None or asked.part:
        return None
    shards = asked.shards or 1
    said = float(asked.number.amount.low)
    for name in _OTHERS:
        other = memory_row(name)
        if other is None or other.sharded == row.sharded:
            continue
        value = model_states(asked.psi, other, shards, _DEFAULT, tp=asked.tp, pp=asked.pp).total
        if abs(said - value) <= _NEAR * value:
            return msg(
                "That is what {other} would hold: {formula}.",
                other=TITLES[name],
                formula=model_states(asked.psi, other, shards, _DEFAULT).worked,
            )
    return _state_only(asked, row, said)


def _state_only(asked: Asked, row: Scheme, said: float) -> Message | None:
    states = model_states(
        asked.psi or 1.0, row, asked.shards or 1, _DEFAULT, tp=asked.tp, pp=asked.pp
    )
    named = {
        "parameters": states.parameters,
        "gradients": states.gradients,
        "optimizer": states.optimizer,
    }
    for name, value in named.items():
        if value and abs(said - value) <= _NEAR * value:
            return msg(
                "That is only the {state}; all states are {formula}.",
                state=_NAMES[name],
                formula=states.worked,
            )
        rest = states.total - value
        if value > _NEAR * states.total and abs(said - rest) <= _NEAR / 2 * rest:
            return msg(
                "The {state} are left out; all states are {formula}.",
                state=_NAMES[name],
                formula=states.worked,
            )
    return None


def _close(said: float, right: float) -> bool:
    return abs(said - right) <= _CLOSE * max(abs(right), 0.5)
