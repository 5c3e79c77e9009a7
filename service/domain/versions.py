"""Versions of a résumé: one master, one for each posting, each a row of revisions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TypeVar

from service.domain.resume import Bullet, Education, Project, Resume, Work
from service.domain.text import Span

Spanned = TypeVar("Spanned", Bullet, Education, Work, Project)


class Change(StrEnum):
    """Why a revision was made."""

    IMPORTED = "imported"
    TAILORED = "tailored"
    ACCEPTED = "accepted"
    EDITED = "edited"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Version:
    """`posting_id` is None for the master. `revision` is the newest one's number, from 1."""

    id: str
    created_at: datetime
    updated_at: datetime
    resume_id: str
    posting_id: str | None
    title: str
    note: str = ""
    revision: int = 1

    @property
    def is_master(self) -> bool:
        return self.posting_id is None


@dataclass(frozen=True, slots=True)
class Revision:
    """`about` names what the change was of: a bullet, or the revision that was restored."""

    seq: int
    created_at: datetime
    change: Change
    about: str
    resume: Resume


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is same, gone or new."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    bullet_id: str
    before: str
    after: str

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return word_diff(self.before, self.after)


def differences(old: Resume, new: Resume) -> tuple[Difference, ...]:
    """Bullets that differ, in the order of the newer text, then those that are gone."""
    before = {b.id: b.text for b in old.bullets()}
    after = {b.id: b.text for b in new.bullets()}
    ids = (*after, *(i for i in before if i not in after))
    pairs = (Difference(i, before.get(i, ""), after.get(i, "")) for i in ids)
    return tuple(d for d in pairs if d.before != d.after)


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """By words in Latin script and by characters in Chinese."""
    old, new = list(_units(before)), list(_units(after))
    pieces: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
            continue
        pieces += [Piece("gone", "".join(old[a:b]))] if b > a else []
        pieces += [Piece("new", "".join(new[c:d]))] if d > c else []
    return tuple(pieces)


def _units(text: str) -> Iterator[str]:
    unit = ""
    for char in text:
        if char.isalnum() and char < "\u3400":
            unit += char
            continue
        if unit:
            yield unit
            unit = ""
        yield char
    if unit:
        yield unit


def headings(resume: Resume) -> Mapping[str, str]:
    """The heading of each bullet's entry, by bullet id."""
    entries = [((w.employer, w.title, w.start, w.end), w.bullets) for w in resume.work]
    entries += [((p.name, p.role, p.start, p.end), p.bullets) for p in resume.projects]
    return {b.id: " | ".join(x for x in head if x) for head, bullets in entries for b in bullets}


def with_bullet(resume: Resume, bullet_id: str, text: str) -> Resume:
    """The résumé with one bullet in other words; every span behind it moves along.

    Raises:
        KeyError: there is no such bullet.
    """
    known = {b.id: b for b in resume.bullets()}
    span = known[bullet_id].span
    whole = resume.text[: span.start] + text + resume.text[span.end :]
    grown = len(text) - (span.end - span.start)

    def moved(one: Span) -> Span:
        if one == span:
            return Span(span.start, span.start + len(text))
        start = one.start + grown if one.start >= span.end else one.start
        end = one.end + grown if one.end >= span.end else one.end
        return Span(min(start, end), end)

    def shifted(items: tuple[Spanned, ...]) -> tuple[Spanned, ...]:
        return tuple(replace(x, span=moved(x.span)) if x.span else x for x in items)

    def bullets(items: tuple[Bullet, ...]) -> tuple[Bullet, ...]:
        return tuple(replace(b, text=text) if b.id == bullet_id else b for b in shifted(items))

    def entry(one: Work | Project) -> dict[str, tuple[Bullet, ...]]:
        return {"bullets": bullets(one.bullets), "description": shifted(one.description)}

    return replace(
        resume,
        text=whole,
        education=shifted(resume.education),
        work=tuple(replace(w, **entry(w)) for w in shifted(resume.work)),
        projects=tuple(replace(p, **entry(p)) for p in shifted(resume.projects)),
        skill_lines=shifted(resume.skill_lines),
        notes=shifted(resume.notes),
    )
