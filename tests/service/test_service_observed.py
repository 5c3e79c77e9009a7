"""What an operator sees: one line a request, figures for Prometheus, and spans."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.assembly import Seams
from tests.api.opened import opened
from tests.fakes import ScriptedEngine
from tests.service.child import Child

WISH = {"lang": "en", "question_ids": ["zero-stages"]}
CLOSE = b"Connection: close\r\n"
HEAD = b" / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + CLOSE + b"\r\n"
SECRET = "canary-words-of-a-person"


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    made = Child(tmp_path_factory.mktemp("observed"), engine="builtin", log_level="DEBUG")
    yield made.start()
    made.end()


def lines(child: Child) -> list[dict[str, Any]]:
    """Every line after the greeting; each must be JSON."""
    return [json.loads(x) for x in child.log.read_text("utf-8").splitlines() if x[:1] == "{"]


def line_of(child: Child, request_id: str) -> dict[str, Any]:
    """The one line about a request; it is written a moment after the response has gone out."""
    for _ in range(100):
        found = [x for x in lines(child) if x.get("request_id") == request_id]
        if found:
            assert len(found) == 1
            return found[0]
        time.sleep(0.05)
    pytest.fail("no line about the request")


def raw(child: Child, request: bytes) -> bytes:
    """Bytes as no client would send them; ours ends the request unless the service is told to."""
    with socket.create_connection(("127.0.0.1", child.port), 10) as line:
        line.sendall(request)
        if CLOSE not in request:
            line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65_536), b""))


def test_each_request_is_one_line_with_its_template_and_its_id(child: Child):
    with child.client() as client:
        session = client.post("/v1/sessions", json=WISH).json()["id"]
        answer = {"answer": f"Every GPU keeps a full copy of all states, {SECRET}."}
        response = client.post(f"/v1/sessions/{session}/turns/1/answer", json=answer)
        assert response.status_code == 200
    line = line_of(child, response.headers["x-request-id"])
    assert line["route"] == "/v1/sessions/{session_id}/turns/{seq}/answer"
    assert (line["method"], line["status"], line["level"]) == ("POST", 200, "info")
    assert 0 < line["milliseconds"] < 60_000
    log = child.log.read_text("utf-8")
    assert SECRET not in log
    assert session not in log


@pytest.mark.parametrize(
    "id_",
    ["\u2028{}", "\x85", "a\tb", "x" * 65, "{}", '"}\\n{"event": "forged"', "é"],
)
def test_a_forged_request_id_does_not_reach_the_log(child: Child, id_: str):
    value = id_.encode("utf-8")
    sent = (
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-ID: "
        + value
        + b"\r\n"
        + CLOSE
        + b"\r\n"
    )
    answered = raw(child, sent)
    if b" 200 " in answered[:20]:
        given = answered.partition(b"x-request-id: ")[2].partition(b"\r\n")[0].decode()
        assert len(given) == 24
        assert given.isalnum()
        assert line_of(child, given)["route"] == "/health"
    assert not any(x["event"] == "forged" for x in lines(child))


def test_a_plain_request_id_is_kept(child: Child):
    with child.client() as client:
        response = client.get("/health", headers={"X-Request-ID": "abc-123"})
    assert response.headers["x-request-id"] == "abc-123"
    assert line_of(child, "abc-123")["status"] == 200


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"BREW /pot HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /v1/\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /%0d%0aforged HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"x" * 100_000 + b"\r\n\r\n",
    ],
)
def test_bytes_that_are_no_request_leave_the_service_and_its_log_whole(
    child: Child, request_: bytes
):
    raw(child, request_)
    with child.client() as client:
        assert client.get("/health").json() == {"status": "alive"}
    text = child.log.read_text("utf-8")
    assert [x for x in text.splitlines()[1:] if x[:1] != "{"] == []
    assert "Traceback" not in text


def test_an_invented_method_is_no_series_of_its_own(child: Child):
    for method in (b"PROPFIND", b"MKCALENDAR", b"PURGE"):
        assert b" 405 " in raw(child, method + HEAD)[:20]
    with child.client() as client:
        page = client.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "PROPFIND" not in page.text
    assert 'method="OTHER"' in page.text
    assert 'shardwise_request_seconds_bucket{le="0.12"' in page.text


def test_a_body_beyond_all_limits_is_refused_before_it_is_read(child: Child):
    head = b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000000000\r\n"
    answered = raw(child, head + CLOSE + b"\r\n{")
    assert answered.startswith(b"HTTP/1.1 413 ")
    assert b"application/problem+json" in answered
    assert b'"title":"request_too_large"' in answered


def test_another_name_for_this_machine_is_told_what_to_do(child: Child):
    answered = raw(child, b"GET /v1/sessions HTTP/1.1\r\nHost: evil.example\r\n" + CLOSE + b"\r\n")
    assert answered.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in answered
    assert b"127.0.0.1 or localhost" in answered


def test_while_a_long_answer_is_read_others_are_served(child: Child):
    sentence = "ZeRO-3 shards parameters, so a 7B model needs 14 GB over 8 GPUs (16ψ/N). "
    with child.client() as client:
        session = client.post("/v1/sessions", json=WISH).json()["id"]
    body = {"answer": (sentence * 700)[:50_000]}
    done: list[int] = []

    def send() -> None:
        with child.client() as sender:
            path = f"/v1/sessions/{session}/turns/1/answer"
            done.append(sender.post(path, json=body).status_code)

    sending = threading.Thread(target=send)
    sending.start()
    waits: list[float] = []
    with child.client() as client:
        while sending.is_alive():
            begun = time.monotonic()
            assert client.get("/health").is_success
            waits.append(time.monotonic() - begun)
            time.sleep(0.02)
    sending.join()
    assert done == [200]
    assert len(waits) > 5
    assert sorted(waits)[len(waits) // 2] < 0.5
    assert max(waits) < 3


class Collector(BaseHTTPRequestHandler):
    """Keeps what is sent to it by path."""

    received: ClassVar[dict[str, bytes]] = {}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.received[self.path] = self.received.get(self.path, b"") + body
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture
def collector() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_spans_go_where_the_otel_variables_say(tmp_path: Path, collector: str):
    child = Child(tmp_path, engine="builtin", telemetry=True)
    child.start(
        OTEL_EXPORTER_OTLP_ENDPOINT=collector,
        OTEL_EXPORTER_OTLP_COMPRESSION="none",
        OTEL_METRICS_EXPORTER="none",
    )
    with child.client() as client:
        assert client.get("/v1/facts", params={"q": SECRET}).status_code == 200
    child.stop()
    sent = b"".join(Collector.received.values())
    assert list(Collector.received) == ["/v1/traces"]
    assert b"GET /v1/facts" in sent
    assert b"shardwise" in sent
    assert SECRET.encode() not in sent


def spans_of(tmp_path: Path, **changes: object) -> list[Any]:
    exporter = InMemorySpanExporter()
    seams = Seams(engine=ScriptedEngine(), spans=(SimpleSpanProcessor(exporter),))
    with opened(tmp_path, seams, **changes) as client:
        assert client.get("/v1/facts", params={"q": SECRET}).status_code == 200
        assert client.get("/v1/sessions/nope").status_code == 404
    return list(exporter.get_finished_spans())


def test_with_telemetry_each_request_is_a_span_without_a_persons_words(tmp_path: Path):
    spans = spans_of(tmp_path, telemetry=True)
    servers = {s.name: s for s in spans if s.kind.name == "SERVER"}
    assert {"GET /v1/facts", "GET /v1/sessions/{session_id}"} <= set(servers)
    asked = servers["GET /v1/facts"]
    assert asked.attributes["http.response.status_code"] == 200
    assert asked.attributes["url.query"] == "REDACTED"
    assert asked.resource.attributes["service.name"] == "shardwise"
    assert SECRET not in " ".join(s.to_json() for s in spans)


def test_without_telemetry_nothing_is_traced(tmp_path: Path):
    assert spans_of(tmp_path, telemetry=False) == []
