"""Time beside memory: bounds, inverses, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import (
    blocking_share,
    bubble_share,
    checkpoint_plan,
    link_seconds,
    micro_batches_below,
    model_flops_utilization,
    stragglers,
    tensor_parallel_traffic,
    training_seconds,
)
from service.errors import InputInvalid


@given(st.integers(1, 64), st.sampled_from([0.01, 0.05, 0.1, 0.25, 0.5]))
def test_enough_micro_batches_bring_the_bubble_below_a_share(stages, share):
    count = micro_batches_below(stages, share)
    assert bubble_share(stages, count) < share
    if count > 1:
        assert bubble_share(stages, count - 1) >= share * (1 - 1e-9)


def test_interleaving_shrinks_the_bubble():
    assert bubble_share(8, 16, chunks=4) == pytest.approx((7 / 4) / (16 + 7 / 4))


def test_training_time_and_utilization_are_each_others_inverse():
    seconds = training_seconds(7e9, 1e12, 64, 312e12, 0.4)
    rate = 1e12 / seconds / 64
    assert model_flops_utilization(7e9, rate, 312e12) == pytest.approx(0.4)


def test_saving_at_the_chosen_interval_costs_its_share():
    plan = checkpoint_plan(60, 6 * 3600)
    assert plan.saving_share == blocking_share(60, plan.interval_seconds)


def test_one_worker_is_slow_as_often_as_it_is_slow():
    assert stragglers(1, 0.25, 1.0, 2.0).mean_seconds == 1.5


def test_without_tensor_parallelism_nothing_is_sent():
    assert tensor_parallel_traffic(32, 4096, 2048, 1, 1).sent == 0


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: training_seconds(7e9, 1e12, 64, 312e12, 1.2),
        lambda: training_seconds(7e9, 0, 64, 312e12, 0.4),
        lambda: bubble_share(0, 4),
        lambda: micro_batches_below(8, 0),
        lambda: link_seconds(1e9, 0),
        lambda: link_seconds(-1, 1e9),
        lambda: stragglers(8, 0, 1, 1),
        lambda: checkpoint_plan(0, 60),
    ],
)
def test_what_cannot_be_is_refused(attempt):
    with pytest.raises(InputInvalid):
        attempt()
