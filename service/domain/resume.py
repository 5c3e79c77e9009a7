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
class Place:
    """Where a value was read. `page` counts from 1; `box` is left, bottom, right, top in points.

    `confidence` is 0..1: 1 where a label or layout leaves no doubt.
    """

    field: str  # name, email, work[0].employer, ...
    quote: str
    confidence: float
    page: int | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What applicant systems stumble over in the file as uploaded; `kind` is a word of ats.py.

    `page` counts from 1 and `box` is in points; a DOCX has no pages until it is printed, so its
    place is the quote alone.
    """

    kind: str
    count: int = 1
    quote: str = ""
    page: int | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """A value that was put right, with what it was: to be accepted or refused by the person."""

    field: str
    before: str
    after: str
    why: str  # normalised, from_link, glyphs


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
    span: Span | None = None  # in Resume.text


@dataclass(frozen=True, slots=True)
class Work:
    employer: str
    title: str | None = None
    start: str | None = None
    end: str | None = None
    bullets: tuple[Bullet, ...] = ()
    span: Span | None = None  # of its heading lines
    description: tuple[Bullet, ...] = ()  # ids d1..: prose beside the bullets


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    role: str | None = None
    start: str | None = None
    end: str | None = None
    bullets: tuple[Bullet, ...] = ()
    span: Span | None = None  # of its heading lines
    description: tuple[Bullet, ...] = ()  # ids d1..: prose beside the bullets


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
    skill_lines: tuple[Bullet, ...] = ()  # ids s1..: lines of the skills section
    notes: tuple[Bullet, ...] = ()  # ids n1..: summary, awards, publications and the like
    papers: tuple[str, ...] = ()  # ids of the notes that stand under publications
    places: tuple[Place, ...] = ()
    repairs: tuple[Repair, ...] = ()
    missing: tuple[str, ...] = ()  # fields to ask the person for
    obstacles: tuple[Obstacle, ...] = ()  # of the uploaded file

    def bullets(self) -> tuple[Bullet, ...]:
        entries = (*self.work, *self.projects)
        return tuple(b for entry in entries for b in entry.bullets)
