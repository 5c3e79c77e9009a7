"""Short questions, what is due, and the report as a file, in the terminal."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.child_cli import shardwise

ANSWER = "Every GPU keeps a full copy of parameters, gradients and optimizer states.\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One interview with one answer."""
    folder = tmp_path_factory.mktemp("learning")
    ran = shardwise(
        folder, "interview", "--question", "zero-stages", "--lang", "en", said=ANSWER + "/end\n"
    )
    assert ran.code == 0, ran.err
    assert "Plan for the next session" in ran.out
    return folder


def test_the_report_is_written_as_a_file_and_for_programs(folder: Path):
    pdf = shardwise(folder, "report", "--format", "pdf", "-o", "r.pdf")
    assert pdf.code == 0, pdf.err
    assert (folder / "r.pdf").read_bytes().startswith(b"%PDF-")
    made = json.loads(shardwise(folder, "report", "--format", "json", "--lang", "en").out)
    assert made["questions"][0]["question_id"] == "zero-stages"
    assert made["next_session"]


@pytest.mark.parametrize("words", [("--format", "pdf"), ("--format", "docx"), ("0" * 24,)])
def test_what_cannot_be_written_is_told_in_a_sentence(folder: Path, words: tuple[str, ...]):
    ran = shardwise(folder, "report", *words)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_short_questions_are_answered_hinted_and_scheduled(folder: Path):
    said = "/hint\n" + ANSWER + "/skip\n/end\n"
    ran = shardwise(folder, "drill", "--topic", "offload", "--lang", "en", said=said)
    assert ran.code == 0, ran.err
    assert "It is part of the answer to:" in ran.out
    assert "A good answer says:" in ran.out
    points = json.loads(shardwise(folder, "learn", "--json").out)
    by_topic = {p["topic"]: p for p in points}
    assert by_topic["zero"]["reviews"] == 1
    assert by_topic["zero"]["due"] is not None
    assert by_topic["flash_attention"]["standing"] == "new"
    table = shardwise(folder, "learn", "--lang", "zh")
    assert re.search(r"[一-鿿]", table.out)
