"""Numeric claims: a number in a text, what it is about, and whether it is right."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.language import Message
from service.domain.text import Span


class ClaimVerdict(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    CONDITIONAL = (
        "conditional"  # right in the paper, different in an implementation, or the reverse
    )
    UNCHECKABLE = "uncheckable"  # a needed condition is missing, or a measured total


class Quantity(StrEnum):
    MEMORY_PER_GPU = "memory_per_gpu"
    BYTES_PER_PARAM = "bytes_per_param"
    REDUCTION_FACTOR = "reduction_factor"
    COMM_VOLUME = "comm_volume"
    PARAM_COUNT = "param_count"
    TOTAL_MEMORY = "total_memory"
    KV_CACHE = "kv_cache"
    ACTIVATION = "activation"
    FORMULA = "formula"
    FIGURE = "figure"  # what a question with drawn numbers asks for


@dataclass(frozen=True, slots=True)
class ClaimContext:
    """What is known before the text is read: from the session, the question or the caller."""

    model_params: float | None = None  # ψ, elements
    dp_degree: int | None = None  # N, the sharding degree
    scheme: str | None = None
    recipe: str | None = None
    gpus: int | None = None
    micro_batches: int | None = None  # k
    model_name: str | None = None


@dataclass(frozen=True, slots=True)
class NumericClaim:
    """`expected` is the right value as shown; `formula` the text with the numbers put in."""

    span: Span
    text: str
    quantity: Quantity
    verdict: ClaimVerdict
    expected: str | None
    why: Message
    fact_ids: tuple[str, ...] = ()
    scheme: str | None = None
    formula: str | None = None
