"""Asking a real socket: dialects are found out, faults are named, and the key stays at home."""

import asyncio
import gzip
import json
import logging

import pytest
from pydantic import SecretStr

from service.domain.tasks import AnswerReading
from service.engine.ask import Line, Role
from service.engine.dialect import Method
from service.engine.langchain_ask import LangchainAsk
from service.engine.reasons import Reason, reason_of
from service.errors import EngineUnavailable
from service.prompting.form import reply_form

FORM = reply_form(AnswerReading)
LINES = [Line(Role.SYSTEM, "rules"), Line(Role.USER, "canary-of-the-answer")]
KEY = "sk-canary-of-the-key"


@pytest.fixture
async def asking(server):
    asks = []

    def make(*, seconds=2.0, streaming=False):
        ask = LangchainAsk(
            server.url, SecretStr(KEY), "m", seconds=seconds, streaming=streaming, first_pause=0.01
        )
        asks.append(ask)
        return ask

    yield make
    for ask in asks:
        await ask.aclose()


async def refused(ask):
    with pytest.raises(EngineUnavailable) as caught:
        await ask(LINES, FORM)
    return caught.value


async def test_a_reply_comes_with_model_finish_and_tokens(asking, server, wire):
    server.will(wire.served(wire.completion("hello")))
    reply = await asking()(LINES, FORM)
    assert (reply.text, reply.finish, reply.model) == ("hello", "stop", "served-model")
    assert (reply.input_tokens, reply.output_tokens) == (11, 7)


async def test_the_first_request_asks_for_the_form_by_json_schema(asking, server, wire):
    server.will(wire.served(wire.completion("{}")))
    await asking()(LINES, FORM)
    asked = server.asked[0]
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "canary-of-the-answer"},
    ]
    schema = asked.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["required"] == ["points", "misconceptions"]
    assert "maxLength" not in json.dumps(schema)
    assert asked.body["temperature"] == 0
    assert asked.body["max_tokens"] > 1_000


def tool_reply(wire, *arguments):
    calls = [
        {"id": f"t{n}", "type": "function", "function": {"name": "reply", "arguments": text}}
        for n, text in enumerate(arguments)
    ]
    return wire.served(wire.completion(None, "tool_calls", tool_calls=calls))


async def test_a_server_without_json_schema_is_asked_by_tools_and_remembered(asking, server, wire):
    ask = asking()
    server.will(
        wire.error(400, "This response_format type is unavailable now"),
        tool_reply(wire, '{"points": []}'),
    )
    first = await ask(LINES, FORM)
    await ask(LINES, FORM)
    assert (first.text, first.finish) == ('{"points": []}', "stop")
    assert ask.dialect.method is Method.TOOLS
    assert len(server.asked) == 3
    assert "response_format" not in server.asked[2].body
    assert server.asked[2].body["tool_choice"]["function"]["name"] == "reply"


async def test_a_server_with_neither_is_asked_in_plain_words(asking, server, wire):
    ask = asking()
    server.will(
        wire.error(500, "body.response_format.type: Input should be text"),
        wire.error(400, "this model does not support tools"),
        wire.served(wire.completion("{}")),
    )
    assert (await ask(LINES, FORM)).text == "{}"
    assert ask.dialect.method is Method.PLAIN
    assert set(server.asked[2].body) == {"model", "messages", "max_tokens", "temperature", "stream"}


async def test_other_names_and_limits_are_found_out_too(asking, server, wire):
    ask = asking()
    server.will(
        wire.error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
        wire.error(400, "Unsupported value: 'temperature' does not support 0"),
        wire.error(400, "System role not supported"),
        wire.served(wire.completion("{}")),
    )
    await ask(LINES, FORM)
    body = server.asked[3].body
    assert "max_tokens" not in body
    assert body["max_completion_tokens"] > 1_000
    assert "temperature" not in body
    assert body["messages"] == [{"role": "user", "content": "rules\n\ncanary-of-the-answer"}]


async def test_a_server_that_ignores_tools_is_still_heard(asking, server, wire):
    server.will(wire.error(400, "json_schema unknown"), wire.served(wire.completion('{"a": 1}')))
    assert (await asking()(LINES, FORM)).text == '{"a": 1}'


async def test_arguments_of_a_tool_are_not_parsed_on_the_way(asking, server, wire):
    server.will(wire.error(400, "json_schema unknown"), tool_reply(wire, '{"a": 1, "a": 5}'))
    assert (await asking()(LINES, FORM)).text == '{"a": 1, "a": 5}'


async def test_two_calls_of_a_tool_are_both_handed_on_to_be_refused(asking, server, wire):
    server.will(wire.error(400, "json_schema unknown"), tool_reply(wire, '{"a": 1}', '{"a": 5}'))
    assert (await asking()(LINES, FORM)).text == '{"a": 1}\n{"a": 5}'


@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (400, "bad", Reason.REFUSED),
        (400, "maximum context length is 4096 tokens", Reason.TOO_LONG),
        (400, "flagged by content_filter", Reason.FILTERED),
        (400, "Model does not exist", Reason.NOT_FOUND),
        (401, "bad key", Reason.KEY_REFUSED),
        (402, "Insufficient Balance", Reason.NO_CREDIT),
        (403, "no", Reason.KEY_REFUSED),
        (404, "no such model", Reason.NOT_FOUND),
        (409, "conflict", Reason.REFUSED),
        (413, "large", Reason.TOO_LONG),
        (429, "insufficient_quota", Reason.NO_CREDIT),
    ],
)
async def test_a_refusal_that_will_not_pass_is_named_and_not_repeated(
    asking, server, wire, status, text, reason
):
    server.will(wire.error(status, text))
    assert reason_of(await refused(asking())) is reason
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
async def test_a_passing_fault_is_tried_three_times(asking, server, wire, status):
    server.will(wire.error(status))
    reason = Reason.BUSY if status == 429 else Reason.SERVER_FAULT
    assert reason_of(await refused(asking())) is reason
    assert len(server.asked) == 3


async def test_a_second_attempt_may_succeed(asking, server, wire):
    server.will(wire.error(503), wire.served(wire.completion("late")))
    assert (await asking()(LINES, FORM)).text == "late"


async def test_a_short_pause_is_kept_and_a_long_one_not_waited_for(asking, server, wire):
    loop = asyncio.get_running_loop()
    server.will(wire.error(429, retry_after="0.3"), wire.served(wire.completion("x")))
    begun = loop.time()
    await asking()(LINES, FORM)
    assert loop.time() - begun >= 0.3
    server.asked.clear()
    server.will(wire.error(429, retry_after="3600"))
    error = await refused(asking())
    assert (reason_of(error), error.retry_after) == (Reason.BUSY, 3600.0)
    assert len(server.asked) == 1


async def test_a_pause_given_as_a_date_is_understood(asking, server, wire):
    server.will(
        wire.error(
            503,
            date="Mon, 30 Nov 2026 10:00:00 GMT",
            retry_after="Mon, 30 Nov 2026 10:01:00 GMT",
        )
    )
    assert (await refused(asking())).retry_after == 60.0


BROKEN = {
    "html": lambda w: w.served(b"<html>502</html>", content_type="text/html"),
    "empty": lambda w: w.served(b""),
    "half": lambda w: w.served(b'{"choices": ['),
    "bad utf-8": lambda w: w.served(b'{"choices":[{"message":{"content":"\xff\xfe"}}]}'),
    "list": lambda w: w.served([1, 2]),
    "number": lambda w: w.served(b"7"),
    "null": lambda w: w.served(b"null"),
    "no choices": lambda w: w.served({"id": "c", "object": "chat.completion"}),
    "empty choices": lambda w: w.served(w.completion("x") | {"choices": []}),
    "null choices": lambda w: w.served(w.completion("x") | {"choices": None}),
    "text choices": lambda w: w.served(w.completion("x") | {"choices": "abc"}),
    "no message": lambda w: w.served(w.completion("x") | {"choices": [{"index": 0}]}),
    "error with 200": lambda w: w.served({"error": {"message": "overloaded"}}),
    "deep": lambda w: w.served(b"[" * 100_000),
    "huge": lambda w: w.served(json.dumps(w.completion("x")).encode() + b" " * 5_000_000),
    "packed": lambda w: w.served(gzip.compress(b"{}"), content_encoding="gzip"),
}


@pytest.mark.parametrize("name", list(BROKEN))
async def test_bytes_that_are_no_completion_are_refused_at_once(asking, server, wire, name):
    server.will(BROKEN[name](wire))
    assert reason_of(await refused(asking())) is Reason.GARBLED
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("finish", "message"), [("content_filter", {}), ("stop", {"refusal": "I cannot do that"})]
)
async def test_a_declined_text_is_named_and_not_repeated(asking, server, wire, finish, message):
    server.will(wire.served(wire.completion("", finish, **message)))
    assert reason_of(await refused(asking())) is Reason.FILTERED
    assert len(server.asked) == 1


async def test_a_torn_connection_is_tried_again_and_then_named(asking, server, wire):
    server.will(wire.raw(abort=True, head=False))
    assert reason_of(await refused(asking())) is Reason.UNREACHABLE
    assert len(server.asked) == 3


async def test_a_body_shorter_than_promised_is_no_reply(asking, server, wire):
    short = wire.served(wire.completion("hello"))
    short.length += 10
    server.will(short)
    assert reason_of(await refused(asking())) is Reason.UNREACHABLE


async def test_nobody_listening_is_unreachable(server, wire):
    ask = LangchainAsk("http://127.0.0.1:9/v1", None, "m", seconds=2.0, first_pause=0.01)
    assert reason_of(await refused(ask)) is Reason.UNREACHABLE
    await ask.aclose()


@pytest.mark.parametrize("dripping", [False, True])
async def test_a_silent_or_dripping_server_is_left_at_the_deadline(asking, server, wire, dripping):
    drops = [b"{", *[b" "] * 40] if dripping else []
    server.will(wire.raw(drops or [b""], pause=0.1 if dripping else 4.0, length=9_999))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    assert reason_of(await refused(asking(seconds=0.5))) is Reason.TIMEOUT
    assert loop.time() - begun < 1.5
    assert len(server.asked) == 1


async def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(asking, server, wire):
    strangers = []

    async def stranger(reader, writer):
        strangers.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    listening = await asyncio.start_server(stranger, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    for status in (301, 302, 307, 308):
        server.will(wire.served(b"", status, location=f"http://127.0.0.1:{port}/v1/chat"))
        assert reason_of(await refused(asking())) is Reason.REDIRECTED
    listening.close()
    assert strangers == []


async def test_a_finished_stream_is_a_reply(asking, server, wire):
    server.will(wire.stream(wire.chunk('{"a"'), wire.chunk(": 中}"), wire.chunk("", "stop")))
    reply = await asking(streaming=True)(LINES, FORM)
    assert (reply.text, reply.finish) == ('{"a": 中}', "stop")
    assert server.asked[0].body["stream_options"] == {"include_usage": True}


async def test_a_stream_in_pieces_of_one_byte_is_the_same_reply(asking, server, wire):
    whole = wire.stream(b": keep-alive\n\n", wire.chunk("中文"), wire.chunk("", "stop"))
    whole.pieces = [bytes([byte]) for piece in whole.pieces for byte in piece]
    server.will(whole)
    assert (await asking(streaming=True)(LINES, FORM)).text == "中文"


async def test_a_stream_cut_in_the_middle_is_not_finished(asking, server, wire):
    server.will(wire.stream(wire.chunk('{"a"'), wire.chunk(": 3}"), done=False))
    assert (await asking(streaming=True)(LINES, FORM)).finish is None


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'data: {"choices": [\n\n', Reason.GARBLED),
        (b'data: {"error": {"message": "overloaded"}}\n\n', Reason.SERVER_FAULT),
    ],
)
async def test_a_broken_stream_is_no_reply(asking, server, wire, bad, reason):
    server.will(wire.stream(wire.chunk("x"), bad))
    assert reason_of(await refused(asking(streaming=True))) is reason


async def test_a_stalled_stream_is_left_at_the_deadline(asking, server, wire):
    server.will(wire.stream(wire.chunk("x"), wire.chunk("y"), pause=3.0))
    assert reason_of(await refused(asking(streaming=True, seconds=0.5))) is Reason.TIMEOUT


async def test_tools_work_in_streams_too(asking, server, wire):
    def call(text):
        function = {"name": "reply", "arguments": text}
        return [{"index": 0, "id": "t", "type": "function", "function": function}]

    server.will(
        wire.error(400, "json_schema unknown"),
        wire.stream(
            wire.chunk(None, tool_calls=call('{"a": 1,')),
            wire.chunk(None, tool_calls=call(' "a": 5}')),
            wire.chunk(None, "tool_calls"),
        ),
    )
    reply = await asking(streaming=True)(LINES, FORM)
    assert (reply.text, reply.finish) == ('{"a": 1, "a": 5}', "stop")


async def test_fifty_requests_at_once_each_get_their_own_reply(asking, server, wire):
    def echo(request):
        return wire.served(wire.completion(request.body["messages"][-1]["content"]))

    server.will(echo)
    ask = asking(seconds=20.0)
    words = [f"canary-{n}" for n in range(50)]
    replies = await asyncio.gather(*(ask([Line(Role.USER, word)], FORM) for word in words))
    assert [reply.text for reply in replies] == words


async def test_neither_errors_nor_logs_hold_key_answer_or_the_servers_words(
    asking, server, wire, caplog, capsys
):
    caplog.set_level(logging.DEBUG)
    server.will(wire.error(503, "canary-of-the-server"))
    error = await refused(asking())
    seen = [caplog.text, *capsys.readouterr()]
    while error is not None:
        seen += [str(error), repr(error)]
        error = error.__cause__ or error.__context__
    assert "canary" not in "".join(seen)
