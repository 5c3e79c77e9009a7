"""Numbers in words: Chinese numerals and English number words, exact or vague."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_DIGITS: Final[Mapping[str, int]] = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "四": 4, "五": 5,
    "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_PLACES: Final[Mapping[str, int]] = {"十": 10, "百": 100, "千": 1_000}
_MYRIADS: Final[Mapping[str, int]] = {"万": 10**4, "亿": 10**8}
CHINESE_CHARS: Final = "".join((*_DIGITS, *_PLACES, *_MYRIADS, "点", "几"))
_TEN: Final = 10
_LONGEST: Final = 24  # longer runs of numerals are no number anybody says

_ONES: Final[Mapping[str, int]] = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS: Final[Mapping[str, int]] = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_SCALES: Final[Mapping[str, int]] = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_BIG: Final[Mapping[str, int]] = {**_SCALES, "trillion": 10**12}
_HUNDREDS: Final = frozenset({"hundred", *_BIG})
_WORD: Final = re.compile(r"[a-z]+")
_STARTERS: Final = frozenset((*_ONES, *_TENS, "a", "hundred", "dozen"))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as said; `low < high` when it is vague ("十几") or a range."""

    low: float
    high: float

    @property
    def is_vague(self) -> bool:
        return self.low != self.high

    def times(self, factor: float) -> "Amount":
        return Amount(self.low * factor, self.high * factor)

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.low + other.low, self.high + other.high)


def exactly(value: float) -> Amount:
    return Amount(value, value)


_NOTHING: Final = exactly(0)


def parse_chinese(numeral: str) -> Amount | None:
    """Value of a run of Chinese numerals; None when it says no number."""
    if not numeral or len(numeral) > _LONGEST:
        return None
    whole, point, fraction = numeral.partition("点")
    if point:
        return _decimal(whole, fraction)
    return _whole(whole)


def _decimal(whole: str, fraction: str) -> Amount | None:
    first = _whole(whole)
    if first is None or not fraction or any(c not in _DIGITS for c in fraction):
        return None
    digits = "".join(str(_DIGITS[c]) for c in fraction)
    return first.plus(exactly(int(digits) / 10 ** len(digits)))


def _whole(numeral: str) -> Amount | None:
    total, section, last_place = _NOTHING, _NOTHING, 1
    pending: Amount | None = None
    for index, char in enumerate(numeral):
        if char in _PLACES:
            base = exactly(1) if pending is None else pending
            section, pending, last_place = (
                section.plus(base.times(_PLACES[char])),
                None,
                _PLACES[char],
            )
            section = _open_ended(section, base, numeral, index)
        elif char in _MYRIADS:
            section = section if pending is None else section.plus(pending)
            total = _close_section(total, section, char)
            section, pending, last_place = _NOTHING, None, _MYRIADS[char]
        else:
            pending = _append(pending, char, is_first=section == _NOTHING)
            if char == "零":
                last_place = 10
    if pending is None:
        rest = section
    else:
        rest = section.plus(pending.times(_short_place(numeral, last_place)))
    return total.plus(rest) if numeral.strip("点") else None


def _open_ended(section: Amount, base: Amount, numeral: str, index: int) -> Amount:
    """几十 reaches up to 99, not only to 90."""
    is_vague_end = base.is_vague and numeral[index - 1] == "几" and index == len(numeral) - 1
    return (
        Amount(section.low, section.high + _PLACES[numeral[index]] - 1) if is_vague_end else section
    )


def _close_section(total: Amount, section: Amount, char: str) -> Amount:
    empty = section == _NOTHING and total == _NOTHING
    one = exactly(1) if empty else section
    if char == "亿":
        return total.plus(one).times(_MYRIADS[char])
    return total.plus(one.times(_MYRIADS[char]))


def _append(pending: Amount | None, char: str, *, is_first: bool) -> Amount:
    if char == "几":
        return Amount(2 if is_first else 1, 9) if pending is None else pending
    digit = _DIGITS[char]
    if pending is None:
        return exactly(digit)
    if pending.low == pending.high == digit - 1 and pending.low > 0:
        return Amount(pending.low, digit)  # 七八 is seven or eight
    return pending.times(10).plus(exactly(digit))


def _short_place(numeral: str, last_place: int) -> float:
    """一百二 is 120: a lone last digit counts the next lower place."""
    follows_place = len(numeral) > 1 and (numeral[-2] in _PLACES or numeral[-2] in _MYRIADS)
    return (
        last_place / 10
        if follows_place and last_place > _PLACES["十"] and numeral[-1] != "几"
        else 1
    )


@dataclass(frozen=True, slots=True)
class Spoken:
    amount: Amount
    end: int


def read_english(text: str, start: int) -> Spoken | None:
    """Longest run of number words of lower-case `text` from `start`; None when there is none."""
    match = _WORD.match(text, start)
    if match is None or match.group() not in _STARTERS:
        return None
    words = _take_words(text, start)
    return _sum_words(words)


def _take_words(text: str, start: int) -> list[tuple[str, int]]:
    taken: list[tuple[str, int]] = []
    at = start
    while len(taken) < _LONGEST and (match := _WORD.match(text, at)):
        word = match.group()
        if not _continues(word, taken):
            break
        taken.append((word, match.end()))
        at = match.end() + (text[match.end() : match.end() + 1] in {" ", "-"})
    while taken and taken[-1][0] in {"and", "point", "a"}:
        taken.pop()
    return taken


def _continues(word: str, taken: list[tuple[str, int]]) -> bool:
    previous = taken[-1][0] if taken else ""
    if word in {"a", "dozen"}:
        return not taken or (word == "dozen" and previous == "a")
    if previous == "a":
        return word in _HUNDREDS
    if word in _HUNDREDS:
        return bool(taken)
    if word in {"and", "point"}:
        joined = _HUNDREDS if word == "and" else {*_ONES, *_TENS}
        return previous in joined
    is_after_point = any(w == "point" for w, _ in taken)
    return _fits(word, previous, is_after_point=is_after_point)


def _fits(word: str, previous: str, *, is_after_point: bool) -> bool:
    if is_after_point:
        return _ONES.get(word, _TEN) < _TEN
    if word in _TENS:
        return previous in {"", "and", "hundred", *_BIG}
    if word in _ONES:
        fills_tens = previous in _TENS and 0 < _ONES[word] < _TEN
        return fills_tens or previous in {"", "and", "hundred", *_BIG}
    return False


def _sum_words(words: list[tuple[str, int]]) -> Spoken | None:
    if not words or (words[0][0] == "a" and len(words) == 1):
        return None
    total, section = 0.0, 0.0
    fraction = ""
    after_point = False
    for word, _ in words:
        if word == "point":
            after_point = True
        elif after_point and word in _ONES:
            fraction += str(_ONES[word])
        elif word in _BIG:
            section += int(fraction or 0) / 10 ** len(fraction)
            total, section = total + (section or 1) * _BIG[word], 0.0
            fraction, after_point = "", False
        else:
            section = _add_word(section, word)
    section += int(fraction or 0) / 10 ** len(fraction)
    return Spoken(exactly(total + section), words[-1][1])


def _add_word(section: float, word: str) -> float:
    if word == "hundred":
        return (section or 1) * 100
    if word == "dozen":
        return 12
    return section + _ONES.get(word, 0) + _TENS.get(word, 0)
