"""The figures a question can ask for, by name; every one is computed by the memory module.

Bytes, seconds, shares of one and counts go in and come out. A few rules of arithmetic combine
earlier figures.
"""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Final

from service.domain.memory import (
    ActivationSetup,
    Collective,
    ModelShape,
    Offload,
    Recompute,
    adapter_states,
    blocking_share,
    bubble_share,
    checkpoint_bytes,
    checkpoint_plan,
    communication,
    count_parameters,
    fewest_gpus,
    grpo_states,
    layer_activation_bytes,
    link_seconds,
    logits_bytes,
    lora_parameters,
    micro_batches_below,
    model_flops_utilization,
    model_kv_bytes_per_token,
    model_states,
    offload_traffic_bytes,
    ppo_states,
    ring_bytes,
    speed_of_slowest,
    stragglers,
    tensor_parallel_traffic,
    tokens_that_fit,
    training_seconds,
    weight_bytes,
)

Rule = Callable[..., float]


def _states(
    params: float,
    scheme: str,
    shards: float = 1,
    tp: float = 1,
    pp: float = 1,
    offload: str = Offload.NONE.value,
    recipe: str | None = None,
) -> float:
    split = model_states(
        params, scheme, int(shards), recipe, tp=int(tp), pp=int(pp), offload=Offload(offload)
    )
    return split.total


def _host_states(params: float, scheme: str, shards: float, offload: str) -> float:
    """Of one rank."""
    return model_states(params, scheme, int(shards), offload=Offload(offload)).host_total


def _fewest(params: float, memory: float, scheme: str) -> float:
    return float(fewest_gpus(params, memory, scheme) or 0)


def _traffic(
    params: float, scheme: str, micro_batches: float = 1, recipe: str | None = None
) -> float:
    """Bytes through each GPU and step in the limit of a large ring."""
    return communication(params, scheme, micro_batches=int(micro_batches), recipe=recipe).bytes


def _ring(collective: str, message: float, ranks: float) -> float:
    return ring_bytes(Collective(collective), message, int(ranks))


def _bubble(stages: float, micro_batches: float, chunks: float = 1) -> float:
    return bubble_share(int(stages), int(micro_batches), int(chunks))


def _micro_batches(stages: float, share: float) -> float:
    return float(micro_batches_below(int(stages), share))


def _kv(model: ModelShape, tokens: float = 1, batch: float = 1, width: float = 2) -> float:
    return model_kv_bytes_per_token(model, width) * tokens * batch


def _kv_full_heads(model: ModelShape, tokens: float = 1) -> float:
    """As if every query head had keys and values of its own: the usual slip with GQA."""
    return model_kv_bytes_per_token(model) * tokens * model.heads / model.kv_heads


def _params_of(model: ModelShape) -> float:
    return float(count_parameters(model).total)


def _weights(params: float, storage: str = "bf16") -> float:
    return weight_bytes(params, storage)


def _train_seconds(params: float, tokens: float, gpus: float, peak: float, mfu: float) -> float:
    return training_seconds(params, tokens, int(gpus), peak, mfu)


def _slow_share(workers: float, chance: float, step: float, extra: float) -> float:
    return stragglers(int(workers), chance, step, extra).share


def _slow_mean(workers: float, chance: float, step: float, extra: float) -> float:
    return stragglers(int(workers), chance, step, extra).mean_seconds


def _save_interval(save: float, mtbf: float) -> float:
    return checkpoint_plan(save, mtbf).interval_seconds


def _eager(model: ModelShape, seq: float, batch: float) -> float:
    """Scores kept, dropout on: s·b·h·(34 + 5·a·s/h) a layer."""
    setup = ActivationSetup(int(seq), int(batch), model.hidden, model.heads)
    return model.layers * layer_activation_bytes(setup)


def _flash(model: ModelShape, seq: float, batch: float) -> float:
    """FlashAttention without dropout: 32·s·b·h a layer."""
    setup = ActivationSetup(
        int(seq), int(batch), model.hidden, model.heads, dropout=False, flash=True
    )
    return model.layers * layer_activation_bytes(setup)


def _recomputed(model: ModelShape, seq: float, batch: float) -> float:
    """Only the input of each layer: 2·s·b·h a layer."""
    setup = ActivationSetup(
        int(seq), int(batch), model.hidden, model.heads, recompute=Recompute.FULL
    )
    return model.layers * layer_activation_bytes(setup)


def _logits(model: ModelShape, seq: float, batch: float, width: float = 4, tp: float = 1) -> float:
    return logits_bytes(int(seq), int(batch), model.vocab, int(width), int(tp))


def _lora(model: ModelShape, rank: float) -> float:
    return float(lora_parameters(model, int(rank)))


def _adapter_states(params: float, trainable: float) -> float:
    return adapter_states(params, trainable).adapters


def _ppo(params: float) -> float:
    return ppo_states(params).total


def _grpo(params: float) -> float:
    return grpo_states(params).total


def _tp_message(model: ModelShape, seq: float, batch: float) -> float:
    return tensor_parallel_traffic(model.layers, model.hidden, int(seq), int(batch), 2).message


def _tp_count(model: ModelShape, full_recompute: float = 0) -> float:
    return float(
        tensor_parallel_traffic(
            model.layers, model.hidden, 1, 1, 2, full_recompute=bool(full_recompute)
        ).collectives
    )


def _tp_sent(
    model: ModelShape, seq: float, batch: float, tp: float, full_recompute: float = 0
) -> float:
    return tensor_parallel_traffic(
        model.layers, model.hidden, int(seq), int(batch), int(tp),
        full_recompute=bool(full_recompute),
    ).sent  # fmt: skip


def _offload_traffic(params: float, shards: float = 1) -> float:
    return offload_traffic_bytes(params, int(shards))


def _fits(free: float, each: float) -> float:
    return float(tokens_that_fit(free, each))


def _plus(a: float, b: float, c: float = 0) -> float:
    return a + b + c


def _minus(a: float, b: float) -> float:
    return a - b


def _product(a: float, b: float, c: float = 1) -> float:
    return a * b * c


def _quotient(a: float, b: float) -> float:
    return a / b


def _rounded_up(a: float, b: float) -> float:
    """Whole things needed: a over b, upwards."""
    return float(ceil(a / b))


RULES: Final[Mapping[str, Rule]] = {
    "states": _states,
    "host_states": _host_states,
    "fewest_gpus": _fewest,
    "traffic": _traffic,
    "ring": _ring,
    "bubble": _bubble,
    "micro_batches_below": _micro_batches,
    "kv_cache": _kv,
    "kv_cache_full_heads": _kv_full_heads,
    "tokens_that_fit": _fits,
    "params_of": _params_of,
    "weights": _weights,
    "train_seconds": _train_seconds,
    "mfu": model_flops_utilization,
    "slow_share": _slow_share,
    "slow_mean": _slow_mean,
    "slowest_speed": speed_of_slowest,
    "checkpoint": checkpoint_bytes,
    "save_interval": _save_interval,
    "blocking_share": blocking_share,
    "link_seconds": link_seconds,
    "eager_activations": _eager,
    "flash_activations": _flash,
    "recomputed_activations": _recomputed,
    "logits": _logits,
    "lora_params": _lora,
    "adapter_states": _adapter_states,
    "ppo_states": _ppo,
    "grpo_states": _grpo,
    "tp_message": _tp_message,
    "tp_all_reduces": _tp_count,
    "tp_sent": _tp_sent,
    "offload_traffic": _offload_traffic,
    "plus": _plus,
    "minus": _minus,
    "times": _product,
    "over": _quotient,
    "rounded_up": _rounded_up,
}
