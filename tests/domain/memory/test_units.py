"""Reading and writing bytes and counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.memory import GB, GIB, gb, gib, parse_bytes, parse_count, show_bytes, show_count
from service.domain.memory.units import show_number
from service.errors import InputInvalid


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("7.5e9", 7.5e9),
        ("7B", 7e9),
        ("350m", 350e6),
        ("1.5T", 1.5e12),
        ("70亿", 7e9),
        ("1万亿", 1e12),
        ("8,030,261,248", 8_030_261_248),
        ("125_000_000", 125e6),
    ],
)
def test_counts_are_read_as_people_write_them(text, count):
    assert parse_count(text) == pytest.approx(count)


@pytest.mark.parametrize(
    ("text", "size"), [("80GB", 80e9), ("80 GiB", 80 * GIB), ("80G", 80e9), ("1e9", 1e9)]
)
def test_sizes_keep_gb_and_gib_apart(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize(
    "text", ["", "seven", "-7B", "0", "1e999", "7Q", "9" * 400, "nan", "7.5.5B", "7BB"]
)
def test_what_is_no_count_is_refused(text):
    with pytest.raises(InputInvalid, match="is not"):
        parse_count(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (14e9, "14 GB (13.04 GiB)"),
        (1.12e12, "1.12 TB (1.019 TiB)"),
        (131_072, "131.1 KB (128 KiB)"),
        (67.108864e6, "67.11 MB (64 MiB)"),
        (12, "12 B"),
    ],
)
def test_a_size_is_shown_in_both_units(size, text):
    assert show_bytes(size) == text


def test_a_figure_in_a_formula_has_no_idle_zeros():
    assert [show_number(n) for n in (7.5e9, 350e6, 16.0, 0.25)] == [
        "7.5e9",
        "350e6",
        "16",
        "0.25",
    ]


def test_a_count_is_shown_with_its_letter():
    assert [show_count(n) for n in (7.5e9, 350e6, 1.5e12, 12)] == ["7.5B", "350M", "1.5T", "12"]


@given(st.floats(1, 1e18))
def test_units_round_trip(size):
    assert gb(size) * GB == pytest.approx(size)
    assert gib(size) * GIB == pytest.approx(size)
