"""Who stepped in, and why, is always said."""

from typing import Any

import pytest

from service.domain.tasks import EngineNote, Phrase
from service.engine.fallback import FallbackEngine
from service.engine.port import Performed
from service.engine.reasons import Reason, unavailable
from service.errors import EngineError, ReadingInvalid


class Says:
    def __init__(self, outcome, name="builtin"):
        self.outcome = outcome
        self.name = name
        self.tasks = []

    async def perform(self, task: Any) -> Any:
        self.tasks.append(task)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return Performed(Phrase(text=self.outcome), EngineNote(engine=self.name))


async def test_the_second_engine_is_not_troubled_while_the_first_can(phrase_task):
    second = Says("second")
    performed = await FallbackEngine(Says("first", "llm"), second).perform(phrase_task)
    assert performed.reading.text == "first"
    assert performed.note.fallback_from is None
    assert second.tasks == []


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (unavailable(Reason.TIMEOUT), "The model did not answer in time."),
        (ReadingInvalid("The model answered, but not in the agreed form."),) * 2,
    ],
)
async def test_the_second_engine_steps_in_and_says_for_whom_and_why(phrase_task, error, why):
    performed = await FallbackEngine(Says(error), Says("second")).perform(phrase_task)
    assert performed.reading.text == "second"
    assert performed.note.engine == "builtin"
    assert performed.note.fallback_from == "llm"
    assert performed.note.fallback_why == str(why)


async def test_when_neither_can_the_second_error_is_raised(phrase_task):
    engine = FallbackEngine(Says(unavailable(Reason.BUSY)), Says(ReadingInvalid("no")))
    with pytest.raises(ReadingInvalid, match="no"):
        await engine.perform(phrase_task)


async def test_a_bug_of_the_first_engine_is_not_papered_over(phrase_task):
    with pytest.raises(ZeroDivisionError):
        await FallbackEngine(Says(ZeroDivisionError()), Says("second")).perform(phrase_task)


def test_both_errors_of_an_engine_are_caught():
    assert issubclass(ReadingInvalid, EngineError)
