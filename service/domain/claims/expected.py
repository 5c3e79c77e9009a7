"""What the memory module says for the conditions of a claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.language import Message, msg
from service.domain.memory import (
    DEFAULT_RECIPE,
    RECIPES,
    Offload,
    PrecisionRecipe,
    Scheme,
    State,
    communication,
    find_scheme,
    model_states,
)
from service.errors import InputInvalid

STATE_OF: Final[Mapping[str, State]] = {
    "parameters": State.PARAMETERS,
    "gradients": State.GRADIENTS,
    "optimizer": State.OPTIMIZER,
    "master": State.OPTIMIZER,
    "momentum": State.OPTIMIZER,
    "variance": State.OPTIMIZER,
    "moments": State.OPTIMIZER,
}
_IN_BILLIONS: Final = 1e8
_MOMENT: Final = 4.0  # fp32; an 8-bit optimizer keeps one byte
PAPER: Final[Mapping[str, str]] = {
    "zero1": "zero1_paper",
    "zero2": "zero2_paper",
    "zero3": "zero3_paper",
}
DEEPSPEED: Final[Mapping[str, str]] = {
    "zero1": "ds_zero1_default",
    "zero2": "ds_zero2_default",
    "zero3": "ds_zero3_default",
}
GRADIENTS_UNNAMED: Final = msg(
    "It depends on the precision of the gradients: 16-bit gradients make 16 bytes per parameter, "
    "fp32 gradients 18, an extra fp32 copy 20."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A recipe that may be meant; `is_default` when nothing more need be said."""

    recipe: PrecisionRecipe
    is_default: bool = True
    when: Message | None = None


def family(scheme: str) -> str:
    """zero2 for zero2_paper and ds_zero2_default; other ids as they are; empty when unknown."""
    if scheme in PAPER:
        return scheme
    try:
        row = find_scheme(scheme)
    except InputInvalid:
        return ""
    return (
        f"zero{row.stage}"
        if row.id.startswith(("zero", "ds_zero")) and row.stage and "redundancy" not in row.id
        else row.id
    )


def memory_row(scheme: str) -> Scheme | None:
    """The row whose states count for a family."""
    name = "zero3_paper" if scheme == "zeropp" else PAPER.get(scheme, scheme)
    try:
        return find_scheme(name)
    except InputInvalid:
        return None


def choices(asked: Asked, row: Scheme | None) -> Sequence[Choice]:
    """Recipes that may be meant: the named one, or the default and what it is mixed up with."""
    if asked.recipe == "adam8bit":
        when = msg(
            "8-bit Adam makes 6 bytes per parameter on bf16 weights alone, "
            "10 with an fp32 master copy."
        )
        return tuple(
            Choice(RECIPES[name], is_default=False, when=when)
            for name in ("adam8bit_bf16_no_master", "adam8bit_mixed_master")
        )
    if asked.recipe in {"sgd_momentum", "sgd"}:
        names = (
            ("sgd_momentum_fp32", "sgd_momentum_fp16_mixed")
            if asked.recipe == "sgd_momentum"
            else ("sgd_fp32",)
        )
        return tuple(Choice(RECIPES[name]) for name in names)
    if asked.recipe == "adam_bf16_fp32grad":
        copy = Choice(RECIPES["adam_fp16_fp32gradcopy"], is_default=False, when=GRADIENTS_UNNAMED)
        return (Choice(RECIPES[asked.recipe]), copy)
    if asked.recipe in RECIPES:
        return (Choice(RECIPES[asked.recipe]),)
    return _unnamed(asked, row)


def _unnamed(asked: Asked, row: Scheme | None) -> Sequence[Choice]:
    default = Choice(RECIPES[row.recipe if row else "adam_fp16_mixed"])
    fp32_gradients, copy = RECIPES["adam_bf16_fp32grad"], RECIPES["adam_fp16_fp32gradcopy"]
    if asked.impl == "paper" or (asked.part and "gradients" not in asked.part):
        return (default,)
    if asked.impl == "estimator":
        splits_all = row is not None and row.shards(State.PARAMETERS)
        return (Choice(fp32_gradients if splits_all else copy),)
    if asked.impl == "megatron" or (row and row.id == "megatron_distopt"):
        others = (copy, RECIPES["adam_fp32"])
        rest = (Choice(r, is_default=False, when=GRADIENTS_UNNAMED) for r in others)
        return (Choice(fp32_gradients), *rest)
    if default.recipe.id != DEFAULT_RECIPE:
        return (default,)
    if asked.impl == "deepspeed":
        return (
            default,
            Choice(copy),
            Choice(fp32_gradients, is_default=False, when=GRADIENTS_UNNAMED),
        )
    return (
        default,
        Choice(fp32_gradients, is_default=False, when=GRADIENTS_UNNAMED),
        Choice(copy, is_default=False, when=GRADIENTS_UNNAMED),
    )


def width(part: str, recipe: PrecisionRecipe) -> float:
    """Bytes per parameter of one state, unsplit."""
    if part == "parameters":
        return recipe.parameters
    if part == "gradients":
        return recipe.gradients
    if part == "optimizer":
        return recipe.optimizer
    if recipe.id.startswith("adam8bit"):
        moment = 1.0
    elif recipe.id == "adam_bf16_pure":
        moment = 2.0
    else:
        moment = _MOMENT
    return {"master": 4.0, "momentum": moment, "variance": moment, "moments": 2 * moment}[part]


def bytes_per_param(
    parts: Sequence[str], row: Scheme | None, shards: int, recipe: PrecisionRecipe
) -> float:
    """Bytes per parameter on one GPU, of the named parts or of all states."""
    names = parts or ("parameters", "gradients", "optimizer")
    return sum(
        width(name, recipe) / (shards if row and row.shards(STATE_OF[name]) else 1)
        for name in names
    )


def needs_shards(parts: Sequence[str], row: Scheme) -> bool:
    names = parts or ("parameters", "gradients", "optimizer")
    return any(row.shards(STATE_OF[name]) for name in names)


def state_formula(parts: Sequence[str], row: Scheme | None, recipe: PrecisionRecipe) -> str:
    """`2ψ+14ψ/N`."""
    names = parts or ("parameters", "gradients", "optimizer")
    whole = sum(width(n, recipe) for n in names if row is None or not row.shards(STATE_OF[n]))
    split = sum(width(n, recipe) for n in names if row and row.shards(STATE_OF[n]))
    pieces = (f"{whole:g}ψ" if whole else "", f"{split:g}ψ/N" if split else "")
    return "+".join(piece for piece in pieces if piece) or "0"


def worked(
    parts: Sequence[str], row: Scheme | None, shards: int, recipe: PrecisionRecipe, psi: float
) -> str:
    """The formula with the numbers put in: `2×7e9+14×7e9/8`."""
    size = f"{psi / 1e9:.6g}e9" if psi >= _IN_BILLIONS else f"{psi:.6g}"
    text = state_formula(parts, row, recipe)
    return text.replace("ψ", f"×{size}").replace("N", str(shards))


def offloaded(asked: Asked, row: Scheme, shards: int, recipe: PrecisionRecipe) -> float | None:
    """Bytes left on the GPU with the named offload; None when the scheme cannot."""
    mode = Offload.ALL if asked.offload == "all" else Offload.OPTIMIZER
    if asked.psi is None or mode not in row.offloads:
        return None
    return model_states(
        asked.psi, row, shards, recipe, tp=asked.tp, pp=asked.pp, offload=mode
    ).total


@lru_cache(maxsize=256)
def traffic(scheme: str, micro_batches: int) -> float | None:
    """Multiples of ψ through each GPU in one step, at the ring's limit."""
    try:
        return communication(1.0, scheme, None, micro_batches=micro_batches).elements
    except InputInvalid:
        return None
