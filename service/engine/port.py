"""The one verb of every engine."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from service.domain.tasks import EngineNote, Strict, Task

ReadingT = TypeVar("ReadingT", bound=Strict)


@dataclass(frozen=True, slots=True)
class Performed(Generic[ReadingT]):
    reading: ReadingT
    note: EngineNote


class Engine(Protocol):
    """Performs tasks of reading and phrasing language."""

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """Read or phrase.

        Raises:
            EngineUnavailable: the model could not be reached in time; nothing was read.
            ReadingInvalid: it answered, but not in the agreed form, even after one repair turn.
        """
        ...
