"""The adviser: the lowest stage that fits, what is defensible beside it, and why."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.corpus.models import load_models
from service.domain.memory import (
    GB,
    Offload,
    Recompute,
    Setting,
    advise,
    count_parameters,
    options_for,
)
from service.errors import InputInvalid

MODELS = load_models(Path(__file__).parents[3] / "knowledge" / "models.yaml")


def job(model, gpus, **more):
    shape = MODELS[model]
    base = Setting(count_parameters(shape).total, gpus, 80 * GB, shape=shape)
    return replace(base, recompute=Recompute.FULL, **{"seq": 1024, **more})


def said(advice):
    return "\n".join(map(str, (*advice.why, *advice.instead)))


@pytest.mark.parametrize(
    ("model", "gpus", "scheme", "offload"),
    [
        ("gpt2", 8, "ddp", Offload.NONE),
        ("llama-3-8b", 8, "ds_zero1_default", Offload.NONE),
        ("qwen2.5-14b", 8, "ds_zero2_default", Offload.NONE),
        ("qwen2.5-32b", 8, "ds_zero3_default", Offload.NONE),
        ("llama-3-70b", 8, "ds_zero3_default", Offload.OPTIMIZER),
        ("llama-3-70b", 64, "ds_zero3_default", Offload.NONE),
    ],
)
def test_the_lowest_stage_that_fits_is_proposed(model, gpus, scheme, offload):
    proposed = advise(job(model, gpus)).proposed
    assert proposed is not None
    assert (proposed.scheme.id, proposed.candidate.offload) == (scheme, offload)


def test_hybrid_sharding_is_proposed_where_one_node_holds_the_model():
    advice = advise(job("qwen2.5-32b", 64))
    assert advice.proposed is not None
    assert advice.proposed.scheme.id == "hsdp"
    slower = next(o for o in advice.options if o.scheme.id == "ds_zero3_default")
    assert advice.proposed.seconds < slower.seconds


def test_the_reason_names_what_the_stage_below_lacks():
    advice = advise(job("qwen2.5-32b", 8))
    assert "lowest stage that fits" in said(advice)
    below = next(o for o in advice.options if o.scheme.id == "ds_zero2_default")
    assert below.headroom < 0


def test_accumulation_speaks_for_stage_one_and_the_adviser_says_so():
    advice = advise(job("llama-3-8b", 8, micro_batches=8))
    assert "with 8 micro-batches" in said(advice)
    assert {o.scheme.id for o in advice.defensible} >= {"ds_zero2_default", "ds_zero3_default"}


def test_a_twin_of_the_proposed_scheme_is_always_named():
    advice = advise(job("llama-3-70b", 64))
    assert [o.scheme.id for o in advice.defensible] == ["fsdp_full_shard"]
    assert "framework" in said(advice)


def test_a_tight_fit_makes_offload_defensible():
    advice = advise(job("qwen2.5-32b", 8))
    assert any(o.candidate.offload is not Offload.NONE for o in advice.defensible)


def test_offload_says_what_the_host_must_hold():
    advice = advise(job("llama-3-70b", 8))
    assert "host memory a node" in said(advice)


def test_a_host_too_small_for_the_offload_does_not_fit():
    advice = advise(job("deepseek-v3", 8, host_memory=4e12))
    assert advice.proposed is None
    assert "of host memory a node" in said(advice)


def test_without_a_shape_the_gathered_layers_count_up_to_the_live_limit():
    options = options_for(Setting(8e9, 8, 80 * GB))
    sizes = {o.scheme.id: o.working_set for o in options}
    assert (sizes["ds_zero2_default"], sizes["ds_zero3_default"]) == (0, 2e9)


def test_when_nothing_fits_the_ways_out_are_named():
    advice = advise(job("deepseek-v3", 8))
    assert (advice.proposed, advice.defensible) == (None, ())
    assert "nothing fits" in said(advice)
    assert "at least 150 GPUs" in said(advice)
    assert "LoRA" in said(advice)


def test_recompute_is_advised_before_a_higher_stage():
    advice = advise(replace(job("llama-3-8b", 8), recompute=Recompute.NONE))
    assert "activation recompute" in said(advice)


def test_without_a_shape_activations_are_said_to_be_missing():
    advice = advise(Setting(8e9, 8, 80 * GB))
    assert "activations are not counted" in said(advice)
    assert all(option.activations is None for option in advice.options)


def test_a_pipeline_allows_stage_one_at_most():
    for gpus in (64, 1024):
        stages = {o.scheme.stage for o in options_for(job("llama-3-70b", gpus, tp=4, pp=2))}
        assert stages == {0, 1}


def test_megatrons_optimizer_is_named_where_the_model_is_split_and_its_size_is_told():
    plain = {o.scheme.id for o in options_for(job("llama-3-70b", 64))}
    assert "megatron_distopt" not in plain
    advice = advise(job("llama-3-70b", 1024, tp=8, pp=4))
    assert advice.proposed is not None
    assert "megatron_distopt" in {o.scheme.id for o in advice.defensible}
    assert "Megatron distributed optimizer would leave" in said(advice)


def test_one_gpu_is_offered_no_sharding_without_offload():
    options = options_for(job("llama-3.2-1b", 1))
    plain = [o.scheme.id for o in options if o.candidate.offload is Offload.NONE]
    assert plain == ["ddp"]


def test_traffic_is_slower_across_nodes():
    near = {o.scheme.id: o.seconds for o in options_for(job("llama-3-8b", 8))}
    far = {o.scheme.id: o.seconds for o in options_for(job("llama-3-8b", 16))}
    assert far["ddp"] > 5 * near["ddp"]


@given(st.floats(1e8, 1e12), st.sampled_from([2, 8, 16, 64, 256]))
def test_an_option_is_the_sum_of_its_parts_and_higher_stages_have_no_less_room(psi, gpus):
    options = {o.scheme.id: o for o in options_for(Setting(psi, gpus, 80 * GB))
               if o.candidate.offload is Offload.NONE}  # fmt: skip
    for option in options.values():
        parts = option.states.total + option.buffers + option.working_set
        assert option.total == pytest.approx(parts)
        assert option.fits == (option.headroom >= 0)
    stages = ("ddp", "ds_zero1_default", "ds_zero2_default", "ds_zero3_default")
    rooms = [options[s].headroom for s in stages]
    assert all(high >= low - abs(low) * 1e-9 for low, high in pairwise(rooms))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"gpus": 0}, "gpus"),
        ({"memory": 0.0}, "memory"),
        ({"tp": 3}, "does not divide"),
        ({"reserve": 1.0}, "reserve"),
        ({"psi": -1.0}, "psi"),
    ],
)
def test_an_impossible_job_is_refused(change, named):
    with pytest.raises(InputInvalid, match=named):
        advise(replace(job("llama-3-8b", 8), **change))
