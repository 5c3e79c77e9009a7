"""Traffic of one optimizer step: paper and implementations, exact ring factor, hybrid groups."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import (
    SCHEMES,
    Collective,
    communication,
    fsdp_calls,
    hpz_extra_bytes,
    offload_traffic_bytes,
    qgz_volume,
    ring_bytes,
    volume_formula,
    zeropp_volume,
)
from service.errors import InputInvalid

SCHEME = st.sampled_from(sorted(SCHEMES))


@pytest.mark.parametrize(
    ("scheme", "k", "multiple"),
    [
        ("ddp", 4, 2),
        ("ddp_every_micro_batch", 4, 8),
        ("zero1_paper", 1, 2),
        ("zero2_paper", 1, 2),
        ("zero2_paper", 4, 5),
        ("ds_zero1_default", 1, 3),
        ("ds_zero1_default", 4, 3),
        ("ds_zero2_default", 1, 3),
        ("ds_zero2_default", 4, 9),
        ("ds_zero2_owner_reduce", 1, 2),
        ("zero_redundancy_optimizer", 1, 3),
        ("zero3_paper", 1, 3),
        ("ds_zero3_default", 4, 12),
        ("ds_zero3_live", 1, 2),
        ("ds_zero3_persistent", 1, 2),
        ("zero3_recompute_regather", 1, 4),
        ("fsdp_full_shard", 1, 3),
        ("fsdp_full_shard_no_sync", 4, 9),
        ("fsdp_shard_grad_op", 1, 2),
        ("fsdp_shard_grad_op", 4, 8),
        ("fsdp_shard_grad_op_no_sync", 4, 2),
        ("zeropp", 1, 0.75),
    ],
)
def test_the_volume_in_multiples_of_the_model(scheme, k, multiple):
    assert communication(1.0, scheme, micro_batches=k).elements == multiple


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        ("ddp", "2ψ"),
        ("ds_zero2_default", "2kψ+ψ"),
        ("zero2_paper", "kψ+ψ"),
        ("zero3_paper", "3kψ"),
        ("hsdp", "3kψ+2ψ/S"),
    ],
)
def test_the_volume_is_written_as_a_formula(scheme, text):
    assert volume_formula(scheme) == text


def test_7b_in_16_bits_moves_28_and_42_gigabytes():
    assert communication(7e9, "zero2_paper").bytes == 28e9
    assert communication(7e9, "zero3_paper").bytes == 42e9


def test_the_exact_ring_factor_halves_the_volume_of_two_gpus():
    volume = communication(7e9, "zero3_paper", 2)
    assert volume.exact_elements == volume.elements / 2
    assert volume.exact_bytes == volume.bytes / 2


def test_one_gpu_sends_nothing():
    assert communication(7e9, "ds_zero1_default", 1).elements == 0


def test_fp32_gradients_double_the_bytes_of_the_reduction_only():
    volume = communication(1e9, "megatron_distopt", recipe="adam_bf16_fp32grad")
    assert volume.bytes == 4e9 + 2e9


def test_the_worked_formula_shows_multiple_elements_and_bytes():
    volume = communication(7e9, "ds_zero2_default", micro_batches=4)
    assert volume.worked == "2kψ+ψ = 9×7e9 = 63e9 → 126 GB (117.3 GiB)"
    assert volume.fact_ids == ("F015", "F020", "F034", "F036")
    assert volume.sources == ("deepspeed 0.19.8 runtime/zero/config.py:119; measured",)


@pytest.mark.parametrize(
    ("scheme", "root", "calls"),
    [
        ("fsdp_full_shard", False, (9, 5, 0)),
        ("fsdp_full_shard", True, (10, 5, 0)),
        ("fsdp_shard_grad_op", False, (5, 5, 0)),
        ("hsdp", True, (10, 5, 5)),
    ],
)
def test_collective_calls_of_five_fsdp_units(scheme, root, calls):
    counted = fsdp_calls(scheme, 5, root_reshards=root)
    order = (Collective.ALL_GATHER, Collective.REDUCE_SCATTER, Collective.ALL_REDUCE)
    assert tuple(counted[kind] for kind in order) == calls


def test_hybrid_sharding_adds_a_small_all_reduce_between_the_replicas():
    volume = communication(8e9, "hsdp", 8, replicas=4)
    within, between = volume.parts[:3], volume.parts[3]
    assert sum(p.exact_elements for p in within) == 3 * 8e9 * 7 / 8
    assert between.exact_elements == 2 * 1e9 * 3 / 4


@pytest.mark.parametrize(
    ("collective", "sent"),
    [
        (Collective.ALL_REDUCE, 1.75e9),
        (Collective.ALL_GATHER, 0.875e9),
        (Collective.REDUCE_SCATTER, 0.875e9),
        (Collective.ALL_TO_ALL, 0.875e9),
    ],
)
def test_a_gigabyte_over_a_ring_of_eight(collective, sent):
    assert ring_bytes(collective, 1e9, 8) == sent


@pytest.mark.parametrize(
    ("parts", "total"),
    [
        ({}, Fraction(3, 4)),
        ({"qwz": False, "hpz": False, "qgz": False}, Fraction(3)),
        ({"hpz": False, "qgz": False}, Fraction(2)),
        ({"qwz": False, "qgz": False}, Fraction(2)),
        ({"qwz": False, "hpz": False}, Fraction(9, 4)),
    ],
)
def test_the_parts_of_zero_plus_plus(parts, total):
    assert zeropp_volume(**parts).total == total


def test_quantised_gradients_leave_a_node_once_in_two_hops():
    assert qgz_volume(8, 4, hops=2) == 0.25
    assert qgz_volume(8, 4, hops=1) == 2


def test_the_second_copy_of_hpz_is_shared_by_its_group():
    assert hpz_extra_bytes(8e9, 8) == 2e9


def test_zero_offload_moves_four_bytes_a_parameter_over_pcie():
    assert offload_traffic_bytes(7e9) == 28e9
    assert offload_traffic_bytes(7e9, 8) == 3.5e9


@given(SCHEME, st.integers(2, 2048), st.integers(1, 64))
def test_the_exact_volume_is_below_its_limit_and_the_parts_add_up(scheme, shards, k):
    volume = communication(1e9, scheme, shards, micro_batches=k, replicas=2)
    assert volume.exact_elements < volume.elements
    assert volume.bytes == sum(part.bytes for part in volume.parts)


@given(SCHEME, st.integers(1, 63))
def test_more_micro_batches_never_move_less(scheme, k):
    now = communication(1e9, scheme, micro_batches=k).elements
    assert communication(1e9, scheme, micro_batches=k + 1).elements >= now


@pytest.mark.parametrize("bad", [{"micro_batches": 0}, {"replicas": 0}, {"shards": 0}])
def test_a_degree_below_one_is_refused(bad):
    with pytest.raises(InputInvalid, match=next(iter(bad))):
        communication(1e9, "ddp", **bad)
