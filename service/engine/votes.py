"""Several readings of one answer by the same model: the majority counts, the spread is shown."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from service.domain.tasks import (
    AnswerReading,
    EngineNote,
    MisconceptionReading,
    PointReading,
    ReadAnswer,
    Spread,
    Task,
)
from service.engine.port import Engine, Performed, ReadingT
from service.errors import EngineError

# From least to most; when votes are tied, the lesser one counts: doubt earns nothing.
ORDER: Final = ("contradicted", "missed", "partial", "met")

Vote = Performed[AnswerReading]


@dataclass(frozen=True, slots=True)
class VotingEngine:
    """Reads every answer `votes` times at once; all else is done once."""

    engine: Engine
    votes: int

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """The majority of those readings that came.

        Raises:
            EngineUnavailable, ReadingInvalid: none came; the first reason.
        """
        if self.votes == 1 or not isinstance(task, ReadAnswer):
            return await self.engine.perform(task)
        return cast("Performed[ReadingT]", counted(await self._collect(task)))

    async def _collect(self, task: ReadAnswer) -> Sequence[Vote]:
        calls = (self.engine.perform(task) for _ in range(self.votes))
        came = await asyncio.gather(*calls, return_exceptions=True)
        for fault in came:
            if isinstance(fault, BaseException) and not isinstance(fault, EngineError):
                raise fault
        votes = [vote for vote in came if not isinstance(vote, BaseException)]
        if not votes:
            raise next(fault for fault in came if isinstance(fault, EngineError))
        return votes


def counted(votes: Sequence[Vote]) -> Vote:
    """One reading of many. A misconception needs more than half of the votes."""
    readings = [vote.reading for vote in votes]
    ids = list(dict.fromkeys(point.id for reading in readings for point in reading.points))
    ballots = {i: [p for reading in readings for p in reading.points if p.id == i] for i in ids}
    reading = AnswerReading(
        points=tuple(
            _winner(ballot) for ballot in ballots.values() if 2 * len(ballot) > len(votes)
        ),
        misconceptions=tuple(_held(readings)),
    )
    spread = tuple(_spread(i, b, len(votes)) for i, b in ballots.items() if _is_split(b, votes))
    return Performed(reading, _note([vote.note for vote in votes], spread))


def _winner(ballot: Sequence[PointReading]) -> PointReading:
    tally = Counter(point.verdict for point in ballot)
    verdict = max(ORDER, key=lambda v: (tally[v], -ORDER.index(v)))
    return next(point for point in ballot if point.verdict == verdict)


def _is_split(ballot: Sequence[PointReading], votes: Sequence[Vote]) -> bool:
    return len(ballot) < len(votes) or len({point.verdict for point in ballot}) > 1


def _spread(point_id: str, ballot: Sequence[PointReading], votes: int) -> Spread:
    tally = Counter[str](point.verdict for point in ballot)
    silent = {"unjudged": votes - len(ballot)} if len(ballot) < votes else {}
    return Spread(point_id=point_id, votes={**dict(sorted(tally.items())), **silent})


def _held(readings: Sequence[AnswerReading]) -> Iterator[MisconceptionReading]:
    firsts: dict[str, MisconceptionReading] = {}
    tally = Counter[str]()
    for reading in readings:
        for held in {m.id: m for m in reversed(reading.misconceptions)}.values():
            tally[held.id] += 1
            firsts.setdefault(held.id, held)
    return (held for i, held in firsts.items() if 2 * tally[i] > len(readings))


def _note(notes: Sequence[EngineNote], spread: tuple[Spread, ...]) -> EngineNote:
    return notes[0].model_copy(
        update={
            "input_tokens": _total([note.input_tokens for note in notes]),
            "output_tokens": _total([note.output_tokens for note in notes]),
            "milliseconds": max(note.milliseconds for note in notes),
            "votes": len(notes),
            "spread": spread,
        }
    )


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
