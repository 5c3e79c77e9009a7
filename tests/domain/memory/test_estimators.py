"""What DeepSpeed, Megatron and accelerate print, and what fits."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.corpus.models import load_models
from service.domain.memory import (
    GB,
    SCHEMES,
    Cluster,
    accelerate_largest_layer_bytes,
    accelerate_total_bytes,
    deepspeed_zero2,
    deepspeed_zero3,
    fewest_gpus,
    find_gpu,
    largest_model_that_fits,
    max_parameters,
    megatron_bytes_per_parameter,
    model_states,
)
from service.errors import InputInvalid

MODELS = load_models(Path(__file__).parents[3] / "knowledge" / "models.yaml")
T5_3B = 2_851_000_000


def test_the_second_stage_of_the_estimator_counts_18_bytes_split():
    found = deepspeed_zero2(T5_3B, Cluster(8), cpu_offload=False)
    assert (found.gpu, found.cpu) == (12_116_750_000, 136_848_000_000)


def test_its_offload_counts_the_gpus_of_all_nodes_and_says_so():
    found = deepspeed_zero2(70_553_706_496, Cluster(8, 16), cpu_offload=True)
    assert found.cpu == 54_185_246_588_928
    assert any("all nodes" in str(quirk) for quirk in found.quirks)


@pytest.mark.parametrize(
    ("offload", "offload_params", "init", "gpu", "cpu"),
    [
        (True, True, True, 128_000_000, 76_977_000_000),
        (True, True, False, 128_000_000, 136_848_000_000),
        (False, False, False, 6_542_750_000, 136_848_000_000),
    ],
)
def test_the_third_stage_of_the_estimator(offload, offload_params, init, gpu, cpu):
    found = deepspeed_zero3(
        T5_3B, 32_000_000, Cluster(8),
        cpu_offload=offload, cpu_offload_params=offload_params, zero_init=init,
    )  # fmt: skip
    assert (found.gpu, found.cpu, found.largest_layer) == (gpu, cpu, 128_000_000)


@pytest.mark.parametrize(
    ("kind", "degree", "width"),
    [
        ("fp16p_fp16g", None, 20),
        ("fp16p_fp16g", 64, 4.25),
        ("bf16p_fp32g", 64, 6.1875),
        ("fp32p_fp32g", 64, 8.125),
    ],
)
def test_megatrons_table(kind, degree, width):
    assert megatron_bytes_per_parameter(kind, degree) == width


def test_megatrons_table_has_three_rows():
    with pytest.raises(InputInvalid, match="fp16p_fp16g"):
        megatron_bytes_per_parameter("int8p_int8g")


def test_accelerate_counts_rotary_buffers_and_whole_blocks():
    assert accelerate_total_bytes(MODELS["llama-2-7b"]) == 26_953_662_976
    assert accelerate_largest_layer_bytes(MODELS["llama-2-7b"]) == 809_533_440
    assert accelerate_largest_layer_bytes(MODELS["llama-3-8b"]) == 2_101_346_304
    assert accelerate_total_bytes(MODELS["gpt2-xl"]) == 6_230_444_800


def test_alibi_has_no_rotary_buffers():
    shape = replace(MODELS["llama-2-7b"], alibi=True)
    assert accelerate_total_bytes(shape) == 4 * 6_738_415_616


@pytest.mark.parametrize(
    ("scheme", "parallel", "billions"),
    [
        ("ddp", 1, 2),
        ("zero1_paper", 1, 7.6),
        ("zero2_paper", 1, 14.4),
        ("zero3_paper", 1, 128),
        ("zero2_paper", 8, 115.2),
    ],
)
def test_the_largest_model_of_the_papers_table(scheme, parallel, billions):
    limit = max_parameters(32 * GB, scheme, 64, model_parallel=parallel)
    assert limit / 1e9 == pytest.approx(billions, rel=0.01)


def test_the_largest_known_model_that_fits():
    found = largest_model_that_fits(MODELS.values(), 80 * GB, "zero3_paper", 8)
    assert found is not None
    assert found.id == "command-r-35b"
    assert largest_model_that_fits(MODELS.values(), 1 * GB, "ddp") is None


@given(st.floats(1e8, 1e12), st.sampled_from(["zero1_paper", "zero2_paper", "zero3_paper", "ddp"]))
def test_the_fewest_gpus_fit_and_one_less_does_not(psi, scheme):
    count = fewest_gpus(psi, 80 * GB, scheme)
    if count is None:
        assert model_states(psi, scheme, 10**9).total > 80 * GB * (1 - 1e-6)
        return
    assert model_states(psi, scheme, count).total <= 80 * GB * (1 + 1e-9)
    if count > 1:
        assert model_states(psi, scheme, count - 1).total > 80 * GB


@given(st.sampled_from(sorted(SCHEMES)), st.integers(1, 1024))
def test_the_most_parameters_fill_the_memory_exactly(scheme, shards):
    limit = max_parameters(80 * GB, scheme, shards)
    assert model_states(limit, scheme, shards).total == pytest.approx(80 * GB)


def test_a_gpu_is_found_by_short_name_and_an_unknown_one_names_its_neighbours():
    assert find_gpu("H100").peak_flops == 989e12
    assert find_gpu("A100 40GB").memory == 40 * GB
    assert find_gpu("a100").memory == 80 * GB
    with pytest.raises(InputInvalid, match="h100-80gb"):
        find_gpu("h101-80gb")
