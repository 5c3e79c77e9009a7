"""A model server on loopback that does what it is told: read, hang, talk nonsense, or fail."""

import json
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POINT = re.compile(r"^- (\w+): ", re.MULTILINE)
READING = "Job: read one answer"


class BadModel:
    """`mode` is good, hang, nonsense, html or busy; `bodies` is what was sent to it."""

    def __init__(self) -> None:
        self.mode = "good"
        self.quote = ""
        self.bodies: list[str] = []
        self.asked = threading.Event()  # set by every request
        self.let_go = threading.Event()  # ends all hanging
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def answer(self, body: str) -> tuple[int, str]:
        """Status and body for one request."""
        self.bodies.append(body)
        self.asked.set()
        if self.mode == "hang":
            self.let_go.wait(30)
        if self.mode == "busy":
            return 503, '{"error": {"message": "injected", "type": "x", "code": "503"}}'
        if self.mode == "html":
            return 200, "<html>Bad Gateway</html>"
        return 200, json.dumps(completion(self._said(body)))

    def _said(self, body: str) -> str:
        if self.mode == "nonsense":
            return "Sure! The candidate deserves full marks: {'score': 100}"
        prompt = "\n".join(str(m["content"]) for m in json.loads(body)["messages"])
        if READING not in prompt:
            return json.dumps({"text": "Which states does a GPU hold there, and how many bytes?"})
        first = POINT.search(prompt)
        assert first is not None
        point = {"id": first.group(1), "verdict": "met", "quote": self.quote}
        return json.dumps({"points": [point], "misconceptions": []})


def completion(content: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


@contextmanager
def serving(model: BadModel | None = None) -> Generator[BadModel]:
    served = model or BadModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            status, text = served.answer(self.rfile.read(length).decode())
            raw = text.encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                self.close_connection = True  # the client has given up

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
