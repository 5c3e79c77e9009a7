"""Hints, retries, warm-up, time and odd answers, through the flows and the store."""

from dataclasses import replace
from datetime import timedelta

import pytest

from service.domain.grading import GradeStatus, Verdict
from service.domain.interview import MoveKind, SessionStatus, TurnStatus
from service.domain.language import Lang
from service.domain.reporting import make_report
from service.domain.reporting_next import QuestionState
from service.domain.tasks import PhraseMove, ReadAnswer
from service.errors import InputInvalid, TextEmpty
from service.flows import interviews
from service.flows.answer import AnswerCall, answer
from service.flows.interviews import Level, Mode, PlanWish
from service.flows.parts import Parts
from tests.fakes import ScriptedEngine, reading
from tests.flows.conftest import MakeParts

COACHED = PlanWish(Lang.EN, Level.MID, Mode.COACHED, 30, ("zero-stages", "collectives"))
EXAM = replace(COACHED, mode=Mode.EXAM)
WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."


def engine_that_meets(*ids: str) -> ScriptedEngine:
    return ScriptedEngine(
        lambda t: reading(
            *((p.id, "met" if p.id in ids else "missed", WORDS[:30]) for p in t.points)
        )
    )


async def begin(parts: Parts, wish: PlanWish = COACHED) -> tuple[str, str]:
    owner = await parts.store.local_owner()
    return owner.id, (await interviews.start(parts, owner.id, wish)).id


async def say(parts: Parts, owner: str, session_id: str, text: str = WORDS):
    session = await parts.store.get_session(owner, session_id)
    seq = session.turns[-1].seq
    return (await answer(parts, AnswerCall(owner, session_id, seq, text, f"k{seq}"))).answered


async def test_hints_go_deeper_are_kept_and_lower_what_the_point_earns(make_parts: MakeParts):
    parts = make_parts(engine_that_meets("m1", "s1", "s2", "s3", "s6", "t1", "t2"))
    owner, sid = await begin(parts)
    for _ in range(1):
        await interviews.hint_turn(parts, owner, sid, 1)
    session = await interviews.hint_turn(parts, owner, sid, 1)
    hints = session.turns[0].hints
    assert [h.level for h in hints] == [1, 2]
    assert len({h.point_id for h in hints}) == 1
    hinted = hints[0].point_id
    await say(parts, owner, sid)
    session = await parts.store.get_session(owner, sid)
    grade = session.turns[0].grade
    assert grade is not None
    assert {f.point_id: f.ceiling for f in grade.findings}[hinted] == 0.5
    assert all(f.ceiling == 1 for f in grade.findings if f.point_id != hinted)


async def test_the_fourth_hint_turns_to_another_point_and_exams_give_none(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts)
    for _ in range(3):
        await interviews.hint_turn(parts, owner, sid, 1)
    session = await interviews.hint_turn(parts, owner, sid, 1)
    assert len({h.point_id for h in session.turns[0].hints}) == 2
    _, exam = await begin(parts, EXAM)
    with pytest.raises(InputInvalid):
        await interviews.hint_turn(parts, owner, exam, 1)


async def test_a_retry_sets_the_waiting_question_aside_and_the_best_attempt_counts(
    make_parts: MakeParts,
):
    met: set[str] = {"m1", "s1", "s2", "s3", "s4", "s5", "s6"}
    engine = ScriptedEngine(
        lambda t: reading(
            *((p.id, "met" if p.id in met else "missed", WORDS[:30]) for p in t.points)
        )
    )
    parts = make_parts(engine)
    owner, sid = await begin(parts)
    await say(parts, owner, sid)
    session = await interviews.retry_question(parts, owner, sid, "zero-stages")
    assert [t.status for t in session.turns[-2:]] == [TurnStatus.SET_ASIDE, TurnStatus.ASKED]
    assert (session.turns[-1].attempt, session.turns[-1].depth) == (2, 0)
    met.clear()
    await say(parts, owner, sid)
    session = await interviews.end_session(parts, owner, sid)
    report = make_report(session, parts.knowledge).questions[0]
    assert len(report.attempts) == 2
    assert report.grade is not None
    assert report.grade.score == max(a for a in report.attempts if a is not None)
    assert report.attempts[0] != report.attempts[1]


async def test_a_question_set_aside_is_asked_again(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts)
    session = await interviews.skip_turn(parts, owner, sid, 1)
    assert session.turns[-1].question_id == "collectives"
    session = await interviews.retry_question(parts, owner, sid, "zero-stages")
    session = await interviews.skip_turn(parts, owner, sid, session.turns[-1].seq)
    assert session.turns[-1].question_id == "collectives"
    assert session.status is SessionStatus.OPEN
    session = await interviews.skip_turn(parts, owner, sid, session.turns[-1].seq)
    assert session.status is SessionStatus.CLOSED


async def test_an_exam_question_is_answered_once(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts, EXAM)
    await interviews.skip_turn(parts, owner, sid, 1)
    with pytest.raises(InputInvalid):
        await interviews.retry_question(parts, owner, sid, "zero-stages")


async def test_the_warm_up_is_unscored_and_leads_to_the_plan(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner, sid = await begin(parts, replace(EXAM, warm_up=True))
    done = await say(parts, owner, sid, "I trained a 7B model.")
    assert done.grade.status is GradeStatus.NOT_ENOUGH_EVIDENCE
    assert done.next is not None
    assert (done.next.kind, done.next.question_id) == (MoveKind.ASK, "zero-stages")
    session = await interviews.end_session(parts, owner, sid)
    states = [q.state for q in make_report(session, parts.knowledge).questions]
    assert states == [QuestionState.NOT_ANSWERED, QuestionState.NOT_REACHED]


async def test_an_exam_out_of_time_ends_with_the_answer_at_hand(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts, replace(EXAM, minutes=10))
    late = replace(parts, clock=lambda: parts.clock() + timedelta(hours=3))
    done = await say(late, owner, sid)
    assert done.next is None
    session = await parts.store.get_session(owner, sid)
    assert session.turns[0].grade is not None
    assert session.status is SessionStatus.CLOSED


async def test_a_leap_of_the_clock_costs_one_question_its_follow_ups_only(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts, replace(EXAM, minutes=60))
    late = replace(parts, clock=lambda: parts.clock() + timedelta(days=2))
    done = await say(late, owner, sid)
    assert done.next is not None
    assert (done.next.question_id, done.next.depth) == ("collectives", 0)


async def test_coached_mode_only_shows_the_time(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts)
    late = replace(parts, clock=lambda: parts.clock() + timedelta(days=2))
    done = await say(late, owner, sid)
    assert done.next is not None
    assert done.next.question_id == "zero-stages"


async def test_a_clock_set_back_breaks_nothing(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts)
    early = replace(parts, clock=lambda: parts.clock() - timedelta(days=2))
    await interviews.pause_session(early, owner, sid)
    await interviews.resume_session(early, owner, sid)
    await say(early, owner, sid)
    session = await parts.store.get_session(owner, sid)
    moments = [m for t in session.turns for m in (t.asked_at, t.answered_at) if m]
    assert moments == sorted(moments)
    assert all(t.paused >= 0 for t in session.turns)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("yes", GradeStatus.NOT_ENOUGH_EVIDENCE),  # one word
        ("嗯", GradeStatus.NOT_ENOUGH_EVIDENCE),
    ],
)
async def test_one_word_earns_no_mark_and_is_asked_on(
    make_parts: MakeParts, said: str, status: GradeStatus
):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts, EXAM)
    done = await say(parts, owner, sid, said)
    assert done.grade.status is status
    assert done.next is not None
    assert done.next.question_id == "zero-stages"


@pytest.mark.parametrize("silence", ["", "   \n\t ", "\u200b"])
async def test_silence_is_no_answer_and_the_question_stays(make_parts: MakeParts, silence: str):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts, EXAM)
    with pytest.raises(TextEmpty):
        await say(parts, owner, sid, silence)
    session = await parts.store.get_session(owner, sid)
    assert session.turns[-1].status is TurnStatus.ASKED


async def test_the_question_pasted_back_earns_nothing(make_parts: MakeParts):
    parts = make_parts(engine_that_meets("m1"))
    owner, sid = await begin(parts, EXAM)
    session = await parts.store.get_session(owner, sid)
    done = await say(parts, owner, sid, session.turns[0].text)
    assert not any(f.verdict is Verdict.MET for f in done.grade.findings)


async def test_an_answer_in_the_other_language_is_read_and_asked_on_in_the_chosen_one(
    make_parts: MakeParts,
):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner, sid = await begin(parts, EXAM)
    words = "普通数据并行每张卡都存完整的参数、梯度和优化器状态。"
    done = await say(parts, owner, sid, words)
    assert done.next is not None
    read = [t for t in engine.asked if isinstance(t, ReadAnswer)]
    worded = [t for t in engine.asked if isinstance(t, PhraseMove)]
    assert [t.answer for t in read] == [words]
    assert {t.lang for t in worded} == {Lang.EN}


async def test_a_retried_question_that_nobody_asked_is_refused(make_parts: MakeParts):
    parts = make_parts(ScriptedEngine())
    owner, sid = await begin(parts)
    with pytest.raises(InputInvalid):
        await interviews.retry_question(parts, owner, sid, "collectives")
