"""What holds between the keys of a DeepSpeed configuration, and what is worth knowing of them."""

from collections.abc import Callable, Iterator
from typing import Final

from service.domain.config_check.model import Finding, Setting, Severity
from service.domain.config_check.values import Config
from service.domain.language import Message, msg
from service.domain.memory import show_bytes

ZERO: Final = "zero_optimization"
CONFIG: Final = "deepspeed/runtime/config.py"
ZERO_CONFIG: Final = "deepspeed/runtime/zero/config.py"
DOCS: Final = "docs/_pages/config-json.md"
MICRO: Final = "train_micro_batch_size_per_gpu"
STEPS: Final = "gradient_accumulation_steps"
BATCH: Final = "train_batch_size"
HALF_WIDTH: Final = 2  # bytes of a bf16 or fp16 element
MAX_STAGE: Final = 3
OFFLOADS: Final = ("offload_optimizer", "offload_param")
ADAM_STATES: Final = 4  # parameter, gradient, momentum, variance

Rule = Callable[[Config, Setting], Iterator[Finding]]


def stage_of(config: Config) -> int:
    """The stage as DeepSpeed reads it: 0 when it is left out; `true` once meant 1."""
    zero = config.given.get(ZERO)
    if isinstance(zero, bool):
        return int(zero)
    return config.integer(f"{ZERO}.stage") or 0


def device_of(config: Config, part: str) -> str:
    return config.text(f"{ZERO}.{part}.device") or "none"


def _error(path: str, message: Message, source: str, *facts: str) -> Finding:
    return Finding(Severity.ERROR, path, message, facts, source)


def _warn(path: str, message: Message, source: str, *facts: str) -> Finding:
    return Finding(Severity.WARNING, path, message, facts, source)


def _note(path: str, message: Message, source: str, *facts: str) -> Finding:
    return Finding(Severity.NOTE, path, message, facts, source)


def _batch(config: Config, setting: Setting) -> Iterator[Finding]:
    batch, micro, steps = (config.integer(k) for k in (BATCH, MICRO, STEPS))
    if batch is None and micro is None and not (config.has(BATCH) or config.has(MICRO)):
        told = msg(
            "Give {batch} or {micro}; DeepSpeed cannot start without.", batch=BATCH, micro=MICRO
        )
        yield _error("", told, CONFIG, "F110")
    if batch is None or micro is None or micro < 1:
        return
    if steps is None:
        yield from _divides(batch, micro, setting)
    elif setting.gpus and batch != micro * steps * setting.gpus:
        told = msg(
            "{batch} is {given}, but micro-batch x accumulation x GPUs is"
            " {micro} x {steps} x {gpus} = {product}.",
            batch=BATCH, given=batch, micro=micro, steps=steps, gpus=setting.gpus,
            product=micro * steps * setting.gpus,
        )  # fmt: skip
        yield _error(BATCH, told, CONFIG, "F110")
    elif batch % (micro * max(steps, 1)):
        told = msg(
            "{given} is no multiple of micro-batch x accumulation = {product}; no GPU count fits.",
            given=batch,
            product=micro * steps,
        )
        yield _error(BATCH, told, CONFIG, "F110")


def _divides(batch: int, micro: int, setting: Setting) -> Iterator[Finding]:
    if setting.gpus and batch % (micro * setting.gpus):
        told = msg(
            "{given} is no multiple of micro-batch x GPUs = {product}, so no whole number of"
            " accumulation steps fits.",
            given=batch,
            product=micro * setting.gpus,
        )
        yield _error(BATCH, told, CONFIG, "F110")


def _precision(config: Config, _: Setting) -> Iterator[Finding]:
    half, brain = config.flag("fp16.enabled"), is_brain(config)
    if half and brain:
        told = msg("fp16 and bf16 cannot both be enabled.")
        yield _error("bf16.enabled", told, CONFIG)
    amp = config.section("amp").get("enabled") is True
    if amp and (half or brain):
        told = msg("Apex amp cannot be combined with fp16 or bf16.")
        yield _error("amp", told, DOCS, "F269")
    if amp and stage_of(config):
        yield _error("amp", msg("Apex amp does not work with ZeRO."), DOCS, "F269")
    if brain and config.has("fp16.loss_scale"):
        told = msg("bf16 needs no loss scaling; the scale settings of fp16 have no effect.")
        yield _note("fp16.loss_scale", told, "deepspeed/runtime/precision_config.py", "F172")
    if not (half or brain or amp) and stage_of(config):
        told = msg("Neither fp16 nor bf16 is enabled: all states are fp32, 16 bytes a parameter.")
        yield _note("bf16.enabled", told, CONFIG, "F001")


def is_brain(config: Config) -> bool:
    return config.flag("bf16.enabled") or config.flag("bfloat16.enabled")


def _masters(config: Config, _: Setting) -> Iterator[Finding]:
    for key in ("bf16.bf16_master_weights_and_grads", "fp16.fp16_master_weights_and_grads"):
        if config.flag(key) and not stage_of(config):
            yield _error(key, msg("{key} needs ZeRO stage 1, 2 or 3.", key=key), CONFIG)
    states = "bf16.bf16_optimizer_states"
    if config.flag(states) and not config.flag("bf16.bf16_master_weights_and_grads"):
        told = msg("{key} requires bf16_master_weights_and_grads.", key=states)
        yield _error(states, told, CONFIG, "F186")


def _stage_left_out(config: Config, _: Setting) -> Iterator[Finding]:
    if ZERO in config.given and not isinstance(config.given[ZERO], bool):
        if not config.has(f"{ZERO}.stage"):
            told = msg("The stage is left out, so it is 0: nothing is divided.")
            yield _warn(f"{ZERO}.stage", told, ZERO_CONFIG, "F105")
    elif isinstance(config.given.get(ZERO), bool):
        told = msg("{key}: true or false is an old form; give a dictionary with a stage.", key=ZERO)
        yield _warn(ZERO, told, ZERO_CONFIG)


def _no_effect(config: Config, _: Setting) -> Iterator[Finding]:
    """Keys of other stages; offload has a rule of its own."""
    stage, section = stage_of(config), config.schema.sections[ZERO]
    for name, value in config.section(ZERO).items():
        key = section.find(name)
        if key is None or not key.stages or stage in key.stages or name in OFFLOADS:
            continue
        if value is not None and value != key.default:
            told = msg(
                "{key} has an effect in stage {stages} only; this file sets stage {stage}.",
                key=name, stages=", ".join(map(str, key.stages)), stage=stage,
            )  # fmt: skip
            yield Finding(Severity.WARNING, f"{ZERO}.{name}", told, key.fact_ids, section.at)


def _offload(config: Config, _: Setting) -> Iterator[Finding]:
    stage, source = stage_of(config), "deepspeed/runtime/zero/offload_config.py"
    states, weights = (device_of(config, part) for part in OFFLOADS)
    if weights != "none" and stage < MAX_STAGE:
        told = msg(
            "Parameters can be offloaded in stage 3 only; this file sets stage {stage}.",
            stage=stage,
        )
        yield _error(f"{ZERO}.offload_param", told, source, "F081")
    if states != "none" and stage == 0:
        told = msg("Optimizer offload needs stage 1, 2 or 3; this file sets stage 0.")
        yield _error(f"{ZERO}.offload_optimizer", told, source, "F081")
    if states == "nvme" and 0 < stage < MAX_STAGE:
        told = msg("NVMe offload of optimizer states is documented for stage 3 only.")
        yield _error(f"{ZERO}.offload_optimizer.device", told, DOCS, "F089")
    if weights != "none" and states == "none":
        told = msg(
            "Parameters are offloaded while optimizer states, six times as large, stay on the GPU."
        )
        yield _warn(f"{ZERO}.offload_param", told, source, "F001", "F081")


def _offload_details(config: Config, _: Setting) -> Iterator[Finding]:
    source = "deepspeed/runtime/zero/offload_config.py"
    for part in OFFLOADS:
        base = f"{ZERO}.{part}"
        if device_of(config, part) == "nvme" and not config.text(f"{base}.nvme_path"):
            told = msg("device is nvme, but nvme_path is not given.")
            yield _error(f"{base}.nvme_path", told, source)
        if config.section(base) and not config.has(f"{base}.device"):
            told = msg("device is left out, so it is none: nothing is offloaded.")
            yield _warn(f"{base}.device", told, source)
        if device_of(config, part) != "none" and config.flag(f"{base}.pin_memory"):
            told = msg("Pinned host memory cannot be swapped out and needs a high memlock limit.")
            yield _note(f"{base}.pin_memory", told, source, "F084")
    ratio = config.number(f"{ZERO}.offload_optimizer.ratio")
    if ratio is not None and ratio < 1 and stage_of(config) < MAX_STAGE:
        told = msg("Partial offload, a ratio below 1, needs stage 3.")
        yield _error(f"{ZERO}.offload_optimizer.ratio", told, ZERO_CONFIG, "F082")
    count = config.integer(f"{ZERO}.offload_optimizer.buffer_count")
    if (
        device_of(config, "offload_optimizer") == "nvme"
        and count is not None
        and count < ADAM_STATES
    ):
        told = msg("buffer_count is below 4, the states Adam keeps for a parameter.")
        yield _warn(f"{ZERO}.offload_optimizer.buffer_count", told, source, "F261")


def _old_offload(config: Config, _: Setting) -> Iterator[Finding]:
    for old, new in (("cpu_offload", "offload_optimizer"), ("cpu_offload_param", "offload_param")):
        if config.has(f"{ZERO}.{old}") and config.has(f"{ZERO}.{new}"):
            told = msg("{old} and {new} together are refused.", old=old, new=new)
            yield _error(f"{ZERO}.{old}", told, "deepspeed/runtime/config_utils.py")


def _buckets(config: Config, _: Setting) -> Iterator[Finding]:
    stage = stage_of(config)
    if stage in (0, MAX_STAGE):
        return
    size = config.integer(f"{ZERO}.reduce_bucket_size")
    if size is None:
        return
    one = size * HALF_WIDTH
    held = one * 2 if config.flag(f"{ZERO}.overlap_comm") else one
    shown = f"{size:,}"
    told = msg(
        "reduce_bucket_size counts elements: {size} take {bytes} in 16 bit, twice that under"
        " overlap_comm; here {held}.",
        size=shown,
        bytes=show_bytes(one),
        held=show_bytes(held),
    )
    yield _note(f"{ZERO}.reduce_bucket_size", told, ZERO_CONFIG, "F106", "F138")


def _overlap(config: Config, _: Setting) -> Iterator[Finding]:
    if stage_of(config) and not config.has(f"{ZERO}.overlap_comm"):
        state = msg("true") if stage_of(config) == MAX_STAGE else msg("false")
        told = msg(
            "overlap_comm is left out; the default follows the stage and is {state} here.",
            state=state,
        )
        yield _note(f"{ZERO}.overlap_comm", told, ZERO_CONFIG, "F107")


def _saving(config: Config, _: Setting) -> Iterator[Finding]:
    gather = "stage3_gather_16bit_weights_on_model_save"
    old = f"{ZERO}.stage3_gather_fp16_weights_on_model_save"
    if (
        stage_of(config) == MAX_STAGE
        and not config.flag(f"{ZERO}.{gather}")
        and not config.flag(old)
    ):
        told = msg(
            "{key} is false: save_16bit_model writes nothing in stage 3; set it or run"
            " zero_to_fp32.py.",
            key=gather,
        )
        yield _warn(f"{ZERO}.{gather}", told, ZERO_CONFIG, "F112", "F132")


def _traffic(config: Config, _: Setting) -> Iterator[Finding]:
    steps, stage = config.integer(STEPS) or 1, stage_of(config)
    if steps > 1 and stage == 2:  # noqa: PLR2004 - the stage
        told = msg(
            "Stage 2 reduces gradients in each of the {steps} micro-batches, stage 1 once a step.",
            steps=steps,
        )
        yield _note(STEPS, told, ZERO_CONFIG, "F036")
    if steps > 1 and stage == MAX_STAGE:
        told = msg("Stage 3 gathers and reduces in each of the {steps} micro-batches.", steps=steps)
        yield _note(STEPS, told, ZERO_CONFIG, "F037")


def _sum(config: Config, _: Setting) -> Iterator[Finding]:
    if config.text("gradient_allreduce_op").lower() == "sum" and stage_of(config) == MAX_STAGE:
        yield _error("gradient_allreduce_op", msg("sum is not supported in stage 3."), CONFIG)


def _pipeline(config: Config, _: Setting) -> Iterator[Finding]:
    if config.section("pipeline") and stage_of(config) >= 2:  # noqa: PLR2004 - the stage
        told = msg("DeepSpeed's pipeline engine asserts a stage below 2.")
        yield _error("pipeline", told, "deepspeed/runtime/pipe/engine.py", "F114")


def _quantized(config: Config, setting: Setting) -> Iterator[Finding]:
    size = config.integer(f"{ZERO}.zero_hpz_partition_size") or 1
    if setting.gpus and size > 1 and setting.gpus % size:
        told = msg(
            "zero_hpz_partition_size {size} does not divide {gpus} GPUs.",
            size=size,
            gpus=setting.gpus,
        )
        yield _error(f"{ZERO}.zero_hpz_partition_size", told, ZERO_CONFIG, "F092")
    if size > 1:
        told = msg(
            "hpZ keeps a second 16-bit copy inside a group of {size}: 2ψ/{size} bytes a GPU more.",
            size=size,
        )
        yield _note(f"{ZERO}.zero_hpz_partition_size", told, ZERO_CONFIG, "F097")


def _activations(config: Config, _: Setting) -> Iterator[Finding]:
    base = "activation_checkpointing"
    if config.section(base):
        told = msg("This block only tunes checkpointing; the model's code must call it.")
        yield _note(base, told, "deepspeed/runtime/activation_checkpointing", "F127")
    if config.flag(f"{base}.partition_activations"):
        told = msg("partition_activations works with model parallelism only.")
        yield _note(f"{base}.partition_activations", told, DOCS, "F271", "F101")


def _elastic(config: Config, _: Setting) -> Iterator[Finding]:
    takes = config.flag("elasticity.enabled")
    allowed = config.flag("elasticity.ignore_non_elastic_batch_info")
    if takes and not allowed and any(config.has(k) for k in (BATCH, MICRO, STEPS)):
        told = msg("Elastic training sets the batch itself and refuses batch keys beside it.")
        yield _error("elasticity", told, CONFIG)


RULES: Final[tuple[Rule, ...]] = (
    _batch, _precision, _masters, _stage_left_out, _no_effect, _offload, _offload_details,
    _old_offload, _buckets, _overlap, _saving, _traffic, _sum, _pipeline, _quantized, _activations,
    _elastic,
)  # fmt: skip
