"""Terms of the field in running text of both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.skills import ancestors, are_alternatives, find_skills, skill_names
from tests.domain.shipped import skills

FOUND = {
    "用FSDP替换DDP": ["FSDP", "DDP"],
    "熟悉DeepSpeed框架": ["DeepSpeed"],
    "DeepSpeed ZeRO-3 训练": ["DeepSpeed", "ZeRO-3"],
    "熟悉 ZeRO（1/2/3）": ["ZeRO"],
    "DP/TP/PP/ZeRO": ["data parallelism", "tensor parallelism", "pipeline parallelism", "ZeRO"],
    "数据、张量和流水线并行": ["data parallelism", "tensor parallelism", "pipeline parallelism"],
    "data, tensor and pipeline parallelism": [
        "data parallelism",
        "tensor parallelism",
        "pipeline parallelism",
    ],
    "NCCL/RDMA/IB/RoCE": ["NCCL", "RDMA", "InfiniBand", "RoCE"],
    "Megatron-LMDeepSpeedHorovod": ["Megatron-LM", "DeepSpeed", "Horovod"],
    "PythonMachine LearninggRPC": ["Python", "machine learning", "gRPC"],
    "C/C++、Go、Python": ["C", "C++", "Go", "Python"],
    "PyTorch2.0 与 CUDA12.1": ["PyTorch", "CUDA"],
    "flash-attn 与 flash attention": ["FlashAttention"],
    "昇腾 910B 上的 CANN": ["Ascend", "CANN"],
    "用 Triton 写算子": ["Triton", "kernel optimization"],
    "Triton Inference Server 部署": ["Triton Inference Server"],
    "Volcano 调度器": ["Volcano"],
    "INT8 量化": ["INT8", "quantization"],
}

NOT_FOUND = [
    "zero-shot learning",
    "Go to market",
    "a ray of hope",
    "vitamin C",
    "R&D spending",
    "Apex of the mountain",
    "给出可量化的成果",
    "see https://pytorch.org/docs",
    "write to cuda@example.com",
    "the platform was reformed",
]


@pytest.mark.parametrize("text", FOUND)
def test_terms_are_found_however_they_are_written(text: str):
    assert list(dict.fromkeys(m.skill for m in find_skills(text, skills()))) == FOUND[text]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_words_that_only_look_like_terms_are_not_taken(text: str):
    assert skill_names(text, skills()) == ()


DENIED = {
    "have not used Megatron or Slurm, but I know NCCL": ("NCCL",),
    "没有用过 Megatron 和 Slurm，但熟悉 DeepSpeed": ("DeepSpeed",),
    "Megatron、Slurm 没用过；会 Docker": ("Docker",),
    "计划学习 CUDA": (),
    "No experience with Kubernetes.": (),
    "We chose DDP rather than FSDP": ("DDP",),
    "PyTorch, interested in learning JAX": ("PyTorch",),
    "不仅熟悉 NCCL，还改过 RDMA": ("NCCL", "RDMA"),
    "未来将继续优化 NCCL": ("NCCL",),
    "尚未接触过昇腾，主要使用 CUDA": ("CUDA",),
    "vLLM 经验不足": (),
}


@pytest.mark.parametrize("text", DENIED)
def test_a_denied_mention_claims_nothing(text: str):
    assert skill_names(text, skills()) == DENIED[text]


@given(st.text(max_size=80))
def test_every_mention_stands_in_the_text(text: str):
    for mention in find_skills(text, skills()):
        assert mention.span.end <= len(text)
        assert mention.span.of(text).strip()


def test_the_shipped_list_is_large_and_names_only_itself():
    known = skills()
    assert len(known) >= 400
    for skill in known.values():
        assert {*skill.parents, *skill.siblings, *skill.near_misses} <= known.keys()


def test_a_skill_implies_its_parents_and_theirs():
    assert {"ZeRO", "distributed training"} <= {*ancestors("ZeRO-3", skills())}
    assert "ZeRO-3" not in ancestors("ZeRO-3", skills())


def test_skills_of_one_kind_are_alternatives():
    assert are_alternatives(("PyTorch", "TensorFlow", "JAX"), skills())
    assert not are_alternatives(("PyTorch", "NCCL"), skills())
