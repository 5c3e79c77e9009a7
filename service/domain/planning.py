"""Which questions an interview asks, and why each was chosen.

Made from the posting's requirements and their gaps, the résumé's bullets, the level and the
minutes. Deterministic: the same input gives the same plan.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.alignment import Match, RequirementMatch, Status
from service.domain.grading import Level
from service.domain.interview import Mode, Plan, PlannedQuestion
from service.domain.knowledge import Question
from service.domain.language import Lang, msg
from service.errors import InputInvalid

# The question this product is built around opens every interview that has room for it.
FLAGSHIP: Final = "zero-stages"
LEAST_MINUTES: Final = 5
MOST_MINUTES: Final = 120
LEVELS: Final = tuple(Level)


@dataclass(frozen=True, slots=True)
class PlanWish:
    lang: Lang
    level: Level
    mode: Mode
    minutes: int
    question_ids: tuple[str, ...] = ()  # the person's own choice, in order; empty means choose
    resume_id: str | None = None
    posting_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Choice:
    question: Question
    planned: PlannedQuestion


def make_plan(wish: PlanWish, questions: Mapping[str, Question], match: Match | None) -> Plan:
    """Choose questions until the minutes are used.

    Raises:
        InputInvalid: the minutes are out of range or a wished question does not exist.
    """
    if not LEAST_MINUTES <= wish.minutes <= MOST_MINUTES:
        raise InputInvalid(
            "An interview takes {least} to {most} minutes.", least=LEAST_MINUTES, most=MOST_MINUTES
        )
    chosen = _wished(wish, questions) if wish.question_ids else _choose(wish, questions, match)
    return Plan(
        lang=wish.lang,
        level=wish.level,
        mode=wish.mode,
        minutes=wish.minutes,
        questions=chosen,
        resume_id=wish.resume_id,
        posting_id=wish.posting_id,
    )


def _wished(wish: PlanWish, questions: Mapping[str, Question]) -> tuple[PlannedQuestion, ...]:
    unknown = [q for q in wish.question_ids if q not in questions]
    if unknown:
        raise InputInvalid("There is no question {id}.", id=unknown[0])
    return tuple(
        PlannedQuestion(q, questions[q].minutes, msg("You chose it."))
        for q in dict.fromkeys(wish.question_ids)
    )


def _choose(
    wish: PlanWish, questions: Mapping[str, Question], match: Match | None
) -> tuple[PlannedQuestion, ...]:
    fitting = [q for q in questions.values() if LEVELS.index(q.level) <= LEVELS.index(wish.level)]
    candidates = [
        *_flagship(fitting),
        *(_from_match(match, fitting) if match else ()),
        *_by_topic(fitting),
    ]
    return _fill(candidates, wish.minutes)


def _fill(candidates: Iterable[_Choice], minutes: int) -> tuple[PlannedQuestion, ...]:
    """Take candidates in order, each question once, while they fit; at least one."""
    chosen: dict[str, PlannedQuestion] = {}
    left = minutes
    for choice in candidates:
        if choice.question.id in chosen or (chosen and choice.question.minutes > left):
            continue
        chosen[choice.question.id] = choice.planned
        left -= choice.question.minutes
    return tuple(chosen.values())


def _flagship(questions: Sequence[Question]) -> list[_Choice]:
    why = msg("Nearly every training interview asks what the ZeRO stages shard and cost.")
    return [
        _Choice(q, PlannedQuestion(q.id, q.minutes, why)) for q in questions if q.id == FLAGSHIP
    ]


def _from_match(match: Match, questions: Sequence[Question]) -> list[_Choice]:
    """Bullets that claim an asked skill first: they can be tested; then the gaps."""
    proved = [r for r in match.requirements if r.status is not Status.GAP]
    return [
        *(c for r in proved for c in _for_requirement(r, questions)),
        *(c for r in match.gaps for c in _for_requirement(r, questions)),
    ]


def _for_requirement(match: RequirementMatch, questions: Sequence[Question]) -> list[_Choice]:
    skills = set(match.requirement.skills)
    return [_Choice(q, _planned_for(match, q)) for q in questions if skills.intersection(q.skills)]


def _planned_for(match: RequirementMatch, question: Question) -> PlannedQuestion:
    if match.status is Status.GAP:
        why = msg(
            "The posting asks for this and your résumé does not show it yet: {requirement}",
            requirement=match.requirement.text,
        )
        return PlannedQuestion(question.id, question.minutes, why)
    evidence = match.evidence[0] if match.evidence else None
    why = msg(
        "The posting asks for it and your résumé claims it: {requirement}",
        requirement=match.requirement.text,
    )
    return PlannedQuestion(
        question.id,
        question.minutes,
        why,
        bullet=evidence.text if evidence else None,
        bullet_id=evidence.bullet_id if evidence else None,
    )


def _by_topic(questions: Sequence[Question]) -> list[_Choice]:
    """One question per topic before a second of any, in the bank's order."""
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, Question]] = []
    for order, question in enumerate(questions):
        seen[question.topic] = seen.get(question.topic, 0) + 1
        ranked.append((seen[question.topic], order, question))
    ranked.sort(key=lambda entry: entry[:2])
    why = msg("It belongs to what such interviews ask at this level.")
    return [_Choice(q, PlannedQuestion(q.id, q.minutes, why)) for _, _, q in ranked]
