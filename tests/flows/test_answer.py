import asyncio
from dataclasses import replace
from typing import Any

import pytest

from service.assembly import utc_now
from service.domain.grading import GradeStatus, Verdict
from service.domain.interview import MoveKind, SessionStatus, TurnStatus
from service.domain.language import Lang
from service.domain.tasks import PhraseMove, ReadAnswer, Task
from service.engine.port import Performed
from service.errors import (
    EngineUnavailable,
    KeyReused,
    ReadingInvalid,
    SessionClosed,
    TextEmpty,
    TextInvalid,
    TextTooLong,
    TurnInProgress,
    TurnOutOfOrder,
)
from service.flows import interviews
from service.flows.answer import AnswerCall, Done, Failed, Stage, answer, answer_steps
from service.flows.interviews import Level, Mode, PlanWish
from service.flows.parts import Parts
from tests.fakes import FailingEngine, ScriptedEngine, reading
from tests.flows.conftest import MakeParts

WISH = PlanWish(Lang.EN, Level.MID, Mode.EXAM, 30, ("zero-stages",))
WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."


async def begin(parts: Parts) -> tuple[str, str]:
    owner = await parts.store.local_owner()
    session = await interviews.start(parts, owner.id, WISH)
    return owner.id, session.id


def call(owner: str, session: str, text: str | None = WORDS, key: str = "k", seq: int = 1):
    return AnswerCall(owner, session, seq, text, key)


async def test_an_answer_is_graded_and_followed_up_in_its_own_words(make_parts: MakeParts):
    engine = ScriptedEngine(
        lambda t: reading(
            ("m1", "met", "Every GPU keeps a full copy"),
            *((p.id, "missed", "") for p in t.points[1:]),
        )
    )
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    done = await answer(parts, call(owner, session_id))
    verdicts = {f.point_id: f.verdict for f in done.answered.grade.findings}
    assert verdicts["m1"] is Verdict.MET
    assert done.answered.next is not None
    assert "Every GPU keeps a full copy" in done.answered.next.text
    session = await parts.store.get_session(owner, session_id)
    assert [t.status for t in session.turns] == [TurnStatus.ANSWERED, TurnStatus.ASKED]
    assert session.turns[0].answer == WORDS


async def test_the_engine_is_told_no_weights_and_gets_the_number_check(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    text = "Mixed-precision Adam costs 16 bytes per parameter, and ZeRO-2 needs 4ψ+12ψ/N."
    await answer(parts, call(owner, session_id, text))
    task = next(t for t in engine.asked if isinstance(t, ReadAnswer))
    assert {"id", "text"} == set(type(task.points[0]).model_fields)
    assert {n.verdict for n in task.numbers} == {"right", "wrong"}
    assert task.passages


async def test_the_same_key_is_replayed_and_graded_once(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    first = await answer(parts, call(owner, session_id))
    again = await answer(parts, call(owner, session_id))
    assert again.replayed
    assert again.answered.model_dump_json() == first.answered.model_dump_json()
    assert sum(isinstance(t, ReadAnswer) for t in engine.asked) == 1


async def test_the_same_key_with_other_words_is_refused(parts: Parts):
    owner, session_id = await begin(parts)
    await answer(parts, call(owner, session_id))
    with pytest.raises(KeyReused):
        await answer(parts, call(owner, session_id, "other words altogether"))


async def test_of_ten_answers_at_once_one_wins_and_nine_are_told(parts: Parts):
    owner, session_id = await begin(parts)
    calls = [answer(parts, call(owner, session_id, f"{WORDS} {i}", f"k{i}")) for i in range(10)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    won = [r for r in results if isinstance(r, Done)]
    told = [r for r in results if isinstance(r, TurnOutOfOrder | TurnInProgress)]
    assert (len(won), len(told)) == (1, 9)


class SlowEngine(ScriptedEngine):
    async def perform(self, task: Task[Any]) -> Performed[Any]:
        await asyncio.sleep(1.0)
        return await super().perform(task)


async def test_a_reading_longer_than_its_lease_keeps_its_turn(make_parts: MakeParts):
    engine = SlowEngine()
    parts = make_parts(engine)
    short = replace(parts.limits, lease_seconds=0.3)
    parts = replace(parts, limits=short, clock=utc_now)
    owner, session_id = await begin(parts)
    slow = asyncio.create_task(answer(parts, call(owner, session_id)))
    await asyncio.sleep(0.7)
    with pytest.raises(TurnInProgress):
        await answer(parts, call(owner, session_id))
    assert not (await slow).replayed
    assert sum(isinstance(t, ReadAnswer) for t in engine.asked) == 1


@pytest.mark.parametrize("error", [EngineUnavailable("no model"), ReadingInvalid("no form")])
async def test_when_reading_fails_the_answer_stays_and_can_be_read_again(
    make_parts: MakeParts, error: Exception
):
    parts = make_parts(FailingEngine(error, ScriptedEngine()))
    owner, session_id = await begin(parts)
    with pytest.raises(type(error)):
        await answer(parts, call(owner, session_id))
    session = await parts.store.get_session(owner, session_id)
    assert session.turns[0].status is TurnStatus.STORED
    assert session.turns[0].answer == WORDS
    done = await answer(parts, call(owner, session_id, None, "another"))
    assert done.answered.seq == 1
    session = await parts.store.get_session(owner, session_id)
    assert sum(t.grade is not None for t in session.turns) == 1


async def test_a_move_no_engine_can_word_is_asked_in_the_banks_words(make_parts: MakeParts):
    class Wordless(ScriptedEngine):
        async def perform(self, task):
            if isinstance(task, PhraseMove):
                raise ReadingInvalid("no words")
            return await super().perform(task)

    engine = Wordless(lambda t: reading(*((p.id, "missed", "") for p in t.points)))
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    done = await answer(parts, call(owner, session_id))
    assert done.answered.next is not None
    assert len(done.answered.next.text) > 10


async def test_content_free_and_copied_answers_are_not_read(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    question = (await parts.store.get_session(owner, session_id)).turns[0].text
    for seq, text in enumerate([":", question], start=1):
        done = await answer(parts, call(owner, session_id, text, f"k{seq}", seq))
        assert done.answered.grade.status is GradeStatus.NOT_ENOUGH_EVIDENCE
        assert done.answered.grade.score is None
        if done.answered.next is None:
            break
    assert not any(isinstance(t, ReadAnswer) for t in engine.asked)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", TextEmpty),
        (" \n\u200b", TextEmpty),
        ("x" * 5_001, TextTooLong),
        ("a\x00b", TextInvalid),
    ],
)
async def test_what_is_no_answer_is_refused_and_nothing_is_stored(
    parts: Parts, text: str, error: type[Exception]
):
    owner, session_id = await begin(parts)
    with pytest.raises(error):
        await answer(parts, call(owner, session_id, text))
    session = await parts.store.get_session(owner, session_id)
    assert session.turns[0].status is TurnStatus.ASKED


async def test_another_turn_and_a_closed_interview_are_refused(parts: Parts):
    owner, session_id = await begin(parts)
    with pytest.raises(TurnOutOfOrder):
        await answer(parts, call(owner, session_id, seq=2))
    await interviews.end_session(parts, owner, session_id)
    with pytest.raises(SessionClosed):
        await answer(parts, call(owner, session_id))


async def test_a_client_that_leaves_loses_nothing(parts: Parts):
    owner, session_id = await begin(parts)
    steps = answer_steps(parts, call(owner, session_id))
    assert await anext(steps) is Stage.STORED
    await steps.aclose()
    session = await parts.store.get_session(owner, session_id)
    for _ in range(200):
        if session.turns[0].status is TurnStatus.ANSWERED:
            break
        await asyncio.sleep(0.01)
        session = await parts.store.get_session(owner, session_id)
    assert session.turns[0].status is TurnStatus.ANSWERED
    assert len(session.turns) == 2 or session.status is SessionStatus.CLOSED


async def test_the_stages_are_told_in_order(parts: Parts):
    owner, session_id = await begin(parts)
    steps = [s async for s in answer_steps(parts, call(owner, session_id))]
    assert steps[:3] == [Stage.STORED, Stage.READING, Stage.ASKING]
    assert isinstance(steps[3], Done)


async def test_a_refusal_ends_the_stages(parts: Parts):
    owner, session_id = await begin(parts)
    steps = [s async for s in answer_steps(parts, call(owner, session_id, ""))]
    assert len(steps) == 1
    assert isinstance(steps[0], Failed)


async def test_an_interview_goes_from_start_to_close(make_parts: MakeParts):
    engine = ScriptedEngine(lambda t: reading(*((p.id, "missed", "") for p in t.points)))
    parts = make_parts(engine)
    owner, session_id = await begin(parts)
    kinds: list[MoveKind] = []
    closing: str | None = None
    for seq in range(1, 12):
        done = await answer(parts, call(owner, session_id, f"{WORDS} {seq}", f"k{seq}", seq))
        if done.answered.next is None:
            closing = done.answered.closing
            break
        kinds.append(done.answered.next.kind)
    session = await parts.store.get_session(owner, session_id)
    assert session.status is SessionStatus.CLOSED
    assert closing
    assert 1 <= len(kinds) <= 4
    report = await interviews.report(parts, owner, session_id)
    assert report.finished
    assert len(report.gaps) == 3
