"""An interview in the terminal: answers, commands, going on later, and the report."""

import re
import signal
import time
from pathlib import Path

import pytest

from tests.api.opened import POSTING, RESUME
from tests.cli.child_cli import shardwise, started

ANSWER = (
    "DDP 里每张卡都存一整份参数、梯度和优化器状态，每个参数 16 字节。\nZeRO-1 只切优化器状态。\n\n"
)
HAN = re.compile(r"[\u4e00-\u9fff]")
SECONDS = 60


def begun(folder: Path, said: str, *more: str) -> str:
    ran = shardwise(folder, "interview", "--question", "zero-stages", *more, said=said)
    assert ran.code == 0, ran.err
    return ran.out


def id_in(output: str) -> str:
    found = re.search(r"--session ([0-9a-f]{24})", output)
    assert found, output
    return found.group(1)


def test_answered_paused_and_gone_on_with_to_the_report(tmp_path: Path):
    first = begun(tmp_path, ANSWER + "/pause\n", "--lang", "zh")
    assert "[1]" in first
    assert "[2]" in first
    assert "已暂停" in first
    session = id_in(first)
    again = shardwise(tmp_path, "interview", "--session", session, "--lang", "zh", said="/end\n")
    assert again.code == 0, again.err
    question = first.split("[2]")[1].splitlines()[0].strip()
    assert question in again.out
    for words in ("优化器状态", "16 字节", "M0" if "M0" in again.out else "报告"):
        assert words in again.out
    assert "F0" in again.out  # facts with their sources
    plain = re.sub(r"[A-Za-z].*", "", again.out)
    assert HAN.search(plain)
    closed = shardwise(tmp_path, "interview", "--session", session, said="x\n\n")
    assert closed.code == 2, closed.out


def test_made_from_a_resume_and_a_posting_it_skips_and_pauses_at_the_end_of_input(tmp_path: Path):
    (tmp_path / "li.md").write_text(RESUME, encoding="utf-8")
    (tmp_path / "ad.txt").write_text(POSTING, encoding="utf-8")
    ran = shardwise(
        tmp_path, "interview", "--resume", "li.md", "--posting", "ad.txt", "--lang", "en",
        "--minutes", "60", said="/skip\n",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "[1]" in ran.out
    assert "[2]" in ran.out
    assert "Paused" in ran.out
    assert id_in(ran.out)


def test_interrupted_it_leaves_the_interview_where_it_is(tmp_path: Path):
    process = started(tmp_path, "interview", "--question", "zero-stages", "--lang", "en")
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        said = ""
        until = time.monotonic() + SECONDS
        while "[1]" not in said:
            assert time.monotonic() < until
            said += process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait(SECONDS) == 130
        rest = process.stdout.read()
    finally:
        process.kill()
        process.stdout.close()
    assert "Traceback" not in said + rest
    session = re.search(r"[0-9a-f]{24}", said)
    assert session
    again = shardwise(tmp_path, "interview", "--session", session.group(), said="/end\n")
    assert again.code == 0, again.err


UNREADABLE = [
    ("--resume", "li.pdf", b""),
    ("--posting", "ad.txt", b"\xff\xfe\xfa"),
]


@pytest.mark.parametrize(("option", "file", "data"), UNREADABLE)
def test_what_cannot_be_read_starts_no_interview(
    tmp_path: Path, option: str, file: str, data: bytes
):
    (tmp_path / file).write_bytes(data)
    ran = shardwise(tmp_path, "interview", option, file, "--lang", "en")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("shardwise: ")


def test_plan_hint_retry_and_time_in_the_terminal(tmp_path: Path):
    shown = shardwise(
        tmp_path, "interview", "--plan", "--minutes", "30", "--lang", "zh", "--background",
        "academic",
    )  # fmt: skip
    assert shown.code == 0, shown.err
    assert "zero-stages" in shown.out
    assert "[1]" not in shown.out
    said = f"/time\n/hint\n/retry\n{ANSWER}/retry\n/end\n"
    ran = begun(tmp_path, said, "--mode", "coached", "--lang", "en")
    ran = " ".join(ran.split())
    assert "Minutes left:" in ran
    assert "75 % at most" in ran
    assert "can be tried again" in ran  # nothing was answered yet
    assert "[3]" in ran  # the question once more, after the follow-up was set aside


def test_an_unknown_background_starts_nothing(tmp_path: Path):
    ran = shardwise(tmp_path, "interview", "--background", "nobleman", "--lang", "en")
    assert (ran.code, ran.out) == (2, "")
