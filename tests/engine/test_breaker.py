"""A failing model is left alone, and found again when it is well."""

import asyncio

import pytest

from service.engine.ask import Reply
from service.engine.breaker import FAILURES, REST_SECONDS, BreakerAsk
from service.engine.reasons import Reason, reason_of, unavailable
from service.errors import EngineUnavailable

REPLY = Reply("{}", "stop")


async def fail(breaker):
    with pytest.raises(EngineUnavailable) as caught:
        await breaker([], {})
    return caught.value


@pytest.fixture
def sick(scripted, clock):
    """A breaker over a sick model, and the ask below it."""
    ask = scripted(unavailable(Reason.SERVER_FAULT))
    return BreakerAsk(ask, clock), ask


async def open_up(breaker):
    for _ in range(FAILURES):
        await fail(breaker)


async def test_after_five_failures_in_a_row_the_model_is_not_asked(sick):
    breaker, ask = sick
    await open_up(breaker)
    error = await fail(breaker)
    assert reason_of(error) is Reason.RESTING
    assert error.retry_after == REST_SECONDS
    assert len(ask.asked) == 5


async def test_a_success_in_between_begins_the_count_anew(scripted, clock):
    sick = [unavailable(Reason.TIMEOUT)] * 4
    ask = scripted(*sick, REPLY, *sick, REPLY)
    breaker = BreakerAsk(ask, clock)
    for expected in [*sick, None, *sick, None]:
        if expected:
            await fail(breaker)
        else:
            assert await breaker([], {}) is REPLY
    assert len(ask.asked) == 10


async def test_after_the_rest_one_probe_is_let_through_and_closes_it(sick, clock):
    breaker, ask = sick
    await open_up(breaker)
    clock.now += REST_SECONDS
    ask.replies = [REPLY]
    assert await breaker([], {}) is REPLY
    assert await breaker([], {}) is REPLY
    assert len(ask.asked) == 7


async def test_a_failed_probe_means_another_rest(sick, clock):
    breaker, ask = sick
    await open_up(breaker)
    clock.now += REST_SECONDS
    assert reason_of(await fail(breaker)) is Reason.SERVER_FAULT
    assert reason_of(await fail(breaker)) is Reason.RESTING
    clock.now += REST_SECONDS - 1
    assert (await fail(breaker)).retry_after == 1.0
    assert len(ask.asked) == 6


async def test_there_is_only_one_probe_at_a_time_and_a_cancelled_one_frees_the_way(clock):
    calls = []
    gate = asyncio.Event()

    async def ask(lines, form):
        calls.append(1)
        if len(calls) <= FAILURES:
            raise unavailable(Reason.UNREACHABLE)
        await gate.wait()
        return REPLY

    breaker = BreakerAsk(ask, clock)
    await open_up(breaker)
    clock.now += REST_SECONDS
    probe = asyncio.create_task(breaker([], {}))
    await asyncio.sleep(0)
    assert reason_of(await fail(breaker)) is Reason.RESTING
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    gate.set()
    assert await breaker([], {}) is REPLY
    assert len(calls) == FAILURES + 2


@pytest.mark.parametrize(
    "reason", [Reason.KEY_REFUSED, Reason.FILTERED, Reason.TOO_LONG, Reason.NOT_FOUND]
)
async def test_refusals_that_say_nothing_of_health_do_not_count(scripted, clock, reason):
    ask = scripted(unavailable(reason))
    breaker = BreakerAsk(ask, clock)
    for _ in range(FAILURES * 2):
        assert reason_of(await fail(breaker)) is reason
    assert len(ask.asked) == FAILURES * 2
