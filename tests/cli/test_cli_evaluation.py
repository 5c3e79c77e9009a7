"""A run of many answers: killed half-way it goes on, and ends in the same bytes."""

import json
import time
from pathlib import Path

from tests.cli.child_cli import shardwise, started

SENTENCES = (
    "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP.",
    "ZeRO-1 shards the optimizer states, ZeRO-2 the gradients as well.",
    "ZeRO-3 shards parameters, too, and gathers them layer by layer.",
    "ZeRO-2 needs 4ψ+12ψ/N bytes per GPU.",
    "Mixed-precision Adam costs 16 bytes per parameter.",
)
MANY = 25
SECONDS = 90.0


def answers(folder: Path) -> Path:
    file = folder / "answers.jsonl"
    rows = [
        {"id": f"a{n}", "lang": "en", "answer": " ".join(SENTENCES[: n % 5 + 1]) + f" Case {n}."}
        for n in range(MANY)
    ]
    rows.append({"id": "empty", "lang": "zh", "answer": ""})
    file.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return file


def test_killed_half_way_a_run_ends_in_the_same_bytes(tmp_path: Path):
    file = answers(tmp_path)
    words = (
        "eval",
        "run",
        "--no-cache",
        "--question",
        "zero-stages",
        "--answers",
        str(file),
        "--out",
    )
    whole = shardwise(tmp_path, *words, "whole", "--json")
    assert whole.code == 0, whole.err
    assert json.loads(whole.out)["graded"] == MANY
    results = tmp_path / "cut" / "results.jsonl"
    process = started(tmp_path, *words, "cut")
    until = time.monotonic() + SECONDS
    while not results.exists() or results.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < until
        assert process.poll() is None, process.stdout and process.stdout.read()
        time.sleep(0.01)
    process.kill()
    process.communicate()
    done = results.read_bytes().count(b"\n")
    assert done <= MANY
    again = shardwise(tmp_path, *words, "cut")
    assert again.code == 0, again.err
    for name in ("results.jsonl", "summary.json", "header.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "z", "lang": "en", "answer": "Something else."}\n')
    refused = shardwise(tmp_path, *words[:5], "--answers", str(other), "--out", "cut")
    assert refused.code == 2
    assert results.read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()


def test_agreement_with_labels_is_printed_and_written(tmp_path: Path):
    file = tmp_path / "labelled.jsonl"
    row = {
        "id": "x", "lang": "en", "answer": SENTENCES[0], "points": {"m1": "met", "s1": "missed"},
        "misconceptions": [], "score": 5,
    }  # fmt: skip
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ran = shardwise(tmp_path, "eval", "meta", "--answers", str(file), "--out", "m", "--json")
    assert ran.code == 0, ran.err
    printed = json.loads(ran.out)
    assert printed == json.loads((tmp_path / "m" / "agreement.json").read_text())
    assert printed["answers"] == 1
