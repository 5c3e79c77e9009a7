"""The report in sentences a newcomer understands, in both languages."""

import json
from pathlib import Path

from eval.report.page import short_of, write_report
from service.domain.language import Lang

SUMMARY: dict[str, object] = {
    "answers": 3,
    "graded": 2,
    "not_enough_evidence": 1,
    "errors": 0,
    "mean_score": 50.0,
}


def found(mae: float, bias: float, **floors: float) -> dict[str, object]:
    return {
        "totals": {"n": 2, "mae": mae, "bias": bias},
        "floors": {name: {"mae": value} for name, value in floors.items()},
    }


def told(document: dict[str, object], lang: Lang = Lang.EN) -> str:
    return " ".join(short_of(SUMMARY, document, lang))


def test_it_says_first_whether_the_grader_beats_the_floors():
    assert "does better" in told(found(5.0, 1.0, mean=20.0, lexical=9.0))
    assert "does not beat" in told(found(9.5, 1.0, mean=20.0, lexical=9.0))
    assert "too generous by 1.0" in told(found(5.0, 1.0))
    assert "偏低 2.0 分" in told(found(5.0, -2.0), Lang.ZH)


def test_without_labels_it_says_what_was_graded():
    assert told({"totals": {"n": 0}}) == (
        "3 answers: 2 graded, 1 said too little for a mark, 0 missing. "
        "The mean mark is 50.000 of 100."
    )


def test_a_report_of_a_run_lists_the_answers_farthest_from_their_labels_first(tmp_path: Path):
    answers = [{"id": i, "answer": "A long enough answer.", "score": 50} for i in ("near", "far")]
    results = [
        {
            "id": i, "status": "graded", "outcome": "ok", "question": "zero-stages", "score": s,
            "dimensions": {}, "points": {}, "misconceptions": [], "coverage": 1.0,
        }
        for i, s in (("near", 49.0), ("far", 10.0))
    ]  # fmt: skip
    for name, rows in {"answers": answers, "results": results}.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    for name, content in {"header": {"engine": "x"}, "summary": SUMMARY, "cost": {}}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    write_report(tmp_path, None)
    chinese = (tmp_path / "report.zh.md").read_text(encoding="utf-8")
    assert chinese.index("| far | 10.000 | 50.000 | 40.000 |") < chinese.index("| near |")
    assert "平均差 mae" in chinese
    assert "|  |\n| --- |\n\n" not in chinese  # no empty tables
