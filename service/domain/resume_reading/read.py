"""Reading a résumé's lines: every value keeps the place it was read from; nothing is invented."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Final

from service.domain.knowledge import Skill
from service.domain.resume import Bullet, Notice, Place, Repair, Resume, Work
from service.domain.resume_reading import fields
from service.domain.resume_reading.contacts import Contacts, Found, headline_free, read_contacts
from service.domain.resume_reading.entries import Entry, cut_entries
from service.domain.resume_reading.lines import Line, unmarked
from service.domain.resume_reading.obstacles import date_obstacles, heading_obstacles
from service.domain.resume_reading.repairs import normalised
from service.domain.resume_reading.sections import Stretch, stretches
from service.domain.resume_reading.skill_items import skill_items
from service.domain.resume_reading.words import ResumeWords, Section
from service.domain.skills import find_skills
from service.domain.text import Span

_ENTRY_SECTIONS: Final = (Section.WORK, Section.PROJECT, Section.EDUCATION)
_SKILL_SECTIONS: Final = (Section.SKILLS,)
_NOTE_SECTIONS: Final = (
    Section.SUMMARY,
    Section.PUBLICATIONS,
    Section.AWARDS,
    Section.CERTIFICATES,
    Section.OTHER,
)
_ASKED_FOR: Final = ("name", "email", "phone")


@dataclass(frozen=True, slots=True)
class _Text:
    """The résumé's text and where each line (by identity) stands in it."""

    text: str
    spans: Mapping[int, Span]
    wholes: Mapping[int, Span]


def read_resume_lines(
    lines: Sequence[Line],
    words: ResumeWords,
    skills: Mapping[str, Skill],
    notices: Sequence[Notice] = (),
) -> Resume:
    """Pure and total: lines without any structure give a résumé with text alone."""
    kept = [unmarked(line) for line in lines if not _is_noise(line, words)]
    laid = _lay_out(kept)
    parts = stretches(kept, words)
    head = [line for s in parts if s.section in (Section.HEAD, Section.CONTACT) for line in s.lines]
    contacts = read_contacts(head, kept, words)
    resume = _entries(parts, laid, words)
    listed = _of(parts, *_SKILL_SECTIONS)
    languages = [x for x in _of(parts, Section.LANGUAGES) if _is_programming(x, skills)]
    notes = [
        *headline_free(_of(parts, Section.HEAD), contacts, words),
        *_of(parts, *_NOTE_SECTIONS),
    ]
    written = _bullets(notes, laid, "n")
    papers = {laid.wholes[id(x)] for x in _of(parts, Section.PUBLICATIONS) if id(x) in laid.wholes}
    values = {f: _value(getattr(contacts, f)) for f in ("name", "email", "phone", "city")}
    return replace(
        resume,
        **values,
        urls=tuple(u.value for u in contacts.urls),
        skills=skill_items([*listed, *languages], words, skills),
        warnings=tuple(notices),
        skill_lines=_bullets([*listed, *languages], laid, "s"),
        notes=written,
        papers=tuple(n.id for n in written if n.span in papers),
        places=(*_contact_places(contacts), *resume.places),
        repairs=tuple(_repairs(contacts, values)),
        missing=tuple(f for f in _ASKED_FOR if values[f] is None),
        obstacles=(*heading_obstacles(parts, kept, words), *resume.obstacles),
    )


def _repairs(contacts: Contacts, values: Mapping[str, str | None]) -> Iterator[Repair]:
    """One a field: what was taken from a link or closed up is decided before it is normalised."""
    yield from contacts.repairs
    known = {r.field for r in contacts.repairs}
    proposed = normalised(values["email"], values["phone"])
    yield from (r for r in proposed if r.field not in known)


def _value(found: Found | None) -> str | None:
    return found.value if found else None


def _is_noise(line: Line, words: ResumeWords) -> bool:
    text = line.whole.strip().lower()
    return not text or any(re.fullmatch(pattern, text) for pattern in words.noise)


def _lay_out(lines: Sequence[Line]) -> _Text:
    pieces: list[str] = []
    spans: dict[int, Span] = {}
    wholes: dict[int, Span] = {}
    at = 0
    for line in lines:
        mark = "- " if line.bullet else ""
        spans[id(line)] = Span(at + len(mark), at + len(mark) + len(line.text))
        wholes[id(line)] = Span(at + len(mark), at + len(mark) + len(line.whole))
        pieces.append(f"{mark}{line.whole}")
        at += len(pieces[-1]) + 1
    return _Text("\n".join(pieces), spans, wholes)


def _of(parts: Sequence[Stretch], *sections: Section) -> list[Line]:
    return [line for s in parts if s.section in sections for line in s.lines]


def _is_programming(line: Line, skills: Mapping[str, Skill]) -> bool:
    return any(skills[m.skill].category == "language" for m in find_skills(line.whole, skills))


def _bullets(lines: Sequence[Line], laid: _Text, letter: str) -> tuple[Bullet, ...]:
    return tuple(
        Bullet(f"{letter}{number}", laid.wholes[id(line)].of(laid.text), laid.wholes[id(line)])
        for number, line in enumerate((x for x in lines if id(x) in laid.wholes), 1)
    )


def _entries(parts: Sequence[Stretch], laid: _Text, words: ResumeWords) -> Resume:
    cut = [
        (s.section, entry)
        for s in parts
        if s.section in _ENTRY_SECTIONS
        for entry in cut_entries(s.lines, s.section, words)
    ]
    numbers = count(1), count(1)
    made = [(section, _body(entry, laid, numbers)) for section, entry in cut]
    of = {s: [b for t, b in made if t is s] for s in _ENTRY_SECTIONS}
    work = tuple(_same_employer([fields.to_work(b, words) for b in of[Section.WORK]]))
    projects = tuple(fields.to_project(b, words) for b in of[Section.PROJECT])
    education = tuple(fields.to_education(b, words) for b in of[Section.EDUCATION])
    return Resume(
        text=laid.text,
        work=work,
        projects=projects,
        education=tuple(e for e in education if e.school or e.degree),
        places=tuple(_entry_places(cut, laid)),
        obstacles=tuple(date_obstacles(cut)),
    )


def _same_employer(jobs: Sequence[Work]) -> Iterator[Work]:
    """A second title under one employer is written without the employer's name."""
    before = ""
    for job in jobs:
        named = replace(job, employer=job.employer or (before if job.title else ""))
        yield named
        before = named.employer


def _body(entry: Entry, laid: _Text, numbers: "tuple[count[int], count[int]]") -> fields.Body:
    """The lines under a heading: list items are bullets, prose beside them is description."""
    written = [x for x in entry.body if x.text.strip()]
    items = {id(x) for x in fields.list_items(entry, written)}
    bullets: list[Bullet] = []
    prose: list[Bullet] = []
    for line in written:
        kept, letter, number = (bullets, "b", 0) if id(line) in items else (prose, "d", 1)
        kept.append(Bullet(f"{letter}{next(numbers[number])}", line.text, _inside(line, laid)))
    span = fields.head_span(entry, laid.wholes)
    return fields.Body(entry, tuple(bullets), tuple(prose), span)


def _inside(line: Line, laid: _Text) -> Span:
    return laid.spans.get(id(line), Span(0, 0))


def _contact_places(contacts: Contacts) -> Iterator[Place]:
    named = (
        ("name", contacts.name),
        ("email", contacts.email),
        ("phone", contacts.phone),
        ("city", contacts.city),
    )
    urls = ((f"urls[{i}]", u) for i, u in enumerate(contacts.urls))
    for field, found in chain(named, urls):
        if found is not None and found.line is not None:
            yield Place(field, found.line.whole, found.confidence, found.line.page, found.line.box)


def _entry_places(cut: Sequence[tuple[Section, Entry]], laid: _Text) -> Iterator[Place]:
    names = {Section.WORK: "work", Section.PROJECT: "projects", Section.EDUCATION: "education"}
    seen = dict.fromkeys(names, 0)
    for section, entry in cut:
        first = entry.head[0] if entry.head else entry.body[0]
        sure = 1.0 if entry.when is not None and entry.head else 0.7
        yield Place(
            f"{names[section]}[{seen[section]}]",
            _inside(first, laid).of(laid.text),
            sure,
            first.page,
            first.box,
        )
        seen[section] += 1
