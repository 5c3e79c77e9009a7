"""What a configuration really does to the model states: scheme, offload, precision, estimate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.config_check import deepspeed, fsdp
from service.domain.config_check.deepspeed import MAX_STAGE, device_of, is_brain, stage_of
from service.domain.config_check.model import Estimate, Finding, Setting, Severity, Tool
from service.domain.config_check.values import Config
from service.domain.language import Message, msg
from service.domain.memory import (
    Cluster,
    DeepSpeedEstimate,
    Offload,
    communication,
    deepspeed_zero2,
    deepspeed_zero3,
    find_scheme,
    model_states,
)

GPUS_PER_NODE: Final = 8
DS_SCHEMES: Final[Mapping[int, str]] = {
    0: "ddp", 1: "ds_zero1_default", 2: "ds_zero2_default", 3: "ds_zero3_default"
}  # fmt: skip
DS_STAGES: Final[Mapping[int, tuple[Message, tuple[str, ...]]]] = {
    0: (
        msg("Stage 0: nothing is divided; every GPU holds all model states, as in DDP."),
        ("F105", "F008"),
    ),
    1: (
        msg(
            "Stage 1: optimizer states, fp32 master weights included, are divided; parameters and"
            " gradients stay whole. DeepSpeed all-reduces the gradients and all-gathers updated"
            " parameters once a step."
        ),
        ("F014", "F019", "F034"),
    ),
    2: (
        msg(
            "Stage 2: optimizer states and gradients are divided; parameters stay whole and are"
            " all-gathered once a step after the update. Gradients are reduced in every"
            " micro-batch."
        ),
        ("F015", "F020", "F036"),
    ),
    3: (
        msg(
            "Stage 3: parameters, gradients and optimizer states are divided; each layer is"
            " gathered just before it is used, in forward and backward, and freed afterwards,"
            " unless it is below the persistence threshold or within the reuse distance."
        ),
        ("F016", "F022", "F028", "F041"),
    ),
}
FSDP_SCHEMES: Final[Mapping[str, str]] = {
    "FULL_SHARD": "fsdp_full_shard",
    "SHARD_GRAD_OP": "fsdp_shard_grad_op",
    "NO_SHARD": "ddp",
    "HYBRID_SHARD": "hsdp",
    "HYBRID_SHARD_ZERO2": "hsdp",
}
FSDP_STRATEGIES: Final[Mapping[str, tuple[Message, tuple[str, ...]]]] = {
    "FULL_SHARD": (
        msg(
            "Parameters, gradients and optimizer states are divided; each unit is gathered before"
            " forward and again before backward, then resharded."
        ),
        ("F046",),
    ),
    "SHARD_GRAD_OP": (
        msg(
            "Parameters are gathered once for forward and backward and divided outside computation;"
            " gradients and optimizer states are divided."
        ),
        ("F047", "F048"),
    ),
    "NO_SHARD": (msg("Nothing is divided; it behaves like DDP."), ("F049",)),
    "HYBRID_SHARD": (
        msg("States are divided inside a node and replicated across nodes."),
        ("F050", "F051"),
    ),
    "HYBRID_SHARD_ZERO2": (
        msg("As SHARD_GRAD_OP inside a node, replicated across nodes."),
        ("F047", "F050"),
    ),
}
STATES_TO: Final[Mapping[str, Offload]] = {
    "none": Offload.NONE, "cpu": Offload.OPTIMIZER, "nvme": Offload.NVME_OPTIMIZER
}  # fmt: skip
ALL_TO: Final[Mapping[str, Offload]] = {"cpu": Offload.ALL, "nvme": Offload.NVME_ALL}


@dataclass(frozen=True, slots=True)
class Plan:
    """How the memory module sees the configuration."""

    scheme: str
    offload: Offload
    recipe: str
    effects: tuple[Finding, ...]


def plan_of(config: Config) -> Plan:
    return _fsdp(config) if config.schema.tool is Tool.FSDP else _deepspeed(config)


def _effect(path: str, message: Message, facts: tuple[str, ...], source: str) -> Finding:
    return Finding(Severity.NOTE, path, message, facts, source)


def _deepspeed(config: Config) -> Plan:
    stage = min(max(stage_of(config), 0), MAX_STAGE)
    words, facts = DS_STAGES[stage]
    effects = [_effect(f"{deepspeed.ZERO}.stage", words, facts, deepspeed.ZERO_CONFIG)]
    states, weights = (device_of(config, part) for part in deepspeed.OFFLOADS)
    if states != "none" and stage:
        where = msg(
            "offload_optimizer: optimizer states live on {device} and the update runs on the CPU,"
            " so its gradients travel there and the new parameters back.",
            device=states,
        )
        effects.append(_effect(f"{deepspeed.ZERO}.offload_optimizer", where, ("F260", "F081"), ""))
    if weights != "none" and stage == MAX_STAGE:
        where = msg(
            "offload_param: divided parameters live on {device} and are fetched layer by layer.",
            device=weights,
        )
        effects.append(_effect(f"{deepspeed.ZERO}.offload_param", where, ("F081", "F086"), ""))
    return Plan(DS_SCHEMES[stage], _moved(stage, states, weights), _recipe(config), tuple(effects))


def _moved(stage: int, states: str, weights: str) -> Offload:
    if stage == 0:
        return Offload.NONE
    if stage < MAX_STAGE and states == "nvme":
        return Offload.OPTIMIZER  # the stage 1 and 2 code knows the CPU only
    if stage == MAX_STAGE and weights in ALL_TO and states != "none":
        return ALL_TO[weights]
    return STATES_TO.get(states, Offload.NONE)


def _recipe(config: Config) -> str:
    if not (config.flag("fp16.enabled") or is_brain(config)):
        return "adam_fp32"
    wide = config.text("data_types.grad_accum_dtype").lower() == "fp32"
    return "adam_bf16_fp32grad" if wide else "adam_fp16_mixed"


def _fsdp(config: Config) -> Plan:
    strategy = fsdp.strategy_of(config)
    words, facts = FSDP_STRATEGIES.get(strategy, FSDP_STRATEGIES["FULL_SHARD"])
    effects = (_effect("fsdp.sharding_strategy", words, facts, fsdp.TORCH),)
    scheme = FSDP_SCHEMES.get(strategy, "fsdp_full_shard")
    wanted = Offload.ALL if config.flag("fsdp.offload_params") else Offload.NONE
    moved = wanted if wanted in find_scheme(scheme).offloads else Offload.NONE
    return Plan(scheme, moved, "fsdp_mp_fp32_sharded", effects)


def estimate_of(config: Config, plan: Plan, setting: Setting) -> Estimate | None:
    """Model states and traffic; None unless parameters and GPUs are known.

    Raises:
        InputInvalid: a size or number of GPUs that no formula allows.
    """
    if setting.params is None or setting.gpus is None:
        return None
    hybrid = plan.scheme == "hsdp"
    shards = min(GPUS_PER_NODE, setting.gpus) if hybrid else setting.gpus
    states = model_states(setting.params, plan.scheme, shards, plan.recipe, offload=plan.offload)
    steps = config.integer(deepspeed.STEPS) or 1
    volume = communication(
        setting.params, plan.scheme, shards,
        micro_batches=max(steps, 1), replicas=max(setting.gpus // shards, 1), recipe=plan.recipe,
    )  # fmt: skip
    return Estimate(states, volume.elements, _own(config, plan, setting))


def _own(config: Config, plan: Plan, setting: Setting) -> DeepSpeedEstimate | None:
    """What `estimate_zero*_model_states_mem_needs` prints; stages 2 and 3 have one."""
    if config.schema.tool is not Tool.DEEPSPEED or setting.params is None or not setting.gpus:
        return None
    nodes, rest = divmod(setting.gpus, GPUS_PER_NODE)
    cluster = Cluster(setting.gpus, 1) if rest or not nodes else Cluster(GPUS_PER_NODE, nodes)
    offloaded = plan.offload is not Offload.NONE
    if plan.scheme == DS_SCHEMES[2]:
        return deepspeed_zero2(int(setting.params), cluster, cpu_offload=offloaded)
    if plan.scheme != DS_SCHEMES[MAX_STAGE] or setting.largest_layer is None:
        return None
    return deepspeed_zero3(
        int(setting.params),
        setting.largest_layer,
        cluster,
        cpu_offload=offloaded,
        cpu_offload_params=plan.offload in (Offload.ALL, Offload.NVME_ALL),
        zero_init=True,
    )
