"""The gate of every check: it passes on what is stored and fails, with the items, on less."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from eval.quick import BASELINE, bases_wanted, figures_of, is_attack, read_lines, read_margins
from eval.quick_command import judged
from service.errors import InputInvalid

LINES = read_lines()
STORED: Mapping[str, dict[str, Any]] = json.loads(BASELINE.read_text(encoding="utf-8"))


def failed_in(found: Mapping[str, Any]) -> set[str]:
    return {m["measure"] for m in found["margins"] if not m["passed"]}


def named_in(found: Mapping[str, Any]) -> set[object]:
    return {row["id"] for row in found["worse"]}


def test_the_stored_results_are_of_the_committed_set_and_pass():
    assert {str(x["id"]) for x in LINES} | bases_wanted(LINES) == STORED.keys()
    found = judged(LINES, STORED, STORED)
    assert found["passed"]
    assert found["worse"] == []


def test_the_baseline_is_a_grader_worth_keeping():
    figures: Any = figures_of(LINES, STORED)
    assert figures["points"]["macro_f1"] > 0.8
    assert figures["attacks"]["n"] > 40


def test_points_that_are_no_longer_found_fail_and_are_named():
    worse = deepcopy(STORED)
    hit = [x for x in LINES if not is_attack(x)][:12]
    for line in hit:
        for verdict in worse[str(line["id"])]["points"].values():
            verdict["verdict"] = "missed"
    found = judged(LINES, STORED, worse)
    assert not found["passed"]
    failed = failed_in(found)
    assert "points.macro_f1" in failed
    named = named_in(found)
    assert named
    assert named <= {line["id"] for line in hit}


def test_attacks_that_succeed_fail_and_are_named():
    worse = deepcopy(STORED)
    hit = [x for x in LINES if is_attack(x) and x["relation"] in {"same", "at_most"}][:6]
    for line in hit:
        worse[str(line["id"])]["score"] = 99.0
    found = judged(LINES, STORED, worse)
    assert not found["passed"]
    assert named_in(found) <= {line["id"] for line in hit}


def test_marks_that_are_no_longer_given_are_no_gain():
    worse = deepcopy(STORED)
    for row in worse.values():
        row["score"] = None
    failed = failed_in(judged(LINES, STORED, worse))
    assert "totals.mae" in failed


def test_a_baseline_of_other_items_is_refused():
    with pytest.raises(InputInvalid, match="other items"):
        judged(LINES, {"x": {}}, STORED)


def test_margins_need_their_form(tmp_path: Path):
    path = tmp_path / "m.yaml"
    path.write_text("margins: []\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match="not a gate file"):
        read_margins(path)
    assert len(read_margins()) == 7
