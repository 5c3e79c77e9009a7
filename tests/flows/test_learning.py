"""From interviews and short questions to the board, the history and the proof."""

from dataclasses import replace
from datetime import timedelta

import pytest

from service.domain.grading import Level, Verdict
from service.domain.interview import Mode
from service.domain.language import Lang
from service.domain.learning.model import DrillStatus, Origin, Rating, Rule, Standing
from service.domain.planning import PlanWish
from service.domain.tasks import AnswerReading, ReadAnswer
from service.errors import (
    EngineUnavailable,
    InputInvalid,
    NotFound,
    TextEmpty,
    TurnOutOfOrder,
    VersionOutdated,
)
from service.flows import interviews, learning, learning_drill, materials
from service.flows.answer import AnswerCall, answer
from tests.fakes import FailingEngine, ScriptedEngine, reading

WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states."
RESUME = """# Li Example

## Work
### Example Tech | Training engineer | 2021.07 - present
- Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100.
- Wrote the weekly report.
"""


def all_met(task: ReadAnswer) -> AnswerReading:
    return reading(*((p.id, "met", task.answer[:12]) for p in task.points))


def half_met(task: ReadAnswer) -> AnswerReading:
    verdicts = ["met", "met", *["missed"] * len(task.points)]
    pairs = zip(task.points, verdicts, strict=False)
    return reading(*((p.id, v, task.answer[:12] if v == "met" else "") for p, v in pairs))


@pytest.fixture
async def owner(store) -> str:
    return (await store.local_owner()).id


@pytest.fixture
def met(make_parts):
    """A model that grants everything, and no fixed rules beside it."""
    return make_parts(ScriptedEngine(all_met))


def with_rules(parts):
    return replace(parts, rules=ScriptedEngine(all_met))


async def interviewed(parts, owner: str, **more) -> str:
    wish = PlanWish(Lang.EN, Level.MID, Mode.EXAM, 10, ("zero-stages",), **more)
    session = await interviews.start(parts, owner, wish)
    await answer(parts, AnswerCall(owner, session.id, 1, WORDS, session.id))
    await interviews.end_session(parts, owner, session.id)
    return session.id


async def test_without_practice_everything_is_new_and_nothing_is_due(parts, owner):
    seen = await learning.practice(parts, owner)
    assert len(seen.points) > 15
    assert {p.standing for p in seen.points} == {Standing.NEW}
    assert (seen.due, seen.trend) == ((), ())
    assert await learning.mastery(parts, owner) == {}


async def test_what_a_model_alone_grants_stays_shaky(met, owner):
    session_id = await interviewed(met, owner)
    seen = await learning.practice(met, owner)
    (practised,) = [p for p in seen.points if p.reviews]
    assert practised.standing is Standing.SHAKY
    assert practised.reviews[0].rule is Rule.UNCONFIRMED
    assert practised.reviews[0].origin_id == session_id
    assert (await learning.mastery(met, owner))[practised.topic] <= 0.5
    assert [r.session_id for r in seen.trend] == [session_id]


async def test_fixed_rules_that_agree_make_it_hold(met, owner):
    await interviewed(with_rules(met), owner)
    seen = await learning.practice(with_rules(met), owner)
    (practised,) = [p for p in seen.points if p.reviews]
    assert practised.standing is Standing.GOOD
    assert practised.reviews[0].rating is Rating.EASY
    assert len(practised.proved) == len(practised.reviews[0].points)


async def test_what_was_learned_follows_its_interview(make_parts, owner):
    met = make_parts(ScriptedEngine(half_met))
    wish = PlanWish(Lang.EN, Level.MID, Mode.EXAM, 10, ("zero-stages",))
    session = await interviews.start(met, owner, wish)
    assert (await learning.practice(met, owner)).trend == ()
    await answer(met, AnswerCall(owner, session.id, 1, WORDS, session.id))
    assert len((await learning.practice(met, owner)).trend) == 1
    (kept,) = await met.store.list_learned(owner)
    assert not kept.finished
    await interviews.end_session(met, owner, session.id)
    await learning.practice(met, owner)
    assert (await met.store.list_learned(owner))[0].finished
    await met.store.delete_session(owner, session.id)
    assert all(not p.reviews for p in (await learning.practice(met, owner)).points)


async def test_looking_twice_reads_no_interview_twice(met, owner):
    asked: list[str] = []

    class Counting(ScriptedEngine):
        async def perform(self, task):
            asked.append(task.prompt)
            return await super().perform(task)

    parts = replace(met, rules=Counting(all_met))
    await interviewed(parts, owner)
    await learning.practice(parts, owner)
    await learning.practice(parts, owner)
    assert asked == ["read_answer"]


async def test_many_interviews_are_looked_at_in_portions(met, owner):
    """A page must not wait for a hundred interviews; what is kept counts until it is renewed."""
    parts = with_rules(met)
    made = [await interviewed(parts, owner) for _ in range(3)]
    for session_id in made:
        session = await parts.store.get_session(owner, session_id)
        answered = session.turns[0]
        many = tuple(replace(answered, seq=n + 1) for n in range(learning.MOST_READ_AGAIN))
        longer = replace(session, turns=many, updated_at=parts.clock())
        await parts.store.update_session(owner, longer, session.revision)
    seen = [(await learning.practice(parts, owner)).behind for _ in range(4)]
    assert seen == [2, 1, 0, 0]


async def test_the_chain_leads_from_point_to_bullet_to_the_best_words(met, owner):
    parts = with_rules(met)
    await materials.import_resume(parts, owner, RESUME.encode(), "li.md")
    session_id = await interviewed(parts, owner)
    topic = parts.knowledge.questions["zero-stages"].topic
    found = await learning.proof(parts, owner, topic)
    assert [b.text for b in found.bullets] == [
        "Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100."
    ]
    assert found.best is not None
    assert found.best.review.origin_id == session_id
    assert found.best.shown[0].quote == WORDS[:12]
    with pytest.raises(NotFound):
        await learning.proof(parts, owner, "nothing")


async def test_a_note_moves_the_card_and_can_be_taken_away(parts, owner):
    topic = parts.knowledge.questions["zero-stages"].topic
    note = await learning.put_note(parts, owner, topic, 0, Standing.STABLE, "known")
    point = (await learning.practice(parts, owner)).point(topic)
    assert (point.column, point.standing, point.mastery) == (Standing.STABLE, Standing.NEW, None)
    moved = await learning.put_note(parts, owner, topic, note.revision, Standing.GOOD, None)
    assert moved.text == "known"
    with pytest.raises(VersionOutdated):
        await learning.put_note(parts, owner, topic, note.revision, None, "late")
    with pytest.raises(NotFound):
        await learning.put_note(parts, owner, "nothing", 0, None, "x")
    await learning.delete_note(parts, owner, topic)
    assert (await learning.practice(parts, owner)).point(topic).column is Standing.NEW


# ---- short questions ----


async def test_a_short_question_is_asked_answered_and_scheduled(met, owner):
    parts = with_rules(met)
    drill = await learning_drill.begin(parts, owner, Lang.EN, "flash_attention")
    assert await learning_drill.begin(parts, owner, Lang.EN) == drill  # it waits
    done = await learning_drill.answer(parts, owner, drill.id, WORDS)
    assert done.status is DrillStatus.ANSWERED
    seen = await learning_drill.view(parts, owner, drill.id)
    assert seen.finding is not None
    assert seen.finding.verdict is Verdict.MET
    assert seen.review is not None
    assert (seen.review.rating, seen.review.origin) == (Rating.GOOD, Origin.DRILL)
    assert seen.facts
    assert seen.skill is not None
    assert seen.skill.schedule is not None
    assert seen.skill.schedule.due - done.updated_at == timedelta(days=2)
    following = await learning_drill.begin(parts, owner, Lang.EN)
    assert (following.question_id, following.point_id) != (drill.question_id, drill.point_id)


async def test_only_the_point_is_asked_of_the_reader(met, owner):
    drill = await learning_drill.begin(met, owner, Lang.ZH, "flash_attention")
    await learning_drill.answer(met, owner, drill.id, WORDS)
    (task,) = [t for t in met.engine.asked if isinstance(t, ReadAnswer)]
    assert [p.id for p in task.points] == [drill.point_id]
    assert task.question == drill.text


async def test_a_hint_lowers_what_an_answer_can_earn(met, owner):
    parts = with_rules(met)
    drill = await learning_drill.begin(parts, owner, Lang.EN, "flash_attention")
    await learning_drill.hint(parts, owner, drill.id)
    assert len((await learning_drill.view(parts, owner, drill.id)).hints) == 1
    await learning_drill.answer(parts, owner, drill.id, WORDS)
    seen = await learning_drill.view(parts, owner, drill.id)
    assert seen.review is not None
    assert seen.review.rule is Rule.HINTED


async def test_not_knowing_asks_no_engine_and_comes_back_tomorrow(met, owner):
    drill = await learning_drill.begin(met, owner, Lang.EN)
    await learning_drill.answer(met, owner, drill.id, "I don't know.")
    assert met.engine.asked == []
    seen = await learning_drill.view(met, owner, drill.id)
    assert seen.review is not None
    assert seen.review.rule is Rule.DONT_KNOW
    assert seen.skill is not None
    assert seen.skill.standing is Standing.SHAKY


async def test_skipping_is_no_review_and_another_topic_puts_the_open_one_aside(met, owner):
    drill = await learning_drill.begin(met, owner, Lang.EN)
    other = await learning_drill.begin(met, owner, Lang.EN, "flash_attention")
    assert (await met.store.get_drill(owner, drill.id)).status is DrillStatus.SKIPPED
    await learning_drill.skip(met, owner, other.id)
    assert await learning_drill.open_drill(met, owner) is None
    assert all(not p.reviews for p in (await learning.practice(met, owner)).points)
    with pytest.raises(InputInvalid):
        await learning_drill.begin(met, owner, Lang.EN, "nothing")


async def test_an_answer_survives_a_failed_reading(make_parts, owner):
    failing = FailingEngine(EngineUnavailable("no answer"), ScriptedEngine(all_met))
    parts = make_parts(failing)
    drill = await learning_drill.begin(parts, owner, Lang.EN)
    with pytest.raises(EngineUnavailable):
        await learning_drill.answer(parts, owner, drill.id, WORDS)
    kept = await parts.store.get_drill(owner, drill.id)
    assert (kept.status, kept.answer) == (DrillStatus.STORED, WORDS)
    with pytest.raises(TurnOutOfOrder):
        await learning_drill.answer(parts, owner, drill.id, "other words, later")
    done = await learning_drill.answer(parts, owner, drill.id, None)
    assert done.status is DrillStatus.ANSWERED


async def test_nothing_empty_and_nothing_twice(met, owner):
    drill = await learning_drill.begin(met, owner, Lang.EN)
    with pytest.raises(TextEmpty):
        await learning_drill.answer(met, owner, drill.id, "  ")
    await learning_drill.answer(met, owner, drill.id, WORDS)
    for text in (WORDS, None):
        with pytest.raises(TurnOutOfOrder):
            await learning_drill.answer(met, owner, drill.id, text)
    await learning_drill.delete(met, owner, drill.id)
    assert all(not p.reviews for p in (await learning.practice(met, owner)).points)
