"""A claim as resolved: what it measures and the conditions it rests on, before it is checked."""

from dataclasses import dataclass

from service.domain.claims.model import Quantity
from service.domain.claims.tokens import Number


@dataclass(frozen=True, slots=True)
class Asked:
    """`schemes` are ids of the memory module's families.

    `per` is gpu, param, token, layer, sequence, total or empty; `part` one of the model states,
    possibly several summed; `words` are the flags that stand around it (measured, limit, ...).
    """

    number: Number
    quantity: Quantity
    schemes: tuple[str, ...] = ()
    reference: str = ""
    impl: str = ""
    part: tuple[str, ...] = ()
    per: str = ""
    psi: float | None = None
    model_name: str = ""
    shards: int | None = None
    tp: int = 1
    pp: int = 1
    micro_batches: int = 1
    recipe: str = ""
    collective: str = ""
    weight_bytes: float | None = None
    tokens: float | None = None
    batch: float = 1
    offload: str = ""
    capacity: float | None = None
    words: frozenset[str] = frozenset()
