"""Runs a grader over the probe suite: each base once, each case once."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass

from eval.attacks.cases import Suite
from eval.attacks.graders import Grading
from eval.attacks.model import Case, Graded
from eval.attacks.relations import ClassReport, Outcome, judge, summarise
from eval.constructed.bases import Base
from service.errors import EngineError, EngineUnavailable


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """`missing` cases could not be graded; they are counted, never judged."""

    classes: tuple[ClassReport, ...]
    outcomes: tuple[Outcome, ...]
    missing: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return all(c.passed for c in self.classes)


async def run_suite(
    grade: Grading, suite: Suite, tell: Callable[[int, int], None], at_once: int = 1
) -> SuiteReport:
    """Grade everything, `at_once` answers at a time; `tell(done, all)` after each.

    Raises:
        EngineUnavailable: the grader answered nothing at all.
    """
    progress = _Progress(tell, len(suite.bases) + len(suite.cases))
    gate = asyncio.Semaphore(at_once)

    async def one(work: Base | Case) -> Graded | None:
        async with gate:
            return await _grade(grade, work, progress)

    bases = dict(zip(suite.bases, await _all([one(b) for b in suite.bases.values()]), strict=True))
    graded = await _all([one(c) for c in suite.cases])
    if not any(g is not None for g in graded):
        raise EngineUnavailable("No answer of the probe suite could be graded.")
    pairs = list(zip(suite.cases, graded, strict=True))
    outcomes = tuple(
        judge(case, said, bases[case.base] if case.base else None)
        for case, said in pairs
        if said is not None and (case.base is None or bases[case.base] is not None)
    )
    judged = {o.case.id for o in outcomes}
    return SuiteReport(
        classes=_classes(outcomes),
        outcomes=outcomes,
        missing=tuple(c.id for c, _ in pairs if c.id not in judged),
    )


async def _all(works: Sequence[Coroutine[object, object, Graded | None]]) -> list[Graded | None]:
    return list(await asyncio.gather(*works))


@dataclass(slots=True)
class _Progress:
    tell: Callable[[int, int], None]
    total: int
    done: int = 0

    def step(self) -> None:
        self.done += 1
        self.tell(self.done, self.total)


async def _grade(grade: Grading, work: Base | Case, progress: _Progress) -> Graded | None:
    question, text = (
        (work.question, work.answer)
        if isinstance(work, Case)
        else (work.question.question, work.text)
    )
    try:
        return await grade(question, work.lang, text)
    except EngineError:
        return None
    finally:
        progress.step()


def _classes(outcomes: Sequence[Outcome]) -> tuple[ClassReport, ...]:
    kinds = dict.fromkeys(o.case.kind for o in outcomes)
    return tuple(summarise(k, [o for o in outcomes if o.case.kind == k]) for k in kinds)
