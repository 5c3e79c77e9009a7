"""Inventions in both languages, each refused for its own reason; honest rewrites pass."""

# ruff: noqa: E501 - a case is read in one piece

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.rewriting import Source, violations
from service.domain.rewriting.guard import REASONS, Kind
from tests.domain.shipped import skills

EN = Source(
    "b1",
    "Replaced DDP with FSDP for a 13B model on 64 GPUs, reducing memory per GPU by 60%",
    "Acme | Training engineer | 2021-07",
)
HELPED = Source("b2", "Helped to debug NCCL hangs on a cluster of about 32 nodes", "Acme")
PLANNED = Source("b3", "Trained a 7B model with DeepSpeed; did not use Megatron-LM", "Acme")
ZH = Source(
    "b1",
    "用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型，单卡显存从 80GB 降到 20GB",
    "某科技公司 训练工程师",
)
JOINED = Source("b2", "参与 NCCL 通信优化，训练时间缩短约两成", "某科技公司")
KNOWS = Source("b3", "使用 DeepSpeed 训练 7B 模型，未使用 Megatron-LM", "某科技公司")

# What is added to an honest rewrite, in a model double's words, and why it is refused.
BASE_EN = "Reduced memory per GPU by 60% by replacing DDP with FSDP for a 13B model on 64 GPUs"
BASE_ZH = "单卡显存从 80GB 降到 20GB：用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型"
ADDED_EN = [
    (", raising throughput by 25%", Kind.NUMBER),
    (", raising throughput twofold", Kind.NUMBER),
    (" in three weeks", Kind.NUMBER),
    (" and saving half a million dollars", Kind.NUMBER),
    (" for forty engineers", Kind.NUMBER),
    (", a 2.5x gain", Kind.NUMBER),
    (" over 1,024 GPUs", Kind.NUMBER),
    (" with 1.2M samples", Kind.NUMBER),
    (" on two thirds of the jobs", Kind.NUMBER),
    (" and doubling the batch", Kind.NUMBER),
    (" in March 2023", Kind.DATE),
    (" since 2019", Kind.DATE),
    (" last year", Kind.DATE),
    (" at Google", Kind.NAME),
    (" together with OpenAI", Kind.NAME),
    (" and published it at NeurIPS", Kind.NAME),
    (" on Falcon-40B", Kind.NAME),
    (", certified by NVIDIA", Kind.NAME),
    (" using Megatron-LM", Kind.SKILL),
    (" and FlashAttention", Kind.SKILL),
    (" with CUDA kernels", Kind.SKILL),
    (" on Kubernetes", Kind.SKILL),
    (" in a production cluster", Kind.SCALE),
    (" at large scale", Kind.SCALE),
    (" for several teams", Kind.SCALE),
    (", a significant gain", Kind.SCALE),
    (", the first of its kind", Kind.SCALE),
    (", a state-of-the-art result", Kind.SCALE),
    (" across thousands of jobs", Kind.SCALE),
    (" and led the team", Kind.ROLE),
    (" as the architect", Kind.ROLE),
    (" independently", Kind.ROLE),
    (" and mentored interns", Kind.ROLE),
    (" without accuracy loss", Kind.DENIAL),
    (", cutting carbon emissions", Kind.CLAIM),
    (" for autonomous driving", Kind.CLAIM),
    (", earning praise from executives", Kind.CLAIM),
]  # fmt: skip
ADDED_ZH = [
    ("，吞吐提升 30%", Kind.NUMBER),
    ("，吞吐提升三成", Kind.NUMBER),
    ("，速度翻倍", Kind.NUMBER),
    ("，节省一百二十万元", Kind.NUMBER),
    ("，覆盖 3 万张卡", Kind.NUMBER),
    ("，处理 1.5 万亿 token", Kind.NUMBER),
    ("，历时两周", Kind.NUMBER),
    ("，带来三分之一的收益", Kind.NUMBER),
    ("，成本减半", Kind.NUMBER),
    ("（2023 年 3 月）", Kind.DATE),
    ("，去年上线", Kind.DATE),
    ("，与清华大学合作", Kind.NAME),
    ("，在 ByteDance 落地", Kind.NAME),
    ("，获 NeurIPS 收录", Kind.NAME),
    ("，服务于阿里云", Kind.NAME),
    ("，并使用 Megatron-LM", Kind.SKILL),
    ("，结合 FlashAttention", Kind.SKILL),
    ("，自研 CUDA 算子", Kind.SKILL),
    ("，采用张量并行", Kind.SKILL),
    ("，用于千卡集群", Kind.SCALE),
    ("，大规模训练", Kind.SCALE),
    ("，显著降低显存", Kind.SCALE),
    ("，业内首个方案", Kind.SCALE),
    ("，用于生产环境", Kind.SCALE),
    ("，服务多个团队", Kind.SCALE),
    ("，主导该方案", Kind.ROLE),
    ("，带领团队完成", Kind.ROLE),
    ("，独立完成", Kind.ROLE),
    ("，指导新人", Kind.ROLE),
    ("，且没有损失", Kind.DENIAL),
    ("，获得领导表扬", Kind.CLAIM),
    ("，用于自动驾驶", Kind.CLAIM),
]  # fmt: skip
WHOLE = [
    (EN, "Reduced memory per GPU by over 60% by replacing DDP with FSDP for a 13B model on 64 GPUs", Kind.BOUND),
    (EN, "Raised throughput by 60% by replacing DDP with FSDP for a 13B model on 64 GPUs", Kind.MOVED),
    (EN, "Reduced memory per GPU by 60% for a 130B model on 64 GPUs by replacing DDP with FSDP", Kind.NUMBER),
    (EN, "Reduced memory per GPU by sixty-five percent for a 13B model on 64 GPUs: FSDP for DDP", Kind.NUMBER),
    (EN, "Replaced DDP with FSDP for a 13B model", Kind.LOST),
    (EN, "Replaced DDP for a 13B model on 64 GPUs, reducing memory per GPU by 60%", Kind.LOST),
    (HELPED, "Debugged NCCL hangs on a cluster of about 32 nodes", Kind.MODESTY),
    (HELPED, "Helped to debug NCCL hangs on a cluster of 32 nodes", Kind.BOUND),
    (HELPED, "Helped to debug NCCL hangs on a cluster of over 32 nodes", Kind.BOUND),
    (HELPED, "Helped to debug NCCL hangs on a cluster of about 32 GPUs", Kind.NUMBER),
    (PLANNED, "Trained a 7B model with DeepSpeed and Megatron-LM", Kind.DENIAL),
    (ZH, "用 FSDP 替换 DDP，在 64 张卡上训练 13B 模型，单卡显存从 20GB 降到 80GB", Kind.DIRECTION),
    (ZH, "用 FSDP 替换 DDP，在六百四十张卡上训练 13B 模型，单卡显存从 80GB 降到 20GB", Kind.NUMBER),
    (ZH, "用 FSDP 替换 DDP，在 64 台机器上训练 13B 模型，单卡显存从 80GB 降到 20GB", Kind.NUMBER),
    (JOINED, "主要负责 NCCL 通信优化，训练时间缩短约两成", Kind.MODESTY),
    (JOINED, "参与 NCCL 通信优化，训练时间缩短两成", Kind.BOUND),
    (JOINED, "参与 NCCL 通信优化，训练时间缩短约三成", Kind.NUMBER),
    (JOINED, "参与 NCCL 通信优化，吞吐提升约两成", Kind.MOVED),
    (KNOWS, "使用 DeepSpeed 和 Megatron-LM 训练 7B 模型", Kind.DENIAL),
]  # fmt: skip
CASES = [
    *((EN, BASE_EN + added, kind) for added, kind in ADDED_EN),
    *((ZH, BASE_ZH + added, kind) for added, kind in ADDED_ZH),
    *WHOLE,
]


def kinds(text: str, source: Source) -> set[Kind]:
    return {v.kind for v in violations(text, source, skills())}


def test_there_are_many_cases_of_every_kind():
    assert len(CASES) >= 60
    assert {kind for _, _, kind in CASES} == set(Kind) - {Kind.FORM}


@pytest.mark.parametrize(("source", "text", "kind"), CASES, ids=[c[1] for c in CASES])
def test_an_invention_is_refused_for_its_reason(source: Source, text: str, kind: Kind):
    assert kind in kinds(text, source)


@pytest.mark.parametrize("text", [BASE_EN, EN.text, EN.text.upper().replace("GPUS", "GPUs")])
def test_what_the_bullet_says_may_be_said(text: str):
    assert kinds(text, EN) == set()


HONEST = [
    (EN, "Cut per-GPU memory by 60% on 64 GPUs by switching a 13B model from DDP to FSDP"),
    (EN, "Switched from DDP to FSDP, which lowered memory per GPU by sixty percent for a 13B model on 64 GPUs"),
    (HELPED, "Assisted in debugging NCCL hangs on a cluster of roughly 32 nodes"),
    (PLANNED, "Trained a 7B model using DeepSpeed, not Megatron-LM"),
    (ZH, BASE_ZH),
    (ZH, "通过将 DDP 替换为 FSDP，在六十四张卡上训练 130 亿参数的模型时，单卡显存从 80GB 降低到 20GB"),
    (JOINED, "训练时间缩短约 20%：参与 NCCL 通信优化"),
    (KNOWS, "基于 DeepSpeed 训练 7B 模型，未使用 Megatron-LM"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "text"), HONEST, ids=[t for _, t in HONEST])
def test_other_words_for_the_same_pass(source: Source, text: str):
    assert violations(text, source, skills()) == ()


def test_what_the_person_answers_may_be_said_and_nothing_more():
    told = Source("b1", EN.text, EN.heading, ("Throughput rose from 3,000 to 4,000 tokens/s",))
    rose = f"{BASE_EN}; throughput rose from 3,000 to 4,000 tokens/s"
    assert kinds(rose, told) == set()
    assert Kind.NUMBER in kinds(rose, EN)
    assert Kind.NUMBER in kinds(f"{rose}, in 5 days", told)


def test_the_heading_lends_its_names_but_neither_its_figures_nor_a_deed():
    assert kinds(f"{BASE_EN} at Acme", EN) == set()
    assert Kind.DATE in kinds(f"{BASE_EN} since 2021", EN)
    designer = Source("b1", EN.text, "Acme | Lead designer | 2021")
    assert Kind.ROLE in kinds(f"{BASE_EN} as the lead", designer)


@pytest.mark.parametrize(
    "text",
    ["", "a\nb", "x" * 700, f"{BASE_EN} https://evil.example", f"{BASE_EN} <b>", ZH.text],
)
def test_what_is_no_line_of_this_resume_is_refused(text: str):
    assert kinds(text, EN) == {Kind.FORM}


def test_a_make_of_card_is_a_name_even_without_the_ontology():
    found = violations(BASE_EN.replace("64 GPUs", "64 A100"), EN, {})
    assert ("name", "A100") in {(v.kind.value, v.what) for v in found}


def test_every_kind_has_a_reason_that_names_what():
    assert set(REASONS) == set(Kind)
    assert all("{what}" in str(m.template) for m in REASONS.values())


NUMBERS = st.sampled_from(
    ["60", "64", "13", "7", "2024", "half", "twice", "1,024", "3.5", "forty", "0.6", "640", "6"]
)
PIECES = st.sampled_from(
    [
        " on {} GPUs",
        ", {}% less",
        " by {}x",
        " with {} layers",
        " for a {}B model",
        " in {}",
        " ({})",
        " {} GB",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(PIECES, NUMBERS), max_size=4))
def test_every_figure_of_what_passes_stands_in_the_source(added: list[tuple[str, str]]):
    text = BASE_EN + "".join(piece.format(number) for piece, number in added)
    if not violations(text, EN, skills()):
        assert set(re.findall(r"\d[\d,.]*", text)) <= set(re.findall(r"\d[\d,.]*", EN.text))
        assert not re.search(r"half|twice|forty", text)
