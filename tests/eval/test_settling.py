"""Labels of several people, the record of what was settled, and the committed free answers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from eval.answers import read_sheet
from eval.settling import differing

FREE = Path(__file__).parents[2] / "eval" / "cases" / "free"
FIRST = {"id": "a", "answer": "x", "rater": "r1", "points": {"m1": "met", "m2": "met"}}
SECOND = {"id": "a", "rater": "r2", "points": {"m1": "met", "m2": "missed"}}
DECISION = {"id": "a", "point": "m2", "r1": "met", "r2": "missed", "settled": "partial", "why": "w"}


def folder(tmp_path: Path, decisions: Sequence[Mapping[str, object]]) -> Path:
    first = FIRST | {"misconceptions": ["M01"]}
    second = SECOND | {"misconceptions": ["M01"]}
    files = {"answers": [first], "r2": [second], "settled": decisions}
    for name, rows in files.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_where_raters_agree_their_label_stands_and_where_not_the_decision(tmp_path: Path):
    sheet = read_sheet(folder(tmp_path, [DECISION]))
    assert sheet.faults == ()
    (answer,) = sheet.answers
    assert dict(answer.points) == {"m1": "met", "m2": "partial"}
    assert answer.misconceptions == ("M01",)
    assert [label.rater for label in answer.raters] == ["r1", "r2"]


@pytest.mark.parametrize(
    ("decisions", "told"),
    [
        ([], "differs and is not decided"),
        ([DECISION, DECISION], "decided twice"),
        ([DECISION, DECISION | {"point": "m1"}], "does not differ"),
        ([DECISION | {"r2": "met"}], "not what was said"),
        ([DECISION | {"settled": "good"}], "no verdict"),
        ([DECISION | {"why": ""}], "needs id, settled and why"),
    ],
)
def test_a_record_that_does_not_fit_the_labels_is_a_fault(tmp_path: Path, decisions, told: str):
    faults = [str(f.what) for f in read_sheet(folder(tmp_path, decisions)).faults]
    assert any(told in fault for fault in faults), faults


def test_the_free_answers_are_settled_whole_with_a_reason_each():
    sheet = read_sheet(FREE)
    assert sheet.faults == ()
    assert len(sheet.answers) == 130
    assert all(len(a.raters) == 2 and len(a.points) == 19 for a in sheet.answers)
    assert sum(len(differing(a)) for a in sheet.answers) == 110
    assert len({a.cluster for a in sheet.answers}) == 13  # voices, drawn whole
