"""Requirement against résumé: what is proved, by which words, and what is missing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from service.domain import judging
from service.domain.knowledge import Skill
from service.domain.language import Message
from service.domain.posting import Kind, Posting, Requirement
from service.domain.proof import Foreign, ledger, nothing
from service.domain.resume import Resume


class Status(StrEnum):
    MET = "met"
    PARTIAL = "partial"
    GAP = "gap"


class Strength(StrEnum):
    """A project or work bullet outweighs a skills line."""

    WORK = "work"
    PROJECT = "project"
    SKILLS_LINE = "skills_line"
    EDUCATION = "education"


@dataclass(frozen=True, slots=True)
class MatchEvidence:
    bullet_id: str
    text: str
    strength: Strength
    skill: str | None = None
    how: str = "named"  # named, alias, implied


@dataclass(frozen=True, slots=True)
class RequirementMatch:
    """`points` of at most `weight` (both 0..100) go into the score."""

    requirement: Requirement
    status: Status
    evidence: tuple[MatchEvidence, ...]
    why: Message
    weight: float = 0.0
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """`score` is 0..100, computed from the table alone; `parts` explain it and add up to it."""

    score: float
    parts: Mapping[str, float]
    requirements: tuple[RequirementMatch, ...]

    @property
    def gaps(self) -> tuple[RequirementMatch, ...]:
        return tuple(r for r in self.requirements if r.status is Status.GAP)


CREDIT: Final = MappingProxyType({Status.MET: 1.0, Status.PARTIAL: 0.5, Status.GAP: 0.0})
# What a requirement weighs before the weights are scaled to 100: a must three times a wish.
WEIGHTS: Final = MappingProxyType({Kind.MUST: 3.0, Kind.NICE: 1.0})
# What no résumé proves well (teamwork, "other") weighs a third of what it would.
HARD_TO_PROVE: Final = frozenset({"soft", "other"})
HARD_TO_PROVE_SHARE: Final = 1 / 3


def align(
    resume: Resume,
    posting: Posting,
    skills: Mapping[str, Skill],
    today: str | None = None,
    foreign: Foreign = nothing,
) -> Match:
    """Pure: the same input gives the same match.

    `foreign` lines are not the person's own account (orders to the grader) and prove nothing.

    `today` (YYYY-MM) closes a job that is still held; without it such a job counts up to the
    latest date written in the résumé.
    """
    book = ledger(resume, skills, foreign)
    judged = [judging.judge(r, resume, book, skills, today) for r in posting.requirements]
    matches = [_match(r, j) for r, j in zip(posting.requirements, judged, strict=True)]
    weighed = tuple(_weigh(matches))
    parts = {str(kind): _sum(weighed, kind) for kind in Kind}
    return Match(round(sum(parts.values()), 2), parts, weighed)


def _match(requirement: Requirement, judgement: judging.Judgement) -> RequirementMatch:
    evidence = tuple(
        MatchEvidence(q.line.id, q.line.text, Strength(q.line.room), q.skill, q.how)
        for q in judgement.quotes
    )
    return RequirementMatch(requirement, Status(judgement.status), evidence, judgement.why)


def _weigh(matches: Sequence[RequirementMatch]) -> Iterator[RequirementMatch]:
    """Scale the weights so that everything met makes 100."""
    total = sum(_raw_weight(m.requirement) for m in matches)
    for match in matches:
        weight = 100 * _raw_weight(match.requirement) / total if total else 0.0
        points = round(weight * CREDIT[match.status], 2)
        yield replace(match, weight=round(weight, 2), points=points)


def _raw_weight(requirement: Requirement) -> float:
    """What the ad says is not required weighs nothing."""
    if requirement.negated:
        return 0.0
    share = HARD_TO_PROVE_SHARE if requirement.category in HARD_TO_PROVE else 1.0
    return WEIGHTS[requirement.kind] * share


def _sum(matches: Sequence[RequirementMatch], kind: Kind) -> float:
    points = (m.points for m in matches if m.requirement.kind is kind)
    return min(100.0, round(sum(points), 2))
