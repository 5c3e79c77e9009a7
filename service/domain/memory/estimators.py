"""What other tools print for the same question, quirks and all.

DeepSpeed 0.19.8 (`stage_1_and_2.py:4017`, `stage3.py:4016`): integers, CPU figures per node, sizes
divided by 2^30 and printed as GB. Megatron-LM: bytes per parameter. accelerate: fp32 totals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.domain.memory.checks import degree, positive
from service.domain.memory.parameters import (
    ModelShape,
    count_parameters,
    layer_parameters,
)
from service.errors import InputInvalid

BUFFER_FACTOR: Final = 1.5

UNIT_QUIRK: Final = msg("DeepSpeed divides by 2^30 and prints GB: its figures are GiB")
STALE_DOCS: Final = msg("its documentation still shows the older 4ψ+16ψ/N")
GLOBAL_GPUS: Final = msg("the host figure with offload counts the GPUs of all nodes, not of one")
PER_NODE: Final = msg("host figures are per node")
NO_NVME: Final = msg("NVMe offload has no estimator")


@dataclass(frozen=True, slots=True)
class Cluster:
    gpus_per_node: int = 1
    nodes: int = 1

    @property
    def gpus(self) -> int:
        return self.gpus_per_node * self.nodes


@dataclass(frozen=True, slots=True)
class DeepSpeedEstimate:
    """Bytes per GPU and of host memory per node; `largest_layer` is part of the GPU figure."""

    cpu: int
    gpu: int
    largest_layer: int = 0
    quirks: tuple[Message, ...] = ()


def deepspeed_zero2(
    params: int, cluster: Cluster, *, cpu_offload: bool, buffer_factor: float = BUFFER_FACTOR
) -> DeepSpeedEstimate:
    """`estimate_zero2_model_states_mem_needs`: 2ψ with offload, else 2ψ+18ψ/N.

    Raises:
        InputInvalid: a size not above zero.
    """
    _check(params, cluster, buffer_factor)
    quirks = (UNIT_QUIRK, STALE_DOCS, PER_NODE)
    if cpu_offload:
        cpu = params * max(4 * cluster.gpus, 16) * buffer_factor
        return DeepSpeedEstimate(int(cpu), 2 * params, quirks=(*quirks, GLOBAL_GPUS))
    gpu = 2 * params + int(18 * params / cluster.gpus)
    cpu = params * 4 * cluster.gpus_per_node * buffer_factor
    return DeepSpeedEstimate(int(cpu), gpu, quirks=quirks)


def deepspeed_zero3(
    params: int,
    largest_layer_params: int,
    cluster: Cluster,
    *,
    cpu_offload: bool,
    cpu_offload_params: bool,
    zero_init: bool,
    buffer_factor: float = BUFFER_FACTOR,
) -> DeepSpeedEstimate:
    """`estimate_zero3_model_states_mem_needs`; parameters are offloaded only with the optimizer.

    Raises:
        InputInvalid: a size not above zero.
    """
    _check(params, cluster, buffer_factor)
    positive("largest_layer_params", largest_layer_params)
    layer = 4 * largest_layer_params
    per_gpu = 4 * cluster.gpus_per_node
    share = 1 / cluster.nodes
    if not cpu_offload:
        gpu = layer + int(18 * params / cluster.gpus)
        cpu = (largest_layer_params if zero_init else params) * per_gpu * buffer_factor
        return DeepSpeedEstimate(int(cpu), int(gpu), layer, (UNIT_QUIRK, PER_NODE, NO_NVME))
    # Parameters on the host add their own two bytes to the sixteen.
    width = 18 if cpu_offload_params else 16
    gpu = layer if cpu_offload_params else layer + int(2 * params / cluster.gpus)
    multiple = width * share if zero_init else max(per_gpu, width * share)
    cpu = params * multiple * buffer_factor
    return DeepSpeedEstimate(int(cpu), int(gpu), layer, (UNIT_QUIRK, PER_NODE, NO_NVME))


def _check(params: int, cluster: Cluster, buffer_factor: float) -> None:
    positive("params", params)
    degree("gpus_per_node", cluster.gpus_per_node)
    degree("nodes", cluster.nodes)
    positive("buffer_factor", buffer_factor)


@dataclass(frozen=True, slots=True)
class MegatronRow:
    """Bytes per parameter kept whole, and split over d by the distributed optimizer."""

    whole: int
    split: int

    @property
    def total(self) -> int:
        return self.whole + self.split


MEGATRON: Final[Mapping[str, MegatronRow]] = {
    "fp16p_fp16g": MegatronRow(4, 16),
    "bf16p_fp32g": MegatronRow(6, 12),
    "fp32p_fp32g": MegatronRow(8, 8),
}


def megatron_bytes_per_parameter(kind: str, distributed: int | None = None) -> float:
    """Megatron-LM's table; `distributed` is the data-parallel degree d, None without it.

    Raises:
        InputInvalid: no such kind, or d below one.
    """
    row = MEGATRON.get(kind)
    if row is None:
        raise InputInvalid(
            "{kind} is none of {kinds}", kind=repr(kind[:40]), kinds=", ".join(MEGATRON)
        )
    if distributed is None:
        return row.total
    degree("distributed", distributed)
    return row.whole + row.split / distributed


def accelerate_total_bytes(shape: ModelShape, width: int = 4) -> int:
    """Accelerate's total size of a model, fp32 unless said.

    It counts buffers too: rotary frequencies and their copy, half a head's width each.
    """
    return (count_parameters(shape).total + shape.rotary_width) * width


def accelerate_largest_layer_bytes(shape: ModelShape, width: int = 4) -> int:
    """Accelerate's largest layer: a whole block is one, unlike DeepSpeed's largest module."""
    return max(layer_parameters(shape), shape.vocab * shape.hidden) * width
