"""With the model of the settings: `pytest -m live`. Skipped where none is set, as in CI."""

import secrets
import time
from datetime import date

import pytest

from service.engine.model import open_model
from service.errors import ReadingInvalid
from service.settings import read_settings


@pytest.mark.live
@pytest.mark.timeout(600)
async def test_a_real_model_gives_a_valid_reading_or_a_typed_error(prompts, read_task, phrase_task):
    settings = read_settings()
    if not settings.model:
        pytest.skip("set SHARDWISE_MODEL and OPENAI_BASE_URL to talk to a real model")
    model = open_model(
        settings.openai_base_url,
        settings.openai_api_key,
        settings.model,
        prompts,
        seconds=settings.model_seconds,
        calls_per_session=10,
        tokens_per_day=100_000,
        clock=time.monotonic,
        today=lambda: date(2026, 11, 30),
        nonce_source=lambda: secrets.token_hex(8),
    )
    for task in (read_task, phrase_task):
        try:
            performed = await model.engine.perform(task)
        except ReadingInvalid:
            continue  # a small model may fail the form; that it is typed is what matters
        assert isinstance(performed.reading, task.reading_type)
        assert performed.note.model
    await model.close()
