"""What a plan rests on beside the match: a résumé or a posting alone, its numbers, past practice.

Lines of a résumé are quoted and asked about; nothing here says that one is untrue.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.domain.interview import Basis, PlannedQuestion
from service.domain.knowledge import Question, QuestionKind, Skill
from service.domain.language import Message, msg
from service.domain.posting import Requirement
from service.domain.resume import Bullet, Resume
from service.domain.skills import skill_names

# Mastery runs from 0 to 1; what was never practised is neither weak nor strong.
WEAK: Final = 0.5
STRONG: Final = 0.85
MOST_DEFENDED: Final = 2
# Topics that a number of memory is best defended in, the nearest first.
MEMORY_TOPICS: Final = ("resume_project", "memory_breakdown", "zero")

Chosen = tuple[Question, PlannedQuestion]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line of the résumé with a figure that its words do not explain; `asks` says so politely."""

    bullet: Bullet
    asks: Message


@dataclass(frozen=True, slots=True)
class Sources:
    """`mastery` by topic, 0..1; `skills` find what a line of a résumé is about."""

    resume: Resume | None = None
    requirements: Sequence[Requirement] = ()
    skills: Mapping[str, Skill] = field(default_factory=dict[str, Skill])
    mastery: Mapping[str, float] = field(default_factory=dict[str, float])
    doubts: Sequence[Doubt] = ()


def is_strong(topic: str, sources: Sources) -> bool:
    return sources.mastery.get(topic, 0.0) >= STRONG


def from_resume(sources: Sources, questions: Sequence[Question]) -> list[Chosen]:
    """One question for each line that names one of its skills, in the résumé's order."""
    bullets = sources.resume.bullets() if sources.resume else ()
    return list(_once(_about_bullets(bullets, sources, questions)))


def _about_bullets(
    bullets: Sequence[Bullet], sources: Sources, questions: Sequence[Question]
) -> Iterator[Chosen]:
    for bullet in bullets:
        named = set(skill_names(bullet.text, sources.skills))
        ranked = sorted(
            (q for q in questions if named.intersection(q.skills)),
            key=lambda q: -len(named.intersection(q.skills)),
        )
        for question in ranked[:1]:
            why = msg("It is about a line of your résumé.")
            yield question, _planned(question, why, Basis.BULLET, bullet)


def from_posting(sources: Sources, questions: Sequence[Question]) -> list[Chosen]:
    """One question for each requirement that names one of its skills, in the posting's order."""
    return list(_once(_about_requirements(sources, questions)))


def _about_requirements(sources: Sources, questions: Sequence[Question]) -> Iterator[Chosen]:
    for requirement in sources.requirements:
        if requirement.negated:
            continue
        wanted = set(requirement.skills)
        for question in [q for q in questions if wanted.intersection(q.skills)][:1]:
            why = msg("The posting asks for it: {requirement}", requirement=requirement.text)
            yield question, _planned(question, why, Basis.REQUIREMENT)


def from_practice(sources: Sources, questions: Sequence[Question]) -> list[Chosen]:
    """One question of each topic that earlier practice left weak, the weakest first."""
    weak = sorted((m, t) for t, m in sources.mastery.items() if m < WEAK)
    why = msg("Earlier practice left it weak.")
    return [
        (question, _planned(question, why, Basis.WEAK_POINT))
        for _, topic in weak
        for question in [q for q in questions if q.topic == topic][:1]
    ]


def to_defend(sources: Sources, questions: Sequence[Question]) -> list[Chosen]:
    """A question on numbers for the first lines whose figures ask for an explanation."""
    fitting = [q for topic in MEMORY_TOPICS for q in questions if q.topic == topic]
    fitting.sort(key=lambda q: q.kind is not QuestionKind.EXPERIENCE)
    return [
        (question, _planned(question, doubt.asks, Basis.NUMBER, doubt.bullet))
        for question, doubt in zip(fitting, sources.doubts[:MOST_DEFENDED], strict=False)
    ]


def _planned(
    question: Question, why: Message, basis: Basis, bullet: Bullet | None = None
) -> PlannedQuestion:
    return PlannedQuestion(
        question.id,
        question.minutes,
        why,
        bullet=bullet.text if bullet else None,
        bullet_id=bullet.id if bullet else None,
        basis=basis,
    )


def _once(chosen: Iterator[Chosen]) -> Iterator[Chosen]:
    seen: set[str] = set()
    for question, planned in chosen:
        if question.id not in seen:
            seen.add(question.id)
            yield question, planned
