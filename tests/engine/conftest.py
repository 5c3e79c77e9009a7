"""A scripted model server on loopback, and a scripted ask for everything above the wire."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from service.domain.language import Lang
from service.domain.tasks import AskedMisconception, AskedPoint, PhraseMove, ReadAnswer
from service.engine.ask import Reply
from service.prompting.load import load_prompts

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
ANSWER = "Stage one shards the optimizer states. Every GPU keeps full parameters."


def completion(content, finish="stop", **message):
    """The body of a chat completion; further keys go into the message."""
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def chunk(text, finish=None, **delta):
    choice = {"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}
    body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "served-model"}
    return body | {"choices": [choice]}


@dataclass
class Served:
    """One answer of the server: `pieces` go out one by one, `pause` seconds apart."""

    pieces: list[bytes] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    abort: bool = False  # the connection is torn after the last piece
    length: int | None = None  # a Content-Length that need not be true; None closes the body
    head: bool = True  # whether anything is said at all


def served(body, status=200, **headers):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Served([raw], status, {"content-type": "application/json"} | named, length=len(raw))


def error(status, text="injected", **headers):
    return served({"error": {"message": text, "type": "x", "code": str(status)}}, status, **headers)


def stream(*chunks, done=True, abort=False, pause=0.0):
    pieces = [c if isinstance(c, bytes) else f"data: {json.dumps(c)}\n\n".encode() for c in chunks]
    pieces += [b"data: [DONE]\n\n"] if done else []
    return Served(pieces, headers={"content-type": "text/event-stream"}, abort=abort, pause=pause)


@dataclass
class Asked:
    """A request as the server saw it."""

    verb: str
    path: str
    headers: dict[str, str]
    body: dict[str, object]


class ModelServer:
    """Answers with the scripted answers in turn; the last one stays.

    An answer may be a function of the request.
    """

    def __init__(self):
        self.asked = []
        self.script = []
        self.port = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def will(self, *answers):
        self.script = list(answers)
        return self

    async def handle(self, reader, writer):
        try:
            await self._answer(writer, await _read_request(reader))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, writer, request):
        self.asked.append(request)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if callable(answer):
            answer = answer(request)
        assert isinstance(answer, Served)
        if answer.head:
            writer.write(_head(answer))
        for piece in answer.pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(answer.pause)
        if answer.abort:
            writer.transport.abort()


async def _read_request(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    verb, path, _ = first.split()
    return Asked(verb, path, headers, json.loads(raw) if raw else {})


def _head(answer):
    lines = [f"HTTP/1.1 {answer.status} Scripted", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    lines += [f"Content-Length: {answer.length}"] if answer.length is not None else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    model_server = ModelServer()
    listening = await asyncio.start_server(model_server.handle, "127.0.0.1", 0)
    model_server.port = listening.sockets[0].getsockname()[1]
    yield model_server
    listening.close()


class ScriptedAsk:
    """Gives the scripted replies or raises the scripted errors, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    async def __call__(self, lines, form):  # noqa: ARG002 - the port has it
        self.asked.append(list(lines))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else Reply(reply, "stop", "served-model", 11, 7)


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture(scope="session")
def prompts():
    return load_prompts(PROMPTS)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def scripted():
    return ScriptedAsk


@pytest.fixture
def read_task():
    return ReadAnswer(
        lang=Lang.EN,
        question_id="zero-stages",
        question="Walk me through ZeRO.",
        points=(
            AskedPoint(id="s1", text="Stage 1 shards optimizer states"),
            AskedPoint(id="m1", text="Full parameters on every GPU"),
        ),
        misconceptions=(AskedMisconception(id="M07", belief="It is TP", correction="It is DP"),),
        passages=(),
        numbers=(),
        answer=ANSWER,
    )


@pytest.fixture
def phrase_task():
    return PhraseMove(
        lang=Lang.EN,
        move="expand",
        question="Walk me through ZeRO-3.",
        answer=ANSWER,
        quote="keeps full parameters",
        asks_about="what happens to the parameters in the last stage",
        variant=1,
    )


GOOD_READING = {
    "points": [
        {"id": "s1", "verdict": "met", "quote": "shards the optimizer states"},
        {"id": "m1", "verdict": "missed", "quote": ""},
    ],
    "misconceptions": [],
}
GOOD_PHRASE = {
    "text": 'You said each GPU "keeps full parameters"; what happens to them in the last stage?'
}


@pytest.fixture
def good_reading():
    return json.dumps(GOOD_READING)


@pytest.fixture
def good_phrase():
    return json.dumps(GOOD_PHRASE)


@pytest.fixture
def wire():
    """The builders of server answers, by name."""

    class Wire:
        completion = staticmethod(completion)
        chunk = staticmethod(chunk)
        served = staticmethod(served)
        error = staticmethod(error)
        stream = staticmethod(stream)
        raw = Served

    return Wire
