from datetime import timedelta

import pytest

from service.domain.grading import Finding, Verdict, grade
from service.domain.interview import (
    Move,
    MoveKind,
    Session,
    SessionStatus,
    TurnStatus,
    ask,
    close,
    next_planned,
    pause,
    record,
    resume,
    skip,
    store_answer,
)
from service.domain.language import Lang
from service.domain.tasks import EngineNote, ReadAnswer
from service.errors import SessionClosed, SessionPaused, TurnOutOfOrder
from tests.domain.samples import NOON, RUBRIC, started

LATER = NOON + timedelta(minutes=1)
SNAPSHOT = ReadAnswer(
    lang=Lang.EN,
    question_id="q1",
    question="what of q1?",
    points=(),
    misconceptions=(),
    passages=(),
    numbers=(),
    answer="words",
)
NOTE = EngineNote(engine="builtin")


def answered(session: Session, text: str = "words") -> Session:
    turn = session.turns[-1]
    stored = store_answer(session, turn.seq, text, LATER)
    return record(
        stored, turn.seq, grade(RUBRIC, [Finding("m1", Verdict.MET)]), SNAPSHOT, NOTE, LATER
    )


def test_the_first_question_awaits_its_answer():
    session = started()
    assert session.awaiting(1).text == "what of q1?"
    assert session.turns[0].depth == 0


def test_another_turn_than_the_awaited_is_out_of_order():
    with pytest.raises(TurnOutOfOrder):
        started().awaiting(2)


def test_an_answered_turn_cannot_be_answered_again():
    with pytest.raises(TurnOutOfOrder):
        answered(started()).awaiting(1)


def test_an_answer_is_safe_before_it_is_read():
    session = store_answer(started(), 1, "my words", LATER)
    assert session.turns[0].status is TurnStatus.STORED
    assert session.turns[0].answer == "my words"
    assert session.awaiting(1).answer == "my words"


def test_a_follow_up_is_one_deeper_and_a_new_question_begins_at_nought():
    session = ask(answered(started()), Move(MoveKind.EXPAND, "q1", "s1"), "more?", None, LATER)
    assert session.turns[1].depth == 1
    session = ask(answered(session), Move(MoveKind.ASK, "q2"), "what of q2?", None, LATER)
    assert (session.turns[2].depth, session.position) == (0, 1)


def test_nothing_is_answered_while_paused():
    paused = pause(started(), LATER)
    with pytest.raises(SessionPaused):
        paused.awaiting(1)
    assert resume(paused, LATER).awaiting(1).seq == 1


def test_a_closed_interview_stays_closed():
    ended = close(started(), LATER)
    assert ended.status is SessionStatus.CLOSED
    assert close(ended, LATER + timedelta(hours=1)) is ended
    for operation in (
        lambda: ended.awaiting(1),
        lambda: pause(ended, LATER),
        lambda: resume(ended, LATER),
        lambda: skip(ended, 1, LATER),
    ):
        with pytest.raises(SessionClosed):
            operation()


def test_skipping_leaves_the_turn_without_a_grade():
    skipped = skip(started(), 1, LATER)
    assert skipped.turns[0].status is TurnStatus.SKIPPED
    assert skipped.turns[0].grade is None


def test_the_plan_goes_on_with_what_was_not_asked():
    session = started()
    following = next_planned(session)
    assert following is not None
    assert following.question_id == "q2"
    assert next_planned(started("q1")) is None
