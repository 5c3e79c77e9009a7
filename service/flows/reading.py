"""Reading one answer to one question: claims, facts, engine, grounding, grade.

The same steps serve a turn of an interview and a row of an evaluation.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain import claims
from service.domain.assertions import Lexicon, own_words_excluded
from service.domain.claims import KnownModels
from service.domain.claims.model import ClaimContext, NumericClaim
from service.domain.drawing.model import Drawn
from service.domain.drawing.reading import check_figures, hold_to_figures, reconciled, slots_of
from service.domain.grading import (
    LEAST_CHARACTERS,
    Grade,
    MisconceptionClaim,
    PointClaim,
    Verdict,
    grade,
    ground,
    ground_misconceptions,
)
from service.domain.knowledge import Knowledge, Passage, Question
from service.domain.language import Lang
from service.domain.tasks import (
    AnswerReading,
    AskedMisconception,
    AskedPassage,
    AskedPoint,
    CheckedNumber,
    EngineNote,
    ReadAnswer,
)
from service.domain.text import Span
from service.engine.port import Engine
from service.retrieval.port import Retriever

PASSAGES: Final = 6
# Retrieval looks at the start of a long answer: a query is a question, not an essay.
QUERY_CHARACTERS: Final = 600
NOT_READ: Final = EngineNote(engine="none")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what is needed to read its answers."""

    question: Question
    said: str  # the words of this turn's question, as the candidate saw them
    lang: Lang
    context: ClaimContext
    drawn: Drawn = ()  # the numbers that stand in the question, where it draws them

    @property
    def heard(self) -> str:
        """All that an answer could echo: this turn's words and the question behind a follow-up."""
        return f"{self.said}\n{self.question.text.zh}\n{self.question.text.en}"


@dataclass(frozen=True, slots=True)
class Read:
    grade: Grade
    snapshot: ReadAnswer
    note: EngineNote


@dataclass(frozen=True, slots=True)
class Reader:
    """What reading takes; the same for an interview and an evaluation."""

    engine: Engine
    retriever: Retriever
    knowledge: Knowledge
    lexicon: Lexicon
    models: KnownModels


async def read_answer(asked: Asked, answer: str, reader: Reader) -> Read:
    """Read and grade `answer`.

    Raises:
        EngineUnavailable, ReadingInvalid: nothing was read.
    """
    numbers, forbidden, passages = await asyncio.to_thread(_look_over, asked, answer, reader)
    task = _task(asked, answer, numbers, passages, reader.knowledge)
    if _own_content(answer, forbidden) < LEAST_CHARACTERS:
        return Read(_no_mark(asked.question, numbers), task, NOT_READ)
    performed = await reader.engine.perform(task)
    reading = performed.reading
    rubric = asked.question.rubric
    findings = ground(_point_claims(reading), rubric, answer, numbers, forbidden)
    findings = hold_to_figures(findings, rubric, numbers)
    held = ground_misconceptions(
        _misconception_claims(reading, reader.knowledge), answer, forbidden
    )
    total = grade(rubric, findings, held, numbers)
    return Read(total, task, performed.note)


def _look_over(
    asked: Asked, answer: str, reader: Reader
) -> tuple[tuple[NumericClaim, ...], tuple[Span, ...], tuple[Passage, ...]]:
    """Numbers with their verdicts, what is not the candidate's own, and the facts nearest to it.

    Runs in a thread: a long answer must not keep everybody else waiting. In one: two would wait
    for each other's turn at the interpreter longer than they save.
    """
    numbers = claims.check(answer, asked.context, models=reader.models)
    figures = check_figures(answer, asked.question, asked.drawn, reader.models)
    numbers = reconciled(numbers, figures)
    foreign = own_words_excluded(answer, asked.heard, reader.lexicon)
    query = f"{asked.question.text.in_(asked.lang)} {answer[:QUERY_CHARACTERS]}"
    return numbers, foreign, reader.retriever.nearest(query, PASSAGES)


def _task(
    asked: Asked,
    answer: str,
    numbers: tuple[NumericClaim, ...],
    passages: tuple[Passage, ...],
    knowledge: Knowledge,
) -> ReadAnswer:
    lang = asked.lang
    return ReadAnswer(
        lang=lang,
        question_id=asked.question.id,
        question=asked.said,
        points=tuple(
            AskedPoint(id=p.id, text=p.text.in_(lang)) for p in asked.question.rubric.points
        ),
        misconceptions=_asked_misconceptions(asked.question, lang, knowledge),
        passages=tuple(
            AskedPassage(fact_id=p.fact.id, text=p.fact.text.in_(lang), source=p.fact.source)
            for p in passages
        ),
        numbers=tuple(_checked(n, slots_of(asked.question)) for n in numbers),
        answer=answer,
    )


def _asked_misconceptions(
    question: Question, lang: Lang, knowledge: Knowledge
) -> tuple[AskedMisconception, ...]:
    """Those that an answer to this question could hold: they share a fact or oppose a point.

    All of them would be some ten thousand tokens for a model to read with every answer.
    """
    facts = {f for p in question.rubric.points for f in p.fact_ids} | set(question.fact_ids)
    points = {p.id for p in question.rubric.points}
    return tuple(
        AskedMisconception(id=m.id, belief=m.belief.in_(lang), correction=m.correction.in_(lang))
        for m in knowledge.misconceptions.values()
        if facts.intersection(m.fact_ids) or points.intersection(m.contradicts)
    )


def _checked(claim: NumericClaim, slots: Mapping[str, str]) -> CheckedNumber:
    scheme = claim.scheme or ""
    return CheckedNumber(
        text=claim.text,
        verdict=claim.verdict.value,
        expected=claim.expected,
        why=str(claim.why),
        quantity=claim.quantity.value,
        scheme=slots.get(scheme, claim.scheme),
    )


def _own_content(answer: str, forbidden: tuple[Span, ...]) -> int:
    """Letters and digits that are the candidate's own."""
    return sum(
        c.isalnum() and not any(f.start <= i < f.end for f in forbidden)
        for i, c in enumerate(answer)
    )


def _no_mark(question: Question, numbers: tuple[NumericClaim, ...]) -> Grade:
    """Content-free and copied answers are not read at all: no mark, and it says so."""
    return grade(question.rubric, ground((), question.rubric, "", ()), (), numbers)


def _point_claims(reading: AnswerReading) -> tuple[PointClaim, ...]:
    return tuple(PointClaim(p.id, Verdict(p.verdict), p.quote) for p in reading.points)


def _misconception_claims(
    reading: AnswerReading, knowledge: Knowledge
) -> tuple[MisconceptionClaim, ...]:
    """Only misconceptions that the knowledge base names; a model may not invent accusations."""
    return tuple(
        MisconceptionClaim(m.id, m.quote)
        for m in reading.misconceptions
        if m.id in knowledge.misconceptions
    )
