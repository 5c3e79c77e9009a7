"""The engine that needs no model: it reads what is asserted and words moves from ready lines."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Final, cast

from service.domain.assertions import (
    Frame,
    Lexicon,
    PointPatterns,
    match_in_other_words,
    match_misconceptions,
    match_points,
    own_words_excluded,
    prepare_misconception,
    prepare_point,
    read_frames,
    without,
)
from service.domain.assertions.likeness import (
    Likeness,
    doubted,
    match_by_likeness,
    prepare_likeness,
    stretches,
)
from service.domain.assertions.numbers import with_numbers
from service.domain.assertions.phrasing import say
from service.domain.assertions.weighing import Scales
from service.domain.grading import Dimension, PointClaim, RubricPoint, Verdict
from service.domain.knowledge import Knowledge
from service.domain.language import Bilingual
from service.domain.rewriting import Source, Style
from service.domain.rewriting.compose import compose
from service.domain.tasks import (
    AnswerReading,
    EngineNote,
    MisconceptionReading,
    Phrase,
    PhraseMove,
    PointReading,
    ReadAnswer,
    Strict,
    Task,
    WordBullets,
    WordedBullet,
    WordedBullets,
)
from service.engine.port import Performed, ReadingT

NAME: Final = "builtin"
LONGEST_PHRASE: Final = 600  # characters
LONGEST_BULLET: Final = 1_200


@dataclass(frozen=True)
class _Prepared:
    """One question ready for reading: points with patterns, the others by likeness."""

    by_pattern: Mapping[str, PointPatterns]
    points: Sequence[RubricPoint]
    lexicon: Lexicon

    @cached_property
    def likeness(self) -> Likeness:
        """Read from the texts of the points at the first answer: a bank of 120 takes seconds."""
        return prepare_likeness(self.points, self.lexicon)


class BuiltinEngine:
    """Reads by frames and patterns; what it cannot decide it leaves out as unjudged."""

    def __init__(
        self, knowledge: Knowledge, lexicon: Lexicon, scales: Scales | None = None
    ) -> None:
        """Compile every pattern of the knowledge base; `scales` find what other words say.

        Raises:
            ValueError: a pattern is malformed; the message names the entry.
        """
        self._lexicon = lexicon
        self._scales = scales or Scales()
        self._questions = {
            question.id: _prepare(question.rubric.points, lexicon)
            for question in knowledge.questions.values()
        }
        self._atlas = tuple(
            prepare_misconception(m, lexicon)
            for m in knowledge.misconceptions.values()
            if m.patterns
        )

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """Read or phrase; never fails for what the task holds."""
        started = perf_counter()
        # In a thread: a long answer must not keep everybody else waiting.
        reading = await asyncio.to_thread(RULES[type(task)], self, task)
        took = (perf_counter() - started) * 1_000
        note = EngineNote(engine=NAME, milliseconds=round(took, 3))
        # The table pairs every task with a rule that returns its reading type.
        return Performed(cast("ReadingT", reading), note)

    def read(self, task: ReadAnswer) -> AnswerReading:
        """Judge the candidate's own words; echoes and orders to the grader are not read."""
        foreign = own_words_excluded(task.answer, task.question, self._lexicon)
        own = without(task.answer, foreign)
        frames = with_numbers(own, read_frames(own, self._lexicon), task.numbers)
        asked = {m.id for m in task.misconceptions}
        atlas = [m for m in self._atlas if m.misconception_id in asked]
        held = match_misconceptions(own, frames, atlas, self._scales.beliefs)
        quotes = {h.misconception_id: h.quote for h in held}
        contradicted = {
            point.rpartition("/")[2]: quotes[entry.misconception_id]
            for entry in atlas
            if entry.misconception_id in quotes
            for point in entry.contradicts
            if point.rpartition("/")[0] in ("", task.question_id)
        }
        claims = self._points(task, own, frames, contradicted)
        return AnswerReading(
            points=tuple(_reading(c) for c in claims if c.verdict is not Verdict.UNJUDGED),
            misconceptions=tuple(
                MisconceptionReading(id=h.misconception_id, quote=h.quote) for h in held
            ),
        )

    def _points(
        self,
        task: ReadAnswer,
        own: str,
        frames: Sequence[Frame],
        contradicted: Mapping[str, str],
    ) -> tuple[PointClaim, ...]:
        prepared = self._questions.get(task.question_id) or _from_task(task, self._lexicon)
        ids = [point.id for point in task.points]
        patterned = [prepared.by_pattern[i] for i in ids if i in prepared.by_pattern]
        scale = self._scales.points.of(task.question_id) if self._scales.points else None
        by_pattern = match_points(own, frames, patterned, contradicted)
        found = match_in_other_words(own, frames, by_pattern, scale)
        claims = {c.point_id: c for c in found}
        rest = [i for i in ids if i not in claims]
        said = stretches(own, frames, self._lexicon)
        claims |= {i: match_by_likeness(own, said, i, prepared.likeness) for i in rest}
        claims |= {
            i: doubted(claim, said, prepared.likeness)
            for i, claim in claims.items()
            if i not in rest and claim.verdict is Verdict.MISSED
        }
        return tuple(claims[i] for i in dict.fromkeys(ids))

    def phrase(self, task: PhraseMove) -> Phrase:
        """Fill a ready-made line; a line too long falls back to what must be asked."""
        text = say(
            self._lexicon.phrasing,
            task.move,
            task.lang,
            task.quote,
            task.slots.get("asks_about", task.asks_about),
            task.variant,
        )
        return Phrase(text=(text or task.question or task.move)[:LONGEST_PHRASE])


def _prepare(points: Sequence[RubricPoint], lexicon: Lexicon) -> _Prepared:
    patterned = [p for p in points if p.patterns]
    return _Prepared({p.id: prepare_point(p, lexicon) for p in patterned}, tuple(points), lexicon)


def _from_task(task: ReadAnswer, lexicon: Lexicon) -> _Prepared:
    """A question outside the knowledge base is read by the text of its points alone."""
    points = [
        RubricPoint(p.id, Dimension.STAGES, Bilingual(zh=p.text, en=p.text)) for p in task.points
    ]
    return _prepare(points, lexicon)


def _reading(claim: PointClaim) -> PointReading:
    return PointReading.model_validate(
        {"id": claim.point_id, "verdict": claim.verdict.value, "quote": claim.quote}
    )


def _read(engine: BuiltinEngine, task: Task[Strict]) -> Strict:
    return engine.read(cast("ReadAnswer", task))


def _phrase(engine: BuiltinEngine, task: Task[Strict]) -> Strict:
    return engine.phrase(cast("PhraseMove", task))


def _word(engine: BuiltinEngine, task: Task[Strict]) -> Strict:
    """Order, plainer verbs and the person's answers; the caller's guard still decides."""
    del engine
    asked = cast("WordBullets", task)
    styles = tuple(Style(s) for s in asked.styles)
    return WordedBullets(
        proposals=tuple(
            WordedBullet.model_validate({"bullet_id": b.id, "style": style.value, "text": text})
            for b in asked.bullets
            for style, text in compose(
                Source(b.id, b.text, b.heading, tuple(b.answers.values())), b.answers, styles
            )
            if len(text) <= LONGEST_BULLET
        )
    )


RULES: Final[Mapping[type, Callable[[BuiltinEngine, Task[Strict]], Strict]]] = {
    ReadAnswer: _read,
    PhraseMove: _phrase,
    WordBullets: _word,
}
