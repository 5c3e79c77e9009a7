"""Rules about the house itself; each first proves that it looked at something."""

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN_NAMES = {"utils", "helpers", "common", "core", "base", "manager"}
STOP_LINES = 400


def modules() -> list[Path]:
    found = [
        p
        for folder in ("service", "eval")
        for p in (ROOT / folder).rglob("*.py")
        if "migrations" not in p.parts
    ]
    assert len(found) > 50
    return found


def test_no_room_is_named_after_nothing():
    names = {part for p in modules() for part in p.relative_to(ROOT).with_suffix("").parts}
    assert "domain" in names
    assert not names & FORBIDDEN_NAMES


def test_no_module_is_longer_than_the_stop_line():
    long = {
        str(p.relative_to(ROOT)): n
        for p in modules()
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > STOP_LINES
    }
    assert long == {}


def test_every_module_says_what_it_knows():
    silent = [
        str(p.relative_to(ROOT))
        for p in modules()
        if p.name != "__init__.py"
        and not ast.get_docstring(ast.parse(p.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_tests_do_not_patch():
    tests = list((ROOT / "tests").rglob("test_*.py"))
    assert len(tests) > 20
    marks = ("unittest.mock", "monkeypatch.setattr", "mocker.")
    guilty = [
        str(p.relative_to(ROOT))
        for p in tests
        if p != Path(__file__)
        for mark in marks
        if mark in p.read_text(encoding="utf-8")
    ]
    assert guilty == []


def test_the_top_level_is_the_fixed_one():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(listed) > 100
    folders = {line.split("/")[0] for line in listed if "/" in line}
    assert {"service", "knowledge", "prompts", "eval", "tests"} <= folders
    assert folders <= {
        ".ci", "docs", "eval", "knowledge", "prompts", "service", "tests", "tools"
    }  # fmt: skip


def test_no_path_of_one_machine_and_no_index_host_is_committed():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    texts = [
        ROOT / line for line in listed if Path(line).suffix in {".py", ".md", ".yaml", ".lock"}
    ]
    assert len(texts) > 50
    marks = ["/" + "tmp/", "/" + "root/", "/" + "work/", "py" + "pi.org", "files.python" + "hosted"]
    guilty = [
        f"{p.relative_to(ROOT)}: {mark}"
        for p in texts
        if p.exists()
        for mark in marks
        if mark in p.read_text(encoding="utf-8")
    ]
    assert guilty == []
