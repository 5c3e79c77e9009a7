"""The majority counts, a tie earns the lesser verdict, and the spread is told."""

from typing import Any

import pytest

from service.domain.tasks import AnswerReading, EngineNote, Spread
from service.engine.port import Performed
from service.engine.votes import VotingEngine
from service.errors import EngineUnavailable
from tests.fakes import reading

GONE = EngineUnavailable("The model did not answer in time.")


class Votes:
    """Gives one outcome after the other."""

    def __init__(self, *outcomes: AnswerReading | Exception) -> None:
        self.left = list(outcomes)

    async def perform(self, task: Any) -> Any:
        assert task.prompt
        outcome = self.left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        note = EngineNote(engine="llm", input_tokens=10, output_tokens=2, milliseconds=5.0)
        return Performed(outcome, note)


def met(quote: str = "q") -> AnswerReading:
    return reading(("m1", "met", quote))


MISSED = reading(("m1", "missed", ""))


async def test_the_majority_counts_with_the_quote_of_its_first_vote(read_task):
    done = await VotingEngine(Votes(MISSED, met("a"), met("b")), 3).perform(read_task)
    assert [(p.id, p.verdict, p.quote) for p in done.reading.points] == [("m1", "met", "a")]
    assert done.note.votes == 3
    assert done.note.spread == (Spread(point_id="m1", votes={"met": 2, "missed": 1}),)
    assert (done.note.input_tokens, done.note.output_tokens) == (30, 6)


async def test_a_tie_earns_the_lesser_verdict(read_task):
    done = await VotingEngine(Votes(met(), MISSED), 2).perform(read_task)
    assert done.reading.points[0].verdict == "missed"


async def test_agreement_leaves_no_spread(read_task):
    done = await VotingEngine(Votes(met(), met(), met()), 3).perform(read_task)
    assert done.note.spread == ()


async def test_a_point_that_most_votes_leave_out_stays_unjudged(read_task):
    done = await VotingEngine(Votes(met(), reading(), reading()), 3).perform(read_task)
    assert done.reading.points == ()
    assert done.note.spread == (Spread(point_id="m1", votes={"met": 1, "unjudged": 2}),)


async def test_one_vote_alone_accuses_nobody(read_task):
    accused = reading(misconceptions=(("M01", "a"),))
    once = await VotingEngine(Votes(accused, reading(), reading()), 3).perform(read_task)
    assert once.reading.misconceptions == ()
    twice = await VotingEngine(Votes(accused, reading(), accused), 3).perform(read_task)
    assert [m.id for m in twice.reading.misconceptions] == ["M01"]


async def test_votes_that_failed_are_not_counted(read_task):
    done = await VotingEngine(Votes(GONE, met(), met()), 3).perform(read_task)
    assert done.note.votes == 2
    with pytest.raises(EngineUnavailable):
        await VotingEngine(Votes(GONE, GONE), 2).perform(read_task)


async def test_a_phrase_is_asked_for_once(phrase_task):
    votes = Votes(met(), met())
    await VotingEngine(votes, 2).perform(phrase_task)
    assert len(votes.left) == 1
