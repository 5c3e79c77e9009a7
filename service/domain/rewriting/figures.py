"""Every figure in a text, however it is written: digits, words, 万 and 亿, shares, dates.

Values are exact fractions. A digit that belongs to a name (ZeRO-3, A100, Llama-3) is no figure;
names are compared as names.
"""

# ruff: noqa: E501, ISC004 - word lists and patterns are read in one piece

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from service.domain.claims.numerals import parse_chinese, read_english
from service.domain.resume_reading.dates import MONTHS
from service.domain.text import Span, fold

PERCENT: Final = "percent"
TIMES: Final = "times"
DATE: Final = "date"
CARDS: Final = "card"
BYTES: Final = frozenset({"gb", "gib", "mb", "mib", "tb", "tib", "kb"})


@dataclass(frozen=True, slots=True)
class Figure:
    """`bound` is about, most (up to), more (over), less (under) or empty; `unit` may be empty."""

    value: Fraction
    unit: str
    bound: str
    span: Span  # in the folded text
    text: str


# What the sign or word behind a number makes of it. Longest first.
_UNITS: Final[tuple[tuple[str, str], ...]] = (
    (r"percentage points?|个?百分点|pp(?![a-z])", "points"),
    (r"%|percent(?![a-z])|per cent(?![a-z])", PERCENT),
    (r"(?:-| )?fold(?![a-z])|times(?![a-z])|[x×](?![a-z0-9])|倍", TIMES),
    (r"(?:[kmgt]i?b)/s|[kmgt]bps", "rate"),
    (r"tokens?(?:/s| per second)|samples?/s|tok/s|qps", "rate"),
    (r"[kmgt]i?b(?![a-z])", "bytes"),
    (r"[tp]flops?(?:/s)?", "flops"),
    (r"tokens?(?![a-z])|词元", "token"),
    (
        r"(?:nvidia |nvidia |英伟达)?(?:gpus?|npus?|accelerators?|cards?|chips?)(?![a-z])"
        r"|(?:张|块|枚)?(?:卡|显卡|gpu|npu)|张|块|枚|x? ?[ahvb]\d{2,3}0?(?![0-9a-z])",
        CARDS,
    ),
    (r"nodes?(?![a-z])|machines?(?![a-z])|servers?(?![a-z])|台|个?节点|机", "node"),
    (
        r"people(?![a-z])|persons?(?![a-z])|engineers?(?![a-z])|members?(?![a-z])"
        r"|researchers?(?![a-z])|interns?(?![a-z])|人|名|位",
        "person",
    ),
    (r"customers?(?![a-z])|clients?(?![a-z])|users?(?![a-z])|家|用户|客户", "customer"),
    (r"milliseconds?|ms(?![a-z])|毫秒", "ms"),
    (r"seconds?(?![a-z])|secs?(?![a-z])|s(?![a-z])|秒", "second"),
    (r"minutes?(?![a-z])|mins?(?![a-z])|分钟", "minute"),
    (r"hours?(?![a-z])|hrs?(?![a-z])|h(?![a-z0-9])|个?小时", "hour"),
    (r"days?(?![a-z])|天|日", "day"),
    (r"weeks?(?![a-z])|周|个?星期", "week"),
    (r"months?(?![a-z])|个月", "month"),
    (r"years?(?![a-z])|yrs?(?![a-z])|年", "year"),
    (r"usd|dollars?|美元|万美元", "usd"),
    (r"rmb|yuan|元|人民币", "cny"),
    (r"layers?(?![a-z])|层", "layer"),
    (r"papers?(?![a-z])|篇", "paper"),
)
_UNIT: Final = re.compile("|".join(f"(?P<u{i}>{p})" for i, (p, _) in enumerate(_UNITS)))
_SUFFIX: Final = re.compile(
    r"\s?(?P<word>thousand|million|billion|trillion)(?![a-z])"
    r"|(?P<letter>[kmbt])(?![a-z0-9])|\s?(?P<han>万亿|千亿|百亿|十亿|千万|百万|十万|亿|万|千|百)"
)
_FACTORS: Final[Mapping[str, int]] = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12,
    "百": 100, "千": 10**3, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7,
    "亿": 10**8, "十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12,
}  # fmt: skip
_DIGITS: Final = re.compile(
    r"(?<![a-z0-9.])(?<![a-z]-)(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,9})?)(?![0-9])"
)
_SHARE: Final = re.compile(r"(?<![a-z0-9.])(\d{1,3})\s?[/⁄]\s?(\d{1,3})(?![0-9a-z])")
_DATES: Final = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)\s?(?:[-./]\s?(0?[1-9]|1[0-2])(?![\d.])|年\s?(0?[1-9]|1[0-2])\s?月?|年?)"
    r"(?![\d%])(?!\s?(?:gpus?|cards?|卡|张|tokens?|steps?|nodes?))"
)
_NAMED_MONTH: Final = re.compile(rf"\b({'|'.join(MONTHS)})[a-z]*\.?,?\s+((?:19|20)\d\d)(?!\d)")
_HAN_SHARE: Final = re.compile(r"([二两三四五六七八九十]|\d+)分之([一二两三四五六七八九十]|\d+)")
_HAN_PERCENT: Final = re.compile(r"百分之([零一二两三四五六七八九十百点]+|\d+(?:\.\d+)?)")
_HAN_TENTHS: Final = re.compile(r"([一二两三四五六七八九]|\d)成(?![本功果熟员立为就都交])")
_HAN_NUMBER: Final = re.compile(
    r"[零〇一二两三四五六七八九十百千万亿]+(?:点[零一二三四五六七八九]+)?"
)
_HAN_MEASURE: Final = re.compile(
    r"\s?(?:余|多)?(?:张|块|枚|卡|台|倍|人|名|位|天|周|年|个月|个|小时|分钟|秒|层|篇|次|种|项|家|款|节点|机|元|美元|参数|%|条|轮|版|级)"
)
# A one that counts nothing, and numerals inside words.
_HAN_WORDS: Final = re.compile(
    "一(?:[体致定些般样起同直旦批套系流站键]|系列|方面|线|[个种次项条名位家款](?!月))|统一|唯一|单一|同一|第[一二三四五六七八九十]+|万一"
    "|十分|百度|千问|万卡|千卡|百川|千帆|万象|四元数|三维|二维|[一二三四五六七八九]阶段|两者|双|半精度|多半"
)
_FIXED: Final[tuple[tuple[re.Pattern[str], Fraction, str], ...]] = (
    (re.compile(r"\bhal(?:f|ved?|ving)\b|一半|减半"), Fraction(50), PERCENT),
    (re.compile(r"\bthree[- ]quarters\b"), Fraction(75), PERCENT),
    (re.compile(r"\b(?:a|one)[- ](?:quarter|fourth)\b"), Fraction(25), PERCENT),
    (re.compile(r"\btwo[- ]thirds\b"), Fraction(200, 3), PERCENT),
    (re.compile(r"\b(?:a|one)[- ]third\b"), Fraction(100, 3), PERCENT),
    (
        re.compile(r"\b(?:doubl(?:e|ed|es|ing)|twice|two-?fold)\b|翻倍|翻番|翻一番"),
        Fraction(2),
        TIMES,
    ),
    (re.compile(r"\b(?:tripl(?:e|ed|es|ing)|three-?fold|thrice)\b"), Fraction(3), TIMES),
    (re.compile(r"\b(?:quadrupl(?:e|ed|es|ing)|four-?fold)\b"), Fraction(4), TIMES),
    (re.compile(r"\bten-?fold\b|an order of magnitude|一个数量级"), Fraction(10), TIMES),
    (re.compile(r"\b(?:a )?dozen\b"), Fraction(12), ""),
)
_BOUNDS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "most",
        re.compile(
            r"(?:up to|at most|as (?:much|many) as|no more than|最多|至多|最高|不超过|高达)\s*$"
        ),
    ),
    (
        "more",
        re.compile(
            r"(?:over|more than|above|at least|upwards of|exceeding|超过?|至少|不低于|逾|大于|>)\s*$"
        ),
    ),
    ("less", re.compile(r"(?:under|below|less than|fewer than|低于|不到|少于|不足|<)\s*$")),
    (
        "about",
        re.compile(
            r"(?:about|around|approximately|roughly|nearly|almost|circa|some|~|≈|约|大约|近|将近|接近|差不多|左右)\s*$"
        ),
    ),
)
_BOUND_BEHIND: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("more", re.compile(r"\s?(?:\+|plus(?![a-z])|or more|以上|及以上|多(?![个轮卡机次模头])|余)")),
    ("less", re.compile(r"\s?(?:以下|以内|or less)")),
    ("about", re.compile(r"\s?(?:左右|上下|or so)")),
)
_BOUND_REACH: Final = 16


def find_figures(text: str) -> tuple[Figure, ...]:
    """All figures in reading order; none overlaps another."""
    low = fold(text).text.lower()
    found: list[Figure] = []
    taken = [Span(m.start(), m.end()) for m in _HAN_WORDS.finditer(low)]
    for figure in (f for find in _FINDERS for f in find(low)):
        if not any(figure.span.overlaps(t) for t in taken):
            found.append(figure)
            taken.append(figure.span)
    return tuple(sorted(found, key=lambda f: f.span))


def _dates(low: str) -> Iterator[Figure]:
    for m in _NAMED_MONTH.finditer(low):
        yield _date(m, int(m[2]), MONTHS.index(m[1]) + 1)
    for m in _DATES.finditer(low):
        yield _date(m, int(m[1]), int(m[2] or m[3] or 0))


def _date(m: re.Match[str], year: int, month: int) -> Figure:
    value = Fraction(year * 100 + month)
    return Figure(value, DATE, "", Span(m.start(), m.end()), m[0].strip())


def _fixed(low: str) -> Iterator[Figure]:
    for pattern, value, unit in _FIXED:
        for m in pattern.finditer(low):
            yield Figure(value, unit, _bound(low, m.start(), m.end()), Span(*m.span()), m[0])


def _shares(low: str) -> Iterator[Figure]:
    for m in _HAN_PERCENT.finditer(low):
        value = _number(m[1])
        if value is not None:
            yield _figure(low, m, value, PERCENT)
    for m in _HAN_SHARE.finditer(low):
        below, above = _number(m[1]), _number(m[2])
        if below and above is not None:
            yield _figure(low, m, above / below * 100, PERCENT)
    for m in _HAN_TENTHS.finditer(low):
        value = _number(m[1])
        if value is not None:
            yield _figure(low, m, value * 10, PERCENT)


def _ratios(low: str) -> Iterator[Figure]:
    for m in _SHARE.finditer(low):
        if int(m[2]):
            yield _figure(low, m, Fraction(int(m[1]), int(m[2])) * 100, PERCENT)


def _figure(low: str, m: re.Match[str], value: Fraction, unit: str) -> Figure:
    return Figure(value, unit, _bound(low, m.start(), m.end()), Span(*m.span()), m[0])


def _number(text: str) -> Fraction | None:
    if text[0].isascii():
        return Fraction(text)
    amount = parse_chinese(text)
    return None if amount is None or amount.is_vague else Fraction(str(amount.low))


def _digits(low: str) -> Iterator[Figure]:
    for m in _DIGITS.finditer(low):
        yield _with_unit(low, m.start(), m.end(), Fraction(m[0].replace(",", "")))


def _han(low: str) -> Iterator[Figure]:
    """A Chinese numeral counts when a measure follows or it is written with a unit of ten."""
    for m in _HAN_NUMBER.finditer(low):
        counts = _HAN_MEASURE.match(low, m.end())
        if not counts and not (len(m[0]) > 1 and set(m[0]) & set("十百千万亿")):
            continue
        value = _number(m[0])
        if value is not None:
            yield _with_unit(low, m.start(), m.end(), value)


def _english(low: str) -> Iterator[Figure]:
    at = 0
    for m in re.finditer(r"[a-z]+", low):
        if m.start() < at or (
            m.start() and low[m.start() - 1] == "-" and low[m.start() - 2].isalpha()
        ):
            continue
        spoken = read_english(low, m.start())
        if spoken is None or low[m.start() : spoken.end].strip() in _NO_COUNT:
            continue
        at = spoken.end
        amount = spoken.amount
        if not amount.is_vague:
            value = Fraction(str(amount.low))
            yield _with_unit(low, m.start(), spoken.end, value)


_NO_COUNT: Final = frozenset({"a", "one", "zero", "an"})


def _with_unit(low: str, start: int, end: int, value: Fraction) -> Figure:
    """The number with its multiplier and what it counts."""
    suffix = _SUFFIX.match(low, end)
    if suffix:
        written = suffix["word"] or suffix["letter"] or suffix["han"]
        value, end = value * _FACTORS[written], suffix.end()
    before = end
    more = next((m for _, p in _BOUND_BEHIND if (m := p.match(low, end))), None)
    gap = re.compile(r"[\s-]*(?:个|of\b)?\s*").match(low, more.end() if more else end)
    unit = _UNIT.match(low, gap.end() if gap else end)
    name = _unit_name(unit) if unit else ""
    span = Span(start, unit.end() if unit else before)
    return Figure(value, name, _bound(low, start, before), span, low[span.start : span.end])


def _unit_name(unit: re.Match[str]) -> str:
    index = int((unit.lastgroup or "u0")[1:])
    name = _UNITS[index][1]
    return unit[0].replace(" ", "") if name in ("bytes", "rate", "flops") else name


def _bound(low: str, start: int, end: int) -> str:
    before = low[max(0, start - _BOUND_REACH) : start]
    ahead = next((name for name, p in _BOUNDS if p.search(before)), "")
    return ahead or next((name for name, p in _BOUND_BEHIND if p.match(low, end)), "")


_FINDERS: Final = (_dates, _shares, _ratios, _fixed, _digits, _english, _han)
