"""A run: every answer of a file graded into a folder, one synced line each.

Killed anywhere, the same command goes on where it stopped, grades nothing twice and ends in the
same bytes of header, results and summary.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import IO, Final

from eval.answers import AnswerLine
from eval.cost import Prices, cost_of
from eval.folder import (
    ATTEMPTS,
    COST,
    HEADER,
    RESULTS,
    SERVED,
    SUMMARY,
    append,
    claim_folder,
    digest_of_answers,
    finished,
    keep_answers,
    put_in_order,
    read_header,
    read_results,
    whole_rows,
    write_json,
)
from eval.pace import Gate, Pace, Progress
from eval.row import Outcome, Row, graded_row, missing_row, outcome_of, why_of
from service.domain.claims.model import ClaimContext
from service.domain.knowledge import Question
from service.domain.language import Message, msg
from service.errors import EngineError, EngineUnavailable, InputInvalid
from service.flows.reading import Asked, Read, Reader, read_answer

__all__ = ["HEADER", "RESULTS", "SUMMARY", "read_results"]
# An answer longer than this is not given to any engine, in code points.
LONGEST_ANSWER: Final = 50_000
Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Grader:
    """What a run grades with. `engine_name` is builtin, or the model as it is called.

    `question` None: the one that each answer names. `identity` tells this grader from others.
    """

    reader: Reader
    engine_name: str
    question: Question | None
    identity: Mapping[str, object] = field(default_factory=dict[str, object])
    longest: int = LONGEST_ANSWER

    def question_of(self, line: AnswerLine) -> Question:
        """Raises InputInvalid: the answer names no question, or one that is not there."""
        if self.question is not None:
            return self.question
        known = self.reader.knowledge.questions
        if line.question_id is None or line.question_id not in known:
            raise InputInvalid(
                "{id}: there is no question {question}.", id=line.id, question=line.question_id
            )
        return known[line.question_id]


@dataclass(frozen=True, slots=True)
class RunReport:
    """`outcomes` counts every outcome; `unreachable` when the model answered nothing here."""

    graded: int
    not_enough_evidence: int
    errors: int
    mean_score: float | None
    outcomes: Mapping[str, int]
    answers: int
    unreachable: bool = False

    @property
    def complete(self) -> bool:
        return self.errors == 0 and self.graded + self.not_enough_evidence == self.answers

    def message(self, out: Path) -> Message:
        mean = msg("none") if self.mean_score is None else self.mean_score
        return msg(
            "{graded} graded, {silent} without enough evidence, {errors} missing; "
            "mean mark {mean}; {out}",
            graded=self.graded,
            silent=self.not_enough_evidence,
            errors=self.answers - self.graded - self.not_enough_evidence,
            mean=mean,
            out=str(out),
        )

    def document(self) -> dict[str, object]:
        return {
            "answers": self.answers,
            "graded": self.graded,
            "not_enough_evidence": self.not_enough_evidence,
            "errors": self.errors,
            "outcomes": dict(self.outcomes),
            "mean_score": self.mean_score,
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to run: retried are the outcomes, beyond faults of transport, to try once more."""

    pace: Pace
    prices: Prices = field(default_factory=Prices)
    retried: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One row, and the line for attempts.jsonl."""

    row: Row
    spent: Row


# Grades many answers and hands each attempt on as it is done.
Spread = Callable[[Sequence[AnswerLine], Callable[[Attempt], None]], Awaitable[None]]


async def run_answers(
    grader: Grader, answers: Sequence[AnswerLine], out: Path, tell: Tell, wanted: Wanted
) -> RunReport:
    """Grade what is not graded yet, in this process.

    Raises:
        InputInvalid: the folder holds another run, or an answer names no known question.
    """
    return await run_spread(spread_here(grader, wanted.pace), grader, answers, out, tell, wanted)


def spread_here(grader: Grader, pace: Pace) -> Spread:
    """In this process."""

    async def spread(lines: Sequence[AnswerLine], done: Callable[[Attempt], None]) -> None:
        await grade_many(grader, lines, pace, done)

    return spread


async def run_spread(
    spread: Spread,
    grader: Grader,
    answers: Sequence[AnswerLine],
    out: Path,
    tell: Tell,
    wanted: Wanted,
) -> RunReport:
    """The same with the grading done by `spread`, wherever that is."""
    claim_folder(out, header_of(grader, answers))
    keep_answers(out, answers)
    done = finished(out, wanted.retried)
    left = [a for a in answers if a.id not in done]
    here: list[Row] = []
    begun = wanted.pace.clock()
    with ExitStack() as files:
        results, attempts = (
            files.enter_context((out / name).open("a", encoding="utf-8"))
            for name in (RESULTS, ATTEMPTS)
        )

        def take(attempt: Attempt) -> None:
            _keep(attempt, results, attempts)
            here.append(attempt.row)
            seconds = wanted.pace.clock() - begun
            tell(Progress(len(done) + len(here), len(answers), len(here), seconds))

        await spread(left, take)
    return _summarise(out, answers, here, wanted.prices)


def _keep(attempt: Attempt, results: IO[str], attempts: IO[str]) -> None:
    append(attempts, attempt.spent)
    append(results, attempt.row)


async def grade_many(
    grader: Grader, lines: Sequence[AnswerLine], pace: Pace, done: Callable[[Attempt], None]
) -> None:
    """Grade `lines`, so many at once; when the model stays away the rest is skipped."""
    gate = Gate(pace)
    left = iter(lines)

    async def work() -> None:
        for line in left:
            await grade_patiently(grader, line, pace, gate, done)

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, pace.at_once)):
            group.create_task(work())


async def grade_patiently(
    grader: Grader, line: AnswerLine, pace: Pace, gate: Gate, done: Callable[[Attempt], None]
) -> None:
    """One answer, with further tries while the model is busy; skipped once it stays away."""
    if gate.gave_up:
        done(_skipped(line, "unreachable"))
        return
    for attempt in range(1, pace.attempts + 1):
        await gate.wait()
        begun = pace.clock()
        try:
            graded = await grade_line(grader, line, pace.clock)
        except EngineUnavailable as error:
            if gate.failed(error, attempt) and attempt < pace.attempts:
                continue
            done(_failed(line, error, (pace.clock() - begun) * 1_000))
            return
        gate.answered()
        done(graded)
        return


async def grade_line(grader: Grader, line: AnswerLine, clock: Callable[[], float]) -> Attempt:
    """One attempt; a reply that cannot be read is a row without a mark.

    Raises:
        EngineUnavailable: nothing was read; the caller knows whether to try again.
    """
    if len(line.answer) > grader.longest:
        return _skipped(line, "too_long")
    begun = clock()
    try:
        read, question = await read_line(grader, line)
    except EngineUnavailable:
        raise
    except EngineError as error:
        return _failed(line, error, (clock() - begun) * 1_000)
    milliseconds = (clock() - begun) * 1_000
    return Attempt(graded_row(line, question.id, read), _spent(line, read, milliseconds))


async def read_line(grader: Grader, line: AnswerLine) -> tuple[Read, Question]:
    question, lang = grader.question_of(line), line.reader_lang
    asked = Asked(question, question.text.in_(lang), lang, ClaimContext())
    return await read_answer(asked, line.answer, grader.reader), question


def _spent(line: AnswerLine, read: Read, milliseconds: float) -> Row:
    note = read.note
    return {
        "id": line.id,
        "outcome": Outcome.OK.value,
        "milliseconds": round(milliseconds, 3),
        "input_tokens": note.input_tokens,
        "output_tokens": note.output_tokens,
        "cached": False,
    }


def _failed(line: AnswerLine, error: EngineError, milliseconds: float) -> Attempt:
    outcome = outcome_of(error)
    spent = {"id": line.id, "outcome": outcome.value, "milliseconds": round(milliseconds, 3)}
    return Attempt(missing_row(line, outcome, why_of(error)), spent)


def _skipped(line: AnswerLine, why: str) -> Attempt:
    spent = {"id": line.id, "outcome": Outcome.SKIPPED.value, "milliseconds": 0.0, "cached": True}
    return Attempt(missing_row(line, Outcome.SKIPPED, why), spent)


def worker_fault(line: AnswerLine) -> Attempt:
    """A row without a mark: the worker that had it failed or died, time and again."""
    return _skipped(line, "worker_lost")


def identity_of(grader: Grader) -> dict[str, object]:
    """All of the grader that a result may depend on."""
    return {
        "engine": grader.engine_name,
        "knowledge": grader.reader.knowledge.digest,
        **grader.identity,
    }


def header_of(grader: Grader, answers: Sequence[AnswerLine]) -> dict[str, object]:
    """What must be the same for two runs to be one; InputInvalid for an unknown question."""
    questions = sorted({grader.question_of(a).id for a in answers})
    return {
        "question": grader.question.id if grader.question else None,
        "questions": questions,
        **identity_of(grader),
        "answers": digest_of_answers(answers),
        "count": len(answers),
    }


def _summarise(
    out: Path, answers: Sequence[AnswerLine], here: Sequence[Row], prices: Prices
) -> RunReport:
    """Put the lines into the order of the answers and count."""
    rows = put_in_order(out, answers)
    scores = [r["score"] for r in rows if isinstance(r["score"], int | float)]
    outcomes = {o.value: sum(r.get("outcome") == o.value for r in rows) for o in Outcome}
    report = RunReport(
        graded=sum(r["status"] == "graded" for r in rows),
        not_enough_evidence=sum(r["status"] == "not_enough_evidence" for r in rows),
        errors=sum(r["status"] == "error" for r in rows),
        mean_score=round(fmean(scores), 2) if scores else None,
        outcomes=outcomes,
        answers=len(answers),
        unreachable=_nothing_came(here),
    )
    write_json(out / SUMMARY, report.document())
    write_json(out / COST, cost_of(whole_rows(out / ATTEMPTS), prices))
    served = sorted({str(r["model"]) for r in rows if r.get("model")})
    write_json(out / HEADER, dict(read_header(out)) | {SERVED: served})
    return report


def _nothing_came(here: Sequence[Row]) -> bool:
    outcomes = {r["outcome"] for r in here}
    return Outcome.TRANSPORT_ERROR.value in outcomes and Outcome.OK.value not in outcomes
