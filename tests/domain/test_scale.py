"""Numbers of accelerators in running text of both languages."""

import pytest

from service.domain.scale import accelerators, parameters

CLUSTERS = {
    "clusters of 512 GPUs or more": 512,
    "512+ GPUs": 512,
    "512 or more GPUs": 512,
    "a 256-GPU run": 256,
    "256 high-end GPUs": 256,
    "64 x 8 A100": 512,
    "16 nodes with 8 GPUs each": 128,
    "thousand-GPU scale": 1000,
    "several hundred GPUs": 200,
    "thousands of H100 accelerators": 2000,
    "two thousand H100s": 2000,
    "tens of thousands of GPUs": 20_000,
    "on 10k+ H100s": 10_000,
    "千卡集群": 1000,
    "两千卡": 2000,
    "数百张 A100": 200,
    "一千张以上 H800": 1000,
    "GPU 集群（512 张以上）": 512,
    "1.2万卡": 12_000,
    "十万卡": 100_000,
    "1,536 张 H800": 1536,
}


@pytest.mark.parametrize("text", CLUSTERS)
def test_a_number_of_accelerators_is_read_as_it_is_written(text: str):
    assert accelerators(text) == CLUSTERS[text]


@pytest.mark.parametrize(
    "text",
    ["A100 80GB", "V100", "GPU utilisation rose by 30 percent", "没有用过 512 张 GPU", "TP8"],
)
def test_numbers_of_other_things_are_no_cluster(text: str):
    assert accelerators(text) is None


def test_the_largest_model_named_is_its_size():
    assert parameters("from 7B to 70B") == 7e10
    assert parameters("百亿参数模型") == 1e10
