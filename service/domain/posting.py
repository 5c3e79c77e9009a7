"""A job posting as read: requirements in the ad's own words."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.text import Span


class Kind(StrEnum):
    MUST = "must"
    NICE = "nice"


class Group(StrEnum):
    ALL_OF = "all_of"
    ANY_OF = "any_of"


@dataclass(frozen=True, slots=True)
class Requirement:
    id: str
    text: str
    span: Span  # in Posting.text
    skills: tuple[str, ...] = ()  # canonical names
    kind: Kind = Kind.MUST
    group: Group = Group.ALL_OF
    negated: bool = False
    years: float | None = None
    degree: str | None = None
    category: str = "other"
    classes: tuple[str, ...] = ()  # what the named examples are examples of
    major: bool = False  # a field of study is asked for


@dataclass(frozen=True, slots=True)
class Posting:
    text: str
    title: str | None = None
    level: str | None = None
    years_min: float | None = None
    degree: str | None = None
    requirements: tuple[Requirement, ...] = ()
