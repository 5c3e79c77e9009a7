"""The doctor names what is wrong, says what to do, and keeps the key to itself."""

import asyncio
import json
import time

import pytest
from pydantic import SecretStr

from service.engine.doctor import examine, reachable
from service.engine.step import State
from service.engine.way import examine_address, examine_way

KEY = SecretStr("sk-canary-of-the-key")


async def seen(url, model: str | None = "m", key=KEY, seconds=1.0):
    steps = await examine(url, key, model, seconds=seconds, clock=time.monotonic)
    assert "canary" not in repr(steps)
    return {step.name: step for step in steps}


def listing(wire, *names):
    return wire.served({"object": "list", "data": [{"id": name} for name in names]})


def well(wire, *names):
    """A server that can do everything and offers `names`."""

    def answer(request):
        if request.verb == "GET":
            return listing(wire, *names)
        if request.body.get("stream"):
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            last = {**wire.chunk("", "stop"), "usage": usage}
            return wire.stream(wire.chunk("ready"), last)
        if "tools" in request.body:
            function = {"name": "reply", "arguments": '{"ready": true}'}
            calls = [{"id": "t", "type": "function", "function": function}]
            return wire.served(wire.completion(None, "tool_calls", tool_calls=calls))
        asked = request.body["messages"][0]["content"]
        known = "code word is kestrel-4821" in asked
        return wire.served(wire.completion("kestrel-4821" if known else '{"ready": true}'))

    return answer


async def test_without_a_model_there_is_nothing_to_examine():
    steps = await seen(None, model=None)
    assert steps["settings"].state is State.SKIPPED
    assert "built-in engine" in str(steps["settings"].found)


async def test_a_good_server_passes_every_step(server, wire):
    server.will(well(wire, "m", "n"))
    steps = await seen(server.url)
    assert list(steps) == ["address", "way", "models", "chat", "usage", "form", "length", "stream"]
    assert {step.state for step in steps.values()} == {State.OK}
    assert str(steps["form"].found) == "The form is kept by: json_schema, tools, plain."
    assert reachable(tuple(steps.values()))


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("localhost:8000/v1", "not an http"),
        ("ftp://localhost/v1", "not an http"),
        ("http://", "not an http"),
        (" http://localhost/v1", "not an http"),
        ("http://localhost:99999/v1", "not an http"),
        ("https://host/v1/chat/completions", "one operation"),
        ("https://host/v1/models/", "one operation"),
        ("https://user:pw@host/v1", "more than scheme"),
        ("https://host/v1?key=x", "more than scheme"),
    ],
)
def test_an_address_that_cannot_be_right_is_refused_unsent(url, part):
    step = examine_address(url, KEY)
    assert step.state is State.FAILED
    assert part in str(step.found)
    assert step.advice


def test_a_key_over_plain_http_is_warned_of_except_on_this_machine():
    assert examine_address("http://10.1.2.3/v1", KEY).state is State.WARNING
    assert examine_address("http://10.1.2.3/v1", None).state is State.OK
    assert examine_address("http://127.0.0.1:8000/v1", KEY).state is State.OK
    assert examine_address("http://[::1]:8000/v1", KEY).state is State.OK


async def test_nobody_listening_is_said_with_the_port():
    steps = await seen("http://127.0.0.1:9/v1")
    assert str(steps["way"].found) == "Nothing listens on port 9 of 127.0.0.1."
    assert not reachable(tuple(steps.values()))


async def test_an_unknown_name_is_said():
    step = await examine_way("http://no-such-host.invalid/v1", 2.0)
    assert str(step.found) == "No machine is known by the name no-such-host.invalid."
    step = await examine_way(f"http://{'a' * 70}.invalid/v1", 2.0)
    assert "No machine is known" in str(step.found)


async def test_https_towards_a_plain_server_is_said(server, wire):
    server.will(wire.error(400))
    step = await examine_way(server.url.replace("http:", "https:"), 0.3)
    assert "does not speak https" in str(step.found)
    assert "http://" in str(step.advice)


async def test_a_refused_key_is_said(server, wire):
    server.will(wire.error(401))
    steps = await seen(server.url)
    assert list(steps)[-1] == "models"
    assert "refuses the API key" in str(steps["models"].found)


async def test_an_unknown_model_is_told_from_a_wrong_path_and_near_names_are_shown(server, wire):
    server.will(listing(wire, "qwen3-8b", "qwen3-14b", "llama"), wire.error(404, "no such model"))
    steps = await seen(server.url, model="qwen3-8")
    assert steps["models"].state is State.WARNING
    assert "does not answer as qwen3-8" in str(steps["chat"].found)
    assert "qwen3-8b" in str(steps["chat"].advice)


async def test_a_missing_version_in_the_path_is_found_by_trying(server, wire):
    good = well(wire, "m")

    def only_below_v1(request):
        return good(request) if request.path.startswith("/v1/") else wire.error(404)

    server.will(only_below_v1)
    steps = await seen(server.url.removesuffix("/v1"))
    assert str(steps["chat"].advice) == f"Set OPENAI_BASE_URL to {server.url}."


async def test_a_web_page_at_the_address_is_said(server, wire):
    server.will(wire.served(b"<html>hello</html>", content_type="text/html"))
    steps = await seen(server.url)
    assert "not a chat completion" in str(steps["chat"].found)


async def test_a_redirect_is_shown_by_its_host_only(server, wire):
    server.will(wire.served(b"", 307, location="https://other.example/canary?x=1"))
    steps = await seen(server.url)
    assert str(steps["chat"].advice) == (
        "It points to https://other.example; if that is right, use it."
    )


@pytest.mark.parametrize(
    ("status", "text", "part"),
    [
        (402, "Insufficient Balance", "no credit"),
        (429, "slow", "slow down"),
        (500, "canary", "fault of its own"),
        (403, "no", "refuses the API key"),
        (400, "maximum context length", "longer than"),
    ],
)
async def test_each_refusal_has_its_words_and_an_advice(server, wire, status, text, part):
    server.will(listing(wire, "m"), wire.error(status, text))
    steps = await seen(server.url)
    assert part in str(steps["chat"].found)
    assert steps["chat"].advice


async def test_silence_is_said_within_the_time(server, wire):
    server.will(wire.raw([b""], pause=3.0, head=False))
    begun = asyncio.get_running_loop().time()
    steps = await seen(server.url, seconds=0.3)
    assert "in time" in str(steps["chat"].found)
    assert asyncio.get_running_loop().time() - begun < 2.0


async def test_a_model_that_cannot_keep_the_form_is_no_use(server, wire):
    server.will(listing(wire, "m"), wire.served(wire.completion("I am ready!")))
    steps = await seen(server.url)
    assert steps["chat"].state is State.OK
    assert steps["form"].state is State.FAILED


async def test_the_methods_that_work_are_named(server, wire):
    good = well(wire, "m")

    def no_schema(request):
        if "response_format" in request.body:
            return wire.error(400, "response_format unavailable")
        return good(request)

    server.will(no_schema)
    steps = await seen(server.url)
    assert str(steps["form"].found) == "The form is kept by: tools, plain."


async def test_an_answer_that_takes_half_the_deadline_is_warned_of(server, wire):
    good = well(wire, "m")

    def slow(request):
        answer = good(request)
        answer.pause = 0.0 if request.verb == "GET" else 0.3
        answer.pieces.insert(0, b"")
        return answer

    server.will(slow)
    steps = await seen(server.url, seconds=0.5)
    assert steps["chat"].state is State.WARNING
    assert "SHARDWISE_MODEL_SECONDS" in str(steps["chat"].advice)


async def test_a_long_text_that_takes_too_long_is_warned_of(server, wire):
    good = well(wire, "m")

    def slow_reader(request):
        answer = good(request)
        if request.body and len(request.body["messages"][0]["content"]) > 8_000:
            answer.pause = 2.0
            answer.pieces.insert(0, b"")
        return answer

    server.will(slow_reader)
    steps = await seen(server.url, seconds=0.5)
    assert steps["length"].state is State.WARNING
    assert "longer than the deadline" in str(steps["length"].found)


async def test_a_server_that_cannot_stream_is_warned_of(server, wire):
    good = well(wire, "m")

    def no_streams(request):
        return wire.error(400, "no streams") if request.body.get("stream") else good(request)

    server.will(no_streams)
    steps = await seen(server.url)
    assert steps["stream"].state is State.WARNING


async def test_a_server_that_cuts_long_texts_at_the_front_is_warned_of(server, wire):
    good = well(wire, "m")

    def forgetful(request):
        for message in request.body.get("messages", ()):
            message["content"] = message["content"][-8_000:]
        return good(request)

    server.will(forgetful)
    steps = await seen(server.url)
    assert steps["length"].state is State.WARNING
    assert "context length" in str(steps["length"].advice)
    assert len(server.asked[-2].body["messages"][0]["content"]) == 8_000


async def test_missing_usage_and_cut_streams_are_warned_of(server, wire):
    good = well(wire, "m")

    def poor(request):
        if request.body and request.body.get("stream"):
            return wire.stream(wire.chunk("rea"), done=False)
        answer = good(request)
        body = json.loads(answer.pieces[0])
        body.pop("usage", None)
        return wire.served(body)

    server.will(poor)
    steps = await seen(server.url)
    assert steps["usage"].state is State.WARNING
    assert steps["stream"].state is State.WARNING
    assert "without saying that it is finished" in str(steps["stream"].found)


async def test_what_a_server_calls_its_models_is_shown_only_as_plain_names(server, wire):
    odd = "x\u001b[31m</script>" + "y" * 200
    server.will(listing(wire, odd, "plain-name"), wire.error(404))
    steps = await seen(server.url)
    assert "plain-name" in str(steps["chat"].advice)
    assert "script" not in repr(steps)
