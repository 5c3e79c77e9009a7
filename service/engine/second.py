"""A second reader beside the model: where the two differ, a person should look.

The second reader changes no verdict. It runs while the model is awaited, so it costs no time that
a candidate would notice.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from service.domain.tasks import AnswerReading, Doubt, ReadAnswer, Task
from service.engine.port import Engine, Performed, ReadingT
from service.errors import EngineError

# Half credit against full, or against none, is a matter of taste; earned against not earned is not.
EARNS: Final = frozenset({"met", "partial"})
PARTIAL: Final = "partial"


@dataclass(frozen=True, slots=True)
class SecondReader:
    """Reads with `first`; notes each point on which `second` says otherwise."""

    first: Engine
    second: Engine

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """As the first engine performs, its doubts added.

        Raises:
            EngineUnavailable, ReadingInvalid: the first engine could not do it.
        """
        if not isinstance(task, ReadAnswer):
            return await self.first.perform(task)
        performed, other = await asyncio.gather(
            self.first.perform(task), self._second_look(task), return_exceptions=True
        )
        if isinstance(performed, BaseException):
            raise performed
        if isinstance(other, BaseException):
            raise other
        doubts = tuple(doubts_between(performed.reading, other)) if other else ()
        note = performed.note.model_copy(update={"doubts": doubts})
        return cast("Performed[ReadingT]", Performed(performed.reading, note))

    async def _second_look(self, task: ReadAnswer) -> AnswerReading | None:
        """None when it cannot read: then there is nothing to compare."""
        try:
            return (await self.second.perform(task)).reading
        except EngineError:
            return None


def doubts_between(one: AnswerReading, other: AnswerReading) -> Iterator[Doubt]:
    """Points that both judged, one as earned and the other as not."""
    seconds = {point.id: point.verdict for point in other.points}
    for point in one.points:
        second = seconds.get(point.id)
        if second is None or PARTIAL in (point.verdict, second):
            continue
        if (point.verdict in EARNS) != (second in EARNS):
            yield Doubt(point_id=point.id, first=point.verdict, second=second)
