"""Set up and run Shardwise with nothing but Python 3.11+.

    python3 go.py serve     install what is needed, build the index, open the service
    python3 go.py check     install the tools too; format, lint, imports, types, tests
    python3 go.py eval ...  install what statistics and workers need; `shardwise eval ...`
    python3 go.py lock      renew the lock files after a change in pyproject.toml
    python3 go.py CMD ...   any other `shardwise` command in the same environment

Only the standard library is used here; everything else comes from the hashed lock files.
"""

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
BIN = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin")
LOCKS = {
    "run": ROOT / "requirements.lock",
    "eval": ROOT / "requirements-eval.lock",
    "dev": ROOT / "requirements-dev.lock",
}
LEAST_PYTHON = (3, 11)

# In order of speed: the cheapest to fail comes first.
CHECKS: Sequence[tuple[str, Sequence[str]]] = (
    ("format", ("ruff", "format", "--check", "--quiet")),
    ("lint", ("ruff", "check", "--quiet")),
    ("imports", ("lint-imports",)),
    ("types", ("basedpyright",)),
    # Before the tests: a grader that got worse shows within a minute, with the items that moved.
    ("grader", ("shardwise", "eval", "ci")),
    ("tests", ("pytest",)),
)
COMPILE = (
    "uv", "pip", "compile", "pyproject.toml", "--extra", "postgres", "--universal",
    "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate", "--quiet",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < LEAST_PYTHON:
        print("Shardwise needs Python 3.11 or newer.", file=sys.stderr)
        return 2
    if not arguments or arguments[0] in {"-h", "--help"}:
        print(__doc__)
        return 0
    command, rest = arguments[0], arguments[1:]
    if command == "check":
        install("dev")
        return check(rest)
    if command == "lock":
        install("dev")
        return lock()
    install("eval" if command == "eval" else "run")
    return call([str(BIN / "shardwise"), *arguments])


def install(which: str) -> None:
    """Make the environment once per content of its lock; a second call costs nothing."""
    stamp = ENVIRONMENT / f".installed-{which}"
    wanted = hashlib.sha256(LOCKS[which].read_bytes() + _project()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Setting up .venv from {LOCKS[which].name} (a minute or two, once) ...", file=sys.stderr)
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        venv.create(ENVIRONMENT, with_pip=True)
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = (
        [*pip, "--require-hashes", "-r", str(LOCKS[which])],
        [*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)],
    )
    for step in steps:
        if call(step) != 0:
            sys.exit("The installation failed; the lines above say why. Nothing else was changed.")
    stamp.write_text(wanted)


def check(pytest_arguments: Sequence[str]) -> int:
    """Run every check even when one fails, so that one run shows all there is to mend."""
    failed: list[str] = []
    for name, command in CHECKS:
        print(f"== {name}", flush=True)
        extra = pytest_arguments if name == "tests" else ()
        if call([str(BIN / command[0]), *command[1:], *extra]) != 0:
            failed.append(name)
    print("== all checks passed" if not failed else f"== failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def lock() -> int:
    run = call([str(BIN / COMPILE[0]), *COMPILE[1:], "--upgrade", "-o", str(LOCKS["run"])])
    more = ["--extra", "eval", "--extra", "workers", "-c", str(LOCKS["run"])]
    both = [[*more, "-o", str(LOCKS["eval"])], [*more, "--group", "dev", "-o", str(LOCKS["dev"])]]
    others = [call([str(BIN / COMPILE[0]), *COMPILE[1:], *words]) for words in both]
    return run or max(others)


def _project() -> bytes:
    return (ROOT / "pyproject.toml").read_bytes()


def call(command: Sequence[str]) -> int:
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return subprocess.call(command, cwd=ROOT, env={**os.environ, "PATH": path})


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
