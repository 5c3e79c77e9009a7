"""The words of sharding: which states are split, which collectives run, how often, over whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from service.domain.language import Bilingual, Message, msg


class State(StrEnum):
    PARAMETERS = "parameters"
    GRADIENTS = "gradients"
    OPTIMIZER = "optimizer"


class Status(StrEnum):
    PAPER = "paper"
    IMPLEMENTATION = "implementation"
    DERIVED = "derived"


class Collective(StrEnum):
    ALL_REDUCE = "all_reduce"
    ALL_GATHER = "all_gather"
    REDUCE_SCATTER = "reduce_scatter"
    REDUCE = "reduce"
    BROADCAST = "broadcast"
    ALL_TO_ALL = "all_to_all"


class Purpose(StrEnum):
    GRADIENTS = "gradients"
    FORWARD = "forward_parameters"
    BACKWARD = "backward_parameters"
    RECOMPUTE = "recompute_parameters"
    UPDATED = "updated_parameters"


class Per(StrEnum):
    STEP = "step"
    MICRO_BATCH = "micro_batch"


class Group(StrEnum):
    """SHARD: the ranks that split the states; REPLICA: the ranks that hold the same shard."""

    SHARD = "shard"
    REPLICA = "replica"


class Offload(StrEnum):
    NONE = "none"
    OPTIMIZER = "cpu_optimizer"
    ALL = "cpu_optimizer_and_parameters"
    NVME_OPTIMIZER = "nvme_optimizer"
    NVME_ALL = "nvme_optimizer_and_parameters"


OFFLOAD_TITLES: Final[Mapping[Offload, Message]] = {
    Offload.NONE: msg("No offload"),
    Offload.OPTIMIZER: msg("Optimizer to the CPU"),
    Offload.ALL: msg("Optimizer and parameters to the CPU"),
    Offload.NVME_OPTIMIZER: msg("Optimizer to NVMe"),
    Offload.NVME_ALL: msg("Optimizer and parameters to NVMe"),
}


# Elements through each GPU of a large ring, as multiples of the tensor (paper §7.1).
RING_VOLUME: Final[Mapping[Collective, int]] = {
    Collective.ALL_REDUCE: 2,
    Collective.ALL_GATHER: 1,
    Collective.REDUCE_SCATTER: 1,
    Collective.REDUCE: 1,
    Collective.BROADCAST: 1,
    Collective.ALL_TO_ALL: 1,
}


@dataclass(frozen=True, slots=True)
class CommTerm:
    """One collective over all of ψ (over ψ/S in a replica group).

    `width` shrinks the payload when it is quantised: 1/2 for 8-bit instead of 16-bit.
    """

    collective: Collective
    purpose: Purpose
    per: Per = Per.STEP
    group: Group = Group.SHARD
    width: Fraction = Fraction(1)

    @property
    def multiple(self) -> Fraction:
        """Multiples of the payload through each GPU, ring factor left at its limit."""
        return RING_VOLUME[self.collective] * self.width


@dataclass(frozen=True, slots=True)
class Scheme:
    """`stage` is the ZeRO stage it amounts to; `sharded` are the states split over N."""

    id: str
    title: Bilingual
    status: Status
    stage: int
    sharded: frozenset[State]
    terms: tuple[CommTerm, ...]
    source: str
    fact_ids: tuple[str, ...]
    recipe: str = "adam_fp16_mixed"
    offloads: frozenset[Offload] = frozenset()
    notes: tuple[Message, ...] = ()
    aliases: tuple[str, ...] = ()
    gathers_whole_model: bool = False
    firm: bool = True  # False: from memory or own derivation, shown as such

    def shards(self, state: State) -> bool:
        return state in self.sharded

    @property
    def has_replicas(self) -> bool:
        return any(term.group is Group.REPLICA for term in self.terms)


def hybrid_groups(ranks: int, gpus_per_node: int) -> tuple[int, int]:
    """Shard group and number of replicas where hybrid schemes shard inside a node.

    A last node that is not full, or fewer ranks than a node has, leaves one group of all.
    """
    if ranks <= gpus_per_node or ranks % gpus_per_node:
        return ranks, 1
    return gpus_per_node, ranks // gpus_per_node
