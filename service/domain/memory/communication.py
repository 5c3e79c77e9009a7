"""Communication of data parallelism in one optimizer step: elements and bytes through each GPU."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from service.domain.memory.checks import degree, not_negative, positive
from service.domain.memory.recipes import PrecisionRecipe, find_recipe
from service.domain.memory.schemes import find_scheme
from service.domain.memory.sharding import (
    RING_VOLUME,
    Collective,
    CommTerm,
    Group,
    Per,
    Purpose,
    Scheme,
)
from service.domain.memory.units import show_bytes, show_number


@dataclass(frozen=True, slots=True)
class CommPart:
    """One collective of the step. `elements` at the ring's limit, `exact_*` with (n-1)/n."""

    term: CommTerm
    times: int
    elements: float
    exact_elements: float
    bytes: float
    exact_bytes: float


@dataclass(frozen=True, slots=True)
class CommVolume:
    """What one GPU sends (and receives) for one optimizer step.

    `elements` is the paper's convention, the limit of a large ring; a group of one sends nothing.
    `exact_elements` carries the ring factor (n-1)/n of each group.
    """

    psi: float
    scheme: Scheme
    recipe: PrecisionRecipe
    shards: int | None
    replicas: int
    micro_batches: int
    parts: tuple[CommPart, ...]

    @property
    def elements(self) -> float:
        return sum(part.elements for part in self.parts)

    @property
    def exact_elements(self) -> float:
        return sum(part.exact_elements for part in self.parts)

    @property
    def bytes(self) -> float:
        return sum(part.bytes for part in self.parts)

    @property
    def exact_bytes(self) -> float:
        return sum(part.exact_bytes for part in self.parts)

    @property
    def formula(self) -> str:
        """Multiples of ψ for k micro-batches: `2kψ+ψ`."""
        return volume_formula(self.scheme)

    @property
    def worked(self) -> str:
        """Multiples of ψ, elements, then bytes, in signs of no language."""
        multiple = self.elements / self.psi
        total = f"{show_number(self.elements)} → {show_bytes(self.bytes)}"
        return f"{self.formula} = {multiple:.6g}×{show_number(self.psi)} = {total}"

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.scheme.source,)

    @property
    def fact_ids(self) -> tuple[str, ...]:
        return self.scheme.fact_ids


_OF_GRADIENTS: Final = frozenset({Purpose.GRADIENTS})


def communication(
    psi: float,
    scheme: str | Scheme,
    shards: int | None = None,
    *,
    micro_batches: int = 1,
    replicas: int = 1,
    recipe: str | PrecisionRecipe | None = None,
) -> CommVolume:
    """Volume of one step. Without `shards` the exact figures equal the limit.

    `psi` counts the parameters this GPU's data-parallel group holds (ψ/(t·p)); `replicas` is the
    number of groups that hold the same shards in hybrid schemes.

    Raises:
        InputInvalid: unknown scheme, ψ not above zero, or a degree below one.
    """
    row = find_scheme(scheme)
    mix = find_recipe(recipe or row.recipe)
    positive("params", psi)
    degree("micro_batches", micro_batches)
    degree("replicas", replicas)
    if shards is not None:
        degree("shards", shards)
    parts = tuple(_part(term, psi, mix, shards, replicas, micro_batches) for term in row.terms)
    return CommVolume(psi, row, mix, shards, replicas, micro_batches, parts)


def _part(
    term: CommTerm,
    psi: float,
    recipe: PrecisionRecipe,
    shards: int | None,
    replicas: int,
    micro_batches: int,
) -> CommPart:
    in_replicas = term.group is Group.REPLICA
    payload = psi / (shards or 1) if in_replicas else psi
    size = replicas if in_replicas else shards
    times = micro_batches if term.per is Per.MICRO_BATCH else 1
    elements = 0.0 if size == 1 else payload * float(term.multiple) * times
    exact = elements if size is None else elements * (size - 1) / size
    is_gradient = term.purpose in _OF_GRADIENTS
    width = recipe.wire_gradients if is_gradient else recipe.wire_parameters
    return CommPart(term, times, elements, exact, elements * width, exact * width)


def volume_formula(scheme: str | Scheme) -> str:
    """`2kψ+ψ`: first what every micro-batch pays, then what the step pays once."""
    row = find_scheme(scheme)
    pieces = (
        _multiple(row, Per.MICRO_BATCH, Group.SHARD, "kψ"),
        _multiple(row, Per.STEP, Group.SHARD, "ψ"),
        _multiple(row, Per.STEP, Group.REPLICA, "ψ/S"),
    )
    return "+".join(piece for piece in pieces if piece)


def _multiple(scheme: Scheme, per: Per, group: Group, symbol: str) -> str:
    times = sum(
        (t.multiple for t in scheme.terms if t.per is per and t.group is group), Fraction(0)
    )
    if not times:
        return ""
    return symbol if times == 1 else f"{float(times):g}{symbol}"


def fsdp_calls(
    scheme: str | Scheme, units: int, micro_batches: int = 1, *, root_reshards: bool = False
) -> Mapping[Collective, int]:
    """Collective calls of a step for `units` FSDP units, the root among them.

    The root keeps its parameters after the forward pass unless told otherwise
    (reshard_after_forward=None), which saves one gather; torch 2.13.0, measured.
    """
    degree("units", units)
    degree("micro_batches", micro_batches)
    calls: dict[Collective, int] = {
        Collective.ALL_GATHER: 0,
        Collective.REDUCE_SCATTER: 0,
        Collective.ALL_REDUCE: 0,
    }
    for term in find_scheme(scheme).terms:
        times = micro_batches if term.per is Per.MICRO_BATCH else 1
        kept = term.purpose is Purpose.BACKWARD and not root_reshards
        calls[term.collective] = calls.get(term.collective, 0) + times * (units - kept)
    return calls


def ring_bytes(collective: Collective, message_bytes: float, ranks: int) -> float:
    """Bytes each rank sends for one collective over a ring: (n-1)/n per pass.

    An all-reduce is two passes (reduce-scatter, all-gather). `message_bytes` is the whole tensor.
    """
    not_negative("message_bytes", message_bytes)
    degree("ranks", ranks)
    return RING_VOLUME[collective] * message_bytes * (ranks - 1) / ranks


def offload_traffic_bytes(
    psi: float, shards: int = 1, recipe: str | PrecisionRecipe = "adam_fp16_mixed"
) -> float:
    """PCIe bytes per step and rank: gradients down, fresh parameters up; 4ψ in 16 bits.

    ZeRO-Offload, arXiv:2101.06840 (read through a secondary summary).
    """
    positive("params", psi)
    degree("shards", shards)
    mix = find_recipe(recipe)
    return psi * (mix.wire_gradients + mix.wire_parameters) / shards


@dataclass(frozen=True, slots=True)
class ZeroPlusPlus:
    """Volume between nodes in 16-bit model sizes M (ZeRO++ table)."""

    forward: Fraction
    backward: Fraction
    gradients: Fraction

    @property
    def total(self) -> Fraction:
        return self.forward + self.backward + self.gradients


_QUANTIZED_WEIGHTS: Final[Mapping[bool, Fraction]] = {False: Fraction(1), True: Fraction(1, 2)}
_QUANTIZED_GRADIENTS: Final[Mapping[bool, Fraction]] = {False: Fraction(1), True: Fraction(1, 4)}


def zeropp_volume(*, qwz: bool = True, hpz: bool = True, qgz: bool = True) -> ZeroPlusPlus:
    """Stage 3 with parts of ZeRO++ switched on.

    qwZ halves the gathers, hpZ keeps the backward one inside a node, qgZ quarters the reduction.
    """
    weights = _QUANTIZED_WEIGHTS[qwz]
    backward = Fraction(0) if hpz else weights
    return ZeroPlusPlus(weights, backward, _QUANTIZED_GRADIENTS[qgz])


def hpz_extra_bytes(psi: float, group: int) -> float:
    """The second 16-bit copy that hpZ keeps, per GPU: 2ψ / group (own derivation)."""
    positive("params", psi)
    degree("group", group)
    return 2 * psi / group


def qgz_volume(gpus_per_node: int, quantization: float, *, hops: int) -> float:
    """Bytes a node sends out for M bytes of gradients: M·N/Z in one hop, M/Z in two."""
    degree("gpus_per_node", gpus_per_node)
    positive("quantization", quantization)
    return (gpus_per_node if hops == 1 else 1) / quantization
