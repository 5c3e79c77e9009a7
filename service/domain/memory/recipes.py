"""Bytes that one parameter costs under each way of mixing precisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from service.domain.language import Bilingual
from service.errors import InputInvalid


@dataclass(frozen=True, slots=True)
class PrecisionRecipe:
    """Bytes per parameter kept between steps; `wire_*` are bytes per element sent."""

    id: str
    title: Bilingual
    parameters: float
    gradients: float
    optimizer: float
    wire_parameters: int
    wire_gradients: int
    source: str
    fact_ids: tuple[str, ...] = ()
    firm: bool = True  # False: from memory or own derivation, shown as such

    @property
    def total(self) -> float:
        return self.parameters + self.gradients + self.optimizer


_ZERO: Final = "arXiv:1910.02054v3 §3.1"
_MEGATRON: Final = (
    "Megatron-LM README, distributed optimizer table; theoretical_memory_usage.py @00caa53"
)
# Two fp32 scales for 256 values: 1/32 byte a parameter.
_BNB: Final = "bitsandbytes @95f9af3 optim/optimizer.py:498-529, its block scales left out"
_DEFINITION: Final = "definition: width of each tensor"

_ROWS: Final = (
    PrecisionRecipe(
        "adam_fp16_mixed",
        Bilingual("16 位混合精度 Adam（fp32 主权重）", "16-bit mixed-precision Adam, fp32 master"),
        2, 2, 12, 2, 2, _ZERO, ("F001", "F002", "F012"),
    ),
    PrecisionRecipe(
        "adam_bf16_fp32grad",
        Bilingual("bf16 参数、fp32 梯度的 Adam", "Adam with bf16 parameters and fp32 gradients"),
        2, 4, 12, 2, 4, _MEGATRON, ("F010", "F011"),
    ),
    PrecisionRecipe(
        "adam_fp16_fp32gradcopy",
        Bilingual("16 位 Adam，另存 fp32 梯度副本", "16-bit Adam with an extra fp32 gradient copy"),
        2, 2, 16, 2, 2, _MEGATRON, ("F011", "F140"),
    ),
    PrecisionRecipe(
        "adam_fp32",
        Bilingual("全 fp32 的 Adam", "Adam, all fp32"),
        4, 4, 8, 4, 4, _MEGATRON, ("F011",),
    ),
    PrecisionRecipe(
        "fsdp_mp_fp32_sharded",
        Bilingual("FSDP 混合精度（分片保持 fp32）", "FSDP mixed precision, shards kept in fp32"),
        4, 4, 8, 2, 2, "torch 2.13.0 fsdp/api.py MixedPrecision, _fsdp_api.py",
        ("F061", "F062", "F063"),
    ),
    PrecisionRecipe(
        "sgd_momentum_fp32",
        Bilingual("全 fp32 的动量 SGD", "SGD with momentum, all fp32"),
        4, 4, 4, 4, 4, _DEFINITION,
    ),
    PrecisionRecipe(
        "sgd_momentum_fp16_mixed",
        Bilingual("16 位混合精度的动量 SGD", "16-bit mixed-precision SGD with momentum"),
        2, 2, 8, 2, 2, "EleutherAI cookbook: 8 bytes of optimizer state for SGD with momentum",
    ),
    PrecisionRecipe(
        "adam8bit_mixed_master",
        Bilingual("8 位 Adam，保留 fp32 主权重", "8-bit Adam with an fp32 master"),
        2, 2, 6, 2, 2, f"{_BNB}; the fp32 master is the trainer's",
    ),
    PrecisionRecipe(
        "adam8bit_bf16_no_master",
        Bilingual("8 位 Adam，纯 bf16 权重", "8-bit Adam on bf16 weights, no master"),
        2, 2, 2, 2, 2, _BNB,
    ),
    PrecisionRecipe(
        "adam_bf16_pure",
        Bilingual("纯 bf16 的 Adam（数值有风险）", "Adam all in bf16, numerically risky"),
        2, 2, 4, 2, 2, "deepspeed 0.19.8 runtime/precision_config.py:62-70",
    ),
    PrecisionRecipe(
        "sgd_fp32",
        Bilingual("全 fp32 的朴素 SGD", "plain SGD, all fp32"),
        4, 4, 0, 4, 4, _DEFINITION,
    ),
)  # fmt: skip

RECIPES: Final[Mapping[str, PrecisionRecipe]] = {row.id: row for row in _ROWS}
DEFAULT_RECIPE: Final = "adam_fp16_mixed"


def find_recipe(recipe: str | PrecisionRecipe) -> PrecisionRecipe:
    """The row of that id.

    Raises:
        InputInvalid: no such recipe; names the nearest.
    """
    if isinstance(recipe, PrecisionRecipe):
        return recipe
    row = RECIPES.get(recipe) or RECIPES.get(recipe.strip().lower())
    if row is None:
        near = get_close_matches(recipe.lower(), RECIPES, n=3, cutoff=0.3) or list(RECIPES)
        raise InputInvalid(
            "no precision recipe is called {name}; nearest: {near}",
            name=recipe[:60],
            near=", ".join(near),
        )
    return row
