"""Versions of a résumé: one master, one for each posting, each a row of revisions."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import accumulate
from typing import Final, TypeVar

from service.domain.resume import Bullet, Education, Project, Resume, Work
from service.domain.text import Span

Spanned = TypeVar("Spanned", Bullet, Education, Work, Project)
EntryT = TypeVar("EntryT", Work, Project)
SKILLS: Final = "skills"


class Change(StrEnum):
    """Why a revision was made."""

    IMPORTED = "imported"
    TAILORED = "tailored"
    ACCEPTED = "accepted"
    EDITED = "edited"
    RESTORED = "restored"
    REORDERED = "reordered"


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
    """`about` names what the change was of: a bullet, an entry, or the revision restored."""

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
    """Of a line, its words; of an entry (w1, p2) or the skills, the order of their lines."""

    bullet_id: str
    before: str
    after: str

    @property
    def pieces(self) -> tuple[Piece, ...]:
        if "\n" in self.before:
            return _diff(
                self.before.splitlines(keepends=True), self.after.splitlines(keepends=True)
            )
        return word_diff(self.before, self.after)


def differences(old: Resume, new: Resume) -> tuple[Difference, ...]:
    """Lines that differ, in the order of the newer text, then those that are gone, then orders."""
    before = {b.id: b.text for b in (*old.bullets(), *old.skill_lines)}
    after = {b.id: b.text for b in (*new.bullets(), *new.skill_lines)}
    ids = (*after, *(i for i in before if i not in after))
    pairs = (Difference(i, before.get(i, ""), after.get(i, "")) for i in ids)
    return (*(d for d in pairs if d.before != d.after), *_moved_lines(old, new))


def _moved_lines(old: Resume, new: Resume) -> Iterator[Difference]:
    """The same lines in another order."""
    before, after = dict(_rows(old)), dict(_rows(new))
    for name, lines in after.items():
        was = before.get(name, ())
        ids, old_ids = [b.id for b in lines], [b.id for b in was]
        if ids != old_ids and sorted(ids) == sorted(old_ids):
            yield Difference(name, *("".join(f"{b.text}\n" for b in row) for row in (was, lines)))


def _rows(resume: Resume) -> Iterator[tuple[str, tuple[Bullet, ...]]]:
    yield from ((entry_id(resume, w), w.bullets) for w in resume.work)
    yield from ((entry_id(resume, p), p.bullets) for p in resume.projects)
    yield SKILLS, resume.skill_lines


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """By words in Latin script and by characters in Chinese."""
    return _diff(list(_units(before)), list(_units(after)))


def _diff(old: Sequence[str], new: Sequence[str]) -> tuple[Piece, ...]:
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


def entry_id(resume: Resume, entry: Work | Project) -> str:
    """What an entry is called as a line that can be quoted: w1, p2."""
    if isinstance(entry, Work):
        return f"w{resume.work.index(entry) + 1}"
    return f"p{resume.projects.index(entry) + 1}"


def with_bullet(resume: Resume, bullet_id: str, text: str) -> Resume:
    """The résumé with one bullet in other words; every span behind it moves along.

    Raises:
        KeyError: there is no such bullet.
    """
    known = {b.id: b for b in resume.bullets()}
    moved, _ = spliced(resume, {known[bullet_id].span: text})

    def worded(entry: EntryT) -> EntryT:
        bullets = (replace(b, text=text) if b.id == bullet_id else b for b in entry.bullets)
        return replace(entry, bullets=tuple(bullets))

    return replace(
        moved,
        work=tuple(worded(w) for w in moved.work),
        projects=tuple(worded(p) for p in moved.projects),
    )


def spliced(resume: Resume, words: Mapping[Span, str]) -> tuple[Resume, Mapping[Span, Span]]:
    """The résumé with other words at some spans of its text, and where these spans are now.

    Every other span moves along. The spans may not overlap.
    """
    places = sorted(words)
    text, now, at = "", dict[Span, Span](), 0
    for place in places:
        text += resume.text[at : place.start]
        now[place] = Span(len(text), len(text) + len(words[place]))
        text += words[place]
        at = place.end
    ends = [place.end for place in places]
    grown = [0, *accumulate(len(words[p]) - (p.end - p.start) for p in places)]

    def moved(one: Span) -> Span:
        if one in now:
            return now[one]
        start = one.start + grown[bisect_right(ends, one.start)]
        return Span(start, max(start, one.end + grown[bisect_right(ends, one.end)]))

    def shifted(items: tuple[Spanned, ...]) -> tuple[Spanned, ...]:
        return tuple(replace(x, span=moved(x.span)) if x.span else x for x in items)

    def lines(entry: EntryT) -> EntryT:
        return replace(
            entry, bullets=shifted(entry.bullets), description=shifted(entry.description)
        )

    whole = replace(
        resume,
        text=text + resume.text[at:],
        education=shifted(resume.education),
        work=tuple(lines(w) for w in shifted(resume.work)),
        projects=tuple(lines(p) for p in shifted(resume.projects)),
        skill_lines=shifted(resume.skill_lines),
        notes=shifted(resume.notes),
    )
    return whole, now
