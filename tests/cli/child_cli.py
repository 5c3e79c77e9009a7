"""The `shardwise` command as a program of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.service.child import environment

COMMAND = [sys.executable, "-m", "service.cli.main"]
SECONDS = 90.0


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def shardwise(folder: Path, *words: str, said: str | None = None, **settings: object) -> Ran:
    """Run it in `folder` with the data kept there; `said` is its standard input."""
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(folder / "data", engine="builtin") | _named(settings),
        input=said if said is not None else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def _named(settings: dict[str, object]) -> dict[str, str]:
    return {f"SHARDWISE_{name.upper()}": str(value) for name, value in settings.items()}


def started(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """Started and left running, with pipes to talk to it."""
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(folder / "data", engine="builtin"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        bufsize=1,
    )
