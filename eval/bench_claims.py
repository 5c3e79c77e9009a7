"""How long the number check takes: a 300-character answer, and growth with length."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Final

from service.domain.claims import check

_CHINESE: Final = (
    "我们的模型是 7B，用 8 张 A100 80GB。混合精度 Adam 每个参数 16 字节，其中权重 2 字节、"
    "梯度 2 字节、优化器状态 12 字节，所以 DDP 每卡要 112 GB，放不下。ZeRO-1 每卡 4ψ+12ψ/N，"
    "也就是 38.5 GB；ZeRO-2 每卡 2ψ+14ψ/N，约 26 GB；ZeRO-3 每卡 16ψ/N，只有 14 GB。"
    "通信上 ZeRO-3 是 3ψ，是 DDP 的 1.5 倍，论文里 ZeRO-2 和 DDP 一样都是 2ψ。"
    "我们实测峰值 31 GB，因为还有激活和缓冲，后来开了激活重计算，batch size 从 4 提到 8，"
    "吞吐提高了 1.3 倍。"
)
_ENGLISH: Final = (
    "We trained a 7B model on 8 A100 80GB cards. Mixed-precision Adam needs 16 bytes per "
    "parameter, so plain data parallelism would hold 112 GB per GPU. ZeRO-1 needs 4ψ+12ψ/N, "
    "about 38.5 GB, ZeRO-2 2ψ+14ψ/N, and ZeRO-3 only 14 GB, at 1.5x the traffic. "
)
ANSWERS: Final = (_CHINESE, _ENGLISH)
HOSTILE: Final = (
    *("1" * 64, "(" * 64, "ψ+" * 32, "不对，16 字节？", "ZeRO-1/", "1.", "a-7b ", "一", "/ 2"),
    *(
        "if not ",
        "have ",
        "one hundred and ",
        "16 GB, ",
        "别把",
        "7B 8 卡 ",
        "4ψ+12ψ/N、",
        "\\frac{",
    ),
    *("ψ", "(", "点", "卡百", "ψ(", "1(", "1+", "¾", "。", "要传 什么都切", "16 bit 数据并行"),
)
SHORT: Final = 5_000
LONG: Final = 50_000
_ANSWER: Final = 300
_REPEATS: Final = 60


def seconds(
    work: Callable[[], object], repeats: int, clock: Callable[[], float] = perf_counter
) -> float:
    """Median time of one call."""
    times: list[float] = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)


def growth(piece: str, short: int = SHORT, long: int = LONG, repeats: int = 3) -> float:
    """Processor time of a long text over that of a short one made of `piece`; linear is 10."""
    brief, full = ((piece * (size // len(piece) + 1))[:size] for size in (short, long))
    slow = seconds(lambda: check(full), repeats, process_time)
    return slow / seconds(lambda: check(brief), repeats, process_time)


def answer_milliseconds(
    answers: Sequence[str] = ANSWERS, clock: Callable[[], float] = perf_counter
) -> float:
    """Median milliseconds for a 300-character answer, of the slower language."""
    each = (seconds(lambda text=text[:_ANSWER]: check(text), _REPEATS, clock) for text in answers)
    return 1_000 * max(each)


def main() -> None:
    """Print the time of an answer and the growth of ordinary and hostile texts."""
    wall, busy = answer_milliseconds(), answer_milliseconds(clock=process_time)
    print(f"{_ANSWER} characters at p50: {wall:.2f} ms, {busy:.2f} ms of processor time")
    for piece in (*ANSWERS, *HOSTILE):
        times = growth(piece)
        print(f"{LONG} against {SHORT} characters of {piece[:16]!r}: {times:.1f} times as long")


if __name__ == "__main__":
    main()
