"""Figures: digits, numerals and number words at their place, with the unit behind them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Final

from service.domain.claims.numerals import (
    CHINESE_CHARS,
    Amount,
    exactly,
    parse_chinese,
    read_english,
)
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.units import MULTIPLIERS, PARAM_NOUNS, PHRASES, UNITS

FIGURE: Final = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[+-]?\d{1,3}(?![a-z0-9]))?")
_POWER: Final = re.compile(r" ?[x×*·] ?10 ?(?:\^ ?\{?(\d{1,2})\}?|([\ue000-\ue009]{1,2}))")
_BARE_POWER: Final = re.compile(r"(?:\^ ?\{?(\d{1,2})\}?|([\ue000-\ue009]{1,2}))")
GPU: Final = re.compile(
    r"(?<![a-wyz0-9_])(?:[ahvblt]\d{2,4}|mi\d{3}x?|gh200|gb200|rtx ?\d{4}"
    r"|[2345]090(?:ti)?|910b)s?(?![a-z0-9])"
)
_CHINESE: Final = re.compile(f"[{CHINESE_CHARS}]+")
_LONGEST_NUMBER: Final = 40
_TEN: Final = 10
_DEGREES: Final = frozenset({"tp", "pp", "dp"})
_A_MODEL: Final = 1e6  # fewer parameters are no model anybody trains in shards
_QUARTERS: Final = {"half": 0.5, "quarter": 0.25, "third": 1 / 3, "eighth": 0.125, "fifth": 0.2}
_NO_PARAMS: Final = ("token", "元", "条", "次", "美元", "人", "个 token", "个token", "行")


def _lengths(words: Iterable[str]) -> Mapping[str, Sequence[int]]:
    """Lengths of the words by first character, longest first."""
    table: defaultdict[str, set[int]] = defaultdict(set)
    for word in words:
        table[word[0]].add(len(word))
    return {first: sorted(lengths, reverse=True) for first, lengths in table.items()}


_UNIT_LENGTHS: Final = _lengths(UNITS)
_MULTIPLIER_LENGTHS: Final = _lengths(MULTIPLIERS)


def find_numbers(low: str, taken: bytearray) -> Iterator[Number]:
    at = 0
    while at < len(low):
        number = None if taken[at] else _number_at(low, at)
        if number is None:
            at += 1
            continue
        yield number
        at = max(number.end, at + 1)


def _number_at(low: str, at: int) -> Number | None:
    char = low[at]
    phrase = _phrase(low, at) if char in PHRASES else None
    if phrase:
        return phrase
    if char.isascii() and char.isdigit():
        return _digits(low, at)
    if char in CHINESE_CHARS:
        return _chinese(low, at)
    if "a" <= char <= "z" and not ("a" <= low[at - 1 : at] <= "z"):
        return _english(low, at)
    return None


def _phrase(low: str, at: int) -> Number | None:
    """Sizes said without a numeral: half, twice, half as much again."""
    for words, unit, value in PHRASES[low[at]]:
        if low.startswith(words, at) and _is_whole(low, at, len(words)):
            is_word_start = not ("a" <= low[at - 1 : at] <= "z" and "a" <= words[0] <= "z")
            return Number(at, at + len(words), exactly(value), unit) if is_word_start else None
    return None


def _digits(low: str, at: int) -> Number | None:
    match = FIGURE.match(low, at)
    if match is None:
        return None
    end = match.end()
    value = _value(match.group())
    if value is None:
        return Number(at, end, exactly(0), Unit.OTHER)
    before = low[at - 1 : at]
    if low[at - 2 : at] in _DEGREES and not ("a" <= low[at - 3 : at - 2] <= "z"):
        return Number(at - 2, end, exactly(value), name=low[at - 2 : at])
    if ("a" <= before <= "z") or before == "_" or _is_part_of_name(low, at):
        return Number(at, end, exactly(value), Unit.OTHER)
    power = _POWER.match(low, end)
    if power:
        value, end = value * 10 ** _exponent(power), power.end()
    elif value == _TEN and (bare := _BARE_POWER.match(low, end)):
        value, end = 10 ** _exponent(bare), bare.end()
    return _with_unit(low, at, end, exactly(value))


def _value(figure: str) -> float | None:
    """None for runs of digits that are no amount of anything."""
    if len(figure) > _LONGEST_NUMBER:
        return None
    value = float(figure.replace(",", ""))
    return value if isfinite(value) else None


def _is_part_of_name(low: str, at: int) -> bool:
    """The 3 of GPT-3."""
    return low[at - 1 : at] == "-" and at > 1 and low[at - 2].isascii() and low[at - 2].isalpha()


def _exponent(match: re.Match[str]) -> int:
    raised = match[2]
    return int(match[1]) if not raised else int("".join(str(ord(c) - 0xE000) for c in raised))


def _chinese(low: str, at: int) -> Number | None:
    match = _CHINESE.match(low, at)
    if match is None:
        return None
    run = match.group().rstrip("点")
    if not run:
        is_run = match.end() - at > 1  # read at once, lest every character read the rest again
        return Number(at, match.end(), exactly(0), Unit.OTHER) if is_run else None
    share = _chinese_share(low, at, run)
    if share:
        return share
    amount = parse_chinese(run)
    if amount is None or low[at - 1 : at] == "第":
        return Number(at, at + len(run), exactly(0), Unit.OTHER)
    number = _with_unit(low, at, at + len(run), amount)
    if number.unit in {Unit.NONE, Unit.OTHER}:
        return Number(at, at + len(run), amount)
    return number


def _chinese_share(low: str, at: int, run: str) -> Number | None:
    """四分之一, 百分之五十."""
    end = at + len(run)
    if not low.startswith("分之", end):
        return None
    parts = _CHINESE.match(low, end + 2) or FIGURE.match(low, end + 2)
    if parts is None:
        return None
    above = parse_chinese(parts.group()) or exactly(float(parts.group()))
    below = parse_chinese(run)
    if below is None or not below.low:
        return None
    unit = Unit.PERCENT if run == "百" else Unit.SHARE
    scale = 1.0 if run == "百" else 1 / below.low
    return Number(at, parts.end(), above.times(scale), unit)


def _english(low: str, at: int) -> Number | None:
    spoken = read_english(low, at)
    if spoken is None:
        return None
    for word, share in _QUARTERS.items():
        if low.startswith(word, spoken.end + 1):
            return Number(at, spoken.end + 1 + len(word), spoken.amount.times(share), Unit.SHARE)
    return _with_unit(low, at, spoken.end, spoken.amount)


def _with_unit(low: str, start: int, end: int, amount: Amount) -> Number:
    amount, end = _vague_suffix(low, end, amount)
    amount, end, is_large = _multiplied(low, end, amount)
    at = end + (low[end : end + 1] in {" ", "-"})
    if low.startswith("个", at) and low[at + 1 : at + 2] == " ":
        at += 2
    if not isfinite(amount.high):
        return Number(start, end, exactly(0), Unit.OTHER)
    if amount.low == int(amount.low) and GPU.match(low, at):
        return Number(start, end, amount, Unit.GPUS)
    for length in _UNIT_LENGTHS.get(low[at : at + 1], ()):
        word = low[at : at + length]
        row = UNITS.get(word.replace("-", " "))
        if row and _is_whole(low, at, length):
            return _united(low, start, at + length, amount, row, is_large=is_large)
    unit = Unit.PARAMS if is_large and _says_params(low, end) else Unit.NONE
    return Number(start, end, amount, unit)


def _united(
    low: str, start: int, end: int, amount: Amount, row: tuple[Unit, float], *, is_large: bool
) -> Number:
    unit, scale = row
    if unit is Unit.FACTOR and is_large and _multiplies(low, end):
        return Number(start, end, amount, Unit.PARAMS)
    if unit is Unit.FACTOR and _multiplies(low, end):
        return _multiplier_before_gpu(low, start, end, amount)
    if unit is Unit.FACTOR and low.startswith("半", end):
        return Number(start, end + 1, amount.plus(exactly(0.5)), unit)
    if is_large and unit in {Unit.LETTER_B, Unit.LETTER_M, Unit.LETTER_T, Unit.LETTER_K}:
        return Number(start, end, amount, Unit.PARAMS)
    if unit is Unit.LETTER_B and amount.low == 0:
        return Number(start, end, amount, Unit.OTHER)
    return Number(start, end, amount.times(scale), unit, scale=scale)


def _multiplies(low: str, end: int) -> bool:
    """8x80GB and 8×A100: a count of things, no factor."""
    at = end + (low[end : end + 1] == " ")
    if low.endswith("times", 0, end):
        return low[at : at + 1].isdigit() or read_english(low, at) is not None
    if low[end - 1] not in "x×":
        return False
    return low[at : at + 1].isdigit() or bool(GPU.match(low, at))


def _multiplier_before_gpu(low: str, start: int, end: int, amount: Amount) -> Number:
    at = end + (low[end : end + 1] == " ")
    is_gpu = bool(GPU.match(low, at))
    figure = start + len(low[start:end].removesuffix("times").rstrip(" x×"))
    return Number(start, figure if not is_gpu else end, amount, Unit.GPUS if is_gpu else Unit.NONE)


def _vague_suffix(low: str, end: int, amount: Amount) -> tuple[Amount, int]:
    """30 多, 100 来: up to the next round number."""
    at = end + (low[end : end + 1] == " ")
    suffix = low[at : at + 1]
    if suffix not in {"多", "来", "余"} or amount.is_vague:
        return amount, end
    step = 1.0
    while amount.low and amount.low % (step * 10) == 0:
        step *= 10
    if suffix == "来":
        return Amount(amount.low - step / 5, amount.low + step / 2), at + 1
    return Amount(amount.low, amount.low + step - (step > 1)), at + 1


def _multiplied(low: str, end: int, amount: Amount) -> tuple[Amount, int, bool]:
    at = end + (low[end : end + 1] in {" ", "-"})
    for length in _MULTIPLIER_LENGTHS.get(low[at : at + 1], ()):
        word = low[at : at + length]
        factor = MULTIPLIERS.get(word)
        if factor and _is_whole(low, at, length):
            return amount.times(factor), at + length, True
    is_spelled = low.endswith(("illion", "亿"), 0, end)
    return amount, end, amount.low >= _A_MODEL and (is_spelled or says_params(low, end))


def _says_params(low: str, end: int) -> bool:
    at = end + (low[end : end + 1] in {" ", "-"})
    return not low.startswith(_NO_PARAMS, at)


def _is_whole(low: str, at: int, length: int) -> bool:
    if length > len(low) - at:
        return False
    last, after = low[at + length - 1], low[at + length : at + length + 1]
    is_latin = "a" <= last <= "z"
    return not (is_latin and ("a" <= after <= "z" or (after.isdigit() and last != "x")))


def says_params(low: str, end: int) -> bool:
    """Whether the noun after a number is parameters or a model."""
    at = end + (low[end : end + 1] in {" ", "-"})
    return low.startswith(PARAM_NOUNS, at)
