"""A person's own CSV: run, report, compare and gate, as programs of their own."""

import json
from pathlib import Path

from tests.cli.child_cli import shardwise

FULL = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."
SHEET = f'id,lang,answer,score,m1\na,en,"{FULL}",5,met\nb,en,"I like cooking rice at home.",0,0\n'


def test_two_commands_make_a_report_of_a_sheet_and_a_third_fails_on_it(tmp_path: Path):
    (tmp_path / "my.csv").write_text(SHEET, encoding="utf-8-sig")
    ran = shardwise(tmp_path, "eval", "run", "--answers", "my.csv", "--out", "r", "--offline")
    assert ran.code == 0, ran.err
    told = shardwise(tmp_path, "eval", "report", "r")
    assert told.code == 0, told.err
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 8
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert "评测报告" in (tmp_path / "r" / "report.zh.md").read_text(encoding="utf-8")
    gate = tmp_path / "gate.yaml"
    gate.write_text("rules:\n  - {measure: points.recall, at_least: 0.9}\n")
    assert shardwise(tmp_path, "eval", "gate", "r", "-c", "gate.yaml").code == 0
    gate.write_text("rules:\n  - {measure: totals.no_such, at_least: 0.9}\n")
    failed = shardwise(tmp_path, "eval", "gate", "r", "-c", "gate.yaml", "--baseline", "r")
    assert failed.code == 1
    assert "FAILED  totals.no_such" in failed.out
    same = shardwise(tmp_path, "eval", "compare", "r", "r", "--json")
    assert json.loads(same.out)["moved"] == []


def test_every_fault_of_a_sheet_is_told_with_its_line(tmp_path: Path):
    (tmp_path / "bad.csv").write_text("id,answer,m1,q9\na,x,often,\na,y,,\nb,z,,met\n")
    told = shardwise(tmp_path, "eval", "validate", "bad.csv", "--json")
    assert told.code == 2
    faults = json.loads(told.out)["faults"]
    assert [(f["line"], f["fault"]) for f in faults] == [
        (2, "m1: often is no verdict."),
        (3, "the id a stands there twice."),
        (4, "zero-stages has no point q9."),
    ]


def test_one_answer_is_graded_with_the_words_it_was_read_from(tmp_path: Path):
    told = shardwise(tmp_path, "eval", "grade", "--lang", "en", said=FULL)
    assert told.code == 0, told.err
    assert "+ m1 [Covered]" in told.out
    assert "“" in told.out


def test_an_engine_that_needs_a_server_is_refused_offline(tmp_path: Path):
    (tmp_path / "my.csv").write_text(SHEET)
    words = ("eval", "run", "--answers", "my.csv", "--out", "r", "--offline", "--engine", "llm")
    assert shardwise(tmp_path, *words).code == 2
