"""Model states per GPU: the paper's figures, offload, and rules that hold for every scheme."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import (
    GB,
    RECIPES,
    SCHEMES,
    Offload,
    bytes_per_parameter,
    communication,
    find_recipe,
    model_states,
    moe_model_states,
    reduction_factor,
)
from service.errors import InputInvalid

PSI = st.floats(1e6, 1e13)
DEGREE = st.integers(1, 4096)
SCHEME = st.sampled_from(sorted(SCHEMES))
RECIPE = st.sampled_from(sorted(RECIPES))


@pytest.mark.parametrize(
    ("scheme", "gigabytes"),
    [("ddp", 120), ("zero1_paper", 31.40625), ("zero2_paper", 16.640625), ("zero3_paper", 1.875)],
)
def test_the_figure_of_the_paper_for_7_5_billion_on_64_gpus(scheme, gigabytes):
    assert model_states(7.5e9, scheme, 64).total == gigabytes * GB


@pytest.mark.parametrize(
    ("scheme", "recipe", "formula"),
    [
        ("ddp", None, "16ψ"),
        ("zero1_paper", None, "4ψ+12ψ/N"),
        ("zero2_paper", None, "2ψ+14ψ/N"),
        ("zero3_paper", None, "16ψ/N"),
        ("zero2_paper", "adam_bf16_fp32grad", "2ψ+16ψ/N"),
        ("ds_zero2_estimator", None, "2ψ+18ψ/N"),
        ("megatron_distopt", None, "6ψ+12ψ/N"),
        ("megatron_distopt", "adam_fp16_fp32gradcopy", "4ψ+16ψ/N"),
        ("megatron_distopt", "adam_fp32", "8ψ+8ψ/N"),
        ("fsdp_full_shard", None, "16ψ/N"),
        ("fsdp_full_shard_no_sync", None, "4ψ+12ψ/N"),
    ],
)
def test_each_scheme_writes_its_formula(scheme, recipe, formula):
    assert model_states(1e9, scheme, 8, recipe).formula == formula


def test_the_worked_formula_shows_the_numbers_and_both_units():
    states = model_states(7e9, "zero2_paper", 8)
    assert states.worked == "2×7e9+14×7e9/8 = 26.25 GB (24.45 GiB)"


def test_tensor_and_pipeline_parallelism_divide_the_model_first():
    states = model_states(175e9, "zero1_paper", 8, "adam_bf16_fp32grad", tp=8, pp=16)
    assert states.total == pytest.approx(175e9 / 128 * (6 + 12 / 8))
    assert states.formula == "(6ψ+12ψ/N)/(t·p)"


def test_offloading_the_optimizer_of_stage_two_leaves_the_parameters_on_the_gpu():
    states = model_states(7e9, "ds_zero2_default", 8, offload=Offload.OPTIMIZER)
    assert (states.total, states.host_total) == (14e9, 14 * 7e9 / 8)
    assert states.formula == "2ψ"


def test_offloading_the_optimizer_of_stage_one_keeps_the_whole_gradients():
    states = model_states(7e9, "ds_zero1_default", 8, offload=Offload.OPTIMIZER)
    assert (states.gradients, states.host_optimizer) == (14e9, 12 * 7e9 / 8)


def test_offloading_everything_leaves_nothing_but_the_working_set():
    states = model_states(7e9, "ds_zero3_default", 8, offload=Offload.NVME_ALL)
    assert (states.total, states.formula) == (0.0, "0")
    assert any("working set" in str(m) for m in states.left_out)


@pytest.mark.parametrize(
    ("scheme", "offload"),
    [
        ("ddp", Offload.OPTIMIZER),
        ("ds_zero2_default", Offload.ALL),
        ("ds_zero1_default", Offload.NVME_OPTIMIZER),
        ("fsdp_full_shard", Offload.OPTIMIZER),
    ],
)
def test_an_offload_that_the_scheme_lacks_is_refused(scheme, offload):
    with pytest.raises(InputInvalid, match="cannot offload"):
        model_states(7e9, scheme, 8, offload=offload)


@pytest.mark.parametrize(
    ("psi", "shards", "tp", "named"),
    [(0, 1, 1, "params"), (-1, 1, 1, "params"), (1e9, 0, 1, "shards"), (1e9, 8, 0, "tp")],
)
def test_impossible_inputs_are_named(psi, shards, tp, named):
    with pytest.raises(InputInvalid, match=named):
        model_states(psi, "zero1_paper", shards, tp=tp)


def test_an_unknown_scheme_names_its_neighbours():
    with pytest.raises(InputInvalid, match="zero3_paper"):
        model_states(1e9, "zero3_papr", 8)


def test_an_unknown_recipe_names_its_neighbours():
    with pytest.raises(InputInvalid, match="adam_fp16_mixed"):
        model_states(1e9, "ddp", 8, "adam_fp16_mix")


def test_a_pipeline_degree_below_one_is_named():
    with pytest.raises(InputInvalid, match="pp"):
        model_states(1e9, "ddp", pp=0)


def test_a_row_may_stand_for_its_name():
    by_row = model_states(1e9, SCHEMES["ddp"], 8, RECIPES["adam_fp32"])
    assert by_row == model_states(1e9, "ddp", 8, "adam_fp32")
    assert by_row.sources[-1].startswith("Megatron-LM")


def test_an_infinite_model_is_refused():
    with pytest.raises(InputInvalid, match="params"):
        model_states(float("inf"), "ddp")


def test_experts_split_over_their_own_smaller_group():
    dense, experts = moe_model_states(1e9, 64e9, "zero3_paper", 64, expert_parallel=8)
    assert dense.total == 16e9 / 64
    assert experts.total == 16 * 8e9 / 8


def test_expert_parallel_must_divide_the_data_parallel_degree():
    with pytest.raises(InputInvalid, match="does not divide"):
        moe_model_states(1e9, 64e9, "zero3_paper", 64, expert_parallel=6)


@pytest.mark.parametrize(
    ("scheme", "shards", "factor"),
    [("zero1_paper", 8, 2.909), ("zero1_paper", 64, 3.821), ("zero2_paper", 8, 4.267),
     ("zero2_paper", 64, 7.211), ("zero3_paper", 64, 64)],
)  # fmt: skip
def test_the_reduction_at_finite_n_stays_below_its_limit(scheme, shards, factor):
    assert reduction_factor(scheme, shards) == pytest.approx(factor, abs=5e-4)


def test_shard_grad_op_keeps_shards_and_gathers_everything_in_between():
    states = model_states(260_864, "fsdp_shard_grad_op", 4)
    assert (states.parameters, states.gradients, states.optimizer) == (260_864, 260_864, 521_728)
    assert states.gathered == 2 * 260_864


def test_alone_nothing_is_split_and_it_is_said():
    assert any("nothing is split" in str(m) for m in model_states(1e9, "zero3_paper").notes)
    assert model_states(1e9, "zero3_paper", 8).notes == ()


def test_a_row_from_memory_is_shown_as_such():
    guessed = replace(find_recipe("adam_fp32"), firm=False)
    notes = model_states(1e9, "ddp", 8, guessed).notes
    assert any("memory" in str(m) for m in notes)


def test_an_estimate_names_facts_and_sources_once_each():
    states = model_states(1e9, "ddp", 8)
    assert states.fact_ids == ("F001", "F008", "F031", "F002", "F012")
    assert states.sources == ("arXiv:1910.02054v3 §7.1", "arXiv:1910.02054v3 §3.1")


def test_gathered_parameters_of_the_whole_model_are_left_out_and_named():
    assert len(model_states(1e9, "ddp", 8).left_out) == 3
    left_out = " ".join(map(str, model_states(1e9, "fsdp_shard_grad_op", 8).left_out))
    assert "the whole gathered parameters" in left_out
    assert "2 GB" in left_out


def test_tensor_parallelism_stands_in_the_worked_formula():
    states = model_states(7e9, "zero2_paper", 8, tp=2, pp=2)
    assert states.worked == "(2×7e9+14×7e9/8)/(2×2) = 6.562 GB (6.112 GiB)"


@given(PSI, SCHEME, DEGREE, RECIPE)
def test_the_parts_add_up_to_the_total(psi, scheme, shards, recipe):
    states = model_states(psi, scheme, shards, recipe)
    assert states.total == states.parameters + states.gradients + states.optimizer


@given(PSI, SCHEME, DEGREE, RECIPE)
def test_more_shards_never_cost_more(psi, scheme, shards, recipe):
    fewer = model_states(psi, scheme, shards, recipe).total
    assert model_states(psi, scheme, shards + 1, recipe).total <= fewer


@given(PSI, DEGREE, RECIPE)
def test_each_stage_costs_no_more_than_the_one_before(psi, shards, recipe):
    stages = ("ddp", "zero1_paper", "zero2_paper", "zero3_paper")
    totals = [model_states(psi, s, shards, recipe).total for s in stages]
    assert all(low <= high * (1 + 1e-12) for high, low in pairwise(totals))


@given(PSI, SCHEME, RECIPE)
def test_alone_every_scheme_costs_what_the_recipe_costs(psi, scheme, recipe):
    whole = model_states(psi, scheme, 1, recipe).total
    assert whole == pytest.approx(RECIPES[recipe].total * psi)


@given(SCHEME, DEGREE)
def test_offload_moves_bytes_and_loses_none(scheme, shards):
    whole = model_states(1e9, scheme, shards).total
    for offload in sorted(SCHEMES[scheme].offloads):
        states = model_states(1e9, scheme, shards, offload=offload)
        assert states.total + states.host_total == pytest.approx(whole)


@given(PSI, SCHEME, DEGREE)
def test_bytes_per_parameter_scale_with_the_model(psi, scheme, shards):
    assert model_states(psi, scheme, shards).total == pytest.approx(
        psi * bytes_per_parameter(scheme, shards)
    )


def test_mics_all_reduces_shards_once_a_step_and_keeps_off_the_host():
    volume = communication(8e9, "mics", 8, micro_batches=4, replicas=4)
    assert volume.elements == 4 * 3 * 8e9 + 2 * 8e9 / 8
    with pytest.raises(InputInvalid, match="cannot offload"):
        model_states(8e9, "mics", 8, offload=Offload.OPTIMIZER)
