import pytest

from service.domain.claims.numerals import Amount, parse_chinese, read_english


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十六", 16),
        ("一百二十", 120),
        ("一百二", 120),
        ("七十亿", 7e9),
        ("两千三百亿", 2.3e11),
        ("一万亿", 1e12),
        ("一点五", 1.5),
        ("一千零二十四", 1024),
        ("三十一点四", 31.4),
    ],
)
def test_a_chinese_numeral_has_its_value(numeral: str, value: float) -> None:
    assert parse_chinese(numeral) == Amount(value, value)


@pytest.mark.parametrize(
    ("numeral", "low", "high"),
    [("十几", 11, 19), ("二十几", 21, 29), ("几十", 20, 99), ("七八", 7, 8), ("三四十", 30, 40)],
)
def test_a_vague_numeral_keeps_its_bounds(numeral: str, low: float, high: float) -> None:
    assert parse_chinese(numeral) == Amount(low, high)


def test_a_run_too_long_to_be_said_is_no_number() -> None:
    assert parse_chinese("一" * 100) is None


@pytest.mark.parametrize(
    ("words", "value", "length"),
    [
        ("sixteen bytes", 16, 7),
        ("sixty-four gpus", 64, 10),
        ("seven billion", 7e9, 13),
        ("one hundred and twelve", 112, 22),
        ("thirty one point four gigs", 31.4, 21),
        ("a hundred and twelve", 112, 20),
    ],
)
def test_english_number_words_are_summed(words: str, value: float, length: int) -> None:
    spoken = read_english(words, 0)
    assert spoken is not None
    assert spoken.amount == Amount(value, value)
    assert spoken.end == length


@pytest.mark.parametrize("words", ["a card", "and", "gradients", ""])
def test_other_words_are_no_number(words: str) -> None:
    assert read_english(words, 0) is None
