"""Right numbers of real answers that a reader with one formula per topic would call wrong."""

import re
from pathlib import Path

import pytest

from eval.claims import CASES, judge_case, read_cases
from service.domain.claims import ClaimVerdict, check
from service.domain.language import Lang
from service.wording.catalogue import load_wording

RIGHT, WRONG = ClaimVerdict.RIGHT, ClaimVerdict.WRONG
CONDITIONAL, UNCHECKABLE = ClaimVerdict.CONDITIONAL, ClaimVerdict.UNCHECKABLE
LATIN = re.compile("[A-Za-z]{4,}")
NAMES = frozenset(
    re.findall(
        "[A-Za-z]+",
        "ZeRO DeepSpeed Megatron FSDP FULL SHARD GRAD HSDP FlashAttention Adam dropout token"
        " micro batch reduce scatter gather llama mixtral qwen LoRA QLoRA",
    )
)
FILES = sorted(CASES.glob("*.jsonl"))


def verdicts(text: str) -> list[ClaimVerdict]:
    return [claim.verdict for claim in check(text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_right_number_of_the_labelled_texts_is_called_wrong(path: Path) -> None:
    accused = [c.text for c in read_cases(path) if judge_case(c).wrong_on_right]
    assert accused == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DDP 累积 4 步的话，用 no_sync 通信量变成原来的 1/4，只做一次 2ψ。", [RIGHT, RIGHT]),
        ("DDP 每步 2ψ，累积 4 步不用 no_sync 是 8ψ。", [RIGHT, RIGHT]),
        (
            "每层激活是 sbh(34+5as/h) 字节，全量重计算后每层只剩 2sbh。",
            [RIGHT, RIGHT],
        ),
        ("训练 FLOPs 从 6ψ 变成 8ψ 每 token。", []),
        ("Gradient checkpointing raises FLOPs from 6ψ to 8ψ.", []),
        ("at least 14 cards of 80 GB", []),
        (
            "Llama-3-8B 每 token 的 KV 是 128 KiB，8K 上下文一条序列 1 GiB",
            [RIGHT, RIGHT],
        ),
        (
            (
                "Llama-3-8B in bf16 needs 16 GB for the weights and inference needs 128 KB of KV "
                "cache per token"
            ),
            [RIGHT, RIGHT],
        ),
        (
            (
                "Adam holds 8 bytes per parameter for momentum and variance in fp32, and 4 for the "
                "master weights"
            ),
            [RIGHT, RIGHT],
        ),
        ("8 张 A100 80G 一共 640GB 显存，13B 模型状态 208GB", [RIGHT]),
        (
            "7B 八卡 ZeRO-2 每卡 26.25 GB，比 DDP 的 112 GB 少 85.75 GB",
            [RIGHT, RIGHT, RIGHT],
        ),
        (
            "DDP 每参数 16 字节，fp32 训练也是 16 字节，SGD momentum 只要 12 字节",
            [RIGHT, RIGHT, RIGHT],
        ),
        (
            "30B 模型状态是 480GB，八卡 ZeRO-2 每卡 112.5 GB，ZeRO-3 每卡 60GB",
            [RIGHT, RIGHT, RIGHT],
        ),
        (
            "13B 用 64 卡 ZeRO-2：参数 26 GB 加上 2.8 GB，26+2.8=28.8GB",
            [RIGHT, RIGHT, RIGHT],
        ),
        ("我在 64 张 A100 上用 stage 2 训过 13B，每卡从放不下降到 52 GB", [UNCHECKABLE]),
        (
            (
                "In my project I set stage 3 on 8 A100s for a 7B model, memory dropped from 78 GB "
                "to 31 GB."
            ),
            [UNCHECKABLE, UNCHECKABLE],
        ),
        (
            (
                "The first two move no more bytes than ordinary all-reduce; the third is about "
                "half as much again."
            ),
            [RIGHT],
        ),
        (
            "70B on 64 GPUs with ZeRO-3 takes 17.5 GB per GPU. On 8 GPUs it would be 140 GB.",
            [RIGHT, RIGHT],
        ),
        ("Consider the optimizer on its own. For 7B it weighs 84 GB.", [RIGHT]),
        ("For 13B on 8 GPUs stage 1 takes 136.5 GB off what plain DP holds.", [RIGHT]),
        ("Llama-3-8B 的 KV cache 每个 token 128KB，所以 4K 的请求约 0.5GB。", [RIGHT, RIGHT]),
        ("第一阶段只把 12ψ 除以 N，所以是 4ψ+12ψ/N。", [RIGHT, RIGHT]),
        ("70B 的状态单卡放不下，至少要 14 GPUs of 80 GB.", []),
        (
            "7B, 64 GPUs, ZeRO-3: I said 3.5 GB per GPU but that is wrong, it is 1.75 GB.",
            [RIGHT],
        ),
    ],
)
def test_right_numbers_of_real_answers_keep_their_right(
    text: str, expected: list[ClaimVerdict]
) -> None:
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "ZeRO-2 每卡 4ψ+12ψ/N",
        "7.5B, 64 卡 ZeRO-2 每卡 31.4GB",
        "7B 模型 8 卡 ZeRO-2，每卡 14GB。",
        "ZeRO-3 的通信量跟 DDP 完全一样，都是 2ψ，所以没有任何代价。",
        "I once ran a 7B model with ZeRO-3 on 8 cards and it used 9 GB per GPU at peak.",
        "A 7B model needs 14 GB for all its training states.",
    ],
)
def test_a_named_scheme_or_all_states_leave_no_other_reading(text: str) -> None:
    assert verdicts(text) == [WRONG]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ZeRO-1 每卡 4ψ+12ψ/N。", "Right: under ZeRO-1 one GPU holds 4ψ+12ψ/N."),
        (
            "Adam 的优化器状态每个参数 12 字节。",
            "Right: 12 bytes per parameter for the optimizer states.",
        ),
        ("ZeRO-3 的通信量是 3ψ。", "Right: ZeRO-3 sends 3ψ a step."),
        (
            "7B 八卡 ZeRO-2 每卡 26.25 GB，比 DDP 的 112 GB 少 85.75 GB",
            "Right: it is 112 - 26.25.",
        ),
    ],
)
def test_the_reason_says_what_the_figure_is(text: str, reason: str) -> None:
    assert str(check(text)[-1].why) == reason


def test_a_reason_in_chinese_holds_no_english_words() -> None:
    wording = load_wording()
    texts = [case.text for path in FILES for case in read_cases(path)]
    said = [
        (wording.render(claim.why, Lang.ZH), claim.formula or "", claim.expected or "")
        for text in texts
        for claim in check(text)
    ]
    assert len(said) > 2_000
    words = {word for parts in said for part in parts for word in LATIN.findall(part)}
    assert words <= NAMES


def test_a_conditional_number_has_no_other_value_expected() -> None:
    (claim,) = check("Stage 2 communicates 2ψ.")
    assert claim.verdict is CONDITIONAL
    assert claim.expected is None


def test_adapters_beside_an_eight_bit_optimizer_are_read() -> None:
    text = "8-bit Adam 把两个矩压到各 1 字节。LoRA 训 7B，模型状态要 112 GB。"
    assert WRONG not in verdicts(text)


def test_no_number_of_answers_that_are_all_right_is_called_wrong() -> None:
    texts = (CASES / "all_right.txt").read_text(encoding="utf-8").splitlines()
    accused = [c.text for t in texts for c in check(t) if c.verdict is WRONG]
    assert accused == []
    assert len(texts) == 30
