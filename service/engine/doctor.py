"""Finds out what is wrong between us and a model server, step by step, and what to do about it.

The key is never shown. Of what the server says only model names are, cut to plain characters.
"""

import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from difflib import get_close_matches
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr, ValidationError

from service.domain.language import Message, msg
from service.domain.tasks import Strict
from service.engine.ask import FINISHED, Reply
from service.engine.dialect import Dialect, Method
from service.engine.extract import Complaint, extract
from service.engine.model import DEFAULT_BASE_URL
from service.engine.probe import Outcome, Probe, reply_in
from service.engine.reasons import WHY, Reason
from service.engine.step import State, Step
from service.engine.transport import make_client
from service.engine.way import examine_address, examine_way
from service.prompting.form import as_text, reply_form


class _Echo(Strict):
    """The small form that the methods are tried with."""

    ready: bool


_FORM: Final = reply_form(_Echo)
_GREETING: Final = "Say the word ready."
_ASK: Final = f"Reply with one JSON object of this form, ready being true:\n{as_text(_FORM)}"
# About as long as the longest request of an interview. Some servers cut longer ones silently at the
# front, and then a model judges an answer without having seen the points.
_CODE_WORD: Final = "kestrel-4821"
_LONG: Final = (
    f"The code word is {_CODE_WORD}.\n"
    + "".join(f"Line {n}: nothing of note happened on this day.\n" for n in range(500))
    + "What is the code word? Reply with the code word alone."
)
_NAME: Final = re.compile(r"[\w./:@+-]{1,80}")
_MOST_NAMES: Final = 5
# Of the deadline of one act, a greeting should take no more than this share.
_SLOW_SHARE: Final = 0.5

_ADVICE: Final[Mapping[Reason, Message]] = {
    Reason.KEY_REFUSED: msg("Set OPENAI_API_KEY to a key that is valid for this server."),
    Reason.NO_CREDIT: msg("Top up the account of this key, or use another key."),
    Reason.NOT_FOUND: msg("Check the path of OPENAI_BASE_URL and the name in SHARDWISE_MODEL."),
    Reason.BUSY: msg("Wait, or ask the provider for a higher rate limit."),
    Reason.TIMEOUT: msg("Use a faster model, or raise SHARDWISE_MODEL_SECONDS."),
    Reason.UNREACHABLE: msg("The server hung up; look into its log."),
    Reason.GARBLED: msg("OPENAI_BASE_URL leads to something else, perhaps a web page or a proxy."),
    Reason.REDIRECTED: msg("Set OPENAI_BASE_URL to the final address."),
    Reason.SERVER_FAULT: msg("Look into the log of the model server."),
    Reason.REFUSED: msg("Check that the server offers POST /chat/completions."),
    Reason.FILTERED: msg("The provider filters texts; choose another model or provider."),
    Reason.TOO_LONG: msg("Choose a model, or a context length, of 16,000 tokens or more."),
}
_WRONG_PLACE: Final = frozenset({Reason.NOT_FOUND, Reason.GARBLED, Reason.REFUSED})


async def examine(
    base_url: str | None,
    api_key: SecretStr | None,
    model: str | None,
    *,
    seconds: float,
    clock: Callable[[], float],
) -> tuple[Step, ...]:
    """Look at the address, the way, the key, the model and its abilities, in this order.

    Stops at the first thing that makes the rest meaningless. `seconds` bounds each request;
    `clock` gives seconds that never run backwards.
    """
    if not model:
        found = msg("No model is set; the built-in engine does the reading.")
        advice = msg("To use a model, set SHARDWISE_MODEL and OPENAI_BASE_URL.")
        return (Step("settings", State.SKIPPED, found, advice),)
    url = base_url or DEFAULT_BASE_URL
    steps: list[Step] = []
    async with aclosing(_steps(url, api_key, model, seconds, clock)) as walk:
        async for step in walk:
            steps.append(step)
            if step.state is State.FAILED:
                break
    return tuple(steps)


def reachable(steps: Sequence[Step]) -> bool:
    """Whether nothing stands in the way of the model that is set."""
    return all(step.state is not State.FAILED for step in steps)


async def _steps(
    url: str,
    api_key: SecretStr | None,
    model: str,
    seconds: float,
    clock: Callable[[], float],
) -> AsyncGenerator[Step]:
    yield examine_address(url, api_key)
    yield await examine_way(url, seconds)
    async with make_client(url, seconds) as client:
        probe = Probe(client, url, api_key, model, seconds=seconds, clock=clock)
        elsewhere = Probe(
            client, f"{url.rstrip('/')}/v1", api_key, model, seconds=seconds, clock=clock
        )
        listing = await probe.get("/models")
        yield _listed(listing, model)
        first = await probe.chat(Dialect(method=Method.PLAIN), {}, _GREETING)
        reply = reply_in(first)
        if reply is None:
            yield await _no_reply(first, url, model, _names(listing), elsewhere)
            return
        yield _answered(first, reply, model, seconds)
        yield _usage(reply)
        yield await _methods(probe, first.dialect)
        yield await _length(probe, first.dialect)
        yield await _stream(probe, first.dialect)


class _Entry(BaseModel):
    id: str


class _Listing(BaseModel):
    data: list[_Entry]


def _names(listing: Outcome) -> list[str]:
    """Model names of a listing; a listing of another shape has none."""
    try:
        entries = _Listing.model_validate(listing.body).data
    except ValidationError:
        return []
    return [entry.id for entry in entries if _NAME.fullmatch(entry.id)]


def _listed(listing: Outcome, model: str) -> Step:
    names = _names(listing)
    if listing.reason is Reason.KEY_REFUSED:
        return Step("models", State.FAILED, WHY[Reason.KEY_REFUSED], _ADVICE[Reason.KEY_REFUSED])
    if not names:
        return Step("models", State.SKIPPED, msg("The server does not list its models."))
    if model in names:
        return Step("models", State.OK, msg("The server offers {model}.", model=model))
    found = msg("The server does not list {model}.", model=model)
    return Step("models", State.WARNING, found, _nearest(model, names))


def _nearest(model: str, names: Sequence[str]) -> Message:
    near = get_close_matches(model, names, _MOST_NAMES, 0.3) or names[:_MOST_NAMES]
    return msg("It lists, among others: {names}.", names=tuple(near))


async def _no_reply(
    first: Outcome, url: str, model: str, names: Sequence[str], elsewhere: Probe
) -> Step:
    """Why there was no reply; a missing /v1 and a wrong name are told apart by trying."""
    reason = first.reason or Reason.GARBLED
    found, advice = WHY[reason], _ADVICE.get(reason)
    if reason in _WRONG_PLACE and names:
        found = msg("The server is there, but does not answer as {model}.", model=model)
        advice = _nearest(model, names)
    elif reason in _WRONG_PLACE and await _is_there(elsewhere):
        advice = msg("Set OPENAI_BASE_URL to {url}.", url=_versioned(url))
    elif reason is Reason.REDIRECTED and (target := _target(first.location)):
        advice = msg("It points to {url}; if that is right, use it.", url=target)
    return Step("chat", State.FAILED, found, advice)


def _versioned(url: str) -> str:
    return f"{url.rstrip('/')}/v1"


async def _is_there(probe: Probe) -> bool:
    outcome = await probe.chat(Dialect(method=Method.PLAIN), {}, _GREETING)
    return outcome.reason is Reason.KEY_REFUSED or reply_in(outcome) is not None


def _target(location: str) -> str:
    """Scheme and host of a redirect; the rest could carry anything."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{parts.netloc}"
    return origin if _NAME.fullmatch(origin) and parts.scheme in {"http", "https"} else ""


def _answered(first: Outcome, reply: Reply, model: str, seconds: float) -> Step:
    took = round(first.milliseconds)
    served = reply.model if reply.model and _NAME.fullmatch(reply.model) else model
    found = msg("{model} answered in {ms} ms.", model=served, ms=took)
    if took > seconds * 1_000 * _SLOW_SHARE:
        return Step("chat", State.WARNING, found, _ADVICE[Reason.TIMEOUT])
    return Step("chat", State.OK, found)


def _usage(reply: Reply) -> Step:
    if reply.input_tokens is None or reply.output_tokens is None:
        found = msg("The server does not report tokens; budgets are kept by estimate.")
        return Step("usage", State.WARNING, found)
    return Step("usage", State.OK, msg("The server reports the tokens used."))


async def _methods(probe: Probe, dialect: Dialect) -> Step:
    """Which ways of holding a reply to a form work; the engine takes the first that does."""
    working: list[str] = []
    for method in Method:
        outcome = await probe.chat(replace(dialect, method=method), _FORM, _ASK)
        if _usable(reply_in(outcome)):
            working.append(method.value)
    if not working:
        found = msg("The model answers, but never in the agreed form.")
        return Step("form", State.FAILED, found, msg("Choose a larger model."))
    return Step("form", State.OK, msg("The form is kept by: {names}.", names=tuple(working)))


def _usable(reply: Reply | None) -> bool:
    if reply is None or reply.finish != FINISHED:
        return False
    try:
        return extract(reply.text, _Echo).ready
    except Complaint:
        return False


async def _length(probe: Probe, dialect: Dialect) -> Step:
    outcome = await probe.chat(dialect, {}, _LONG)
    reply = reply_in(outcome)
    if reply and _CODE_WORD in reply.text:
        return Step("length", State.OK, msg("A text of interview length is read from its start."))
    if outcome.reason is Reason.TIMEOUT:
        found = msg("A text of interview length takes longer than the deadline.")
        return Step("length", State.WARNING, found, _ADVICE[Reason.TIMEOUT])
    found = msg("The model does not see the start of a text of interview length.")
    advice = msg("Raise the server's context length to 16,000 tokens or more.")
    return Step("length", State.WARNING, found, advice)


async def _stream(probe: Probe, dialect: Dialect) -> Step:
    outcome = await probe.stream(dialect, _GREETING)
    if outcome.reason or not outcome.body.get("pieces"):
        return Step("stream", State.WARNING, msg("Streaming does not work; it is not needed."))
    if outcome.body.get("finish") != FINISHED:
        found = msg("A stream ends without saying that it is finished; it would be refused.")
        return Step("stream", State.WARNING, found)
    return Step("stream", State.OK, msg("Streaming works."))
