"""What every engine keeps, whichever it is: only what was asked, and quotes word for word."""

import time
from datetime import date
from pathlib import Path

import pytest
from pydantic import SecretStr

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.language import Lang, detect_language
from service.domain.tasks import AnswerReading, EngineNote, Phrase
from service.domain.text import find_quote
from service.engine.builtin import BuiltinEngine
from service.engine.fallback import FallbackEngine
from service.engine.model import open_model
from service.engine.reasons import Reason, unavailable
from service.engine.recorded import RecordedEngine

KNOWLEDGE = Path(__file__).resolve().parents[2] / "knowledge"


class Unreachable:
    async def perform(self, task):  # noqa: ARG002 - the port has it
        raise unavailable(Reason.UNREACHABLE)


@pytest.fixture(scope="session")
def builtin():
    return BuiltinEngine(load_knowledge(KNOWLEDGE), load_lexicon(KNOWLEDGE / "lexicon"))


@pytest.fixture
async def over_the_wire(server, wire, prompts, good_reading, good_phrase):
    def answer(request):
        wants_phrase = "text" in str(request.body["response_format"])[:200]
        return wire.served(wire.completion(good_phrase if wants_phrase else good_reading))

    server.will(answer)
    model = open_model(
        server.url,
        SecretStr("k"),
        "m",
        prompts,
        seconds=5.0,
        calls_per_session=50,
        tokens_per_day=100_000,
        clock=time.monotonic,
        today=lambda: date(2026, 11, 30),
        nonce_source=lambda: "n0",
    )
    yield model.engine
    await model.close()


@pytest.fixture(params=["builtin", "llm", "recorded", "fallback"])
async def engine(request, over_the_wire, prompts, tmp_path, read_task, phrase_task):
    if request.param == "llm":
        return over_the_wire
    if request.param == "recorded":
        recorder = RecordedEngine(tmp_path, prompts, over_the_wire)
        await recorder.perform(read_task)
        await recorder.perform(phrase_task)
        return RecordedEngine(tmp_path, prompts)
    if request.param == "fallback":
        return FallbackEngine(Unreachable(), over_the_wire)
    return request.getfixturevalue("builtin")


async def test_only_asked_points_are_read_and_each_at_most_once(engine, read_task):
    reading = (await engine.perform(read_task)).reading
    ids = [point.id for point in reading.points]
    assert set(ids) <= {point.id for point in read_task.points}
    assert len(ids) == len(set(ids))


async def test_only_listed_misconceptions_are_named(engine, read_task):
    reading = (await engine.perform(read_task)).reading
    known = {belief.id for belief in read_task.misconceptions}
    assert {belief.id for belief in reading.misconceptions} <= known


async def test_every_credit_and_accusation_quotes_the_answer(engine, read_task):
    reading = (await engine.perform(read_task)).reading
    quotes = [p.quote for p in reading.points if p.verdict != "missed"]
    quotes += [m.quote for m in reading.misconceptions]
    assert all(find_quote(read_task.answer, quote) for quote in quotes)


async def test_the_form_of_the_reading_is_the_tasks(engine, read_task, phrase_task):
    assert isinstance((await engine.perform(read_task)).reading, AnswerReading)
    assert isinstance((await engine.perform(phrase_task)).reading, Phrase)


async def test_the_same_act_gives_the_same_reading(engine, read_task, phrase_task):
    for task in (read_task, phrase_task):
        first = (await engine.perform(task)).reading
        assert first == (await engine.perform(task)).reading


async def test_the_note_names_the_engine(engine, read_task):
    note = (await engine.perform(read_task)).note
    assert isinstance(note, EngineNote)
    assert note.engine in {"builtin", "llm"}
    assert note.milliseconds >= 0


async def test_a_worded_move_speaks_the_language_of_the_interview(engine, phrase_task):
    text = (await engine.perform(phrase_task)).reading.text
    assert text.strip()
    assert detect_language(text) is Lang.EN
