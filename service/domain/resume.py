"""A résumé as read: every value keeps where it stands."""

from dataclasses import dataclass, field
from enum import StrEnum

from service.domain.text import Span


class Quality(StrEnum):
    """Only `ok` goes on."""

    OK = "ok"
    SCAN = "scan"
    GARBLED = "garbled"
    PROTECTED = "protected"
    EMPTY = "empty"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know: `kind` is a stable word such as hidden_text."""

    kind: str
    count: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Bullet:
    id: str
    text: str
    span: Span  # in Resume.text


@dataclass(frozen=True, slots=True)
class Education:
    school: str
    degree: str | None = None
    major: str | None = None
    start: str | None = None  # YYYY-MM, YYYY
    end: str | None = None  # YYYY-MM, YYYY or present


@dataclass(frozen=True, slots=True)
class Work:
    employer: str
    title: str | None = None
    start: str | None = None
    end: str | None = None
    bullets: tuple[Bullet, ...] = ()


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    role: str | None = None
    start: str | None = None
    end: str | None = None
    bullets: tuple[Bullet, ...] = ()


@dataclass(frozen=True, slots=True)
class Resume:
    """`text` is the readable text in reading order; spans point into it."""

    text: str
    name: str | None = None
    email: str | None = None
    phone: str | None = None
    city: str | None = None
    urls: tuple[str, ...] = ()
    education: tuple[Education, ...] = ()
    work: tuple[Work, ...] = ()
    projects: tuple[Project, ...] = ()
    skills: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = field(default=())

    def bullets(self) -> tuple[Bullet, ...]:
        entries = (*self.work, *self.projects)
        return tuple(b for entry in entries for b in entry.bullets)
