"""The service as a program of its own, to be asked, stopped and killed from outside."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx2

from service.settings import ROOT

START_SECONDS = 60.0  # a busy machine takes its time
STOP_SECONDS = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data_dir: Path, **settings: object) -> dict[str, str]:
    """Nothing of this machine's own environment reaches the child."""
    given = {f"SHARDWISE_{name.upper()}": str(value) for name, value in settings.items()}
    plain = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "LANG": "C.UTF-8"}
    return plain | {"SHARDWISE_DATA_DIR": str(data_dir)} | given


class Child:
    """`shardwise serve` on a port of its own; what it prints goes to `folder/log`."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.port = free_port()
        self.env = environment(folder / "data", **settings)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, **changes: str) -> "Child":
        """Start it, and wait until it says that it is ready."""
        command = [sys.executable, "-m", "service.cli.main", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=self.env | changes, stdout=log, stderr=log
            )
        until = time.monotonic() + START_SECONDS
        while not self._is_ready():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.05)
        return self

    def _is_ready(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/health", timeout=5, trust_env=False).is_success
        except httpx2.HTTPError:
            return False

    def client(self, headers: Mapping[str, str] | None = None) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, timeout=30, headers=headers, trust_env=False)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop, as an operator does; its exit code."""
        return self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> int:
        process = self.process
        assert process is not None
        os.kill(process.pid, number)
        return process.wait(STOP_SECONDS)

    def end(self) -> None:
        """Whatever happened in a test, nothing is left running."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(STOP_SECONDS)
