from fractions import Fraction

import pytest

from service.domain.assertions.numerals import formula_at, number_at
from service.domain.assertions.tokens import tokenize
from service.domain.text import fold


def tokens(text):
    return tokenize(fold(text), text, {})


@pytest.mark.parametrize(
    ("text", "whole", "share"),
    [
        ("4ψ+12ψ/N", 4, 12),
        ("4ψ + (12ψ)/N", 4, 12),
        ("(4+12/N)ψ", 4, 12),
        ("2Φ + 14Φ / Nd", 2, 14),
        ("16P/N", 0, 16),
        ("(2+2+12)ψ/N", 0, 16),
        ("2 + 2 + 12", 16, 0),
        ("１６ψ÷N", 0, 16),
        ("twelve bytes divided by the number of GPUs", 0, 12),
        ("12 字节除以 N", 0, 12),
    ],
)
def test_a_formula_is_what_stays_whole_and_what_is_shared(text, whole, share):
    formula = formula_at(tokens(text), 0)
    assert formula is not None
    assert (formula.whole, formula.share) == (whole, share)


@pytest.mark.parametrize("text", ["16", "1/N", "ZeRO-3", "4x / 8x", "(((((((((1+1", "()"])
def test_what_is_no_expression_is_no_formula(text):
    assert formula_at(tokens(text), 0) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十六字节", 16),
        ("一点五倍", Fraction(3, 2)),
        ("一百二十", 120),
        ("sixteen", 16),
        ("one and a half", Fraction(3, 2)),
        ("one point five", Fraction(3, 2)),
        ("7.5B", Fraction(15, 2)),
    ],
)
def test_numbers_are_read_in_words_of_both_languages(text, value):
    number = number_at(tokens(text), 0)
    assert number is not None
    assert number.value == value
