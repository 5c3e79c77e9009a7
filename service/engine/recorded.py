"""Replays readings from files, and makes the files when an engine stands behind it."""

import json
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from service.domain.tasks import EngineNote, Task
from service.engine.port import Engine, Performed, ReadingT
from service.engine.reasons import Reason, unavailable
from service.errors import StoreInvalid
from service.prompting.prompt import Prompts


class RecordedEngine:
    """One file an act, named by task, prompt fingerprint and a hash of the task's fields.

    A changed prompt or a changed field finds no file on purpose. With `inner`, a miss is performed
    and recorded; without it, a miss is an error. The files hold readings, so they may quote
    answers: record only invented ones.
    """

    def __init__(self, folder: Path, prompts: Prompts, inner: Engine | None = None) -> None:
        self._folder = folder
        self._prompts = prompts
        self._inner = inner

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """Replay, or record.

        Raises:
            EngineUnavailable: there is no recording and no engine to make one.
            StoreInvalid: the recording is damaged.
        """
        path = self._folder / self.file_name(task)
        if path.exists():
            return _replayed(path, task)
        if self._inner is None:
            raise unavailable(Reason.NOT_RECORDED)
        performed = await self._inner.perform(task)
        self._folder.mkdir(parents=True, exist_ok=True)
        path.write_text(_written(performed), encoding="utf-8")
        return performed

    def file_name(self, task: Task[ReadingT]) -> str:
        fingerprint = self._prompts.by_name[task.prompt].fingerprint
        fields = json.dumps(task.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
        digest = sha256(fields.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{task.prompt}-{fingerprint}-{digest}.json"


def _written(performed: Performed[ReadingT]) -> str:
    record = {
        "note": performed.note.model_dump(mode="json"),
        "reading": performed.reading.model_dump(mode="json"),
    }
    return json.dumps(record, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _replayed(path: Path, task: Task[ReadingT]) -> Performed[ReadingT]:
    reading_type: type[ReadingT] = task.reading_type  # pyright: ignore[reportAssignmentType]
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        reading = reading_type.model_validate_json(json.dumps(record["reading"]), strict=True)
        note = EngineNote.model_validate(record["note"])
    except (ValidationError, ValueError, LookupError, TypeError) as error:
        raise StoreInvalid("The recording {name} is damaged.", name=path.name) from error
    return Performed(reading, note)
