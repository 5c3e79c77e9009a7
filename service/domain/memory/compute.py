"""Time beside the memory: training time and MFU, pipeline bubble, stragglers, links, checkpoints.

Seconds, bytes and FLOP/s throughout.
"""

from dataclasses import dataclass
from math import floor, sqrt
from typing import Final

from service.domain.memory.checks import degree, fraction, not_negative, positive
from service.domain.memory.communication import ring_bytes
from service.domain.memory.recipes import PrecisionRecipe, find_recipe
from service.domain.memory.sharding import Collective

# Forward 2ψ and backward 4ψ FLOPs a token, attention scores left out.
FLOPS_PER_PARAMETER: Final = 6
SECONDS_PER_DAY: Final = 86_400


def training_seconds(
    active_params: float, tokens: float, gpus: int, peak_flops: float, mfu: float
) -> float:
    """6ψT / (GPUs · peak · MFU). For experts ψ is what one token passes.

    Raises:
        InputInvalid: a size not above zero, or MFU outside 0..1.
    """
    for name, value in (("params", active_params), ("tokens", tokens), ("peak_flops", peak_flops)):
        positive(name, value)
    degree("gpus", gpus)
    fraction("mfu", mfu)
    return FLOPS_PER_PARAMETER * active_params * tokens / (gpus * peak_flops * mfu)


def model_flops_utilization(
    active_params: float, tokens_per_second_per_gpu: float, peak_flops: float
) -> float:
    """MFU = 6ψ · tokens/s/GPU / peak."""
    positive("params", active_params)
    positive("tokens_per_second_per_gpu", tokens_per_second_per_gpu)
    return flops_utilization(
        FLOPS_PER_PARAMETER * active_params * tokens_per_second_per_gpu, peak_flops
    )


def flops_utilization(achieved_flops: float, peak_flops: float) -> float:
    """Achieved FLOP/s over the peak of the same precision, dense."""
    positive("achieved_flops", achieved_flops)
    positive("peak_flops", peak_flops)
    return achieved_flops / peak_flops


def bubble_share(stages: int, micro_batches: int, chunks: int = 1) -> float:
    """Idle share of a 1F1B or GPipe step: (p-1)/(m+p-1); v chunks shrink p-1 to (p-1)/v."""
    degree("stages", stages)
    degree("micro_batches", micro_batches)
    degree("chunks", chunks)
    idle = (stages - 1) / chunks
    return idle / (micro_batches + idle)


def micro_batches_below(stages: int, share: float) -> int:
    """Fewest micro-batches whose bubble is strictly below `share`."""
    degree("stages", stages)
    fraction("share", share)
    # (p-1)/(m+p-1) < x  is  m > (p-1)(1-x)/x; rounding first keeps 133.00000000000003 at 133.
    return max(1, floor(round((stages - 1) * (1 - share) / share, 9)) + 1)


@dataclass(frozen=True, slots=True)
class TensorParallelTraffic:
    """Activations all-reduced for one micro-batch. `sent` is what each rank puts on the ring."""

    collectives: int
    message: float
    payload: float
    sent: float

    def seconds(self, bytes_per_second: float) -> float:
        return link_seconds(self.sent, bytes_per_second)


# Two all-reduces forward and two backward in each layer; recompute repeats the forward ones.
_PER_LAYER: Final = 4
_RECOMPUTE_EXTRA: Final = 2


def tensor_parallel_traffic(
    layers: int,
    hidden: int,
    seq: int,
    batch: int,
    tp: int,
    *,
    width: int = 2,
    full_recompute: bool = False,
) -> TensorParallelTraffic:
    """All-reduces of s·b·h values. Sequence parallelism moves the same bytes in halves."""
    for name, value in (
        ("layers", layers),
        ("hidden", hidden),
        ("seq", seq),
        ("batch", batch),
        ("tp", tp),
        ("width", width),
    ):
        degree(name, value)
    collectives = layers * (_PER_LAYER + _RECOMPUTE_EXTRA * full_recompute)
    message = float(seq * batch * hidden * width)
    sent = collectives * ring_bytes(Collective.ALL_REDUCE, message, tp)
    return TensorParallelTraffic(collectives, message, collectives * message, sent)


def link_seconds(payload_bytes: float, bytes_per_second: float) -> float:
    """Payload over one link, latency and overlap left out."""
    not_negative("payload_bytes", payload_bytes)
    positive("bytes_per_second", bytes_per_second)
    return payload_bytes / bytes_per_second


def checkpoint_bytes(params: float, recipe: str | PrecisionRecipe = "adam_fp16_mixed") -> float:
    """A full checkpoint: parameters and optimizer states, no gradients."""
    positive("params", params)
    mix = find_recipe(recipe)
    return params * (mix.parameters + mix.optimizer)


@dataclass(frozen=True, slots=True)
class CheckpointPlan:
    """An interval by Young and Daly; not feasible where it reaches the time between failures."""

    save_seconds: float
    mtbf_seconds: float
    interval_seconds: float

    @property
    def feasible(self) -> bool:
        return self.interval_seconds < self.mtbf_seconds

    @property
    def saving_share(self) -> float:
        """Share of time a blocking save takes."""
        return blocking_share(self.save_seconds, self.interval_seconds)


def checkpoint_plan(save_seconds: float, mtbf_seconds: float) -> CheckpointPlan:
    """Young-Daly first order: sqrt(2 · save · MTBF), for blocking saves."""
    positive("save_seconds", save_seconds)
    positive("mtbf_seconds", mtbf_seconds)
    return CheckpointPlan(save_seconds, mtbf_seconds, sqrt(2 * save_seconds * mtbf_seconds))


def blocking_share(save_seconds: float, interval_seconds: float) -> float:
    """Save time over the interval between two saves."""
    not_negative("save_seconds", save_seconds)
    positive("interval_seconds", interval_seconds)
    return save_seconds / interval_seconds


@dataclass(frozen=True, slots=True)
class Stragglers:
    """Synchronous steps wait for the slowest. `share` of steps have at least one slow worker."""

    share: float
    mean_seconds: float


def stragglers(
    workers: int, slow_probability: float, step_seconds: float, extra_seconds: float
) -> Stragglers:
    """Independent slowdowns: 1-(1-p)^n of the steps take `extra_seconds` more."""
    degree("workers", workers)
    fraction("slow_probability", slow_probability)
    positive("step_seconds", step_seconds)
    not_negative("extra_seconds", extra_seconds)
    share = 1 - (1 - slow_probability) ** workers
    return Stragglers(share, step_seconds + share * extra_seconds)


def speed_of_slowest(usual_seconds: float, slowest_seconds: float) -> float:
    """Share of the ideal speed when one rank takes longer."""
    positive("usual_seconds", usual_seconds)
    positive("slowest_seconds", slowest_seconds)
    return min(1.0, usual_seconds / slowest_seconds)
