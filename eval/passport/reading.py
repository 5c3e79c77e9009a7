"""Many texts read once each by the built-in reader, over two processes."""

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

from eval.answers import AnswerLine
from eval.attacks.model import Graded
from eval.grader import open_grader
from eval.row import Row, graded_row
from eval.run import read_line
from service.domain.grading import CREDIT, Verdict

EVERY: Final = 100


@dataclass(frozen=True, slots=True)
class Text:
    """What is read; equal texts are read once."""

    question: str
    lang: str
    answer: str


@dataclass(frozen=True, slots=True)
class Was:
    """The result without its id, and the milliseconds it took."""

    row: Row
    milliseconds: float

    @property
    def graded(self) -> Graded:
        return graded_of(self.row)


def text_of(line: AnswerLine, question: str) -> Text:
    return Text(line.question_id or question, line.lang or "", line.answer)


def graded_of(row: Row) -> Graded:
    """A result's row as the probe suite judges it."""
    points: Mapping[str, Mapping[str, str]] = row["points"]  # pyright: ignore[reportAssignmentType]
    raised: Sequence[str] = row["misconceptions"]  # pyright: ignore[reportAssignmentType]
    score: float | None = row["score"]  # pyright: ignore[reportAssignmentType]
    earned = {p for p, v in points.items() if CREDIT.get(Verdict(v["verdict"]), 0) > 0}
    return Graded(score, frozenset(earned), frozenset(raised))


def read_texts(texts: Sequence[Text], processes: int) -> Mapping[Text, Was]:
    """Every text once; each process opens the reader anew, with its own hash seed."""
    wanted = list(dict.fromkeys(texts))
    shares = [wanted[n::processes] for n in range(processes)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        read = list(pool.map(read_share, shares, range(1, processes + 1)))
    return {
        t: w
        for share, done in zip(shares, read, strict=True)
        for t, w in zip(share, done, strict=True)
    }


def read_share(texts: Sequence[Text], process: int) -> list[Was]:
    return asyncio.run(_read(texts, process))


async def _read(texts: Sequence[Text], process: int) -> list[Was]:
    done: list[Was] = []
    async with open_grader(None, "builtin") as grader:
        for number, text in enumerate(texts, start=1):
            line = AnswerLine(
                id="-", question_id=text.question, lang=text.lang or None, answer=text.answer
            )
            begun = time.perf_counter()
            read, question = await read_line(grader, line)
            milliseconds = (time.perf_counter() - begun) * 1_000
            done.append(Was(graded_row(line, question.id, read), milliseconds))
            if number % EVERY == 0 or number == len(texts):
                sys.stderr.write(f"  reader {process}: {number}/{len(texts)}\n")
    return done
