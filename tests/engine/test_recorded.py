"""Recordings are found again for the same task and prompt, and for nothing else."""

from pathlib import Path
from typing import Any

import pytest

from service.domain.tasks import EngineNote, Phrase
from service.engine.port import Performed
from service.engine.reasons import Reason, reason_of
from service.engine.recorded import RecordedEngine
from service.errors import EngineUnavailable, StoreInvalid
from service.prompting.load import load_prompts

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"


class Says:
    def __init__(self):
        self.calls = 0

    async def perform(self, task: Any) -> Any:  # noqa: ARG002 - the port has it
        self.calls += 1
        note = EngineNote(engine="llm", model="m", input_tokens=3)
        return Performed(Phrase(text=f"call {self.calls}, 中文"), note)


async def test_what_was_recorded_is_replayed_without_the_engine(tmp_path, prompts, phrase_task):
    inner = Says()
    recorder = RecordedEngine(tmp_path / "new", prompts, inner)
    first = await recorder.perform(phrase_task)
    again = await recorder.perform(phrase_task)
    replayed = await RecordedEngine(tmp_path / "new", prompts).perform(phrase_task)
    assert first == again == replayed
    assert inner.calls == 1


async def test_a_miss_names_how_to_record(tmp_path, prompts, phrase_task):
    with pytest.raises(EngineUnavailable, match=r"python -m eval\.record_engine") as caught:
        await RecordedEngine(tmp_path, prompts).perform(phrase_task)
    assert reason_of(caught.value) is Reason.NOT_RECORDED


async def test_another_field_is_another_recording(tmp_path, prompts, phrase_task):
    recorder = RecordedEngine(tmp_path, prompts, Says())
    names = {
        recorder.file_name(phrase_task),
        recorder.file_name(phrase_task.model_copy(update={"answer": "other"})),
        recorder.file_name(phrase_task.model_copy(update={"variant": 9})),
    }
    assert len(names) == 3


async def test_a_changed_prompt_misses_on_purpose(tmp_path, prompts, phrase_task):
    folder = tmp_path / "prompts"
    folder.mkdir()
    for name in ("read_answer", "phrase_move", "word_bullets"):
        text = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
        (folder / f"{name}.md").write_text(text + "One more rule.\n", encoding="utf-8")
    changed = load_prompts(folder)
    await RecordedEngine(tmp_path, prompts, Says()).perform(phrase_task)
    with pytest.raises(EngineUnavailable):
        await RecordedEngine(tmp_path, changed).perform(phrase_task)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"note": {}, "reading": {"text": "x"}}', "{}"])
async def test_a_damaged_recording_is_an_error(tmp_path, prompts, phrase_task, text):
    recorder = RecordedEngine(tmp_path, prompts)
    (tmp_path / recorder.file_name(phrase_task)).write_text(text, encoding="utf-8")
    with pytest.raises(StoreInvalid, match="is damaged"):
        await recorder.perform(phrase_task)
