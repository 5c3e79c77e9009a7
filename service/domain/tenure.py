"""Months of experience from a résumé's dates. "Now" comes in as an argument."""

from collections.abc import Iterable
from typing import Final

PRESENT: Final = "present"
MONTHS: Final = 12


def month_index(date: str, *, closing: bool) -> int | None:
    """Months since year 0; a bare year opens in January and closes in December."""
    year, _, month = date.partition("-")
    if not year.isdigit():
        return None
    if month.isdigit() and 1 <= int(month) <= MONTHS:
        return int(year) * MONTHS + int(month) - 1
    return int(year) * MONTHS + (MONTHS - 1 if closing else 0)


def latest(dates: Iterable[str | None]) -> str | None:
    """The latest written date; used for an open end when nobody says what day it is."""
    known = [d for d in dates if d and month_index(d, closing=True) is not None]
    return max(known, key=lambda d: month_index(d, closing=True) or 0, default=None)


def months(spans: Iterable[tuple[str | None, str | None]], today: str | None) -> int:
    """Months covered by the (start, end) pairs; overlapping times count once."""
    covered: set[int] = set()
    for start, end in spans:
        first = month_index(start, closing=False) if start else None
        closing = today if end in (PRESENT, None) else end
        last = month_index(closing, closing=True) if closing else None
        if first is not None and last is not None and 0 <= last - first < 80 * MONTHS:
            covered.update(range(first, last + 1))
    return len(covered)
