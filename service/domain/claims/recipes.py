"""Which precision recipe the words around a number name."""

import re
from collections.abc import Mapping
from typing import Final

from service.domain.claims.tokens import Number
from service.domain.claims.view import View

WEIGHT_BYTES: Final[Mapping[str, float]] = {"fp32": 4, "fp16": 2, "int8": 1, "int4": 0.5}
_SAID: Final = 48
_ENDS: Final = re.compile("[。;]|\\. ")
_FP32_GRADIENTS: Final = re.compile(
    "(?:梯度|(?<![a-z])gradients?)"
    "(?:(?!和|与|加|参数|权重|优化器| and | plus )[^0-9,;。、+\ue020]){0,20}"
    "(?:fp32|float32|单精度|32.bit)"
)
_RECENT: Final = 3  # sentences that an optimizer is remembered for
_BY_OPTIMIZER: Final[Mapping[str, str]] = {
    "adam8": "adam8bit",
    "sgdm": "sgd_momentum",
    "sgd0": "sgd",
    "sgd": "sgd",
}


def recipe_of(view: View, number: Number) -> str:
    """An id of the memory module, or adam8bit, sgd_momentum or sgd where precision decides."""
    optimizer = _nearest(view, "opt", number)
    is_fp32 = _is_all_fp32(view, number)
    if optimizer in {"sgd", "sgdm", "sgd0", "adam8"}:
        return _with_precision(_BY_OPTIMIZER[optimizer], is_fp32=is_fp32)
    mixes = {m.value for m in view.governing("mix", number)}
    said = view.text(number.start - _SAID, number.start)
    if not mixes & {"fp16grad"} and _FP32_GRADIENTS.search(said) and not _ENDS.search(said):
        return "adam_bf16_fp32grad"
    if "fp32grad" in mixes or (not mixes and _nearest(view, "mix", number) == "fp32grad"):
        return "adam_bf16_fp32grad"
    if "fp16grad" in mixes:
        return "adam_fp16_mixed"
    return "adam_fp32" if is_fp32 else ""


def _with_precision(optimizer: str, *, is_fp32: bool) -> str:
    if optimizer == "adam8bit":
        return optimizer
    return f"{optimizer}_fp32" if is_fp32 else optimizer


def _is_all_fp32(view: View, number: Number) -> bool:
    """Pure fp32 said, or fp32 with no word of mixing in the sentence and no single state named."""
    mixes = {m.value for m in view.governing("mix", number)}
    if "pure" in mixes:
        return True
    if mixes or view.sentence_has("part", number, "master"):
        return False
    types = {m.value for m in view.governing("dtype", number)}
    if types != {"fp32"}:
        return False
    return bool(
        view.in_sentence("opt", number) or view.in_sentence("train", number)
    ) and not _is_of_state(view, number)


def _is_of_state(view: View, number: Number) -> bool:
    """Such as fp32 momentum and variance: it names the width of a state, not of the training."""
    mark = view.in_clause("dtype", number)
    if mark is None:
        return False
    near = view.text(mark.end, mark.end + 14)
    return near.lstrip(" 的").startswith(
        (
            "momentum",
            "variance",
            "master",
            "m ",
            "m、",
            "动量",
            "方差",
            "主权重",
            "copy",
            "states",
            "optimizer",
        )
    )


def _nearest(view: View, kind: str, number: Number) -> str:
    mark = view.in_sentence(kind, number)
    if mark:
        return mark.value
    earlier = view.before(kind, number.start)
    is_recent = (
        earlier is not None
        and view.sentence(number.start) - view.sentence(earlier.start) <= _RECENT
    )
    return earlier.value if earlier and is_recent else ""


def names_type(view: View, number: Number) -> bool:
    """Whether the clause itself says how wide a number is stored."""
    return view.clause_has("dtype", number)


def weight_bytes(view: View, number: Number) -> float | None:
    """Bytes per weight that the clause names: int8 1, 4-bit 0.5."""
    mark = view.in_clause("dtype", number) or view.in_sentence("dtype", number)
    if mark is None:
        return 0.5 if view.sentence_has("tune", number, "qlora") else None
    return WEIGHT_BYTES[mark.value]
