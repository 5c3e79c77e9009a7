"""A second engine behind the first. Who stepped in, and why, stands in the note of the reading."""

from service.domain.tasks import Task
from service.engine.port import Engine, Performed, ReadingT
from service.errors import EngineError


class FallbackEngine:
    """`first_name` is how the first engine is called in the notes of the second."""

    def __init__(self, first: Engine, second: Engine, first_name: str = "llm") -> None:
        self._first = first
        self._second = second
        self._first_name = first_name

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """Perform with the first engine, else with the second, labelled.

        `fallback_why` is an English sentence without values: a key of the catalogues.

        Raises:
            EngineUnavailable, ReadingInvalid: the second engine could not do it either.
        """
        try:
            return await self._first.perform(task)
        except EngineError as error:
            why = str(error)
        performed = await self._second.perform(task)
        labels = {"fallback_from": self._first_name, "fallback_why": why}
        return Performed(performed.reading, performed.note.model_copy(update=labels))
