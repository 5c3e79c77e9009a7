"""The numeric exercises that interviewers set live, each with its right value."""

from pathlib import Path

import pytest

from service.corpus.models import load_models
from service.domain.memory import (
    GB,
    GIB,
    KIB,
    TB,
    ActivationSetup,
    Cluster,
    Collective,
    Offload,
    Recompute,
    adapter_states,
    blocking_share,
    bubble_share,
    checkpoint_bytes,
    checkpoint_plan,
    communication,
    count_parameters,
    deepspeed_zero2,
    deepspeed_zero3,
    fewest_gpus,
    flops_utilization,
    grpo_states,
    kv_cache_bytes,
    link_seconds,
    logits_bytes,
    lora_parameters,
    micro_batches_below,
    model_activation_bytes,
    model_flops_utilization,
    model_kv_bytes_per_token,
    model_states,
    offload_traffic_bytes,
    ppo_states,
    reduce_bucket_bytes,
    ring_bytes,
    speed_of_slowest,
    stragglers,
    tensor_parallel_traffic,
    tokens_that_fit,
    training_seconds,
    weight_bytes,
)
from service.domain.memory.compute import SECONDS_PER_DAY
from service.domain.memory.gpus import find_gpu

MODELS = load_models(Path(__file__).parents[3] / "knowledge" / "models.yaml")
A100 = find_gpu("a100").peak_flops
H100 = find_gpu("h100").peak_flops
FP32_GRADIENTS = "adam_bf16_fp32grad"


def gigabytes(psi, scheme, shards=1, recipe="adam_fp16_mixed", **more):
    return model_states(psi, scheme, shards, recipe, **more).total / GB


def test_01_full_fine_tuning_of_7b_without_sharding():
    states = model_states(7e9, "ddp")
    assert states.total == 112 * GB
    assert states.total / GIB == pytest.approx(104.3, abs=0.05)
    assert gigabytes(7e9, "ddp", recipe=FP32_GRADIENTS) == 126


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [("adam_fp16_mixed", (112, 38.5, 26.25, 14)), (FP32_GRADIENTS, (126, 52.5, 28, 15.75))],
)
def test_02_7b_on_eight_gpus_stage_by_stage(recipe, expected):
    stages = ("ddp", "zero1_paper", "zero2_paper", "zero3_paper")
    assert tuple(gigabytes(7e9, stage, 8, recipe) for stage in stages) == expected


def test_02_the_estimator_of_deepspeed_prints_more_and_calls_gib_gb():
    estimate = deepspeed_zero2(7_000_000_000, Cluster(8), cpu_offload=False)
    assert estimate.gpu == 29.75 * GB
    assert estimate.gpu / GIB == pytest.approx(27.7, abs=0.05)
    assert any("GiB" in str(quirk) for quirk in estimate.quirks)
    assert reduce_bucket_bytes() == GB
    assert reduce_bucket_bytes(overlap=True) == 2 * GB


def test_03_6_5b_on_one_card_of_40_gb():
    assert gigabytes(6.5e9, "ddp") == 104
    assert gigabytes(6.5e9, "zero2_paper", 1) == 104
    offloaded = model_states(6.5e9, "ds_zero2_default", 1, offload=Offload.OPTIMIZER)
    assert offloaded.total == 13 * GB
    assert weight_bytes(6.5e9) == 13 * GB
    assert weight_bytes(6.5e9, "nf4_double") / GB == pytest.approx(3.35, abs=0.05)


def test_04_70b_needs_fourteen_cards_for_its_states():
    assert gigabytes(70e9, "ddp") == 1120
    assert fewest_gpus(70e9, 80 * GB, "zero3_paper") == 14
    assert gigabytes(70e9, "zero3_paper", 64) == 17.5
    assert gigabytes(70e9, "zero3_paper", 256) == 4.375


def test_05_70b_on_eight_cards_runs_only_with_offload():
    assert gigabytes(70e9, "zero3_paper", 8) == 140
    offloaded = model_states(70e9, "ds_zero3_default", 8, offload=Offload.OPTIMIZER)
    assert offloaded.total == 17.5 * GB
    assert 0.84 * TB <= offloaded.host_total * 8 <= 1.12 * TB
    options = {"cpu_offload": True, "zero_init": True}
    plain = deepspeed_zero3(70 * GB, GB, Cluster(8), cpu_offload_params=False, **options)
    both = deepspeed_zero3(70 * GB, GB, Cluster(8), cpu_offload_params=True, **options)
    assert (plain.cpu, both.cpu) == (1.68 * TB, 1.89 * TB)


def test_06_200b_on_sixteen_cards():
    assert gigabytes(200e9, "zero3_paper", 16) == 200
    assert weight_bytes(200e9) / 16 == 25 * GB
    assert weight_bytes(200e9, "int4") / 16 == 6.25 * GB
    host = model_states(200e9, "ds_zero3_default", 16, offload=Offload.OPTIMIZER).host_total * 16
    assert 2.4 * TB <= host <= 3.2 * TB


def test_07_30b_on_eight_cards():
    stages = ("ddp", "zero2_paper", "zero3_paper")
    assert tuple(gigabytes(30e9, stage, 8) for stage in stages) == (480, 112.5, 60)


def test_08_32b_on_eight_cards():
    assert gigabytes(32e9, "zero2_paper", 8) == 120
    assert gigabytes(32e9, "zero3_paper", 8) == 64
    assert gigabytes(32e9, "ds_zero3_default", 8, offload=Offload.OPTIMIZER) == 8


def test_09_a_gigabyte_over_a_ring_of_eight():
    assert ring_bytes(Collective.ALL_REDUCE, GB, 8) == 1.75 * GB
    for kind in (Collective.ALL_GATHER, Collective.REDUCE_SCATTER, Collective.ALL_TO_ALL):
        assert ring_bytes(kind, GB, 8) == 0.875 * GB


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("ddp", 28),
        ("zero1_paper", 28),
        ("zero2_paper", 28),
        ("zero3_paper", 42),
        ("ds_zero1_default", 42),
        ("ds_zero2_default", 42),
    ],
)
def test_10_traffic_of_7b_in_one_step(scheme, expected):
    assert communication(7e9, scheme).bytes == expected * GB


@pytest.mark.parametrize(
    ("scheme", "multiple"),
    [
        ("ddp", 2),
        ("ds_zero1_default", 3),
        ("zero2_paper", 5),
        ("ds_zero2_default", 9),
        ("zero3_paper", 12),
        ("fsdp_full_shard_no_sync", 9),
    ],
)
def test_11_the_same_with_four_micro_batches(scheme, multiple):
    assert communication(7e9, scheme, micro_batches=4).elements == multiple * 7e9


def test_12_the_bubble_of_a_pipeline():
    shares = [bubble_share(8, m) for m in (1, 16, 32)]
    assert shares == pytest.approx([0.875, 0.304, 0.179], abs=5e-4)
    assert bubble_share(4, 8) == pytest.approx(0.273, abs=5e-4)
    assert micro_batches_below(8, 0.05) == 134
    assert bubble_share(8, 133) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("pp", "dp", "whole", "stage1", "fp32"), [(16, 8, 21.9, 7.5, 10.3), (8, 16, 43.75, 13.0, 18.5)]
)
def test_13_175b_on_1024_gpus(pp, dp, whole, stage1, fp32):
    assert gigabytes(175e9, "ddp", dp, tp=8, pp=pp) == pytest.approx(whole, abs=0.05)
    assert gigabytes(175e9, "zero1_paper", dp, tp=8, pp=pp) == pytest.approx(stage1, abs=0.05)
    with_fp32 = gigabytes(175e9, "zero1_paper", dp, FP32_GRADIENTS, tp=8, pp=pp)
    assert with_fp32 == pytest.approx(fp32, abs=0.05)


def test_14_70b_with_megatrons_distributed_optimizer():
    states = model_states(70e9, "megatron_distopt", 32, tp=8, pp=4)
    assert states.local_psi == pytest.approx(2.19e9, rel=0.01)
    assert states.total / GB == pytest.approx(13.9, abs=0.1)


def test_15_the_cache_per_token_and_of_a_sequence():
    names = ("llama-2-7b", "llama-3-8b", "llama-3-70b")
    assert [model_kv_bytes_per_token(MODELS[n]) / KIB for n in names] == [512, 128, 320]
    assert kv_cache_bytes(32, 8, 128, tokens=8192) == GIB
    assert kv_cache_bytes(32, 8, 128, tokens=8192, batch=32) == 32 * GIB
    assert kv_cache_bytes(32, 8, 128, tokens=8192, bytes_per_value=1) == GIB / 2


def test_16_tokens_in_17_free_gigabytes():
    grouped = model_kv_bytes_per_token(MODELS["llama-3-70b"])
    assert tokens_that_fit(17 * GB, grouped) == pytest.approx(51_900, rel=0.001)
    assert tokens_that_fit(17 * GB, 8 * grouped) == pytest.approx(6_500, rel=0.01)


def test_17_72b_by_storage():
    sizes = [weight_bytes(72e9, storage) / GB for storage in ("bf16", "int8", "int4")]
    assert sizes == [144, 72, 36]


def test_18_32b_in_eight_bits_fills_the_card():
    assert weight_bytes(32e9, "int8") == find_gpu("v100-32gb").memory


def test_19_serving_8b():
    assert weight_bytes(8e9) == 16 * GB
    cache = 32 * 8192 * model_kv_bytes_per_token(MODELS["llama-3-8b"])
    assert cache / GB == pytest.approx(34.4, abs=0.05)


@pytest.mark.parametrize(
    ("params", "tokens", "gpus", "peak", "days"),
    [(7e9, 1e12, 64, A100, 60.9), (70e9, 15e12, 2048, H100, 90.0)],
)
def test_20_training_time(params, tokens, gpus, peak, days):
    seconds = training_seconds(params, tokens, gpus, peak, 0.4)
    assert seconds / SECONDS_PER_DAY == pytest.approx(days, abs=0.05)


def test_21_model_flops_utilization():
    measured = [model_flops_utilization(7e9, rate, A100) for rate in (3300, 1536)]
    assert measured == pytest.approx([0.444, 0.207], abs=5e-4)
    assert flops_utilization(100e12, A100) == pytest.approx(0.321, abs=5e-4)


def test_22_rare_slowness_hits_most_steps_of_a_large_run():
    found = stragglers(1024, 0.001, 0.5, 0.2)
    assert found.share == pytest.approx(0.641, abs=5e-4)
    assert found.mean_seconds == pytest.approx(0.628, abs=5e-4)


def test_23_one_slow_rank_sets_the_pace():
    assert speed_of_slowest(0.5, 0.8) == 0.625


def test_24_the_checkpoint_interval_of_young_and_daly():
    hourly = checkpoint_plan(300, 3600)
    assert hourly.interval_seconds / 60 == pytest.approx(24.5, abs=0.05)
    assert hourly.feasible
    often = checkpoint_plan(300, 360)
    assert often.interval_seconds / 60 == pytest.approx(7.7, abs=0.05)
    assert not often.feasible


def test_25_a_full_checkpoint_of_175b():
    size = checkpoint_bytes(175e9)
    assert size == 2.45 * TB
    seconds = link_seconds(size, 200 * GB)
    assert seconds == pytest.approx(12.3, abs=0.06)
    assert blocking_share(seconds, 20 * 60) == pytest.approx(0.010, abs=5e-4)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"dropout": True}, 104),
        ({"dropout": False, "flash": True}, 17.2),
        ({"recompute": Recompute.FULL}, 1.07),
    ],
)
def test_26_activations_of_a_7b_shape(options, expected):
    setup = ActivationSetup(4096, 1, 4096, 32, **options)
    assert model_activation_bytes(setup, 32) / GB == pytest.approx(expected, rel=0.005)


def test_27_adapters_of_llama_2_7b():
    shape = MODELS["llama-2-7b"]
    trainable = lora_parameters(shape, 16)
    assert trainable == 16_777_216
    states = adapter_states(7e9, trainable)
    assert states.adapters / GB == pytest.approx(0.27, abs=0.005)
    assert states.base == 14 * GB
    assert weight_bytes(7e9, "nf4_double") / GB == pytest.approx(3.6, abs=0.05)
    count = count_parameters(shape)
    kept = count.embedding + count.head
    assert weight_bytes(count.total, "nf4_double", kept) / GB == pytest.approx(3.9, abs=0.05)
    assert gigabytes(7e9, "ddp") == 112


def test_28_ppo_and_grpo_with_models_of_7b():
    assert ppo_states(7e9).total == 252 * GB
    assert grpo_states(7e9).total == 126 * GB
    assert grpo_states(7e9, reward_params=7e9).total == 140 * GB


def test_29_tensor_parallel_traffic_of_70b():
    traffic = tensor_parallel_traffic(80, 8192, 4096, 1, 8)
    assert traffic.collectives == 320
    assert traffic.message == pytest.approx(67.1e6, rel=0.001)
    assert traffic.payload / GB == pytest.approx(21.5, abs=0.05)
    assert traffic.sent / GB == pytest.approx(37.6, abs=0.05)
    assert traffic.seconds(450 * GB) == pytest.approx(0.084, abs=5e-4)
    wide = tensor_parallel_traffic(80, 8192, 4096, 1, 16)
    assert wide.seconds(50 * GB) == pytest.approx(0.805, abs=5e-4)
    again = tensor_parallel_traffic(80, 8192, 4096, 1, 8, full_recompute=True)
    assert again.collectives == 480


def test_30_logits_of_a_large_vocabulary():
    assert logits_bytes(4096, 8, 128_256, 2) / GB == pytest.approx(8.4, abs=0.05)
    assert logits_bytes(4096, 8, 128_256, 4) / GB == pytest.approx(16.8, abs=0.05)


def test_31_offload_traffic_over_pcie():
    alone = link_seconds(offload_traffic_bytes(7e9), 25 * GB)
    shared = link_seconds(offload_traffic_bytes(7e9, 8), 25 * GB)
    assert (alone, shared) == (1.12, 0.14)


def test_32_moving_a_cache_between_machines():
    cache = 8192 * model_kv_bytes_per_token(MODELS["llama-3-70b"])
    assert cache / GB == pytest.approx(2.68, abs=0.005)
    assert link_seconds(cache, 400e9 / 8) == pytest.approx(0.054, abs=5e-4)
