"""Activations: the paper's table, what a run measured, and a real configuration."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import (
    ActivationSetup,
    ModelShape,
    Recompute,
    activation_conditions,
    fused_fp32_buffer_bytes,
    gathered_bytes,
    head_extra_bytes,
    interleaved_factor,
    layer_activation_bytes,
    layer_activation_formula,
    measured_layer_bytes,
    model_activation_bytes,
    reduce_bucket_bytes,
    selective_flops_ratio,
    selective_saving,
    shape_activation_bytes,
    shape_layer_bytes,
    share_of_tensor_parallel,
    zero_paper_activation_bytes,
)
from service.errors import InputInvalid

GPT3 = ActivationSetup(2048, 1, 12288, 96)
LLAMA_3_8B = ModelShape("llama-3-8b", 32, 4096, 128256, 32, 8, 14336)
SETUPS = st.builds(
    ActivationSetup,
    seq=st.integers(1, 4096),
    batch=st.integers(1, 8),
    hidden=st.integers(1, 64).map(lambda n: n * 64),
    heads=st.just(8),
    tp=st.sampled_from([1, 2, 4, 8]),
    sequence_parallel=st.booleans(),
    dropout=st.booleans(),
    flash=st.booleans(),
)


@pytest.mark.parametrize(
    ("change", "formula", "per_sbh"),
    [
        ({}, "sbh(34+5as/h)", 34 + 80),
        ({"dropout": False}, "sbh(32+2as/h)", 32 + 32),
        ({"flash": True}, "sbh(34)", 34),
        ({"tp": 8}, "sbh(10+24/t+5as/(ht))", 10 + 3 + 10),
        ({"tp": 8, "sequence_parallel": True}, "(sbh/t)(34+5as/h)", 114 / 8),
        ({"tp": 8, "recompute": Recompute.SELECTIVE}, "sbh(10+24/t)", 13),
        ({"recompute": Recompute.FULL}, "2sbh", 2),
        ({"recompute": Recompute.FULL, "tp": 8, "sequence_parallel": True}, "2sbh/t", 0.25),
    ],
)
def test_a_layer_of_gpt_3_under_each_setting(change, formula, per_sbh):
    setup = replace(GPT3, **change)
    assert layer_activation_formula(setup) == formula
    assert layer_activation_bytes(setup) == per_sbh * setup.tokens_times_width


def test_a_run_kept_the_formula_and_the_statistics_of_two_norms():
    setup = ActivationSetup(256, 1, 256, 8, dropout=False)
    assert measured_layer_bytes(setup) == 3_147_776


def test_selective_recompute_saves_seven_tenths_of_gpt_3_for_three_percent_of_work():
    assert selective_saving(GPT3) == pytest.approx(0.70, abs=0.005)
    assert selective_flops_ratio(2048, 12288) == pytest.approx(1.0278, abs=5e-5)


def test_selective_with_sequence_parallelism_is_under_a_fifth_of_tensor_parallelism():
    setup = replace(GPT3, tp=8, sequence_parallel=True, recompute=Recompute.SELECTIVE)
    assert share_of_tensor_parallel(setup) == pytest.approx(0.1848, abs=1e-4)


def test_the_first_pipeline_stage_keeps_all_layers_and_interleaving_adds_to_it():
    layer = layer_activation_bytes(GPT3)
    assert model_activation_bytes(GPT3, 96, pp=8) == 96 * layer
    assert interleaved_factor(8, 3) == pytest.approx(1 + 7 / 24)
    assert model_activation_bytes(GPT3, 96, pp=8, interleave=3) == 96 * layer * (1 + 7 / 24)


def test_the_head_adds_four_sbh_and_fp32_logits():
    assert head_extra_bytes(GPT3, 50257) == pytest.approx(4 * 2048 * (12288 + 50257))


def test_a_grouped_gated_layer_has_its_own_sum():
    per_token = 8 * 4096 + 4 * 4096 + 4 * 32 + 4 * 1024 + 8 * 14336
    assert shape_layer_bytes(LLAMA_3_8B, 4096, 2, Recompute.NONE) == 8192 * per_token


def test_full_recompute_keeps_the_inputs_and_one_layer_alive():
    kept = shape_activation_bytes(LLAMA_3_8B, 4096, 1, Recompute.FULL)
    one = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE)
    assert kept == 32 * 2 * 4096 * 4096 + one


def test_the_rule_of_thumb_of_the_zero_paper_for_gpt_2():
    assert zero_paper_activation_bytes(48, 1600, 32, 1024) == 60_397_977_600


def test_the_conditions_are_said():
    said = " ".join(map(str, activation_conditions(replace(GPT3, dropout=False))))
    assert "without dropout" in said
    assert "no FlashAttention" in said


def test_buckets_hold_elements_and_double_with_overlap():
    assert (reduce_bucket_bytes(), reduce_bucket_bytes(overlap=True)) == (1e9, 2e9)


def test_an_fp32_buffer_of_three_billion_takes_twelve_gigabytes():
    assert fused_fp32_buffer_bytes(3e9) == 12e9


def test_gathered_parameters_lie_between_one_layer_and_the_live_limit():
    assert gathered_bytes(2e8, 7e9) == (4e8, 2e9)
    assert gathered_bytes(2e8, 5e8) == (4e8, 1e9)


@given(SETUPS)
def test_more_recompute_never_keeps_more(setup):
    kept = [
        layer_activation_bytes(replace(setup, recompute=kind))
        for kind in (Recompute.NONE, Recompute.SELECTIVE, Recompute.FULL)
    ]
    assert kept == sorted(kept, reverse=True)


@given(SETUPS)
def test_sequence_parallelism_never_keeps_more(setup):
    split = layer_activation_bytes(replace(setup, sequence_parallel=True))
    assert split <= layer_activation_bytes(replace(setup, sequence_parallel=False))


@given(SETUPS, st.integers(2, 8))
def test_activations_grow_with_the_batch_in_proportion(setup, times):
    many = layer_activation_bytes(replace(setup, batch=setup.batch * times))
    assert many == pytest.approx(times * layer_activation_bytes(setup))


@pytest.mark.parametrize("change", [{"seq": 0}, {"tp": 0}, {"tp": 5}, {"hidden": -1}])
def test_an_impossible_setting_is_refused(change):
    with pytest.raises(InputInvalid, match=next(iter(change))):
        layer_activation_bytes(replace(GPT3, **change))


def test_tensor_parallelism_leaves_norms_and_sequence_parallelism_divides_them():
    whole = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE)
    split = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE, tp=8)
    both = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE, tp=8, sequence_parallel=True)
    norms = 4096 * 8 * LLAMA_3_8B.hidden
    assert split == pytest.approx(norms + (whole - norms) / 8)
    assert both == pytest.approx(whole / 8)


def test_more_ranks_than_key_heads_copy_a_head_of_keys():
    wide = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE, tp=16, sequence_parallel=True)
    narrow = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.NONE, tp=8, sequence_parallel=True)
    keys = 4096 * 4 * LLAMA_3_8B.width
    assert wide - keys == pytest.approx((narrow - keys) / 2)


def test_full_recompute_keeps_the_whole_input_on_each_rank_of_tensor_parallelism():
    alone = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.FULL)
    assert shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.FULL, tp=4) == alone
    split = shape_layer_bytes(LLAMA_3_8B, 4096, 1, Recompute.FULL, tp=4, sequence_parallel=True)
    assert split == alone / 4
