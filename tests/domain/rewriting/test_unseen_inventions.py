"""Inventions written after the guard and seen by none of its rules: each is refused."""

import pytest

from service.domain.rewriting import Source, violations
from tests.domain.shipped import skills

EN = Source(
    "b1",
    "Replaced DDP with FSDP for a 13B model on 64 GPUs, reducing memory per GPU by 60%",
    "Acme | Training engineer | 2021-07",
)
ZH = Source(
    "b1",
    "用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型，单卡显存从 80GB 降到 20GB",
    "某科技公司 训练工程师",
)
OPENS_EN = "Reduced memory per GPU by 60% by replacing DDP with FSDP for a 13B model on "
OPENS_ZH = "单卡显存从 80GB 降到 20GB：用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型"
ENDS_EN = [
    "64 A100",
    "64 H100 GPUs",
    "64 GPUs using PyTorch",
    "64 GPUs, saving $2M",
    "64 GPUs in Q3",
    "64 GPUs for Fortune 500 clients",
    "64 GPUs, lifting MFU",
    "64 GPUs and 8 nodes",
    "64 GPUs with zero downtime",
    "64 GPUs every week",
    "64 GPUs within budget",
    "64 GPUs, which nobody had done before",
    "64 GPUs; the best result of the team",
    "64 GPUs for my employer, a unicorn",
    "64 GPUs and ran the on-call rotation",
    "64 GPUs, first author",
    "64 GPUs with a colleague",
    "64 GPUs and 2x faster",
    "64 GPUs at 2.1 PFLOPS",
    "64 GPUs, then scaled it",
    "64 GPUs with FSDP2",
    "64 GPUs using ZeRO-3",
    "64 GPUs, memory 4x lower",
    "64 GPUs to 24 GB",
    "64 GPUs, reducing loss by 60%",
    "64 GPUs, PhD work",
    "64 GPUs (patent pending)",
    "64 GPUs, used by everyone",
    "64+ GPUs",
    "sixty-four thousand GPUs",
    "64k GPUs",
    "64 GPUs with a 13B-parameter MoE model",
    "64 GPUs, now company standard",
    "64 GPUs, approved by the CTO",
    "64 GPUs, training faster",
]
ENDS_ZH = [
    "，每卡 A100",
    "（64 张 A100）",
    "，收益达百万",
    "，节省 1 千万",
    "，训练提速 2 倍",
    "，提速明显",
    "，获得晋升",
    "，申请专利",
    "，部署到线上",
    "，支持 MoE 模型",
    "，优化了调度",
    "，每周例行",
    "，与同事合作",
    "，完成论文",
    "，发表论文两篇",
    "，覆盖全部业务",
    "，用户达 3 亿",
    "，稳定运行",
    "，零故障",
    "，团队 10 人",
    "，5 人团队",
    "，历时半年",
    "，半年内完成",
    "，成为公司标准",
    "，达到业界最好水平",
    "，精度不变",
    "，训练更快",
    "，显存更低",
    "，第一作者",
    "，百亿参数",
    "，13B 和 70B 模型",
]


def test_the_openings_themselves_pass():
    assert violations(f"{OPENS_EN}64 GPUs", EN, skills()) == ()
    assert violations(OPENS_ZH, ZH, skills()) == ()


@pytest.mark.parametrize("end", ENDS_EN)
def test_what_is_added_in_english_is_seen(end: str):
    assert violations(OPENS_EN + end, EN, skills())


@pytest.mark.parametrize("end", ENDS_ZH)
def test_what_is_added_in_chinese_is_seen(end: str):
    assert violations(OPENS_ZH + end, ZH, skills())
