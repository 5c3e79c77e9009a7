"""Requirement against résumé: what is proved, by which words, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from service.domain.language import Message
from service.domain.posting import Requirement


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
    requirement: Requirement
    status: Status
    evidence: tuple[MatchEvidence, ...]
    why: Message


@dataclass(frozen=True, slots=True)
class Match:
    """`score` is 0..100, computed from the table alone; `parts` explain it and add up to it."""

    score: float
    parts: Mapping[str, float]
    requirements: tuple[RequirementMatch, ...]

    @property
    def gaps(self) -> tuple[RequirementMatch, ...]:
        return tuple(r for r in self.requirements if r.status is Status.GAP)
