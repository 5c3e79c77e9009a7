"""Doubles that tests share: engines that say what they are told, a clock that stands still."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from service.domain.tasks import (
    AnswerReading,
    EngineNote,
    MisconceptionReading,
    Phrase,
    PhraseMove,
    PointReading,
    ReadAnswer,
    Task,
    WordBullets,
    WordedBullets,
)
from service.engine.port import Performed

NOTE = EngineNote(engine="scripted")


class ScriptedEngine:
    """Reads with `read`, phrases plainly, and keeps the tasks it was asked."""

    def __init__(self, read: Callable[[ReadAnswer], AnswerReading] | None = None) -> None:
        self.read = read or (lambda _: reading())
        self.asked: list[Task[Any]] = []

    async def perform(self, task: Task[Any]) -> Performed[Any]:
        self.asked.append(task)
        if isinstance(task, ReadAnswer):
            return Performed(self.read(task), NOTE)
        if isinstance(task, WordBullets):
            return Performed(WordedBullets(proposals=()), NOTE)
        assert isinstance(task, PhraseMove)
        return Performed(Phrase(text=f"{task.move}: {task.quote or task.asks_about}"), NOTE)


class FailingEngine:
    """Raises what it is told for `times` acts, then performs with another engine."""

    def __init__(self, error: Exception, then: ScriptedEngine, times: int = 1) -> None:
        self._error = error
        self._then = then
        self._left = times

    async def perform(self, task: Task[Any]) -> Performed[Any]:
        if self._left > 0:
            self._left -= 1
            raise self._error
        return await self._then.perform(task)


def reading(*points: tuple[str, str, str], misconceptions: tuple[tuple[str, str], ...] = ()):
    """Points as (id, verdict, quote), misconceptions as (id, quote)."""
    return AnswerReading(
        points=tuple(
            PointReading.model_validate({"id": i, "verdict": v, "quote": q}) for i, v, q in points
        ),
        misconceptions=tuple(MisconceptionReading(id=i, quote=q) for i, q in misconceptions),
    )


class SteppingClock:
    """Goes on by one second at each look."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now
