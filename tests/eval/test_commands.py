"""What the evaluation commands promise to other programs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from eval.cli import app
from service.errors import InputInvalid


def options() -> Iterator[tuple[str, set[str]]]:
    """Every command by its words, with the options it takes."""
    yield from _options("eval", get_command(app))


def _options(words: str, command: object) -> Iterator[tuple[str, set[str]]]:
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from _options(f"{words} {name}", inner)
        return
    params = getattr(command, "params", ())
    yield words, {opt for param in params for opt in param.opts}


def test_every_command_prints_json():
    found = dict(options())
    assert len(found) >= 20
    assert [words for words, opts in found.items() if "--json" not in opts] == []


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    try:
        code = app(list(words), standalone_mode=False)
    except typer.Exit as leaving:
        code = leaving.exit_code
    return code or 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (("postings",), {"split", "requirements", "accuracy", "skills_f1", "wrong"}),
        (("postings", "--split", "held_back"), {"split", "requirements", "wrong"}),
        (("matches",), {"statuses", "right", "macro_f1", "evidence_precision", "wrong"}),
        (("cache", "stats"), {"entries", "bytes", "hits", "misses", "by_kind"}),
        (("cache", "clear", "--yes"), {"removed_entries", "removed_bytes"}),
    ],
)
def test_standard_output_is_one_json_document(
    words: tuple[str, ...],
    keys: set[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
):
    monkeypatch.setenv("SHARDWISE_DATA_DIR", str(tmp_path))
    code, out = said(capsys, *words, "--json")
    document = json.loads(out)
    assert code == 0
    assert keys <= document.keys()
    if "held_back" in words:
        assert document["wrong"] is None


@pytest.mark.parametrize("command", ["postings", "matches", "resumes", "retrieval"])
def test_an_unknown_split_is_named_with_those_there_are(command: str):
    with pytest.raises(InputInvalid, match="no split nowhere; there are"):
        app([command, "--split", "nowhere", "--json"], standalone_mode=False)


def test_a_cache_is_cleared_only_when_told_to(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("SHARDWISE_DATA_DIR", str(tmp_path))
    entry = tmp_path / "eval_cache" / "builtin" / "ab" / "abc-none.json"
    entry.parent.mkdir(parents=True)
    entry.write_text("{}", encoding="utf-8")
    with pytest.raises(InputInvalid, match="--yes"):
        app(["cache", "clear", "--json"], standalone_mode=False)
    assert entry.exists()
    _, out = said(capsys, "cache", "clear", "--yes", "--lang", "zh")
    assert "1 条" in out
    assert not entry.exists()


def test_offline_and_workers_exclude_each_other(tmp_path: Path):
    words = ["--answers", "x.csv", "--out", str(tmp_path), "--workers", "postgresql://h/d"]
    with pytest.raises(InputInvalid, match="leave --workers out"):
        app(["run", *words, "--offline"], standalone_mode=False)


def test_a_worker_needs_a_place_to_meet(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHARDWISE_WORKERS_URL", "")
    with pytest.raises(InputInvalid, match="SHARDWISE_WORKERS_URL"):
        app(["worker"], standalone_mode=False)
