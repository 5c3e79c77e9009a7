from datetime import timedelta

import pytest

from service.domain.grading import (
    Evidence,
    Finding,
    Grade,
    GradeStatus,
    Verdict,
)
from service.domain.interview import Move, MoveKind, Session, ask, record, skip, store_answer
from service.domain.tasks import EngineNote, ReadAnswer
from service.domain.text import Span
from service.web import room
from service.web.highlight import SAID, Piece
from tests.domain.samples import NOON, QUESTIONS, started


def graded(session: Session, answer: str, *findings: Finding) -> Session:
    turn = session.turns[-1]
    grade = Grade(GradeStatus.GRADED, 50.0, {}, 1.0, findings, (), ())
    snapshot = ReadAnswer(
        lang=session.plan.lang,
        question_id=turn.question_id,
        question=turn.text,
        points=(),
        misconceptions=(),
        passages=(),
        numbers=(),
        answer=answer,
    )
    stored = store_answer(session, turn.seq, answer, NOON)
    return record(stored, turn.seq, grade, snapshot, EngineNote(engine="builtin"), NOON)


def followed_up(session: Session) -> Session:
    move = Move(MoveKind.EXPAND, session.turns[-1].question_id, "s1", "words")
    return ask(session, move, "and then?", None, NOON + timedelta(minutes=3))


def test_progress_counts_questions_and_follow_ups_and_times_the_question():
    shown = room.progress(followed_up(graded(started(), "words")))
    assert (shown.now, shown.all, shown.depth) == (1, 2, 1)
    assert shown.asked_at == NOON
    assert shown.minutes == 10
    assert shown.steps == ("now", "")


def test_a_skipped_question_is_shown_as_left_out():
    skipped = skip(started(), 1, NOON)
    following = ask(skipped, Move(MoveKind.ASK, "q2"), "what of q2?", None, NOON)
    assert room.progress(following).steps == ("left-out", "now")


def test_an_interview_without_an_awaited_turn_has_no_timer():
    shown = room.progress(graded(started("q1"), "words"))
    assert shown.asked_at is None
    assert shown.steps == ("done",)


def test_evidence_is_marked_only_where_it_may_be_shown():
    finding = Finding("m1", Verdict.MET, Evidence("words", Span(4, 9)))
    turn = graded(started(), "own words here", finding).turns[-1]
    assert room.highlight(turn, shows_evidence=True) == (
        Piece("own "),
        Piece("words", SAID),
        Piece(" here"),
    )
    assert room.highlight(turn, shows_evidence=False) == (Piece("own words here"),)


def test_coaching_tells_what_was_said_and_keeps_what_may_still_be_asked():
    findings = (Finding("m1", Verdict.PARTIAL), Finding("s1", Verdict.MISSED))
    turn = graded(started(), "words", *findings).turns[-1]
    told = room.coaching(turn, QUESTIONS["q1"])
    assert [p.text.en for p in told] == ["says m1"]
    assert told[0].lift is not None


def test_a_half_said_point_with_a_number_is_asked_for_its_number():
    finding = Finding("s2", Verdict.PARTIAL, Evidence("words", Span(0, 5)))
    turn = graded(started(), "words", finding).turns[-1]
    told = room.coaching(turn, QUESTIONS["q1"])
    assert "with its number" in str(told[0].lift)


def test_an_unread_answer_has_no_coaching():
    assert room.coaching(started().turns[-1], QUESTIONS["q1"]) == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("你说“切分”。那梯度呢？", ("你说“切分”。", "那梯度呢？")),
        ("You said 1.5 times. Why?", ("You said 1.5 times. ", "Why?")),
        ("No end", ("No end",)),
    ],
)
def test_the_interviewers_words_arrive_sentence_by_sentence(text: str, parts: tuple[str, ...]):
    assert room.sentences(text) == parts


def test_a_turn_has_one_key_however_often_its_form_is_shown():
    session = started()
    assert room.turn_key(session, session.turns[0]) == room.turn_key(session, session.turns[0])
    assert room.turn_key(session, session.turns[0]) == "page-s-1"
