"""How long the number check takes: a 300-character answer, and growth with length."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Final

from service.domain.claims import check

ANSWERS: Final = (
    "我们的模型是 7B，用 8 张 A100 80GB。混合精度 Adam 每个参数 16 字节，其中权重 2 字节、梯度 2 字节、优化器状态 12 字节，"
    "所以 DDP 每卡要 112 GB，放不下。ZeRO-1 每卡 4ψ+12ψ/N，也就是 38.5 GB；ZeRO-2 每卡 2ψ+14ψ/N，约 26 GB；"
    "ZeRO-3 每卡 16ψ/N，只有 14 GB。通信上 ZeRO-3 是 3ψ，是 DDP 的 1.5 倍，论文里 ZeRO-2 和 DDP 一样都是 2ψ。"
    "我们实测峰值 31 GB，因为还有激活和缓冲，后来开了激活重计算，batch size 从 4 提到 8，吞吐提高了 1.3 倍。",
    "We trained a 7B model on 8 A100 80GB cards. Mixed-precision Adam needs 16 bytes per parameter, so plain "
    "data parallelism would hold 112 GB per GPU. ZeRO-1 needs 4ψ+12ψ/N, about 38.5 GB, ZeRO-2 2ψ+14ψ/N, and "
    "ZeRO-3 only 14 GB, at 1.5x the traffic.",
)
HOSTILE: Final = ("1" * 64, "(" * 64, "ψ+" * 32, "不对，16 字节？", "ZeRO-1/", "1.", "a-7b ", "一", "/ 2", "if not ")
_SHORT: Final = 5_000
_LONG: Final = 50_000
_REPEATS: Final = 60


def seconds(work: Callable[[], object], repeats: int) -> float:
    """Median time of one call."""
    times: list[float] = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def growth(piece: str, short: int = _SHORT, long: int = _LONG) -> float:
    """Time of a long text over that of a short one, both made of `piece`; 10 is linear."""
    brief, full = (piece * (size // len(piece) + 1) for size in (short, long))
    return seconds(lambda: check(full[:long]), 3) / seconds(lambda: check(brief[:short]), 3)


def answer_milliseconds(answers: Sequence[str] = ANSWERS) -> float:
    """Median milliseconds for a 300-character answer."""
    return max(1_000 * seconds(lambda text=text: check(text[:300]), _REPEATS) for text in answers)


def main() -> None:
    print(f"300 characters: {answer_milliseconds():.2f} ms at p50")
    for piece in (*ANSWERS, *HOSTILE):
        print(f"{_LONG} against {_SHORT} characters of {piece[:24]!r}: {growth(piece):.1f} times")


if __name__ == "__main__":
    main()
