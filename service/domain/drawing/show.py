"""Drawn and computed numbers as people write them, in both languages."""

from collections.abc import Callable, Mapping
from typing import Final

from service.domain.drawing.model import Unit
from service.domain.language import Bilingual
from service.domain.memory import GB, GIB, KIB, MIB, TB, show_count

MB: Final = 10**6
KB: Final = 10**3
_SIZES: Final = ((TB, "TB"), (GB, "GB"), (MB, "MB"), (KB, "KB"))
_BINARY: Final = ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB"))
# From this many seconds on, the next larger unit is said.
_TIMES: Final = (
    (2 * 86_400, 86_400, "天", "days"),
    (2 * 3_600, 3_600, "小时", "hours"),
    (2 * 60, 60, "分钟", "minutes"),
    (1, 1, "秒", "s"),
    (0, 0.001, "毫秒", "ms"),
)
_MANY: Final = 10_000


def show(value: float, unit: Unit) -> Bilingual:
    """`14 GB`, `30.4%`, `60.9 days`; four figures at most."""
    return SHOWN[unit](value)


def _same(text: str) -> Bilingual:
    return Bilingual(zh=text, en=text)


def _scaled(value: float, scales: tuple[tuple[int, str], ...]) -> Bilingual:
    size, name = next((row for row in scales if abs(value) >= row[0]), scales[-1])
    return _same(f"{_short(value / size)} {name}")


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= KB else f"{value:.4g}"


def _bytes(value: float) -> Bilingual:
    return _scaled(value, _SIZES)


def _binary(value: float) -> Bilingual:
    return _scaled(value, _BINARY)


def _seconds(value: float) -> Bilingual:
    _, size, zh, en = next(row for row in _TIMES if value >= row[0])
    number = f"{value / size:.3g}"
    return Bilingual(zh=f"{number} {zh}", en=f"{number} {en}")


def _share(value: float) -> Bilingual:
    return _same(f"{value * 100:.3g}%")


def _count(value: float) -> Bilingual:
    return _same(f"{value:.0f}")


def _tokens(value: float) -> Bilingual:
    return _same(f"{value / KB:.3g}K" if _MANY <= value < MB else show_count(value))


def _rate(value: float) -> Bilingual:
    return _same(f"{value / GB:.4g} GB/s")


def _plain(value: float) -> Bilingual:
    return _same(f"{value:.4g}")


SHOWN: Final[Mapping[Unit, Callable[[float], Bilingual]]] = {
    Unit.BYTES: _bytes,
    Unit.BINARY: _binary,
    Unit.SECONDS: _seconds,
    Unit.SHARE: _share,
    Unit.COUNT: _count,
    Unit.TOKENS: _tokens,
    Unit.PARAMS: lambda value: _same(show_count(value)),
    Unit.TIMES: _plain,
    Unit.RATE: _rate,
    Unit.PLAIN: _plain,
    Unit.MODEL: _plain,
}
