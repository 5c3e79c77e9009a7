"""Records what a real model reads, so that tests and evaluations can replay it for nothing.

    python -m eval.record_engine TASKS.jsonl FOLDER

Each line of TASKS is `{"task": "read_answer", "fields": {...}}`; invented answers only, because
the recordings quote them. The model is the one of the settings. What is recorded already is left
as it is, so an interrupted run goes on where it stopped.
"""

import asyncio
import json
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from service.domain.tasks import Task
from service.engine.model import open_model
from service.engine.recorded import RecordedEngine
from service.errors import EngineError, InputInvalid, SettingsInvalid, ShardwiseError
from service.prompting.load import TASKS, load_prompts
from service.settings import Settings, read_settings

USAGE: Final = "usage: python -m eval.record_engine TASKS.jsonl FOLDER"
BAD_DATA: Final = 2
INCOMPLETE: Final = 3
BY_NAME: Final = {task.prompt: task for task in TASKS}


def read_tasks(text: str) -> Iterator[Task[Any]]:
    """The tasks of a file, line by line.

    Raises:
        InputInvalid: a line is no task; says which.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _task(line, number)


def _task(line: str, number: int) -> Task[Any]:
    try:
        record = json.loads(line)
        task_type: type[Task[Any]] = BY_NAME[record["task"]]
        return task_type.model_validate_json(json.dumps(record["fields"]))
    except (ValueError, LookupError, TypeError, ValidationError) as error:
        raise InputInvalid("Line {line} is no task.", line=number) from error


async def record(tasks: Sequence[Task[Any]], folder: Path, settings: Settings) -> int:
    """Perform and record each task; returns how many could not be had.

    Raises:
        SettingsInvalid: no model is set.
    """
    if not settings.model:
        raise SettingsInvalid("Recording needs a model: set SHARDWISE_MODEL.")
    prompts = load_prompts(settings.prompts_dir)
    model = open_model(
        settings.openai_base_url,
        settings.openai_api_key,
        settings.model,
        prompts,
        seconds=settings.model_seconds,
        calls_per_session=settings.model_calls_per_session,
        tokens_per_day=settings.model_tokens_per_day,
        clock=time.monotonic,
        today=lambda: datetime.fromtimestamp(time.time(), UTC).date(),
        nonce_source=lambda: secrets.token_hex(8),
    )
    recorder = RecordedEngine(folder, prompts, model.engine)
    try:
        had = [await _recorded(recorder, task) for task in tasks]
    finally:
        await model.close()
    return had.count(False)


async def _recorded(recorder: RecordedEngine, task: Task[Any]) -> bool:
    try:
        await recorder.perform(task)
    except EngineError as error:
        print(f"{recorder.file_name(task)}: {error}", file=sys.stderr)
        return False
    return True


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:  # noqa: PLR2004 - as the usage says
        print(USAGE, file=sys.stderr)
        return BAD_DATA
    source, folder = Path(arguments[0]), Path(arguments[1])
    try:
        tasks = list(read_tasks(source.read_text(encoding="utf-8")))
        missing = asyncio.run(record(tasks, folder, read_settings()))
    except (ShardwiseError, OSError) as error:
        print(error, file=sys.stderr)
        return BAD_DATA
    print(f"{len(tasks) - missing} of {len(tasks)} recorded")
    return INCOMPLETE if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
