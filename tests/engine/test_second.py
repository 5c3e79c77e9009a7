"""The second reader changes nothing; it says where it differs."""

from typing import Any

import pytest

from service.domain.tasks import AnswerReading, Doubt, EngineNote
from service.engine.port import Performed
from service.engine.second import SecondReader, doubts_between
from service.errors import EngineUnavailable
from tests.fakes import reading

GONE = EngineUnavailable("The model did not answer in time.")


class Says:
    def __init__(self, outcome: AnswerReading | Exception) -> None:
        self.outcome = outcome

    async def perform(self, task: Any) -> Any:
        assert task.prompt
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return Performed(self.outcome, EngineNote(engine="llm"))


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("met", "missed", True),
        ("met", "contradicted", True),
        ("missed", "met", True),
        ("met", "met", False),
        ("met", "partial", False),
        ("partial", "missed", False),
        ("missed", "contradicted", False),
    ],
)
def test_earned_against_not_earned_is_a_doubt(first, second, differ):
    found = tuple(doubts_between(reading(("m1", first, "q")), reading(("m1", second, "q"))))
    assert found == ((Doubt(point_id="m1", first=first, second=second),) if differ else ())


def test_what_one_reader_left_out_is_no_doubt():
    assert tuple(doubts_between(reading(("m1", "met", "q")), reading())) == ()


async def test_the_first_reading_stands(read_task):
    one, other = reading(("m1", "met", "q")), reading(("m1", "missed", ""))
    done = await SecondReader(Says(one), Says(other)).perform(read_task)
    assert done.reading == one
    assert [d.point_id for d in done.note.doubts] == ["m1"]


async def test_a_second_reader_that_cannot_read_is_no_hindrance(read_task):
    done = await SecondReader(Says(reading()), Says(GONE)).perform(read_task)
    assert done.note.doubts == ()


async def test_a_first_reader_that_cannot_read_is_told(read_task):
    with pytest.raises(EngineUnavailable):
        await SecondReader(Says(GONE), Says(reading())).perform(read_task)
