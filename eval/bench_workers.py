"""Many answers on two worker processes, one of them killed half-way, beside one process alone.

    python -m eval.bench_workers postgresql://USER@HOST/DATABASE OUT [COUNT]

Grades COUNT (10,000) made-up answers with the built-in engine, first in one process and then over
two workers; one worker gets SIGKILL when half of the rows are there, and nobody takes its place.
Prints one JSON document. Exit code 1 when a row is missing, is there twice or differs.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from eval.folder import ANSWERS, ATTEMPTS, HEADER, RESULTS, SUMMARY

SOURCE: Final = Path(__file__).parent / "cases" / "constructed" / "ci.jsonl"
COUNT: Final = 10_000
WORKERS: Final = 2
SENTENCES: Final = 3
SAME: Final = (HEADER, ANSWERS, RESULTS, SUMMARY)
READY: Final = "--lang=en"
ENDS: Final = re.compile(r"(?<=[。！？；])|(?<=[.!?])\s")


def make_answers(count: int, path: Path) -> None:
    """Three sentences of the constructed set each, drawn by a hash: the same on every machine."""
    sentences = list(_sentences())
    with path.open("w", encoding="utf-8") as file:
        for n in range(count):
            drawn = [sentences[i % len(sentences)] for i in _numbers(n)]
            row = {"id": f"w{n:05}", "answer": " ".join(drawn)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _sentences() -> Iterator[str]:
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        text = str(json.loads(line)["answer"])
        yield from (said for part in ENDS.split(text) if (said := part.strip()))


def _numbers(n: int) -> Sequence[int]:
    digest = sha256(f"answer {n}".encode()).digest()
    return [int.from_bytes(digest[i * 4 : i * 4 + 4]) for i in range(SENTENCES)]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "eval", *words]


def start_worker(url: str, *words: str) -> "subprocess.Popen[str]":
    """Returns at once; what it tells stands on standard error."""
    return subprocess.Popen(  # noqa: S603
        command("worker", "--workers", url, READY, *words),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


def wait_ready(worker: "subprocess.Popen[str]") -> None:
    """Raises RuntimeError: it ended before it was ready."""
    line = worker.stderr.readline() if worker.stderr else ""
    if not line.startswith("Ready"):
        raise RuntimeError(f"the worker did not start: {line}")


def rows_there(out: Path) -> int:
    path = out / RESULTS
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_when(worker: "subprocess.Popen[str]", out: Path, rows: int, seconds: float) -> int:
    """SIGKILL once so many rows are there; how many there were.

    Raises:
        TimeoutError: they did not come in time.
    """
    end = time.monotonic() + seconds
    while (there := rows_there(out)) < rows:
        if time.monotonic() > end:
            raise TimeoutError(f"{there} of {rows} rows")
        time.sleep(0.05)
    worker.kill()
    worker.wait()
    return there


def compare(alone: Path, spread: Path) -> dict[str, object]:
    """Are the bytes the same, and did every attempt end once?"""
    ids = [json.loads(x)["id"] for x in (spread / ATTEMPTS).read_text("utf-8").splitlines()]
    rows = [json.loads(x)["id"] for x in (spread / RESULTS).read_text("utf-8").splitlines()]
    return {
        "rows": len(rows),
        "distinct": len(set(rows)),
        "attempts": len(ids),
        "attempts_twice": len(ids) - len(set(ids)),
        "different_files": [
            n for n in SAME if (alone / n).read_bytes() != (spread / n).read_bytes()
        ],
    }


def main(url: str, out: Path, count: int) -> int:
    """Both runs, compared."""
    out.mkdir(parents=True, exist_ok=True)
    answers = out / "answers.jsonl"
    make_answers(count, answers)
    run = ("run", "--answers", str(answers), "--json", "--no-cache")
    begun = time.monotonic()
    subprocess.run(  # noqa: S603
        command(*run, "--workers", "", "--out", str(out / "alone")),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    alone = time.monotonic() - begun
    workers = [start_worker(url) for _ in range(WORKERS)]
    for worker in workers:
        wait_ready(worker)
    begun = time.monotonic()
    line = command(*run, "--workers", url, "--out", str(out / "spread"))
    try:
        spreading = subprocess.Popen(  # noqa: S603
            line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        killed_at = kill_when(workers[0], out / "spread", count // 2, 3_600)
        half = time.monotonic() - begun
        told = (spreading.communicate()[1] or "").splitlines()
        spread = time.monotonic() - begun
    finally:
        for worker in workers:
            worker.terminate()
    found = compare(out / "alone", out / "spread")
    document = {
        "answers": count,
        "processors": os.cpu_count(),
        "load": os.getloadavg(),
        "alone_seconds": round(alone, 1),
        "half_on_two_seconds": round(half, 1),
        "spread_seconds": round(spread, 1),
        "killed_at_row": killed_at,
        "exit": spreading.returncode,
        "told": [x for x in told if "/s " not in x],
        **found,
    }
    print(json.dumps(document, indent=2))
    good = found["rows"] == found["distinct"] == count and not found["different_files"]
    return 0 if good and not found["attempts_twice"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), int((sys.argv[3:] or [str(COUNT)])[0])))
