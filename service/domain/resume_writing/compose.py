"""A résumé in the order and words in which it is written: one column, standard headings.

What every written form shares; how it looks is the business of the form.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.language import Lang, detect_language
from service.domain.resume import Bullet, Education, Project, Resume, Work
from service.domain.resume_reading.dates import MONTHS

# Headings that applicant systems know; the first is Chinese, the second English.
HEADINGS: Final[Mapping[str, tuple[str, str]]] = {
    "summary": ("个人简介", "Summary"),
    "work": ("工作经历", "Work Experience"),
    "projects": ("项目经历", "Projects"),
    "education": ("教育背景", "Education"),
    "skills": ("专业技能", "Skills"),
    "papers": ("论文发表", "Publications"),
    "other": ("其他信息", "Additional Information"),
}
LABELS: Final[Mapping[str, tuple[str, str]]] = {
    "email": ("邮箱", "Email"),
    "phone": ("电话", "Phone"),
    "city": ("现居", "Location"),
}
_UNWRITTEN: Final = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
# Web addresses only: nothing in an export may start a program or a script.
_LINKS: Final = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Contact:
    """`link` is the address behind the text, or empty."""

    text: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """`head` is what stands on the entry's line; `when` stands there too, last."""

    head: tuple[str, ...]
    when: str
    prose: tuple[str, ...] = ()
    bullets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """`items` are lines that each stand for themselves and are written as a list."""

    title: str
    entries: tuple[Entry, ...] = ()
    lines: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    lang: Lang
    name: str
    contacts: tuple[Contact, ...]
    urls: tuple[Contact, ...]
    parts: tuple[Part, ...]


def compose(resume: Resume) -> Composed:
    """Everything the résumé holds, in the résumé's own language."""
    lang = detect_language(resume.text or " ".join(_all_words(resume)))
    return Composed(
        lang,
        plain(resume.name or ""),
        tuple(_contacts(resume, lang)),
        tuple(Contact(plain(u), _web(u)) for u in resume.urls if plain(u)),
        tuple(p for p in _parts(resume, lang) if p.entries or p.lines or p.items),
    )


def plain(text: str) -> str:
    """One line without characters that cannot be written or that nobody sees."""
    shown = "".join(" " if c.isspace() else c for c in text)
    kept = (c for c in shown if unicodedata.category(c) not in _UNWRITTEN)
    return " ".join("".join(kept).split())


def written(text: str) -> str:
    """One line; cells that stood apart are told apart by strokes."""
    return " | ".join(cell for part in text.split("\t") if (cell := plain(part)))


def in_words(date: str, lang: Lang) -> str:
    """2023-07 as it is written: 2023.07 and Jul 2023."""
    if date == "present":
        return "至今" if lang is Lang.ZH else "Present"
    year, _, month = date.partition("-")
    if not month.isdigit() or not 1 <= int(month) <= len(MONTHS):
        return plain(date)
    return f"{year}.{month}" if lang is Lang.ZH else f"{MONTHS[int(month) - 1].title()} {year}"


def period(start: str | None, end: str | None, lang: Lang) -> str:
    return " - ".join(in_words(d, lang) for d in (start, end) if d)


def summary_notes(resume: Resume) -> tuple[Bullet, ...]:
    """Notes that stood before the first entry: what a person says of themselves."""
    entries = (*resume.work, *resume.projects, *resume.education)
    begins = min((e.span.start for e in entries if e.span is not None), default=0)
    return tuple(n for n in resume.notes if n.id not in resume.papers and n.span.end <= begins)


def other_notes(resume: Resume) -> tuple[Bullet, ...]:
    said = {n.id for n in summary_notes(resume)} | set(resume.papers)
    return tuple(n for n in resume.notes if n.id not in said)


def paper_notes(resume: Resume) -> tuple[Bullet, ...]:
    return tuple(n for n in resume.notes if n.id in resume.papers)


def skill_texts(resume: Resume) -> tuple[str, ...]:
    """The lines of the skills section as written; without them the skills, one line."""
    written = _texts(resume.skill_lines)
    return written or ((", ".join(plain(s) for s in resume.skills),) if resume.skills else ())


def _parts(resume: Resume, lang: Lang) -> Iterator[Part]:
    yield Part(_heading("summary", lang), lines=_texts(summary_notes(resume)))
    work = (_entry(w, (w.employer, w.title), lang) for w in resume.work)
    yield Part(_heading("work", lang), tuple(work))
    projects = (_entry(p, (p.name, p.role), lang) for p in resume.projects)
    yield Part(_heading("projects", lang), tuple(projects))
    yield Part(_heading("education", lang), tuple(_study(e, lang) for e in resume.education))
    yield Part(_heading("skills", lang), lines=skill_texts(resume))
    yield Part(_heading("papers", lang), items=_texts(paper_notes(resume)))
    yield Part(_heading("other", lang), items=_texts(other_notes(resume)))


def _entry(entry: Work | Project, head: Sequence[str | None], lang: Lang) -> Entry:
    when = period(entry.start, entry.end, lang)
    return Entry(_shown(head), when, _texts(entry.description), _texts(entry.bullets))


def _study(entry: Education, lang: Lang) -> Entry:
    head = (entry.school, entry.degree, entry.major)
    return Entry(_shown(head), period(entry.start, entry.end, lang))


def _shown(parts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(p for part in parts if (p := plain(part or "")))


def _texts(bullets: Iterable[Bullet]) -> tuple[str, ...]:
    return tuple(t for b in bullets if (t := written(b.text)))


def _heading(key: str, lang: Lang) -> str:
    return HEADINGS[key][lang is Lang.EN]


def _contacts(resume: Resume, lang: Lang) -> Iterator[Contact]:
    links = {"email": f"mailto:{resume.email}", "phone": f"tel:{_dialled(resume.phone or '')}"}
    for key, names in LABELS.items():
        value = plain(getattr(resume, key) or "")
        if value:
            yield Contact(f"{names[lang is Lang.EN]}: {value}", links.get(key, ""))


def _dialled(phone: str) -> str:
    return "".join(c for c in phone if c.isascii() and (c.isdigit() or c == "+"))


def _web(url: str) -> str:
    shown = plain(url)
    if shown.lower().startswith(_LINKS):
        return shown
    return "" if ":" in shown.partition("/")[0] else f"https://{shown}"


def _all_words(resume: Resume) -> Iterator[str]:
    entries = (*resume.work, *resume.projects)
    yield from (b.text for e in entries for b in e.bullets)
    yield from (n.text for n in resume.notes)
    yield resume.name or ""
