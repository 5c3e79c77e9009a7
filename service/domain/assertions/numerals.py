"""Numbers in words, and formulas in ψ and N reduced to a + b/N."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from service.domain.assertions.tokens import Shape, Token, stem

HAN_DIGITS: Final = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2, "〇": 0}
HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1000}
ENGLISH: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
# A longer row of digits is no quantity anyone means, and Python refuses to read thousands.
MOST_DIGITS: Final = 40
STEMMED_ENGLISH: Final = {stem(word): value for value, word in enumerate(ENGLISH)}


@dataclass(frozen=True, slots=True)
class Number:
    first: int
    last: int
    value: Fraction


def number_at(tokens: Sequence[Token], at: int) -> Number | None:
    """The number that starts at a token: digits, an English word or Chinese numerals."""
    token = tokens[at]
    if token.shape is Shape.NUMBER:
        sayable = len(token.form) <= MOST_DIGITS
        return Number(at, at + 1, Fraction(token.form)) if sayable else None
    if token.shape is Shape.HAN:
        return _han_number(tokens, at)
    value = STEMMED_ENGLISH.get(token.form)
    if value is None:
        return None
    return _with_english_tail(tokens, at, value)


def _with_english_tail(tokens: Sequence[Token], at: int, value: int) -> Number:
    """`one point five` and `one and a half`."""
    tail = [t.form for t in tokens[at + 1 : at + 4]]
    if tail[:1] == ["point"] and len(tail) > 1:
        digit = STEMMED_ENGLISH.get(tail[1])
        if digit is not None:
            return Number(at, at + 3, value + Fraction(digit, 10))
    if tail == ["and", "a", "half"]:
        return Number(at, at + 4, value + Fraction(1, 2))
    return Number(at, at + 1, Fraction(value))


def _han_number(tokens: Sequence[Token], at: int) -> Number | None:
    end, furthest = at, min(at + MOST_DIGITS, len(tokens))
    while end < furthest and (
        tokens[end].form in HAN_DIGITS or tokens[end].form in HAN_UNITS or tokens[end].form == "点"
    ):
        end += 1
    text = "".join(t.form for t in tokens[at:end]).rstrip("点")
    if not text or text[0] == "点":
        return None
    whole, _, decimals = text.partition("点")
    value = Fraction(_han_integer(whole))
    for place, digit in enumerate(decimals, start=1):
        value += Fraction(HAN_DIGITS.get(digit, 0), 10**place)
    return Number(at, at + len(text), value)


def _han_integer(text: str) -> int:
    total, digit = 0, 0
    for char in text:
        if char in HAN_UNITS:
            total += (digit or 1) * HAN_UNITS[char]
            digit = 0
        else:
            digit = digit * 10 + HAN_DIGITS[char]
    return total + digit


PSI: Final = frozenset({"ψ", "φ", "ϕ", "p", "psi", "phi", "m", "param", "parameter"})
RANKS: Final = frozenset(
    {"n", "nd", "dp", "gpu", "rank", "card", "卡", "worker", "device", "d", "ngpu", "worldsize"}
)
PLUS: Final = frozenset({"+", "plus", "加"})
TIMES: Final = frozenset({"*", "×", "x", stem("times"), "乘"})
OVER: Final = frozenset({"/", "÷", "over", stem("divided"), "除"})
# Words that stand inside an expression without being part of it.
SKIPPED: Final = frozenset(
    {stem("bytes"), "of", "by", "per", "b", "the", "that", stem("stays"), stem("number"), "each"}
    | set("以字节参数量倍再上个总")
)
OPERATORS: Final = PLUS | TIMES | OVER
STARTERS: Final = frozenset({"("}) | PSI


@dataclass(frozen=True, slots=True)
class Formula:
    """a + b/N bytes or elements per parameter; terms of other shape make it no formula."""

    first: int
    last: int
    whole: Fraction
    share: Fraction


# A value in powers of 1/N: (coefficient of N^0, coefficient of N^-1).
Poly = tuple[Fraction, Fraction]
ZERO: Final = Fraction(0)
# Nobody writes a longer formula; without an end each word of a long row would be read to its end.
MOST_TOKENS: Final = 80
A_SHARE: Final = (ZERO, Fraction(1))  # 1/N of something is no formula


class _Parser:
    """Recursive descent over the tokens; stops at the first token that is no arithmetic."""

    def __init__(self, tokens: Sequence[Token], at: int) -> None:
        self.tokens = tokens
        self.at = at
        self.stop = min(at + MOST_TOKENS, len(tokens))
        self.end = at  # behind the last token that belongs to the expression
        self.operators = 0
        self.depth = 0

    def peek(self) -> str:
        while self.at < self.stop and self.tokens[self.at].form in SKIPPED:
            self.at += 1
        return self.tokens[self.at].form if self.at < self.stop else ""

    def take(self) -> None:
        self.at += 1
        self.end = self.at

    def sum(self) -> Poly | None:
        left = self.product()
        while left is not None and self.peek() in PLUS:
            mark = self.at
            self.at += 1
            right = self.product()
            if right is None:
                self.at = mark
                return left
            self.operators += 1
            left = (left[0] + right[0], left[1] + right[1])
        return left

    def product(self) -> Poly | None:
        left = self.factor()
        while left is not None:
            mark, sign = self.at, self.peek()
            if sign in TIMES or sign in OVER:
                self.at += 1
            elif sign not in PSI and sign != "(":
                self.at = mark
                return left
            right = self.divisor() if sign in OVER else self.factor()
            if right is None:
                self.at = mark
                return left
            self.operators += 1 if sign in OPERATORS else 0
            left = _multiply(left, right)
        return left

    def divisor(self) -> Poly | None:
        form = self.peek()
        if form in RANKS:
            self.take()
            return (ZERO, Fraction(1))
        value = self.factor()
        if value is None or value[1] or not value[0]:
            return None
        return (1 / value[0], ZERO)

    def factor(self) -> Poly | None:
        form = self.peek()
        if form in PSI:
            self.take()
            return (Fraction(1), ZERO)
        if form == "(" and self.depth < 8:  # noqa: PLR2004 - nobody nests deeper; bounds the stack
            return self.bracket()
        number = number_at(self.tokens, self.at) if self.at < self.stop else None
        if number is None:
            return None
        self.at = self.end = number.last
        return (number.value, ZERO)

    def bracket(self) -> Poly | None:
        mark = self.at
        self.at += 1
        self.depth += 1
        inner = self.sum()
        self.depth -= 1
        if inner is None or self.peek() != ")":
            self.at = mark
            return None
        self.take()
        return inner


def _multiply(left: Poly, right: Poly) -> Poly | None:
    if left[1] and right[1]:
        return None
    return (left[0] * right[0], left[0] * right[1] + left[1] * right[0])


def formula_at(tokens: Sequence[Token], at: int) -> Formula | None:
    """The arithmetic expression that starts at a token, when it holds an operator."""
    token = tokens[at]
    starts = STARTERS | HAN_DIGITS.keys() | STEMMED_ENGLISH.keys()
    if token.shape is not Shape.NUMBER and token.form not in starts:
        return None
    parser = _Parser(tokens, at)
    value = parser.sum()
    if value is None or not parser.operators or value == A_SHARE:
        return None
    return Formula(at, parser.end, value[0], value[1])
