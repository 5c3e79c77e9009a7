"""Dates as people write them."""

import pytest

from service.domain.resume_reading.dates import find_dates
from service.domain.tenure import months

WRITTEN = {
    "2021.07 - 至今": ("2021-07", "present"),
    "2017年9月至2021年6月": ("2017-09", "2021-06"),
    "Sep. 2023 – Mar. 2024": ("2023-09", "2024-03"),
    "03/2018 - PRESENT": ("2018-03", "present"),
    "since January 2016": ("2016-01", "present"),
    "May - Aug 2021": ("2021-05", "2021-08"),
    "2024.06 – 2020.09": ("2020-09", "2024-06"),
    "2021-07-01 ~ 2022-08-30": ("2021-07", "2022-08"),
    "Summer 2022": ("2022-06", None),
    "2023.9 -": ("2023-09", "present"),
    "(2022)": ("2022", None),
    "20xx.09-20xx.06": (None, None),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_date_or_range_is_brought_to_one_form(text: str):
    when = find_dates(text)
    assert when is not None
    assert (when.start, when.end) == WRITTEN[text]


@pytest.mark.parametrize("text", ["训练用了 2048 张卡", "in 2048 steps", "ran 1999 jobs", "v2.1"])
def test_a_number_that_could_be_a_year_is_none(text: str):
    assert find_dates(text) is None


def test_months_that_overlap_count_once():
    assert months([("2020-01", "2020-12"), ("2020-07", "2021-06")], None) == 18


def test_an_open_end_needs_today():
    assert months([("2024-01", "present")], "2024-06") == 6
    assert months([("2024-01", "present")], None) == 0
