"""The benchmark measures real work and reaches its goal by a wide margin."""

import pytest

from eval.bench_memory import Timing, main, measure, plain_estimates, with_traffic
from service.domain.memory import model_states


def test_the_work_is_the_sum_of_the_estimates():
    assert plain_estimates(1) == model_states(1e9, "ddp").total


def test_traffic_comes_on_top():
    assert with_traffic(40) > plain_estimates(40)


def test_the_rate_is_count_over_time():
    assert Timing("any", 100, 0.5).per_second == 200
    assert measure("states", plain_estimates, 100).count == 100


def test_both_figures_are_printed(capsys: pytest.CaptureFixture[str]):
    main(2_000)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["model states", "model states and traffic"]
