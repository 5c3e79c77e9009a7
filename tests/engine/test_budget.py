"""What an interview and a day may cost."""

from datetime import date

import pytest

from service.engine.ask import Line, Reply, Role
from service.engine.budget import BudgetAsk, spending
from service.engine.reasons import Reason, reason_of, unavailable
from service.errors import EngineUnavailable


class Calendar:
    day = date(2026, 11, 30)

    def __call__(self):
        return self.day


@pytest.fixture
def calendar():
    return Calendar()


def budget(ask, calendar, calls=3, tokens=100):
    return BudgetAsk(ask, calls_per_session=calls, tokens_per_day=tokens, today=calendar)


async def refused(ask):
    with pytest.raises(EngineUnavailable) as caught:
        await ask([Line(Role.USER, "abcd")], {})
    return reason_of(caught.value)


async def test_an_interview_has_so_many_calls_and_another_its_own(scripted, calendar):
    inner = scripted(Reply("{}", "stop", "m", 1, 1))
    ask = budget(inner, calendar)
    with spending("one"):
        for _ in range(3):
            await ask([], {})
        assert await refused(ask) is Reason.SESSION_BUDGET
    with spending("two"):
        await ask([], {})
    assert len(inner.asked) == 4


async def test_outside_of_an_interview_only_the_day_counts(scripted, calendar):
    inner = scripted(Reply("{}", "stop", "m", 1, 1))
    ask = budget(inner, calendar, calls=1)
    for _ in range(3):
        await ask([], {})
    assert len(inner.asked) == 3


async def test_the_tokens_of_a_day_run_out_and_come_back_the_next(scripted, calendar):
    ask = budget(scripted(Reply("{}", "stop", "m", 60, 40)), calendar)
    await ask([], {})
    assert await refused(ask) is Reason.DAY_BUDGET
    calendar.day = date(2026, 12, 1)
    await ask([], {})
    assert await refused(ask) is Reason.DAY_BUDGET


async def test_without_reported_tokens_the_text_is_counted(scripted, calendar):
    ask = budget(scripted(Reply("x" * 100, "stop")), calendar, tokens=100)
    await ask([Line(Role.USER, "y" * 98)], {})  # 198 characters, 99 tokens
    await ask([], {})
    assert await refused(ask) is Reason.DAY_BUDGET


async def test_a_call_that_failed_costs_a_call_and_no_tokens(scripted, calendar):
    ask = budget(scripted(unavailable(Reason.TIMEOUT)), calendar, calls=2, tokens=1)
    with spending("one"):
        assert await refused(ask) is Reason.TIMEOUT
        assert await refused(ask) is Reason.TIMEOUT
        assert await refused(ask) is Reason.SESSION_BUDGET
