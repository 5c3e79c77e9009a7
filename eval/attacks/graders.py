"""Graders that the probe suite runs on: ours, and a lexical one that it must see through."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from eval.attacks.model import Graded
from eval.constructed.bank import QUESTIONS, Bank
from eval.grader import open_grader
from service.domain.claims.model import ClaimContext
from service.domain.grading import CREDIT
from service.domain.language import Lang, detect_language
from service.flows.reading import Asked, read_answer

# (question id, language, answer) -> what it said.
Grading = Callable[[str, str, str], Awaitable[Graded]]
LEXICAL: Final = "lexical"
ENOUGH_TERMS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Bench:
    """A grader with the words of the questions it grades."""

    name: str
    grade: Grading
    questions: Mapping[str, Mapping[str, str]]


@asynccontextmanager
async def open_bench(engine: str, bank: Bank) -> AsyncGenerator[Bench]:
    """The grader named `engine`: builtin, llm, or lexical (the floor that counts terms).

    Raises:
        InputInvalid: no such engine.
    """
    async with AsyncExitStack() as stack:
        chosen = "builtin" if engine == LEXICAL else engine
        graders = {q: await stack.enter_async_context(open_grader(q, chosen)) for q in QUESTIONS}

        async def grade(question: str, lang: str, answer: str) -> Graded:
            grader = graders[question]
            reader_lang = Lang(lang) if lang in set(Lang) else detect_language(answer)
            named = grader.reader.knowledge.questions[question]
            asked = Asked(named, named.text.in_(reader_lang), reader_lang, ClaimContext())
            read = await read_answer(asked, answer, grader.reader)
            return Graded(
                score=read.grade.score,
                credited=frozenset(
                    f.point_id for f in read.grade.findings if CREDIT.get(f.verdict, 0) > 0
                ),
                raised=frozenset(m.misconception_id for m in read.grade.misconceptions),
            )

        words = {
            q: {lang.value: g.reader.knowledge.questions[q].text.in_(lang) for lang in Lang}
            for q, g in graders.items()
        }
        yield Bench(engine, lexical(bank) if engine == LEXICAL else grade, words)


def lexical(bank: Bank) -> Grading:
    """A floor: a point is met when half of its terms stand in the answer, in any order."""

    async def grade(question: str, lang: str, answer: str) -> Graded:
        entry = bank.questions[question]
        heard = answer.casefold()
        names = ("zh", "en") if lang == "mixed" else (lang,)
        met = {
            p
            for p, v in entry.points.items()
            for name in names
            if sum(t.casefold() in heard for t in v.terms[name])
            >= ENOUGH_TERMS * len(v.terms[name])
        }
        total = 0.0
        for dimension, weight in entry.dimensions.items():
            own = [p for p, v in entry.points.items() if v.dimension == dimension]
            total += weight * sum(p in met for p in own) / len(own)
        return Graded(round(total, 2), frozenset(met), frozenset())

    return grade
