"""A configuration is checked as its tool would read it, before any GPU is taken."""

from pathlib import Path
from typing import Any

import pytest

from service.corpus.configs import load_schemas
from service.domain.config_check import Finding, Setting, Severity, Tool, check_config

SCHEMAS = load_schemas(Path(__file__).resolve().parents[3] / "knowledge" / "configs")
GOOD: dict[str, Any] = {
    "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 1,
    "bf16": {"enabled": True},
}


def zero(**more: Any) -> dict[str, Any]:
    return GOOD | {"zero_optimization": more}


def ds(given: dict[str, Any], gpus: int | None = None) -> tuple[Finding, ...]:
    return check_config(given, SCHEMAS[Tool.DEEPSPEED], Setting(gpus=gpus)).findings


def fsdp(**given: Any) -> tuple[Finding, ...]:
    return check_config({"fsdp": given}, SCHEMAS[Tool.FSDP]).findings


def at(findings: tuple[Finding, ...], path: str, severity: Severity) -> list[str]:
    return [str(f.message) for f in findings if f.path == path and f.severity is severity]


def errors(findings: tuple[Finding, ...]) -> list[str]:
    return [f.path for f in findings if f.severity is Severity.ERROR]


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_a_plain_configuration_of_each_stage_has_no_error(stage):
    assert errors(ds(zero(stage=stage))) == []


def test_a_misspelt_key_of_a_strict_section_is_an_error_with_the_nearest():
    [told] = at(
        ds(zero(stage=2, reduce_bucket_sise=1)),
        "zero_optimization.reduce_bucket_sise",
        Severity.ERROR,
    )
    assert "reduce_bucket_size is meant?" in told


def test_a_misspelt_key_at_the_top_is_ignored_without_a_word_so_it_is_warned_of():
    [told] = at(ds(GOOD | {"zero_optimisation": {}}), "zero_optimisation", Severity.WARNING)
    assert "zero_optimization" in told


def test_a_key_of_another_section_is_sent_home():
    [told] = at(ds(GOOD | {"loss_scale_window": 10}), "loss_scale_window", Severity.WARNING)
    assert "belongs into fp16" in told


def test_documented_keys_that_the_code_no_longer_knows_are_named():
    assert at(ds(zero(stage=1, grad_hooks=True)), "zero_optimization.grad_hooks", Severity.ERROR)
    assert at(ds(GOOD | {"aio": {"thread_count": 2}}), "aio.thread_count", Severity.WARNING)


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        (5e8, False),
        (500, False),
        (0.5, True),
        ("5e8", True),
        (True, True),
        (-1, True),
        (None, False),
    ],
)
def test_sizes_are_whole_numbers_however_written(value, refused):
    found = ds(zero(stage=2, reduce_bucket_size=value))
    assert bool(errors(found)) is refused


def test_a_stage_that_does_not_exist_is_refused():
    assert "zero_optimization.stage" in errors(ds(zero(stage=4)))


@pytest.mark.parametrize(
    ("batch", "micro", "steps", "gpus", "wrong"),
    [(16, 2, 1, 8, False), (32, 2, 1, 8, True), (16, 3, None, 8, True), (48, 3, None, 8, False),
     (10, 4, 1, None, True), (8, 4, 1, None, False)],
)  # fmt: skip
def test_the_batch_is_micro_batch_times_accumulation_times_gpus(batch, micro, steps, gpus, wrong):
    given = {"train_batch_size": batch, "train_micro_batch_size_per_gpu": micro}
    given |= {} if steps is None else {"gradient_accumulation_steps": steps}
    assert ("train_batch_size" in errors(ds(given, gpus))) is wrong


def test_without_any_batch_deepspeed_cannot_start():
    assert "" in errors(ds({"bf16": {"enabled": True}}))


def test_fp16_and_bf16_exclude_each_other():
    assert "bf16.enabled" in errors(ds(GOOD | {"fp16": {"enabled": True}}))


@pytest.mark.parametrize(
    ("part", "device", "stage", "path"),
    [
        ("offload_param", "cpu", 2, "zero_optimization.offload_param"),
        ("offload_param", "cpu", 3, None),
        ("offload_optimizer", "cpu", 0, "zero_optimization.offload_optimizer"),
        ("offload_optimizer", "cpu", 1, None),
        ("offload_optimizer", "nvme", 2, "zero_optimization.offload_optimizer.device"),
        ("offload_optimizer", "nvme", 3, None),
    ],
)
def test_offload_needs_its_stage(part, device, stage, path):
    found = ds(zero(stage=stage, **{part: {"device": device, "nvme_path": "nvme"}}))
    assert errors(found) == ([path] if path else [])


def test_nvme_without_a_path_and_partial_offload_below_stage_3_are_refused():
    assert errors(ds(zero(stage=3, offload_optimizer={"device": "nvme"}))) == [
        "zero_optimization.offload_optimizer.nvme_path"
    ]
    assert errors(ds(zero(stage=2, offload_optimizer={"device": "cpu", "ratio": 0.3}))) == [
        "zero_optimization.offload_optimizer.ratio"
    ]


def test_keys_of_other_stages_have_no_effect():
    path = "zero_optimization.stage3_max_live_parameters"
    assert at(ds(zero(stage=2, stage3_max_live_parameters=10)), path, Severity.WARNING)
    assert not at(ds(zero(stage=3, stage3_max_live_parameters=10)), path, Severity.WARNING)


def test_a_zero_block_without_a_stage_does_nothing():
    [told] = at(ds(zero(overlap_comm=True)), "zero_optimization.stage", Severity.WARNING)
    assert "it is 0" in told


@pytest.mark.parametrize(("stage", "state"), [(1, "false"), (2, "false"), (3, "true")])
def test_overlap_comm_left_out_follows_the_stage(stage, state):
    [told] = at(ds(zero(stage=stage)), "zero_optimization.overlap_comm", Severity.NOTE)
    assert f"is {state} here" in told


def test_buckets_are_elements_and_double_under_overlap():
    path = "zero_optimization.reduce_bucket_size"
    [told] = at(ds(zero(stage=2, overlap_comm=True)), path, Severity.NOTE)
    assert "500,000,000 take 1 GB" in told
    assert "here 2 GB" in told


def test_saving_16_bit_weights_in_stage_3_is_off_by_default():
    path = "zero_optimization.stage3_gather_16bit_weights_on_model_save"
    assert at(ds(zero(stage=3)), path, Severity.WARNING)
    on = zero(stage=3, gather_16bit_weights_on_model_save=True)
    assert not at(ds(on), path, Severity.WARNING)


def test_deprecated_keys_name_their_successor():
    [told] = at(
        ds(zero(stage=2, cpu_offload=True)), "zero_optimization.cpu_offload", Severity.WARNING
    )
    assert "offload_optimizer" in told


def test_auto_is_a_word_of_the_hugging_face_integration():
    assert at(ds({"train_batch_size": "auto"}), "train_batch_size", Severity.WARNING)
    assert errors(ds(zero(stage=2, reduce_bucket_size="auto"))) == []


def test_pipeline_and_stage_2_do_not_go_together():
    assert "pipeline" in errors(ds(zero(stage=2) | {"pipeline": {"stages": 4}}))


def test_the_estimate_is_that_of_the_memory_module():
    report = check_config(zero(stage=3), SCHEMAS[Tool.DEEPSPEED], Setting(7e9, 8))
    assert report.estimate is not None
    assert report.estimate.states.total == 14e9
    assert report.estimate.elements_per_step == 21e9


def test_the_offloaded_states_leave_the_gpu():
    given = zero(stage=2, offload_optimizer={"device": "cpu"})
    report = check_config(given, SCHEMAS[Tool.DEEPSPEED], Setting(7e9, 8))
    assert report.estimate is not None
    assert report.estimate.states.total == 14e9
    assert report.estimate.own is not None
    assert report.estimate.own.gpu == 14_000_000_000


def test_fp32_accumulation_costs_two_bytes_more():
    given = zero(stage=0) | {"data_types": {"grad_accum_dtype": "fp32"}}
    report = check_config(given, SCHEMAS[Tool.DEEPSPEED], Setting(1e9, 2))
    assert report.estimate is not None
    assert report.estimate.states.total == 18e9


def test_the_questions_follow_the_keys_given():
    report = check_config(zero(stage=2, reduce_bucket_size=10), SCHEMAS[Tool.DEEPSPEED])
    assert "zero-stages" in report.asks
    assert "M49" in report.asks


def test_fsdp1_and_fsdp2_want_different_values():
    assert errors(fsdp(version=2, reshard_after_forward="FULL_SHARD")) == [
        "fsdp.reshard_after_forward"
    ]
    assert errors(fsdp(version=2, reshard_after_forward=True)) == []
    assert errors(fsdp(version=1, reshard_after_forward=True)) == ["fsdp.reshard_after_forward"]
    assert errors(fsdp(version=2, forward_prefetch=True)) == ["fsdp.forward_prefetch"]


def test_keys_of_fsdp1_have_no_effect_in_fsdp2():
    assert at(fsdp(version=2, use_orig_params=True), "fsdp.use_orig_params", Severity.WARNING)
    assert not at(fsdp(version=1, use_orig_params=True), "fsdp.use_orig_params", Severity.WARNING)


def test_wrapping_nothing_gathers_the_whole_model():
    assert at(fsdp(sharding_strategy="FULL_SHARD"), "fsdp.auto_wrap_policy", Severity.WARNING)
    wrapped = fsdp(auto_wrap_policy="TRANSFORMER_BASED_WRAP")
    assert not at(wrapped, "fsdp.auto_wrap_policy", Severity.WARNING)


@pytest.mark.parametrize(
    ("strategy", "total"),
    [("FULL_SHARD", 8e9), (1, 8e9), ("NO_SHARD", 128e9), ("HYBRID_SHARD", 16e9)],
)
def test_the_strategy_decides_the_states_on_16_gpus(strategy, total):
    given = {"fsdp": {"sharding_strategy": strategy}}
    report = check_config(given, SCHEMAS[Tool.FSDP], Setting(8e9, 16))
    assert report.estimate is not None
    assert report.estimate.states.total == total


def test_an_unknown_strategy_is_refused():
    assert errors(fsdp(sharding_strategy="ZERO_SHARD")) == ["fsdp.sharding_strategy"]
