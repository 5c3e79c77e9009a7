"""Each named reference function, answered by the memory module."""

from collections.abc import Callable, Mapping
from typing import Final

from eval.vector_inputs import Inputs, Unsupported
from service.domain.memory import (
    ActivationSetup,
    Cluster,
    Collective,
    Experts,
    ModelShape,
    Per,
    Purpose,
    Recompute,
    Scheme,
    State,
    accelerate_largest_layer_bytes,
    accelerate_total_bytes,
    communication,
    count_parameters,
    deepspeed_zero2,
    deepspeed_zero3,
    find_model,
    find_recipe,
    find_scheme,
    fsdp_calls,
    fused_fp32_buffer_bytes,
    gib,
    interleaved_factor,
    kv_cache_bytes,
    largest_module_parameters,
    layer_activation_bytes,
    max_parameters,
    measured_layer_bytes,
    megatron_bytes_per_parameter,
    model_states,
    qgz_volume,
    ring_bytes,
    score_term,
    selective_flops_ratio,
    selective_saving,
    share_of_tensor_parallel,
    zero_paper_activation_bytes,
    zeropp_volume,
)

Models = Mapping[str, ModelShape]
Result = float | Mapping[str, float]
Function = Callable[[Inputs, Models], Result]

_STAGES: Final = ("ddp", "zero1_paper", "zero2_paper", "zero3_paper")
_HOPS: Final = {"1-hop": 1, "2-hop": 2}
# A test mode of the measurements: scheme, and whether the root unit gives its parameters back.
_FSDP_MODES: Final[Mapping[str, tuple[str, bool]]] = {
    "fsdp1_full": ("fsdp_full_shard", False),
    "fsdp1_sgo": ("fsdp_shard_grad_op", False),
    "fsdp2_default": ("fsdp_full_shard", False),
    "fsdp2_bf16": ("fsdp_full_shard", False),
    "fsdp2_full": ("fsdp_full_shard", True),
    "fsdp2_zero2": ("fsdp_shard_grad_op", False),
    "fsdp2_hsdp_full": ("hsdp", True),
    "plain": ("fsdp_full_shard", False),
    "ckpt_inside_nonre": ("fsdp_full_shard", False),
    "ckpt_outside_nonre": ("fsdp_full_shard", False),
    "root_only": ("fsdp_full_shard", False),
    "gas4": ("fsdp_full_shard", False),
    "gas4_nosync": ("fsdp_full_shard_no_sync", False),
    "f1_full_gas4": ("fsdp_full_shard", False),
    "f1_full_gas4_nosync": ("fsdp_full_shard_no_sync", False),
    "f1_sgo_gas4": ("fsdp_shard_grad_op", False),
    "f1_sgo_gas4_nosync": ("fsdp_shard_grad_op_no_sync", False),
    "ddp": ("ddp", False),
}
_DEEPSPEED_MODES: Final[Mapping[str, str]] = {
    "z0": "ddp",
    "z1": "ds_zero1_default",
    "z1_fp32acc": "ds_zero1_default",
    "z1_gas4": "ds_zero1_default",
    "z2": "ds_zero2_default",
    "z2_fp32acc": "ds_zero2_default",
    "z2_gas4": "ds_zero2_default",
    "z2_nomulti": "ds_zero2_owner_reduce",
    "z3_default": "ds_zero3_persistent",
    "z3_pers0": "ds_zero3_live",
    "z3_pers0_gas4": "ds_zero3_live",
    "z3_pers0_noreuse": "ds_zero3_default",
}
# Where recompute gathers again, only the states follow a formula.
_STATES_ONLY: Final = {
    "z3_pers0_ckpt": "ds_zero3_live",
    "z3_pers0_noreuse_ckpt": "ds_zero3_default",
}
_PHASES: Final[Mapping[Purpose, str]] = {
    Purpose.GRADIENTS: "bwd",
    Purpose.FORWARD: "fwd",
    Purpose.BACKWARD: "bwd",
    Purpose.UPDATED: "step",
}
_CALL_NAMES: Final[Mapping[Collective, str]] = {
    Collective.ALL_REDUCE: "all_reduce",
    Collective.ALL_GATHER: "all_gather_into_tensor",
    Collective.REDUCE_SCATTER: "reduce_scatter_tensor",
    Collective.REDUCE: "reduce",
}
_FOUR_MICRO_BATCHES: Final = "_gas4"
_ADAM_MOMENTS: Final = 8
_MASTER: Final = 4


def _zero_states(given: Inputs, _: Models) -> Result:
    scheme = _STAGES[given.whole("stage")]
    return model_states(given.number("psi"), scheme, given.whole("n"), given.text("recipe")).total


def _max_params(given: Inputs, _: Models) -> Result:
    scheme = _STAGES[given.whole("stage")]
    return max_parameters(
        given.number("mem_bytes"), scheme, given.whole("n"),
        model_parallel=given.whole("mp", 1), recipe=given.text("recipe"),
    )  # fmt: skip


def _comm(given: Inputs, _: Models) -> Result:
    return communication(
        given.number("psi"), given.text("scheme"), micro_batches=given.whole("k", 1)
    ).elements


def _zeropp(given: Inputs, _: Models) -> Result:
    kind, part = given.text("component").split("_", 1)
    on = {"zero": False, "zeropp": True}[kind]
    volume = zeropp_volume(qwz=on, hpz=on, qgz=on)
    parts = {
        "fwd_allgather": volume.forward,
        "bwd_allgather": volume.backward,
        "reduce_scatter": volume.gradients,
        "total": volume.total,
    }
    return float(parts[part]) * given.number("M")


def _qgz(given: Inputs, _: Models) -> Result:
    hops = _HOPS[given.text("scheme")]
    return given.number("M") * qgz_volume(given.whole("N_per_node"), given.number("Z"), hops=hops)


def _setup(given: Inputs) -> ActivationSetup:
    full, selective = given.flag("full"), given.flag("selective")
    partly = Recompute.SELECTIVE if selective else Recompute.NONE
    return ActivationSetup(
        given.whole("s"), given.whole("b", 1), given.whole("h"), given.whole("a"),
        given.whole("t", 1), given.flag("sequence_parallel"),
        Recompute.FULL if full else partly, given.flag("dropout", default=True),
    )  # fmt: skip


def _zero2_estimate(given: Inputs, _: Models) -> Result:
    cluster = Cluster(given.whole("num_gpus_per_node"), given.whole("num_nodes"))
    found = deepspeed_zero2(
        given.whole("total_params"), cluster, cpu_offload=given.flag("cpu_offload"),
        buffer_factor=given.number("additional_buffer_factor", 1.5),
    )  # fmt: skip
    return {"cpu": found.cpu, "gpu": found.gpu}


def _zero3_estimate(given: Inputs, _: Models) -> Result:
    cluster = Cluster(given.whole("num_gpus_per_node"), given.whole("num_nodes"))
    found = deepspeed_zero3(
        given.whole("total_params"), given.whole("largest_layer_params"), cluster,
        cpu_offload=given.flag("cpu_offload"), cpu_offload_params=given.flag("cpu_offload_params"),
        zero_init=given.flag("zero_init"),
        buffer_factor=given.number("additional_buffer_factor", 1.5),
    )  # fmt: skip
    sizes = {"cpu": found.cpu, "gpu": found.gpu, "largest_layer_memory": found.largest_layer}
    return {**sizes, "cpu_gib": gib(found.cpu), "gpu_gib": gib(found.gpu)}


def _megatron(given: Inputs, _: Models) -> Result:
    split = given.flag("distributed_optimizer")
    return megatron_bytes_per_parameter(given.text("kind"), given.whole("d") if split else None)


def _shape(given: Inputs) -> ModelShape:
    hidden, heads = given.whole("h"), given.whole("heads")
    ffn = given.whole("ffn", 4 * hidden)
    bias = given.flag("bias")
    count = given.whole("experts", 0)
    return ModelShape(
        given.text("model", "given"), given.whole("L"), hidden, given.whole("V"), heads,
        given.whole("kv", heads), ffn, given.whole("head_dim", 0), given.flag("gated"),
        given.flag("tied"), given.whole("pos", 0), given.flag("qkv_bias") or bias, bias, bias,
        norm_bias=given.flag("ln_bias"),
        experts=Experts(count, given.whole("top_k", count), ffn) if count else None,
    )  # fmt: skip


def _kv_cache(given: Inputs, _: Models) -> Result:
    given.text("model", "")
    return kv_cache_bytes(
        given.whole("layers"), given.whole("kv_heads"), given.whole("head_dim"),
        given.whole("seq", 1), given.whole("batch", 1), given.number("bytes", 2),
    )  # fmt: skip


def _ring(given: Inputs, _: Models) -> Result:
    kind = Collective(given.text("collective"))
    return ring_bytes(kind, given.number("message_bytes"), given.whole("n"))


def _paper_rule(given: Inputs, _: Models) -> Result:
    return zero_paper_activation_bytes(
        given.whole("layers"), given.whole("hidden"), given.whole("batch"), given.whole("seq"),
        given.whole("elements_factor", 12), given.whole("bytes", 2),
    )  # fmt: skip


def _fsdp_mode(given: Inputs) -> tuple[Scheme, bool]:
    mode = given.text("mode")
    if mode not in _FSDP_MODES:
        raise Unsupported(f"mode {mode} is no formula")
    scheme, root_reshards = _FSDP_MODES[mode]
    return find_scheme(scheme), root_reshards


def _fsdp_counts(given: Inputs, _: Models) -> Result:
    scheme, root_reshards = _fsdp_mode(given)
    given.whole("world_size")
    calls = fsdp_calls(
        scheme, given.whole("units"), given.whole("k", 1), root_reshards=root_reshards
    )
    return {str(kind): count for kind, count in calls.items()}


def _rank0_states(given: Inputs, _: Models) -> Result:
    scheme, _root = _fsdp_mode(given)
    if given.text("optimizer") != "Adam fp32" or scheme.has_replicas:
        raise Unsupported("only Adam in fp32 over one shard group was a formula")
    states = model_states(given.number("psi"), scheme, given.whole("world_size"), "adam_fp32")
    return {"param": states.parameters, "grad": states.gradients, "optim": states.optimizer}


def _deepspeed_elements(given: Inputs, _: Models) -> Result:
    mode, psi = given.text("mode"), given.number("psi")
    given.whole("world_size")
    if mode not in _DEEPSPEED_MODES:
        raise Unsupported(f"mode {mode} is no formula")
    k = 4 if _FOUR_MICRO_BATCHES in mode else 1
    found: dict[str, float] = {}
    for term in find_scheme(_DEEPSPEED_MODES[mode]).terms:
        times = k if term.per is Per.MICRO_BATCH else 1
        name = f"{_PHASES[term.purpose]}:{_CALL_NAMES[term.collective]}"
        found[f"{name}.elements"] = psi * times
        found[f"{name}.psi_multiple"] = times
    return found


def _deepspeed_states(given: Inputs, _: Models) -> Result:
    """Without the master under stage 3: the run could not see it."""
    mode, psi, ranks = given.text("mode"), given.number("psi"), given.whole("world_size")
    known = {**_DEEPSPEED_MODES, **_STATES_ONLY}
    if mode not in known:
        raise Unsupported(f"mode {mode} is no formula")
    scheme = find_scheme(known[mode])
    split = ranks if scheme.shards(State.OPTIMIZER) else 1
    found = {"adam_m_v": _ADAM_MOMENTS * psi / split}
    if not scheme.shards(State.PARAMETERS):
        return {**found, "fp32_master": _MASTER * psi / split, "bf16_param_shard": 0.0}
    states = model_states(psi, scheme, ranks)
    return {
        **found,
        "bf16_param_shard": states.parameters,
        "grad_partition": states.gradients,
    }


def _model(given: Inputs, models: Models) -> ModelShape:
    return find_model(models, given.text("model"))


def _selective_ratio(given: Inputs, _: Models) -> Result:
    return selective_flops_ratio(given.whole("s"), given.whole("h"))


def _recipe_total(given: Inputs, _: Models) -> Result:
    return find_recipe(given.text("recipe")).total


def _score_term(given: Inputs, _: Models) -> Result:
    given.text("model", "")
    return score_term(_setup(given))


FUNCTIONS: Final[Mapping[str, Function]] = {
    "zero_model_state_bytes_per_gpu": _zero_states,
    "max_params_for_memory": _max_params,
    "model_state_bytes": lambda given, _: (
        model_states(given.number("psi"), "ddp", 1, given.text("recipe")).total
    ),
    "model_state_bytes_per_param": _recipe_total,
    "fused_fp32_buffer_bytes": lambda given, _: fused_fp32_buffer_bytes(given.number("psi")),
    "gpt2_like_activation_bytes_zero_paper": _paper_rule,
    "comm_elements_per_step": _comm,
    "zeropp_cross_node_volume": _zeropp,
    "qgz_hierarchical_cross_node_volume": _qgz,
    "attention_term_5as_over_h": _score_term,
    "selective_recompute_saving_fraction": lambda given, _: selective_saving(_setup(given)),
    "activation_bytes_per_layer": lambda given, _: layer_activation_bytes(_setup(given)),
    "activation_bytes_per_layer_measured": lambda given, _: measured_layer_bytes(_setup(given)),
    "activation_fraction_of_tp_baseline": lambda given, _: share_of_tensor_parallel(_setup(given)),
    "hardware_to_model_flops_ratio_selective": _selective_ratio,
    "interleaved_pp_activation_factor": lambda given, _: interleaved_factor(
        given.whole("p"), given.whole("m")
    ),
    "ds_estimate_zero2": _zero2_estimate,
    "ds_estimate_zero3": _zero3_estimate,
    "megatron_bytes_per_param": _megatron,
    "transformer_params": lambda given, _: count_parameters(_shape(given)).total,
    "largest_layer_params_deepspeed_definition": lambda given, _: largest_module_parameters(
        _shape(given)
    ),
    "moe_active_params": lambda given, _: count_parameters(_shape(given)).active,
    "hf_accelerate_total_bytes_fp32": lambda given, models: accelerate_total_bytes(
        _model(given, models)
    ),
    "hf_accelerate_largest_layer_bytes_fp32": lambda given, models: accelerate_largest_layer_bytes(
        _model(given, models)
    ),
    "kv_cache_bytes": _kv_cache,
    "ring_bytes_sent_per_gpu": _ring,
    "measured_state_bytes_rank0": _rank0_states,
    "measured_fsdp_collective_counts": _fsdp_counts,
    "measured_deepspeed_collective_elements": _deepspeed_elements,
    "measured_deepspeed_state_bytes": _deepspeed_states,
}

UNITS: Final[Mapping[str, float]] = {
    "GB(1e9)": 1e9,
    "1e9 params": 1e9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
