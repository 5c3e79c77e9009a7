import pytest

from service.domain.claims import check


def found(text: str) -> list[str]:
    return [claim.text for claim in check(text)]


@pytest.mark.parametrize(
    "text",
    [
        "ZeRO-2 每卡是 4ψ+12ψ/N 吗？",
        "Is it 16 bytes per parameter or 18?",
        "I'm not sure whether it is 12 or 16 bytes per parameter.",
        "为什么 ZeRO-3 的通信量是 1.5 倍？",
    ],
)
def test_what_is_asked_is_not_claimed(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ZeRO-2 不是 4ψ+12ψ/N，而是 2ψ+14ψ/N。", "2ψ+14ψ/N"),
        ("It is not 3x the DDP traffic but 1.5x for ZeRO-3.", "1.5x"),
        ("有人说 ZeRO-3 的通信是 DDP 的 3 倍，其实是 1.5 倍。", "1.5 倍"),
        ("A blog claims Adam's optimizer state is 16ψ; actually it is 12ψ.", "12ψ"),
        ("每个参数 12 字节，哦不，16 字节。", "16 字节"),
        ("Stage 2 is 4ψ+12ψ/N, no wait, it is 2ψ+14ψ/N.", "2ψ+14ψ/N"),
        ("刚才我说 ZeRO-3 通信是 2ψ，应该是 3ψ。", "3ψ"),
    ],
)
def test_only_the_final_stance_counts(text: str, kept: str) -> None:
    assert found(text) == [kept]


@pytest.mark.parametrize(
    "text",
    [
        "“Adam 优化器状态是 16ψ”这种说法是错的。",
        'Saying "stage 1 is 2ψ+14ψ/N" would be a mistake.',
        "The blog's figure of 3x for ZeRO-3 traffic is simply wrong.",
    ],
)
def test_a_figure_quoted_to_be_rejected_is_not_claimed(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["要是每个参数只占 8 字节就好了。", "Imagine each parameter took only 4 bytes."]
)
def test_a_premise_is_not_claimed(text: str) -> None:
    assert found(text) == []


def test_the_consequence_of_a_premise_is_claimed() -> None:
    assert found("如果有 64 张卡，7B 的 ZeRO-1 每卡是 29.3GB。") == ["29.3GB"]


@pytest.mark.parametrize(
    "text",
    [
        "我们用的是 DeepSpeed 0.19.8 和 PyTorch 2.13，跑在 A100 80GB 上，batch size 32。",
        "The NCCL timeout was 10 minutes, so we raised it to 30 and reran step 1200.",
        "电话 138-0000-0000，2021 年 7 月入职，带 4 个人。",
        "ZeRO has three stages: stage 1, stage 2 and stage 3.",
        "Set reduce_bucket_size to 5e8 and port 29500.",
        "速度比原来快了 2 倍，loss 从 2.31 降到 1.97。",
        "机器有 512GB 内存，磁盘 2TB，网络 200Gb/s。",
        "",
    ],
)
def test_what_is_no_claim_gets_no_verdict(text: str) -> None:
    assert found(text) == []
