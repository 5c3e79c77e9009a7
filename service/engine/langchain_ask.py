"""Asks any OpenAI-compatible server through LangChain. No type of LangChain leaves this file.

Importing it takes seconds, so import it where an engine is made, not at the top of a module.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import httpx2
import openai
import stamina
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.outputs import ChatResult
from langchain_openai.chat_models.base import BaseChatOpenAI
from langsmith import tracing_context  # pyright: ignore[reportUnknownVariableType]
from pydantic import SecretStr

from service.engine.ask import FINISHED, Line, Reply, Role
from service.engine.dialect import Dialect, Method, after_objection
from service.engine.reasons import PASSING, Reason, reason_of, unavailable
from service.engine.refusals import body_text, refusal_of
from service.engine.transport import BodyTooLarge, make_client
from service.errors import EngineUnavailable
from service.prompting.form import Form

ATTEMPTS: Final = 3
# A server that wants a longer pause than this is not waited for, in seconds.
LONGEST_PAUSE: Final = 20.0
# Local servers take no key, but the client library insists on one.
NO_KEY: Final = "not-needed"
_ARGUMENTS: Final = "exact_arguments"
# The libraries' own errors, and what they let through on bytes that are no chat completion.
_FAILURES: Final = (
    openai.OpenAIError,
    httpx2.HTTPError,
    BodyTooLarge,
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)


class _ExactChat(BaseChatOpenAI):
    """Keeps a tool call's arguments as they were sent: parsing would hide a key given twice."""

    def _create_chat_result(
        self,
        response: dict[str, Any] | openai.BaseModel,
        generation_info: dict[str, Any] | None = None,
    ) -> ChatResult:
        result = super()._create_chat_result(response, generation_info)  # pyright: ignore[reportUnknownMemberType]
        choice: Any = cast("Any", response).choices[0]
        arguments = [call.function.arguments for call in choice.message.tool_calls or ()]
        result.generations[0].message.additional_kwargs[_ARGUMENTS] = arguments
        return result


class LangchainAsk:
    """One model of one server. Use it in one event loop and close it there.

    `seconds` bounds each exchange by the wall clock; `first_pause` is the wait in seconds before
    the second attempt. With `streaming` the reply comes in pieces, which keeps a slow model's
    connection alive through proxies that cut silent ones.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr | None,
        model: str,
        *,
        seconds: float,
        streaming: bool = False,
        first_pause: float = 0.5,
    ) -> None:
        _hush()
        self.dialect = Dialect()
        self._seconds = seconds
        self._streaming = streaming
        self._first_pause = first_pause
        self._client = make_client(base_url, seconds)
        self._chat = _ExactChat(
            model=model,
            base_url=base_url,
            api_key=api_key or SecretStr(NO_KEY),
            max_retries=0,
            timeout=seconds,
            cache=False,
            stream_chunk_timeout=seconds,
            http_async_client=self._client,
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    async def __call__(self, lines: Sequence[Line], form: Form) -> Reply:
        """Ask, and ask again after a passing fault: three attempts at most.

        Raises:
            EngineUnavailable: with its Reason; holds nothing of what the server said.
        """
        attempts = stamina.retry_context(
            on=_pause_after,
            attempts=ATTEMPTS,
            timeout=None,
            wait_initial=self._first_pause,
            wait_jitter=self._first_pause,
        )
        async for attempt in attempts:
            with attempt:
                return await self._negotiate(lines, form)
        raise unavailable(Reason.UNREACHABLE)

    async def _negotiate(self, lines: Sequence[Line], form: Form) -> Reply:
        """Ask in the server's dialect, leaving out what it objects to."""
        dialect = self.dialect
        while True:
            outcome = await self._exchange(dialect, lines, form)
            if isinstance(outcome, Reply):
                self.dialect = dialect
                return outcome
            changed = _changed(dialect, outcome)
            if changed is None:
                break
            dialect = changed
        # Raised outside of any handler, so that no traceback carries the server's words along.
        raise refusal_of(outcome)

    async def _exchange(
        self, dialect: Dialect, lines: Sequence[Line], form: Form
    ) -> Reply | Exception:
        try:
            async with asyncio.timeout(self._seconds):
                with tracing_context(enabled=False):
                    message = await self._message(dialect, lines, form)
                return _reply(message, dialect)
        except _FAILURES as error:
            return error

    async def _message(self, dialect: Dialect, lines: Sequence[Line], form: Form) -> AIMessage:
        fields = _library_fields(dialect.request(form))
        messages = _messages(lines, system_role=dialect.system_role)
        if not self._streaming:
            return await self._chat.ainvoke(messages, **fields)
        pieces = [
            piece
            async for piece in self._chat.astream(
                messages, stream_usage=dialect.stream_usage, **fields
            )
        ]
        return add_ai_message_chunks(pieces[0], *pieces[1:])


def _hush() -> None:
    """At DEBUG these write requests and replies, answers included, into the log."""
    for name in (
        "openai",
        "langchain",
        "langchain_core",
        "langchain_openai",
        "httpx2",
        "httpcore2",
    ):
        logging.getLogger(name).setLevel(logging.WARNING)


def _library_fields(fields: dict[str, object]) -> dict[str, Any]:
    """The form travels as extra body: given as an argument, the library would parse the reply."""
    extra = {name: value for name, value in fields.items() if name == "response_format"}
    known = {name: value for name, value in fields.items() if name not in extra}
    return {**known, "extra_body": extra} if extra else known


def _messages(lines: Sequence[Line], *, system_role: bool) -> list[BaseMessage]:
    """In the library's types; without a system role the rules open the first message."""
    if not system_role and len(lines) > 1 and lines[0].role is Role.SYSTEM:
        opening = Line(Role.USER, f"{lines[0].text}\n\n{lines[1].text}")
        lines = [opening, *lines[2:]]
    return [_MESSAGE_TYPES[line.role](content=line.text) for line in lines]


_MESSAGE_TYPES: Final[Mapping[Role, type[BaseMessage]]] = {
    Role.SYSTEM: SystemMessage,
    Role.USER: HumanMessage,
    Role.ASSISTANT: AIMessage,
}


def _reply(message: AIMessage, dialect: Dialect) -> Reply:
    """What the library made of the response, with the finish mark taken seriously."""
    finish = cast("object", message.response_metadata.get("finish_reason"))
    if finish == "content_filter" or message.additional_kwargs.get("refusal"):
        raise unavailable(Reason.FILTERED)
    text = str(message.text)
    arguments = _arguments(message) if dialect.method is Method.TOOLS else []
    if arguments and finish in ("tool_calls", FINISHED):
        text, finish = "\n".join(arguments), FINISHED
    model = cast("object", message.response_metadata.get("model_name"))
    usage = message.usage_metadata
    return Reply(
        text=text,
        finish=finish if isinstance(finish, str) else None,
        model=model if isinstance(model, str) else None,
        input_tokens=usage["input_tokens"] if usage else None,
        output_tokens=usage["output_tokens"] if usage else None,
    )


def _arguments(message: AIMessage) -> list[str]:
    if isinstance(message, AIMessageChunk):
        return [piece["args"] or "" for piece in message.tool_call_chunks]
    return cast("list[str]", message.additional_kwargs.get(_ARGUMENTS, []))


def _changed(dialect: Dialect, error: Exception) -> Dialect | None:
    if not isinstance(error, openai.APIStatusError):
        return None
    return after_objection(dialect, error.status_code, body_text(error))


def _pause_after(error: Exception) -> bool | float:
    """Seconds to wait before the next attempt, True for the usual pause, False for none."""
    if not isinstance(error, EngineUnavailable) or reason_of(error) not in PASSING:
        return False
    if error.retry_after is None:
        return True
    return error.retry_after <= LONGEST_PAUSE and max(error.retry_after, 0.1)
