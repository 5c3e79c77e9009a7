"""Credit for labelled clauses is counted by kind; false credit weighs as much as was written."""

import pytest

from eval.points import Clause, Tally, f1, read_clauses, tally
from service.domain.language import Lang


def clause(kind: str, point: str = "a", also: frozenset[str] = frozenset()) -> Clause:
    return Clause("q", point, Lang.EN, kind, f"{kind} {point}", also)


def test_own_and_other_points_are_counted_apart() -> None:
    clauses = [clause("near"), clause("near", "b", frozenset({"a"})), clause("negated")]
    given = {"near a": {"a", "c"}, "near b": {"a"}, "negated a": {"a"}}
    rows = tally(clauses, lambda one: frozenset(given[one.text]))
    assert rows == (Tally("near", 2, 1, 1), Tally("negated", 1, 1, 0))


def test_f1_scales_false_credit_to_the_clauses_due() -> None:
    rows = (Tally("near", 10, 8, 0), Tally("negated", 20, 4, 0))
    # Two false to ten due: precision .8, recall .8.
    assert f1(rows, "near") == pytest.approx(0.8)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_every_clause_written_is_read(split: str) -> None:
    clauses = list(read_clauses(split))
    kinds = {c.kind for c in clauses}
    assert len(clauses) > 1_900
    assert kinds >= {"near", "middle", "far", "negated", "swapped", "rejected", "hedged"}
    assert len({(c.question, c.text) for c in clauses}) == len(clauses)
