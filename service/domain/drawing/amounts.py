"""The values a number of an answer can have in a unit, and whether the speaker denies it."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from service.domain.claims.tokens import Limit, Number, Sheet
from service.domain.claims.tokens import Unit as Said
from service.domain.drawing.model import Unit

Range = tuple[float, float]
# Seconds in the unit behind a number.
_SECONDS: Final[Mapping[str, float]] = {
    word: seconds
    for seconds, words in (
        (1e-6, "us|微秒"),
        (1e-3, "ms|毫秒"),
        (1.0, "s|秒|seconds|second|sec|secs"),
        (60.0, "min|分钟|minutes|minute"),
        (3_600.0, "小时|hours|hour"),
        (86_400.0, "天|days|day"),
        (604_800.0, "周|weeks|week"),
    )
    for word in words.split("|")
}
_UNIT_WORD: Final = re.compile(r"[a-z]+$|[\u4e00-\u9fff]{1,2}$")
_PERCENT: Final = 100.0
_WIDEST: Final = 1.3  # a range wider than this is no one value
_COUNTED: Final = frozenset(
    {Said.NONE, Said.GPUS, Said.NODES, Said.MICRO, Said.SEQUENCES, Said.TOKENS, Said.OTHER,
     Said.LETTER_K, Said.LETTER_M, Said.LETTER_B, Said.PARAMS}
)  # fmt: skip
_LARGE: Final = (Said.NONE, Said.TOKENS, Said.PARAMS, Said.LETTER_K, Said.LETTER_M, Said.LETTER_B)
_DENIAL_REACH: Final = 14  # characters before a number in which a denial is of it
_DENIED_BEFORE: Final = re.compile(
    r"(?:不是|不应该是|不应是|不能是|并非|不等于|不会是|绝不|并不|没有|不需要|用不了|到不了|要不了|≠|不止|不对)"
    r"[^,，。;；.!?]{0,4}$"
    r"|(?:\bnot|n't|\bnever|\bnowhere near|\brather than|\binstead of|\bfar from)"
    r"[^,，。;；.!?]{0,10}$"
)
_DENIED_AFTER: Final = re.compile(
    r"^[^,，。;；.!?]{0,8}(?:是错的|是错误|不对|不正确|就错了|is wrong|is not right|is incorrect"
    r"|would be wrong|is false)"
)


def values_of(number: Number, unit: Unit, said: str) -> Iterator[Range]:
    """What the number can mean in `unit`, as ranges; nothing where it counts something else.

    `said` is the number with its unit, folded and in lower case.
    """
    amount = number.amount
    is_other = unit is Unit.COUNT and number.limit is Limit.LESS  # fewer than 8 is not 8
    scale = _seconds(said) if unit is Unit.SECONDS else _SCALES[unit](number)
    if scale is None or is_other or amount.low <= 0:
        return
    if amount.high <= amount.low * _WIDEST:
        yield amount.low * scale, amount.high * scale
        return
    # From one value to another: two figures rather than one vague one.
    yield amount.low * scale, amount.low * scale
    yield amount.high * scale, amount.high * scale


def _seconds(said: str) -> float | None:
    word = _UNIT_WORD.search(said)
    if word is None:
        return None
    return _SECONDS.get(word[0]) or _SECONDS.get(word[0][-1:])


def _one_if(*units: Said) -> Callable[[Number], float | None]:
    return lambda number: 1.0 if number.unit in units else None


def _share(number: Number) -> float | None:
    if number.unit is Said.PERCENT:
        return 1 / _PERCENT
    is_fraction = number.unit in (Said.SHARE, Said.NONE) and number.amount.high < 1
    return 1.0 if is_fraction else None


_SCALES: Final[Mapping[Unit, Callable[[Number], float | None]]] = {
    Unit.BYTES: _one_if(Said.BYTES),
    Unit.BINARY: _one_if(Said.BYTES),
    Unit.SHARE: _share,
    Unit.COUNT: _one_if(*_COUNTED),
    Unit.TOKENS: _one_if(*_LARGE),
    Unit.PARAMS: _one_if(*_LARGE),
    Unit.TIMES: _one_if(Said.FACTOR, Said.NONE),
    Unit.RATE: _one_if(),
    Unit.PLAIN: _one_if(Said.NONE),
    Unit.MODEL: _one_if(),
}


def is_denied(sheet: Sheet, number: Number) -> bool:
    """Said not to be so: `not 14 GB`, 不是 14 GB, `14 GB is wrong`."""
    before = sheet.low[max(0, number.start - _DENIAL_REACH) : number.start]
    after = sheet.low[number.end : number.end + 2 * _DENIAL_REACH]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.search(after))
