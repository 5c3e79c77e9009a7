"""Parameter counts from configurations, and finding a model by what people call it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import (
    Experts,
    LatentAttention,
    ModelShape,
    count_parameters,
    find_model,
    kv_cache_bytes,
    largest_module_parameters,
    layer_parameters,
    model_kv_bytes_per_token,
    quick_estimate,
    tokens_that_fit,
)
from service.errors import InputInvalid, ModelUnknown

LLAMA_2_7B = ModelShape("llama-2-7b", 32, 4096, 32000, 32, 32, 11008)
LLAMA_3_8B = ModelShape("llama-3-8b", 32, 4096, 128256, 32, 8, 14336)
LLAMA_3_70B = ModelShape("llama-3-70b", 80, 8192, 128256, 64, 8, 28672)
MIXTRAL = ModelShape("mixtral-8x7b", 32, 4096, 32000, 32, 8, 14336, experts=Experts(8, 2, 14336))
GPT2_XL = ModelShape(
    "gpt2-xl", 48, 1600, 50257, 25, 25, 6400, gated=False, tied=True, positions=1024,
    qkv_bias=True, out_bias=True, mlp_bias=True, norm_bias=True,
)  # fmt: skip
MODELS = {m.id: m for m in (LLAMA_2_7B, LLAMA_3_8B, replace(GPT2_XL, aliases=("gpt-2-1.5b",)))}


@pytest.mark.parametrize(
    ("shape", "total"),
    [
        (LLAMA_2_7B, 6_738_415_616),
        (LLAMA_3_8B, 8_030_261_248),
        (LLAMA_3_70B, 70_553_706_496),
        (MIXTRAL, 46_702_792_704),
        (GPT2_XL, 1_557_611_200),
    ],
    ids=lambda value: getattr(value, "id", None),
)
def test_the_count_is_that_of_the_built_model(shape, total):
    assert count_parameters(shape).total == total


def test_a_token_passes_two_of_eight_experts():
    assert count_parameters(MIXTRAL).active == 12_879_925_248


def test_a_dense_model_is_active_as_a_whole():
    assert count_parameters(LLAMA_3_8B).active == count_parameters(LLAMA_3_8B).dense


@pytest.mark.parametrize(
    ("shape", "largest"),
    [(LLAMA_2_7B, 131_072_000), (LLAMA_3_8B, 525_336_576), (MIXTRAL, 1_409_286_144)],
    ids=lambda value: getattr(value, "id", None),
)
def test_the_largest_module_is_mostly_the_embedding(shape, largest):
    assert largest_module_parameters(shape) == largest


def test_a_decoder_block_is_larger_than_the_embedding_of_llama_2():
    assert layer_parameters(LLAMA_2_7B) == 202_383_360


def test_twelve_l_h_squared_counts_the_blocks_of_gpt_3():
    assert quick_estimate(96, 12288) == 173_946_175_488


@pytest.mark.parametrize(
    ("shape", "kib"), [(LLAMA_2_7B, 512), (LLAMA_3_8B, 128), (LLAMA_3_70B, 320)],
    ids=lambda value: getattr(value, "id", None),
)  # fmt: skip
def test_the_cache_of_one_token(shape, kib):
    assert model_kv_bytes_per_token(shape) == kib * 1024


def test_latent_attention_caches_one_compressed_vector_and_a_rope_key():
    latent = LatentAttention(kv_rank=512, rope_dim=64, nope_dim=128, v_dim=128, q_rank=1536)
    shape = ModelShape("latent", 61, 7168, 129280, 128, 128, 18432, latent=latent)
    assert model_kv_bytes_per_token(shape) == 61 * 576 * 2
    assert shape.rotary_width == 64


def test_a_sequence_of_8192_tokens_takes_a_gibibyte_in_llama_3_8b():
    assert kv_cache_bytes(32, 8, 128, tokens=8192) == 2**30


def test_17_gigabytes_hold_51_880_tokens_of_a_grouped_70b():
    assert tokens_that_fit(17e9, 320 * 1024) == 51_879


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Llama3 8B", "llama-3-8b"),
        ("meta-llama/Llama-3-8B-Instruct", "llama-3-8b"),
        ("llama_2_7b_hf", "llama-2-7b"),
        ("GPT-2-1.5B", "gpt2-xl"),
    ],
)
def test_a_model_is_found_by_what_people_write(name, found):
    assert find_model(MODELS, name).id == found


def test_an_unknown_model_names_its_neighbours():
    with pytest.raises(ModelUnknown, match="llama-2-7b"):
        find_model(MODELS, "llama-2-77b")


def test_a_version_is_not_read_as_a_size():
    with pytest.raises(ModelUnknown):
        find_model(MODELS, "llama-3.8b")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"kv_heads": 5}, "kv_heads"),
        ({"layers": 0}, "layers"),
        ({"hidden": 4097}, "hidden"),
        ({"experts": Experts(4, 8, 1024)}, "experts"),
        ({"experts": Experts(4, 2, 1024, dense_layers=33)}, "experts"),
    ],
)
def test_a_configuration_that_cannot_be_built_is_refused(change, named):
    with pytest.raises(InputInvalid, match=named):
        count_parameters(replace(LLAMA_2_7B, **change))


@given(st.integers(1, 64), st.integers(1, 32), st.integers(1, 8), st.integers(0, 64))
def test_the_parts_add_up_and_active_never_exceeds_total(layers, groups, per_group, ffn):
    heads = groups * per_group
    shape = ModelShape(
        "any", layers, heads * 8, 1000, heads, groups, ffn, experts=Experts(8, per_group, 64)
    )
    count = count_parameters(shape)
    assert count.dense + count.experts == count.total
    assert count.active <= count.total


@given(st.integers(2, 40))
def test_a_layer_more_adds_exactly_one_layer(layers):
    shape = replace(LLAMA_2_7B, layers=layers)
    more = replace(LLAMA_2_7B, layers=layers + 1)
    added = count_parameters(more).total - count_parameters(shape).total
    assert added == layer_parameters(LLAMA_2_7B)
