"""What holds between the keys of an FSDP configuration, and what is worth knowing of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from service.domain.config_check.model import Finding, Setting, Severity
from service.domain.config_check.values import Config, is_bool
from service.domain.language import Message, msg

ACCELERATE: Final = "src/accelerate/utils/dataclasses.py"
TORCH: Final = "torch/distributed/fsdp"
BY_NUMBER: Final[Mapping[str, str]] = {
    "1": "FULL_SHARD", "2": "SHARD_GRAD_OP", "3": "NO_SHARD", "4": "HYBRID_SHARD",
    "5": "HYBRID_SHARD_ZERO2",
}  # fmt: skip
SECOND: Final = 2  # FSDP2

Rule = Callable[[Config, Setting], Iterator[Finding]]


def generation_of(config: Config) -> int:
    """1 or 2: by its key, or by keys that only FSDP2 has."""
    given = config.integer("fsdp.version")
    if given:
        return given
    only = {n for n, k in config.schema.sections["fsdp"].keys.items() if k.stages == (SECOND,)}
    return SECOND if only & config.section("fsdp").keys() or _reshards(config) else 1


def _reshards(config: Config) -> bool:
    return is_bool(config.get("fsdp.reshard_after_forward"))


def strategy_of(config: Config) -> str:
    """FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD or HYBRID_SHARD_ZERO2."""
    if generation_of(config) == SECOND:
        return (
            "SHARD_GRAD_OP" if config.get("fsdp.reshard_after_forward") is False else "FULL_SHARD"
        )
    word = config.get("fsdp.reshard_after_forward")
    if not isinstance(word, str) or config.has("fsdp.sharding_strategy"):
        word = config.get("fsdp.sharding_strategy")
    name = str(word).upper().lstrip("_")
    return BY_NUMBER.get(name, name)


def _finding(severity: Severity, name: str, message: Message, source: str, *facts: str) -> Finding:
    return Finding(severity, f"fsdp.{name}" if name else "", message, facts, source)


def _generation(config: Config, _: Setting) -> Iterator[Finding]:
    second, section = generation_of(config) == SECOND, config.schema.sections["fsdp"]
    for name, value in config.section("fsdp").items():
        key = section.find(name)
        if key is None or not key.stages or generation_of(config) in key.stages or value is None:
            continue
        if name == "forward_prefetch" and second:
            told = msg("accelerate refuses forward_prefetch with FSDP2.")
            yield _finding(Severity.ERROR, name, told, ACCELERATE)
            continue
        told = msg("{key} exists in FSDP{other} only; this file uses FSDP{own}.",
                   key=name, other=key.stages[0], own=generation_of(config))  # fmt: skip
        yield _finding(Severity.WARNING, name, told, ACCELERATE, *key.fact_ids)


def _reshard(config: Config, _: Setting) -> Iterator[Finding]:
    value, second = config.get("fsdp.reshard_after_forward"), generation_of(config) == SECOND
    if value is None:
        return
    words = {"true", "false"}
    if second and isinstance(value, str) and value.lower() not in words:
        told = msg("FSDP2 wants true or false for reshard_after_forward, not a strategy's name.")
        yield _finding(Severity.ERROR, "reshard_after_forward", told, ACCELERATE)
    if not second and is_bool(value):
        told = msg("FSDP1 wants a strategy's name for reshard_after_forward, not true or false.")
        yield _finding(Severity.ERROR, "reshard_after_forward", told, ACCELERATE)


def _strategy(config: Config, setting: Setting) -> Iterator[Finding]:
    strategy = strategy_of(config)
    if strategy == "NO_SHARD":
        told = msg("NO_SHARD behaves like DDP: nothing is divided.")
        yield _finding(Severity.WARNING, "sharding_strategy", told, TORCH, "F049")
    if strategy == "SHARD_GRAD_OP":
        told = msg("Parameters stay gathered between forward and backward, yet are divided outside"
                   " computation: close to ZeRO-2, not the same.")  # fmt: skip
        yield _finding(Severity.NOTE, "sharding_strategy", told, TORCH, "F047", "F048")
    if strategy.startswith("HYBRID") and setting.gpus:
        told = msg(
            "Memory divides by the shard group, usually one node, not by {gpus} GPUs.",
            gpus=setting.gpus,
        )
        yield _finding(Severity.NOTE, "sharding_strategy", told, TORCH, "F050", "F051")


def _wrapping(config: Config, _: Setting) -> Iterator[Finding]:
    policy = config.text("fsdp.auto_wrap_policy").upper()
    if policy == "NO_WRAP" and strategy_of(config) != "NO_SHARD":
        told = msg(
            "Only the root is wrapped: the whole model is gathered at once and the peak stays."
        )
        yield _finding(Severity.WARNING, "auto_wrap_policy", told, ACCELERATE, "F059", "F060")
    if policy == "SIZE_BASED_WRAP" and not config.integer("fsdp.min_num_params"):
        told = msg("SIZE_BASED_WRAP without min_num_params wraps every module.")
        yield _finding(Severity.WARNING, "min_num_params", told, ACCELERATE)
    if policy != "TRANSFORMER_BASED_WRAP" and config.has("fsdp.transformer_layer_cls_to_wrap"):
        told = msg("The class to wrap is used by TRANSFORMER_BASED_WRAP only.")
        yield _finding(Severity.WARNING, "transformer_layer_cls_to_wrap", told, ACCELERATE)


def _loading(config: Config, _: Setting) -> Iterator[Finding]:
    efficient = config.flag("fsdp.cpu_ram_efficient_loading")
    given = config.has("fsdp.sync_module_states")
    if (
        efficient
        and given
        and not config.flag("fsdp.sync_module_states")
        and generation_of(config) == 1
    ):
        told = msg(
            "cpu_ram_efficient_loading leaves other ranks empty: sync_module_states must be true."
        )
        yield _finding(Severity.ERROR, "sync_module_states", told, ACCELERATE)


def _offload(config: Config, _: Setting) -> Iterator[Finding]:
    if config.flag("fsdp.offload_params") and generation_of(config) == 1:
        told = msg("Parameters and gradients move to the CPU, so the optimizer step runs there;"
                   " accumulation outside no_sync is not supported.")  # fmt: skip
        yield _finding(Severity.NOTE, "offload_params", told, TORCH, "F069", "F070")


def _saving(config: Config, _: Setting) -> Iterator[Finding]:
    kind = config.text("fsdp.state_dict_type").upper()
    if kind == "LOCAL_STATE_DICT" and generation_of(config) == SECOND:
        told = msg("FSDP2 knows SHARDED_STATE_DICT and FULL_STATE_DICT only.")
        yield _finding(Severity.ERROR, "state_dict_type", told, ACCELERATE, "F057")
    if kind == "FULL_STATE_DICT":
        told = msg(
            "A full state dict is gathered whole; offload it to the CPU and keep it on rank 0."
        )
        yield _finding(Severity.NOTE, "state_dict_type", told, TORCH, "F071")


def _adapters(config: Config, _: Setting) -> Iterator[Finding]:
    if generation_of(config) == 1 and not config.flag("fsdp.use_orig_params"):
        told = msg(
            "use_orig_params is false: one wrapped unit cannot mix frozen and trained parameters."
        )
        yield _finding(Severity.NOTE, "use_orig_params", told, TORCH, "F065")


RULES: Final[tuple[Rule, ...]] = (
    _generation, _reshard, _strategy, _wrapping, _loading, _offload, _saving, _adapters,
)  # fmt: skip
