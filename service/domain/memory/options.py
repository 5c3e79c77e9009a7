"""One way to run a job and what it takes on each GPU: memory by part, seconds of traffic."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.memory.activations import Recompute, logits_bytes, shape_activation_bytes
from service.domain.memory.buffers import gathered_bytes, reduce_bucket_bytes
from service.domain.memory.checks import degree, divides, fraction, positive
from service.domain.memory.communication import (
    CommVolume,
    communication,
    offload_traffic_bytes,
)
from service.domain.memory.parameters import ModelShape, layer_parameters
from service.domain.memory.recipes import PrecisionRecipe
from service.domain.memory.schemes import SCHEMES
from service.domain.memory.sharding import Group, Offload, Scheme, State
from service.domain.memory.states import StateBytes, model_states
from service.domain.memory.units import GB, TB


@dataclass(frozen=True, slots=True)
class Setting:
    """The job. Bytes and bytes per second; `reserve` is the share kept free on each GPU.

    The reserve stands for the CUDA context and fragmentation; it is a choice, not a measurement.
    `inter_node` is what one GPU gets of its node's network; `host_memory` is a node's.
    """

    psi: float
    gpus: int
    memory: float
    gpus_per_node: int = 8
    intra_node: float = 300 * GB
    inter_node: float = 25 * GB
    pcie: float = 25 * GB
    seq: int = 4096
    batch: int = 1
    micro_batches: int = 1
    tp: int = 1
    pp: int = 1
    sequence_parallel: bool = False
    recompute: Recompute = Recompute.NONE
    shape: ModelShape | None = None
    recipe: str | PrecisionRecipe | None = None
    reserve: float = 0.1
    host_memory: float = 2 * TB

    @property
    def shards(self) -> int:
        """Data-parallel degree."""
        return self.gpus // (self.tp * self.pp)

    @property
    def local_psi(self) -> float:
        return self.psi / (self.tp * self.pp)

    @property
    def usable(self) -> float:
        return self.memory * (1 - self.reserve)


@dataclass(frozen=True, slots=True)
class Candidate:
    """`rank` orders from fast to slow: stage, then offload (as the transformers guide does)."""

    scheme: str
    offload: Offload = Offload.NONE
    rank: int = 0


_CANDIDATES: Final = (
    Candidate("ddp", rank=0),
    Candidate("ds_zero1_default", rank=1),
    Candidate("megatron_distopt", rank=1),
    Candidate("ds_zero2_default", rank=2),
    Candidate("hsdp", rank=3),
    Candidate("ds_zero3_default", rank=4),
    Candidate("fsdp_full_shard", rank=4),
    Candidate("ds_zero2_default", Offload.OPTIMIZER, rank=5),
    Candidate("ds_zero3_default", Offload.OPTIMIZER, rank=6),
    Candidate("ds_zero3_default", Offload.ALL, rank=7),
)


@dataclass(frozen=True, slots=True)
class Option:
    """One way to run it, per GPU. `activations` is None where the shape is not known."""

    candidate: Candidate
    states: StateBytes
    volume: CommVolume
    activations: float | None
    buffers: float
    working_set: float
    comm_seconds: float
    offload_seconds: float
    usable: float
    host_needed: float  # bytes a node holds for its GPUs
    host_memory: float

    @property
    def scheme(self) -> Scheme:
        return self.states.scheme

    @property
    def total(self) -> float:
        return self.states.total + (self.activations or 0) + self.buffers + self.working_set

    @property
    def headroom(self) -> float:
        """Bytes left below the usable memory; negative where it does not fit."""
        return self.usable - self.total

    @property
    def host_headroom(self) -> float:
        return self.host_memory - self.host_needed

    @property
    def fits(self) -> bool:
        return self.headroom >= 0 and self.host_headroom >= 0

    @property
    def seconds(self) -> float:
        """Communication and offload of a step, before overlap."""
        return self.comm_seconds + self.offload_seconds


def options_for(setting: Setting) -> tuple[Option, ...]:
    """Every scheme that can be used in the setting, whether it fits or not.

    Raises:
        InputInvalid: a size not above zero, or tp·pp that does not divide the GPUs.
    """
    _check(setting)
    return tuple(_option(setting, c) for c in _CANDIDATES if _applies(setting, c))


def _check(setting: Setting) -> None:
    for name in ("psi", "memory", "intra_node", "inter_node", "pcie", "host_memory"):
        positive(name, getattr(setting, name))
    for name in ("gpus", "gpus_per_node", "seq", "batch", "micro_batches", "tp", "pp"):
        degree(name, getattr(setting, name))
    fraction("1 - reserve", 1 - setting.reserve)
    divides("tp x pp", setting.tp * setting.pp, "gpus", setting.gpus)


def _applies(setting: Setting, candidate: Candidate) -> bool:
    """Hybrid sharding needs several whole nodes; DeepSpeed's pipeline stops at stage 1 (F114).

    Megatron's distributed optimizer is named where the model is split as Megatron splits it.
    """
    scheme = SCHEMES[candidate.scheme]
    if setting.pp > 1 and scheme.stage > 1:
        return False
    if scheme.has_replicas:
        return setting.shards > setting.gpus_per_node and (
            setting.shards % setting.gpus_per_node == 0
        )
    if scheme.id == "megatron_distopt":
        return setting.shards > 1 and setting.tp * setting.pp > 1
    return setting.shards > 1 or scheme.stage == 0 or candidate.offload is not Offload.NONE


def _option(setting: Setting, candidate: Candidate) -> Option:
    scheme = SCHEMES[candidate.scheme]
    replicas = setting.shards // setting.gpus_per_node if scheme.has_replicas else 1
    shards = setting.shards // replicas
    states = model_states(
        setting.psi, scheme, shards, setting.recipe,
        tp=setting.tp, pp=setting.pp, offload=candidate.offload,
    )  # fmt: skip
    volume = communication(
        setting.local_psi, scheme, shards,
        micro_batches=setting.micro_batches, replicas=replicas, recipe=setting.recipe,
    )  # fmt: skip
    return Option(
        candidate,
        states,
        volume,
        _activations(setting),
        _buffers(setting, scheme),
        _working_set(setting, scheme),
        _comm_seconds(setting, volume, shards),
        _offload_seconds(setting, candidate, shards),
        setting.usable,
        states.host_total * min(setting.gpus_per_node, setting.gpus),
        setting.host_memory,
    )


def _activations(setting: Setting) -> float | None:
    if setting.shape is None:
        return None
    # 1F1B keeps as many micro-batches alive as there are stages: L layers' worth either way.
    whole = shape_activation_bytes(
        setting.shape, setting.seq, setting.batch, setting.recompute,
        tp=setting.tp, sequence_parallel=setting.sequence_parallel,
    )  # fmt: skip
    logits = logits_bytes(setting.seq, setting.batch, setting.shape.vocab, tp=setting.tp)
    # The loss keeps fp32 logits and their gradient at once.
    return whole + 2 * logits


def _buffers(setting: Setting, scheme: Scheme) -> float:
    """One bucket of gradients where they are reduced in buckets; never more than the model."""
    if scheme.shards(State.PARAMETERS) or setting.shards == 1:
        return 0.0
    return min(reduce_bucket_bytes(), 2 * setting.local_psi)


def _working_set(setting: Setting, scheme: Scheme) -> float:
    """One gathered layer and the one fetched ahead; the live limit where layers are not known."""
    if not scheme.shards(State.PARAMETERS) or setting.shards == 1:
        return 0.0
    layer = layer_parameters(setting.shape) / setting.tp if setting.shape else 0.0
    least, most = gathered_bytes(layer, setting.local_psi)
    return 2 * least or most


def _comm_seconds(setting: Setting, volume: CommVolume, shards: int) -> float:
    """Each collective at the slowest link of its group: between nodes when it spans several."""
    ranks_per_node = max(1, setting.gpus_per_node // setting.tp)
    inside = setting.intra_node if shards <= ranks_per_node else setting.inter_node
    links: Mapping[Group, float] = {Group.SHARD: inside, Group.REPLICA: setting.inter_node}
    return sum(part.exact_bytes / links[part.term.group] for part in volume.parts)


def _offload_seconds(setting: Setting, candidate: Candidate, shards: int) -> float:
    if candidate.offload is Offload.NONE:
        return 0.0
    return offload_traffic_bytes(setting.local_psi, shards) / setting.pcie
