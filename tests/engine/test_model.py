"""The model engine put together: budget, breaker and server in one."""

import json
import time
from datetime import date

import pytest
from pydantic import SecretStr

from service.engine.budget import spending
from service.engine.model import is_http_url, open_model
from service.engine.reasons import Reason, reason_of
from service.errors import EngineUnavailable, SettingsInvalid

TODAY = date(2026, 11, 30)


def make(url, prompts, **changes):
    values = {"seconds": 2.0, "calls_per_session": 5, "tokens_per_day": 10_000} | changes
    return open_model(
        url,
        SecretStr("k"),
        "m",
        prompts,
        seconds=values["seconds"],
        calls_per_session=int(values["calls_per_session"]),
        tokens_per_day=int(values["tokens_per_day"]),
        clock=time.monotonic,
        today=lambda: TODAY,
        nonce_source=lambda: "n0",
    )


async def test_an_answer_is_read_over_the_wire(server, wire, prompts, read_task, good_reading):
    server.will(wire.served(wire.completion(good_reading)))
    model = make(server.url, prompts)
    performed = await model.engine.perform(read_task)
    await model.close()
    assert performed.reading.points[0].id == "s1"
    assert performed.note.model == "served-model"
    form = server.asked[0].body["response_format"]["json_schema"]["schema"]
    assert json.dumps(form).count("verdict") == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"calls_per_session": 1}, Reason.SESSION_BUDGET),
        ({"tokens_per_day": 18}, Reason.DAY_BUDGET),
    ],
)
async def test_both_budgets_hold(server, wire, prompts, read_task, good_reading, changes, reason):
    server.will(wire.served(wire.completion(good_reading)))
    model = make(server.url, prompts, **changes)
    with spending("s"):
        await model.engine.perform(read_task)
        with pytest.raises(EngineUnavailable) as caught:
            await model.engine.perform(read_task)
    await model.close()
    assert reason_of(caught.value) is reason
    assert len(server.asked) == 1


async def test_a_sick_server_is_soon_left_alone_and_refusing_is_quick(
    server, wire, prompts, read_task
):
    server.will(wire.served(b"<html>", content_type="text/html"))
    model = make(server.url, prompts)
    for _ in range(5):
        with pytest.raises(EngineUnavailable):
            await model.engine.perform(read_task)
    begun = time.perf_counter()
    with pytest.raises(EngineUnavailable) as caught:
        await model.engine.perform(read_task)
    await model.close()
    assert reason_of(caught.value) is Reason.RESTING
    assert time.perf_counter() - begun < 0.05
    assert len(server.asked) == 5


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://x/v1", "http://"])
def test_an_address_that_is_none_is_refused_at_start(prompts, url):
    assert not is_http_url(url)
    if url:
        with pytest.raises(SettingsInvalid, match="OPENAI_BASE_URL"):
            make(url, prompts)
