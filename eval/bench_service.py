"""Speed and memory of the whole service, measured from outside in one run.

    python -m eval.bench_service

Starts the service in a child process on loopback with an empty data folder, then with the index
built; answers the flagship question with the built-in engine and through a local model server that
replies at once. Our own time in a model-backed turn is the whole turn, two requests to the model
server included, less the time for which that server held them. Prints each figure, its bar and
their ratio (below 1 is within the bar).
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final, cast

TURNS: Final = 15
HELP_RUNS: Final = 5
SECONDS_TO_WAIT: Final = 60
ANSWER: Final = (
    "DDP 在每张卡上都保存完整的参数、梯度和优化器状态，混合精度 Adam 每个参数约 16 字节，"
    "7.5B 模型要 120 GB。ZeRO-1 只切分优化器状态，ZeRO-2 再切梯度，ZeRO-3 连参数也切，"
    "前向和反向用到某层时临时 all-gather，用完释放。ZeRO-1/2 的通信量和 DDP 一样是 2ψ，"
    "ZeRO-3 是 3ψ，约 1.5 倍。所以放得下就用低的阶段，带宽不够时不要上 stage 3。"
    "我在 64 张 A100 上用 stage 2 训过 13B，每卡从放不下降到 52 GB。"
)
BARS: Final[Mapping[str, float]] = {
    "start to ready, empty data folder (s)": 6.0,
    "start to ready, index built (s)": 6.0,
    "resident memory after the turns (MB)": 450.0,
    "built-in turn, p50 (ms)": 120.0,
    "own time in a model-backed turn, p50 (ms)": 40.0,
    "shardwise --help (s)": 0.6,
}


@dataclass(frozen=True, slots=True)
class Service:
    address: str
    pid: int
    seconds_to_ready: float


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(data: Path, **settings: str) -> Generator[Service]:
    """The service in a child process, ready; ended at the end."""
    port = free_port()
    environment = {
        **os.environ,  # noqa: TID251 - the child needs the interpreter's own environment
        "SHARDWISE_DATA_DIR": str(data),
        "SHARDWISE_LOG_LEVEL": "ERROR",
        "SHARDWISE_ENGINE": "builtin",
        **settings,
    }
    begun = time.perf_counter()
    command = [sys.executable, "-m", "service.cli.main", "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as child:  # noqa: S603
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address)
            yield Service(address, child.pid, time.perf_counter() - begun)
        finally:
            child.terminate()


def _wait(address: str) -> None:
    deadline = time.perf_counter() + SECONDS_TO_WAIT
    while time.perf_counter() < deadline:
        try:
            urllib.request.urlopen(f"{address}/ready", timeout=2).close()  # noqa: S310
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the service did not become ready")


def post(address: str, path: str, body: object) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310
        f"{address}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Accept-Language": "zh"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310
        return cast("dict[str, Any]", json.load(response))


def settle(service: Service) -> None:
    """Wait until the search index stands: building it beside the turns is another load."""
    deadline = time.perf_counter() + SECONDS_TO_WAIT
    while time.perf_counter() < deadline:
        with urllib.request.urlopen(f"{service.address}/ready", timeout=2) as response:  # noqa: S310
            if not json.load(response)["degraded"]:
                return
        time.sleep(0.05)
    raise TimeoutError("the search index was not built")


def nothing_held() -> float:
    return 0.0


def turn_milliseconds(service: Service, held: Callable[[], float] = nothing_held) -> float:
    """Median over fresh interviews of answering their first question.

    `held`: seconds so far for which a model server sat on its requests; they are taken off.
    """
    times: list[float] = []
    wish = {"lang": "zh", "level": "mid", "question_ids": ["zero-stages"]}
    for _ in range(TURNS):
        session = post(service.address, "/v1/sessions", wish)
        path = f"/v1/sessions/{session['id']}/turns/1/answer"
        begun = time.perf_counter() - held()
        post(service.address, path, {"answer": ANSWER})
        times.append((time.perf_counter() - held() - begun) * 1_000)
    return median(times[1:])


def resident_megabytes(pid: int) -> float:
    """VmRSS of the process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    line = next(x for x in status.splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1_000


def _quote_in(prompt: str) -> str:
    """The words that a phrasing prompt wants repeated: the fenced lines below their heading."""
    _, _, below = prompt.partition("words to come back to:")
    lines = [line for line in below.partition("Rules for the text")[0].splitlines() if line.strip()]
    return "".join(lines[1:-1])


class _Quick(BaseHTTPRequestHandler):
    """A model server that replies at once, in form: one met point, then a phrase."""

    protocol_version = "HTTP/1.1"
    # Header and body in two packets would wait 40 ms for each other: not our own time.
    disable_nagle_algorithm = True
    held = 0.0  # seconds, over all requests

    def do_POST(self) -> None:
        begun = time.perf_counter()
        self._reply()
        _Quick.held += time.perf_counter() - begun

    def _reply(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = str(body["messages"][-1]["content"])
        reply: object = {"text": f"你说到“{_quote_in(asked)}”，能再展开讲讲吗？"}
        if "misconceptions" in asked:
            quote = "混合精度 Adam 每个参数约 16 字节"
            reply = {
                "points": [{"id": "m2", "verdict": "met", "quote": quote}],
                "misconceptions": [],
            }
        content = json.dumps(reply, ensure_ascii=False)
        answer = json.dumps(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "quick",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", "content": content},
                    }
                ],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@contextmanager
def quick_model() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Quick)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def help_seconds() -> float:
    command = [sys.executable, "-m", "service.cli.main", "--help"]
    times: list[float] = []
    for _ in range(HELP_RUNS):
        begun = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # noqa: S603
        times.append(time.perf_counter() - begun)
    return median(times)


def measure(tell: Callable[[str], None]) -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        tell("empty data folder ...")
        with running(data) as service:
            figures["start to ready, empty data folder (s)"] = service.seconds_to_ready
            settle(service)
            turn_milliseconds(service)
        tell("index built, built-in engine ...")
        with running(data) as service:
            figures["start to ready, index built (s)"] = service.seconds_to_ready
            settle(service)
            figures["built-in turn, p50 (ms)"] = turn_milliseconds(service)
            figures["resident memory after the turns (MB)"] = resident_megabytes(service.pid)
        tell("model that replies at once ...")
        model = {"SHARDWISE_ENGINE": "llm", "SHARDWISE_MODEL": "quick"}
        with quick_model() as url, running(data, OPENAI_BASE_URL=url, **model) as service:
            settle(service)
            figures["own time in a model-backed turn, p50 (ms)"] = turn_milliseconds(
                service, lambda: _Quick.held
            )
    tell("--help ...")
    figures["shardwise --help (s)"] = help_seconds()
    return figures


def main() -> None:
    figures = measure(lambda text: print(text, file=sys.stderr))
    print(f"{'figure':<45}{'measured':>10}{'bar':>8}{'ratio':>8}")
    for name, bar in BARS.items():
        value = figures[name]
        print(f"{name:<45}{value:>10.2f}{bar:>8g}{value / bar:>8.2f}")


if __name__ == "__main__":
    main()
