"""Single requests to a model server, for finding out what is wrong with it."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, cast

import httpx2
from pydantic import BaseModel, Field, SecretStr, ValidationError

from service.engine.ask import FINISHED, Reply
from service.engine.dialect import Dialect, Method, after_objection
from service.engine.reasons import Reason
from service.engine.refusals import MOST_TEXT, connection_reason, status_reason
from service.engine.transport import BodyTooLarge
from service.prompting.form import Form

# Enough for a short reply of a model that thinks first.
PROBE_TOKENS: Final = 1_000
_OK: Final = 200
_FAILURES: Final = (httpx2.HTTPError, BodyTooLarge, OSError, ValueError, LookupError, TypeError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back. `text` is looked at and never shown; `body` is empty when it was no JSON."""

    reason: Reason | None = None
    status: int | None = None
    body: Mapping[str, object] = field(default_factory=dict[str, object])
    text: str = ""
    location: str = ""
    dialect: Dialect = field(default_factory=Dialect)
    milliseconds: float = 0.0


class Probe:
    """`seconds` bounds each request by the wall clock."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        base_url: str,
        api_key: SecretStr | None,
        model: str,
        *,
        seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._seconds = seconds
        self._clock = clock
        secret = api_key.get_secret_value() if api_key else ""
        self._headers = {"Authorization": f"Bearer {secret}"} if secret else {}

    async def get(self, path: str) -> Outcome:
        """GET below the base address."""
        return await self._send("GET", f"{self._base_url}{path}", None)

    async def chat(self, dialect: Dialect, form: Form, text: str) -> Outcome:
        """One chat completion, leaving out what the server objects to but keeping the method."""
        while True:
            body = self._body(dialect, form, text)
            outcome = await self._send("POST", f"{self._base_url}/chat/completions", body)
            changed = after_objection(dialect, outcome.status or 0, outcome.text)
            if changed is None or changed.method is not dialect.method:
                return replace(outcome, dialect=dialect)
            dialect = changed

    async def stream(self, dialect: Dialect, text: str) -> Outcome:
        """One streamed completion; the body says how it ended: finish, usage, pieces."""
        body = self._body(dialect, {}, text) | {"stream": True}
        if dialect.stream_usage:
            body["stream_options"] = {"include_usage": True}
        try:
            async with asyncio.timeout(self._seconds):
                return await self._pieces(body)
        except _FAILURES as error:
            return Outcome(reason=connection_reason(error))

    def _body(self, dialect: Dialect, form: Form, text: str) -> dict[str, object]:
        fields = dialect.request(form)
        if dialect.token_field:
            fields[dialect.token_field] = PROBE_TOKENS
        return {"model": self._model, "messages": [{"role": "user", "content": text}], **fields}

    async def _send(self, verb: str, url: str, body: dict[str, object] | None) -> Outcome:
        begun = self._clock()
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._client.request(verb, url, json=body, headers=self._headers)
        except _FAILURES as error:
            return Outcome(reason=connection_reason(error))
        return _outcome(response, (self._clock() - begun) * 1_000)

    async def _pieces(self, body: dict[str, object]) -> Outcome:
        seen: dict[str, object] = {"pieces": 0, "finish": None, "usage": False}
        url = f"{self._base_url}/chat/completions"
        async with self._client.stream("POST", url, json=body, headers=self._headers) as response:
            if response.status_code != _OK:
                await response.aread()
                return _outcome(response, 0.0)
            async for line in response.aiter_lines():
                _note_piece(seen, line)
        return Outcome(status=_OK, body=seen)


def _note_piece(seen: dict[str, object], line: str) -> None:
    data = line.removeprefix("data:").strip()
    if not line.startswith("data:") or data == "[DONE]":
        return
    piece = json.loads(data)
    seen["pieces"] = cast("int", seen["pieces"]) + 1
    seen["usage"] = bool(seen["usage"] or piece.get("usage"))
    for choice in piece.get("choices") or ():
        seen["finish"] = choice.get("finish_reason") or seen["finish"]


def _outcome(response: httpx2.Response, milliseconds: float) -> Outcome:
    text = response.text[:MOST_TEXT]
    status = response.status_code
    if not _OK <= status < 300:  # noqa: PLR2004 - the range of success
        reason = status_reason(status, text)
        return Outcome(reason, status, text=text, location=response.headers.get("location", ""))
    try:
        body: object = json.loads(response.text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return Outcome(Reason.GARBLED, status, text=text, milliseconds=milliseconds)
    found = cast("dict[str, object]", body)
    return Outcome(None, status, found, text, milliseconds=milliseconds)


class _Function(BaseModel):
    arguments: str


class _Call(BaseModel):
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(BaseModel):
    """As much of a chat completion as matters here."""

    choices: list[_Choice] = Field(min_length=1)
    model: str | None = None
    usage: _Usage | None = None


def reply_in(outcome: Outcome) -> Reply | None:
    """The reply of a chat completion; None when the body is of another shape."""
    try:
        completion = _Completion.model_validate(outcome.body)
    except ValidationError:
        return None
    choice, usage = completion.choices[0], completion.usage or _Usage()
    calls = choice.message.tool_calls if outcome.dialect.method is Method.TOOLS else None
    return Reply(
        text=calls[0].function.arguments if calls else choice.message.content or "",
        finish=FINISHED if calls else choice.finish_reason,
        model=completion.model,
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
    )
