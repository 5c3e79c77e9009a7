"""The plan for the next session: what was lost comes first, then what was left out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from service.domain.grading import Level
from service.domain.interview import Plan
from service.domain.knowledge import Question
from service.domain.language import Message, msg

MOST_NEXT: Final = 4
LEVELS: Final = tuple(Level)


class QuestionState(StrEnum):
    GRADED = "graded"
    NOT_ENOUGH_EVIDENCE = "not_enough_evidence"
    SKIPPED = "skipped"
    NOT_ANSWERED = "not_answered"  # asked, and the interview ended before an answer
    NOT_REACHED = "not_reached"


@dataclass(frozen=True, slots=True)
class NextQuestion:
    question: Question
    why: Message


@dataclass(frozen=True, slots=True)
class NextSession:
    """`minutes` is the sum of its questions' minutes; no question where nothing is left to ask."""

    questions: tuple[NextQuestion, ...]
    minutes: int


WHY_GAP: Final = msg("A gap of this interview is in it.")
WHY_THIN: Final = msg("Too little was said to judge it.")
WHY_LEFT: Final = msg("It was planned and not answered.")
WHY_NEAR: Final = msg("It is on the same subject as a gap.")
WHY_HARDER: Final = msg("It asks for the next level.")


def next_session(
    plan: Plan,
    gaps: Sequence[str],
    states: Mapping[str, QuestionState],
    questions: Mapping[str, Question],
) -> NextSession:
    """At most four questions in the minutes of this interview; the first always fits."""
    chosen: dict[str, NextQuestion] = {}
    left = plan.minutes
    for question, why in _candidates(plan, gaps, states, questions):
        if question.id in chosen or (chosen and question.minutes > left):
            continue
        chosen[question.id] = NextQuestion(question, why)
        left -= question.minutes
        if len(chosen) == MOST_NEXT:
            break
    return NextSession(tuple(chosen.values()), sum(n.question.minutes for n in chosen.values()))


def _candidates(
    plan: Plan,
    gaps: Sequence[str],
    states: Mapping[str, QuestionState],
    questions: Mapping[str, Question],
) -> Iterator[tuple[Question, Message]]:
    yield from ((questions[i], WHY_GAP) for i in gaps)
    yield from _in_state(states, questions, QuestionState.NOT_ENOUGH_EVIDENCE, WHY_THIN)
    yield from _in_state(states, questions, QuestionState.SKIPPED, WHY_LEFT)
    yield from _in_state(states, questions, QuestionState.NOT_ANSWERED, WHY_LEFT)
    yield from _in_state(states, questions, QuestionState.NOT_REACHED, WHY_LEFT)
    fresh = [q for q in questions.values() if q.id not in states]
    subjects = {questions[i].topic for i in gaps}
    yield from ((q, WHY_NEAR) for q in _most_asked(fresh) if q.topic in subjects)
    if not gaps:
        rank = LEVELS.index(plan.level) + 1
        harder = (q for q in fresh if LEVELS.index(q.level) == min(rank, len(LEVELS) - 1))
        yield from ((q, WHY_HARDER) for q in _most_asked(harder))


def _in_state(
    states: Mapping[str, QuestionState],
    questions: Mapping[str, Question],
    state: QuestionState,
    why: Message,
) -> Iterator[tuple[Question, Message]]:
    return ((questions[i], why) for i, s in states.items() if s is state)


def _most_asked(questions: Iterable[Question]) -> list[Question]:
    return sorted(questions, key=lambda q: (-q.asked, q.id))
