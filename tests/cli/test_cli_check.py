"""`shardwise check`: the documents that other tools rely on, and reports for people."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from service.cli.check import check
from service.errors import FileUnreadable, InputInvalid

app = typer.Typer()
app.command()(check)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--lang", "en"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def document(*arguments: str) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text(
        "ZeRO-2 takes 4ψ+12ψ/N per GPU. ZeRO-1 also shards the gradients. Good night.",
        encoding="utf-8",
    )
    return path


def test_the_document_keeps_its_form_and_names_sentences(note):
    found = document(str(note))
    assert found["id"] == str(note)
    [claim] = [c for c in found["claims"] if c["verdict"] == "wrong"]
    assert claim["expected"] == "2ψ+14ψ/N"
    assert {m["id"] for m in found["misconceptions"]} == {"M01", "M02"}
    verdicts = [s["verdict"] for s in found["sentences"]]
    assert verdicts == ["wrong", "misconception", None]
    assert found["sentences"][0]["claims"] == [found["claims"].index(claim)]


def test_the_lines_of_a_batch_keep_their_order_and_ids(tmp_path):
    lines = tmp_path / "lines.jsonl"
    rows = [{"id": "a", "text": "每参数 16 字节。", "context": None}, {"id": "b", "text": ""}]
    lines.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    found = [json.loads(line) for line in run("--jsonl", str(lines)).splitlines()]
    assert [f["id"] for f in found] == ["a", "b"]
    assert found[1]["claims"] == found[1]["misconceptions"] == found[1]["sentences"] == []


def test_the_report_shows_sentence_reason_and_source(note):
    said = run(str(note))
    assert "ZeRO-1 also shards the gradients." in said
    assert "Stage 1 divides only the optimizer states" in said
    assert "F014  ZeRO" in said
    assert "Good night" not in said


def test_a_configuration_is_recognised_and_estimated(tmp_path):
    path = tmp_path / "ds_config.json"
    path.write_text('{"train_batch_size": 8, "zero_optimization": {"stage": 3}}', encoding="utf-8")
    found = document(str(path), "--params", "7e9", "--gpus", "8")
    assert found["tool"] == "deepspeed"
    assert found["estimate"]["bytes_per_gpu"] == 14e9
    assert found["asked"]


def test_broken_and_foreign_json_is_refused(tmp_path):
    broken, foreign = tmp_path / "broken.json", tmp_path / "foreign.json"
    broken.write_text('{"a": ', encoding="utf-8")
    foreign.write_text('{"name": "x"}', encoding="utf-8")
    with pytest.raises(FileUnreadable, match="Line 1"):
        run(str(broken))
    with pytest.raises(InputInvalid, match="foreign"):
        run(str(foreign))
