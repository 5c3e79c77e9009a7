"""What a reading must keep beyond its form: judge only what was asked, quote only what was said."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from service.domain.rewriting import Source, violations
from service.domain.tasks import (
    AnswerReading,
    Phrase,
    PhraseMove,
    ReadAnswer,
    Strict,
    Task,
    WordBullets,
    WordedBullets,
)
from service.domain.text import fold
from service.engine.phrase_guard import phrase_faults


@dataclass(frozen=True, slots=True)
class Faults:
    """In words for the model. Fatal ones refuse the reading; for the others one repair is asked.

    A quote that is not in the answer is not fatal: grounding withdraws its credit, and dropping
    the point instead would take it out of the divisor and so reward the invention.
    """

    fatal: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()


def faults_of(task: Task[Any], reading: Strict) -> Faults:
    """All faults of a reading whose form is right."""
    check = _CHECKS.get(type(task))
    return check(task, reading) if check else Faults()


def _answer_faults(task: Task[Any], reading: Strict) -> Faults:
    asked, given = cast("ReadAnswer", task), cast("AnswerReading", reading)
    return Faults(tuple(_foreign_ids(asked, given)), tuple(_invented_quotes(asked, given)))


def _foreign_ids(task: ReadAnswer, reading: AnswerReading) -> Iterator[str]:
    points = Counter(point.id for point in reading.points)
    if set(points) - {point.id for point in task.points}:
        yield "points holds an id that was not asked for."
    if any(count > 1 for count in points.values()):
        yield "points holds an id twice."
    known = {belief.id for belief in task.misconceptions}
    if {belief.id for belief in reading.misconceptions} - known:
        yield "misconceptions holds an id that was not listed."


def _invented_quotes(task: ReadAnswer, reading: AnswerReading) -> Iterator[str]:
    claims = [(p.id, p.quote) for p in reading.points if p.verdict != "missed"]
    claims += [(m.id, m.quote) for m in reading.misconceptions]
    answer = fold(task.answer).text
    for claimed, quote in claims:
        words = fold(quote).text.strip()
        if not words or words not in answer:
            yield f"The quote of {claimed} does not stand in the answer word for word."


def _phrase_faults(task: Task[Any], reading: Strict) -> Faults:
    return Faults(tuple(phrase_faults(cast("PhraseMove", task), cast("Phrase", reading).text)))


def _wording_faults(task: Task[Any], reading: Strict) -> Faults:
    """Inventions are minor here: one repair is asked, and the guard drops what is left."""
    asked, given = cast("WordBullets", task), cast("WordedBullets", reading)
    sources = {
        b.id: Source(b.id, b.text, b.heading, tuple(b.answers.values())) for b in asked.bullets
    }
    if {p.bullet_id for p in given.proposals} - set(sources):
        return Faults(("proposals holds a bullet_id that was not asked for.",))
    if {p.style for p in given.proposals} - set(asked.styles):
        return Faults(("proposals holds a style that was not asked for.",))
    return Faults(
        minor=tuple(
            f"{p.bullet_id} ({p.style}) adds or loses something: {v.kind.value}."
            for p in given.proposals
            for v in violations(p.text, sources[p.bullet_id], {})[:2]
        )[:12]
    )


_CHECKS: Final[Mapping[type[Task[Any]], Callable[[Task[Any], Strict], Faults]]] = {
    ReadAnswer: _answer_faults,
    PhraseMove: _phrase_faults,
    WordBullets: _wording_faults,
}
