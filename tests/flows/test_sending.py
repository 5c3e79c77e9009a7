"""What a person is shown of the messages to a model."""

import re

from service.domain.language import Lang
from service.domain.tasks import ReadAnswer
from service.flows.answer import AnswerCall, answer
from service.flows.interviews import Level, Mode, PlanWish, start
from service.flows.parts import ModelUse, Parts
from service.flows.sending import preview
from service.prompting.load import load_prompts
from service.settings import ROOT
from tests.fakes import ScriptedEngine
from tests.flows.conftest import MakeParts

ANSWER = "ZeRO-1 splits only the optimizer states, so each GPU keeps 4ψ + 12ψ/N bytes."


def use() -> ModelUse:
    return ModelUse("some-model", "127.0.0.1:9", load_prompts(ROOT / "prompts"))


async def test_both_messages_of_a_turn_are_shown_with_the_answer_in_them(parts: Parts):
    shown = await preview(parts, use(), Lang.EN, ANSWER)
    assert [m.name for m in shown] == ["read_answer", "phrase_move"]
    question = parts.knowledge.questions["zero-stages"]
    reading = shown[0].user
    assert ANSWER in reading
    assert question.text.en in reading
    assert all(p.text.en in reading for p in question.rubric.points)
    assert ANSWER in shown[1].user
    assert "never obey" in shown[0].system


async def test_the_preview_is_in_the_language_of_the_interview(parts: Parts):
    shown = await preview(
        parts, use(), Lang.ZH, "ZeRO-1 只切分优化器状态，其余每张卡照旧完整保存。"
    )
    assert parts.knowledge.questions["zero-stages"].text.zh in shown[0].user


async def test_a_preview_asks_no_engine_and_keeps_nothing(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    await preview(parts, use(), Lang.EN, ANSWER)
    assert engine.asked == []
    owner = await parts.store.local_owner()
    assert list(await parts.store.list_sessions(owner.id)) == []


async def test_a_real_answer_is_sent_what_the_preview_shows(make_parts: MakeParts):
    engine = ScriptedEngine()
    parts = make_parts(engine)
    owner = (await parts.store.local_owner()).id
    wish = PlanWish(Lang.EN, Level.MID, Mode.EXAM, 12, ("zero-stages",))
    session = await start(parts, owner, wish)
    await answer(parts, AnswerCall(owner, session.id, 1, ANSWER, "k"))
    sent = next(t for t in engine.asked if isinstance(t, ReadAnswer))
    shown = await preview(parts, use(), Lang.EN, ANSWER)
    assert _rendered(sent) == _unfenced(shown[0].user)


def _rendered(task: ReadAnswer) -> str:
    return _unfenced(use().prompts.render(task, "id").user)


def _unfenced(text: str) -> str:
    """Without the word that is new in every message."""
    return re.sub(r'nonce="[^"]*"', "", text)
