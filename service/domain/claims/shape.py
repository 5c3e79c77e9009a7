"""How numbers are said: hedges, bounds, ranges, and lists whose unit stands only once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.numerals import Amount
from service.domain.claims.patterns import alternatives
from service.domain.claims.tokens import Limit, Number, Unit


def _words(listed: str) -> tuple[str, ...]:
    return tuple(listed.split("|"))


_GAP: Final = 10
_REACH: Final = 16
_HEDGE_BEFORE: Final = re.compile(
    alternatives(
        """
        约|大约|大概|差不多|将近|接近|近|几乎|估计|粗略|大致|around|about|roughly|approximately|approx
        some|nearly|almost|maybe|circa|perhaps|ballpark|something like|close to|in the region of
        order of|~|≈|≃|probably|或许|可能|估摸|左右
        """
    )
)
_HEDGE_AFTER: Final = _words(
    "左右|上下|的样子|样子|or so|ish|-ish|give or take|出头|附近|or thereabouts|上下浮动|roughly"
    "|approximately|这样子|more or less|几"
)
_EXACT_BEFORE: Final = re.compile(
    "正好|恰好|刚好|exactly|precisely|整整|精确|on the dot|just exactly"
)
_LESS_BEFORE: Final = _words(
    "不到|小于|低于|少于|不足|未满|less than|under|below|fewer than|不超过|不会超过|at most|up to"
    "|no more than|within|最多|至多|顶多|不大于|smaller than|not more than|lower than|最多也就|<|≤"
    "|控制在|没到|shy of|short of"
)
_MORE_BEFORE: Final = _words(
    "超过|大于|高于|多于|不止|more than|over|above|at least|至少|不少于|不低于|upwards of|north of"
    "|起码|greater than|no less than|not less than|>|≥|最少|超|larger than|a bit over"
    "|a little over|just over|excess of"
)
_LESS_AFTER: Final = _words("以内|以下|之内|不到|or less|or fewer|or below|at most|max|内")
_MORE_AFTER: Final = _words("以上|or more|+|往上|起步|起|at least|plus|开外|之上|and up")
_FILLERS: Final = _words("about|约|大约|roughly|around|了|a|的|only|just|just about")
_RANGE: Final = re.compile(r" ?(?:到|至|~|-|–|—|−|to|and|～|and up to) ?")
_LIST: Final = re.compile(
    r" ?(?:[、,\ue020/;|→]|->|和|与|及|以及|and|or|&|, and|或|或者|跟|还有|\ue020而|vs) ?"
    "(?:约|for|about|到)? ?"
)
_FROM: Final = re.compile(r"(?:从|由|from|自) ?[^ ]{0,12} ?$")
_CLAUSE: Final = re.compile(r"[,。;、\ue020:]")


def shape_numbers(low: str, numbers: Sequence[Number]) -> list[Number]:
    """Ranges become one number; hedges and bounds become properties; lists share unit and group."""
    ranged = _join_ranges(low, numbers)
    said = [_qualify(low, number, ranged, index) for index, number in enumerate(ranged)]
    return _group(low, said)


def _join_ranges(low: str, numbers: Sequence[Number]) -> list[Number]:
    joined: list[Number] = []
    for number in numbers:
        is_end = bool(joined) and _is_range(low, joined[-1], number)
        joined.append(_ranged(joined.pop(), number) if is_end else number)
    return joined


def _ranged(first: Number, last: Number) -> Number:
    scale = 1.0 if first.unit is not Unit.NONE else last.scale
    amount = Amount(first.amount.low * scale, last.amount.high)
    return replace(last, start=first.start, amount=amount)


def _is_range(low: str, first: Number, second: Number) -> bool:
    between = low[first.end : second.start]
    if len(between) > _GAP or second.unit in {Unit.NONE, Unit.OTHER} or first.expr or second.expr:
        return False
    if first.unit not in {Unit.NONE, second.unit} or first.name or not _RANGE.fullmatch(between):
        return False
    before = low[max(0, first.start - _REACH) : first.start]
    if between.strip() == "and" and "between" not in before and "介于" not in before:
        return False
    scale = second.scale if first.unit is Unit.NONE else 1.0
    return first.amount.low * scale < second.amount.high and not _FROM.search(before)


def _qualify(low: str, number: Number, numbers: Sequence[Number], index: int) -> Number:
    left = max(0, number.start - _REACH, numbers[index - 1].end if index else 0)
    before = _CLAUSE.split(low[left : number.start])[-1]
    after = low[number.end : number.end + _REACH].lstrip(" ")
    is_hedged = bool(_HEDGE_BEFORE.search(before)) or after.startswith(_HEDGE_AFTER)
    is_exact = bool(_EXACT_BEFORE.search(before))
    limit = _limit(before.rstrip(" "), after)
    if not (is_hedged or is_exact) and limit is number.limit:
        return number
    return replace(number, is_hedged=is_hedged and not is_exact, is_exact=is_exact, limit=limit)


def _limit(before: str, after: str) -> Limit:
    trimmed = before
    for word in _FILLERS:
        trimmed = trimmed.removesuffix(word).rstrip(" ")
    if trimmed.endswith(_LESS_BEFORE) or after.startswith(_LESS_AFTER):
        return Limit.LESS
    if trimmed.endswith(_MORE_BEFORE) or after.startswith(_MORE_AFTER):
        return Limit.MORE
    return Limit.VALUE


def _group(low: str, numbers: Sequence[Number]) -> list[Number]:
    """Neighbours joined by list signs only; the last unit counts for those that have none."""
    result = list(numbers)
    group = 0
    end = len(result)
    while end > 0:
        start = end - 1
        while start > 0 and _is_listed(low, result[start - 1], result[end - 1], result[start]):
            start -= 1
        if end - start > 1:
            group += 1
            for index in range(start, end):
                result[index] = _inherit(result[index], result[end - 1], group)
        end = start
    return result


def _is_listed(low: str, first: Number, last: Number, second: Number) -> bool:
    if (
        second.start - first.end > _GAP
        or first.name
        or not _LIST.fullmatch(low, first.end, second.start)
    ):
        return False
    if Unit.OTHER in {first.unit, last.unit}:
        return False
    if "\ue020" in low[first.end : second.start] and first.unit is not Unit.NONE:
        return False  # a comma between full statements ends one of them
    return first.unit in {last.unit, Unit.NONE}


def _inherit(number: Number, last: Number, group: int) -> Number:
    if number.unit is not Unit.NONE or last.unit in {Unit.NONE, Unit.FORMULA, Unit.SUM}:
        return replace(number, group=group)
    return replace(
        number,
        unit=last.unit,
        scale=last.scale,
        amount=number.amount.times(last.scale),
        group=group,
    )
