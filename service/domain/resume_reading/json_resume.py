"""The JSON Resume form (jsonresume.org, schema 1.0.0) brought to lines and a résumé."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from service.domain.resume import Bullet, Education, Notice, Project, Resume, Work
from service.domain.text import Span

PRESENT: Final = "present"
_LONGEST: Final = 20_000


@dataclass(slots=True)
class _Sheet:
    """The readable text, written line by line; each line's span is known when it is written."""

    lines: list[str] = field(default_factory=list[str])
    at: int = 0
    bullets: int = 0
    prose: int = 0

    def write(self, text: str) -> Span:
        shown = " ".join(text.split())
        span = Span(self.at, self.at + len(shown))
        self.lines.append(shown)
        self.at += len(shown) + 1
        return span

    def bullet(self, text: str) -> Bullet:
        self.bullets += 1
        span = self.write(text)
        return Bullet(f"b{self.bullets}", self.lines[-1], span)

    def description(self, text: str) -> Bullet:
        self.prose += 1
        span = self.write(text)
        return Bullet(f"d{self.prose}", self.lines[-1], span)


def from_json_resume(value: object, notices: Sequence[Notice] = ()) -> Resume | None:
    """None when the value is not of the form (no object, none of its sections)."""
    document = _object(value)
    if not set(document) & {"basics", "work", "education", "skills", "projects"}:
        return None
    sheet = _Sheet()
    basics = _object(document.get("basics"))
    name = _text(basics, "name")
    location = _object(basics.get("location"))
    email, phone, city = _text(basics, "email"), _text(basics, "phone"), _text(location, "city")
    _write_all(sheet, name, _text(basics, "label"), email, phone, city)
    notes = (_text(basics, "summary") or "").splitlines()
    work = tuple(
        _work(sheet, w) for w in (*_objects(document, "work"), *_objects(document, "volunteer"))
    )
    projects = tuple(_project(sheet, p) for p in _objects(document, "projects"))
    education = tuple(_education(sheet, e) for e in _objects(document, "education"))
    listed = list(_objects(document, "skills"))
    skill_lines = tuple(_numbered(sheet, "s", [_skill_line(s) for s in listed]))
    before = [*_extras(document, *_BEFORE), *_texts(basics, "notes")]
    papers = _extras(document, *_PAPERS)
    listed_notes = [[n for n in group if n.strip()] for group in (notes, before, papers)]
    written = tuple(_numbered(sheet, "n", [n for group in listed_notes for n in group]))
    resume = Resume(text="\n".join(sheet.lines), name=name, email=email, phone=phone, city=city)
    return replace(
        resume,
        urls=tuple(_urls(basics)),
        work=work,
        projects=projects,
        education=education,
        skills=tuple(dict.fromkeys(k for s in listed for k in _skills(s))),
        skill_lines=skill_lines,
        notes=written,
        papers=tuple(n.id for n in written[len(written) - len(listed_notes[-1]) :]),
        warnings=tuple(notices),
        missing=tuple(f for f, v in (("name", name), ("email", email), ("phone", phone)) if not v),
    )


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        return {}
    return {str(k): v for k, v in cast("dict[object, object]", value).items()}


def _objects(value: Mapping[str, object], key: str) -> Iterator[Mapping[str, object]]:
    items = value.get(key)
    if isinstance(items, list):
        found = (_object(item) for item in cast("list[object]", items))
        yield from (item for item in found if item)


def _text(value: Mapping[str, object], key: str) -> str | None:
    found = value.get(key)
    return found.strip()[:_LONGEST] or None if isinstance(found, str) else None


def _texts(value: Mapping[str, object], key: str) -> tuple[str, ...]:
    items = value.get(key)
    if not isinstance(items, list):
        return ()
    texts = (i.strip() for i in cast("list[object]", items) if isinstance(i, str))
    return tuple(t for t in texts if t)


def _date(value: Mapping[str, object], key: str) -> str | None:
    """YYYY-MM-DD is cut to the month."""
    found = _text(value, key)
    return found[:7] if found and found[:4].isdigit() else None


def _dates(value: Mapping[str, object], *, open_end: bool) -> tuple[str | None, str | None]:
    """A job without an end goes on, says the schema; anything else does not say."""
    start, end = _date(value, "startDate"), _date(value, "endDate")
    return start, end or (PRESENT if start and open_end else None)


def _write_all(sheet: _Sheet, *texts: str | None) -> None:
    for text in texts:
        if text:
            sheet.write(text)


def _head(sheet: _Sheet, *parts: str | None) -> Span:
    return sheet.write("  ".join(p for p in parts if p))


def _body(
    sheet: _Sheet, value: Mapping[str, object]
) -> tuple[tuple[Bullet, ...], tuple[Bullet, ...]]:
    """(bullets, description): prose beside highlights describes; alone it is what was done."""
    told = (_text(value, "summary"), _text(value, "description"))
    prose = [line for t in dict.fromkeys(told) if t for line in t.splitlines() if line.strip()]
    listed = _texts(value, "highlights")
    if not listed:
        return tuple(sheet.bullet(t) for t in prose), ()
    description = tuple(sheet.description(t) for t in prose)
    return tuple(sheet.bullet(t) for t in listed), description


def _skill_line(value: Mapping[str, object]) -> str:
    """`Languages: Python, C++`; a name that already says its keywords stands alone."""
    name, keywords = _text(value, "name") or "", _texts(value, "keywords")
    if name and all(k in name for k in keywords):
        return name
    return ": ".join(x for x in (name, ", ".join(keywords)) if x)


def _skills(value: Mapping[str, object]) -> tuple[str, ...]:
    """The keywords; a skill without any is named by its name."""
    name = _text(value, "name")
    return _texts(value, "keywords") if "keywords" in value or not name else (name,)


def _work(sheet: _Sheet, value: Mapping[str, object]) -> Work:
    employer = _text(value, "name") or _text(value, "company") or _text(value, "organization") or ""
    start, end = _dates(value, open_end=value.get("current") is not False)
    title = _text(value, "position")
    span = _head(sheet, employer, title, start, end)
    bullets, description = _body(sheet, value)
    return Work(employer, title, start, end, bullets, span, description)


def _project(sheet: _Sheet, value: Mapping[str, object]) -> Project:
    name = _text(value, "name") or ""
    start, end = _dates(value, open_end=value.get("current") is True)
    role = next(iter(_texts(value, "roles")), None)
    span = _head(sheet, name, role, start, end, ", ".join(_texts(value, "keywords")))
    bullets, description = _body(sheet, value)
    return Project(name, role, start, end, bullets, span, description)


def _education(sheet: _Sheet, value: Mapping[str, object]) -> Education:
    school = _text(value, "institution") or ""
    degree, major = _text(value, "studyType"), _text(value, "area")
    start, end = _dates(value, open_end=value.get("current") is True)
    span = _head(sheet, school, degree, major, start, end)
    return Education(school, degree, major, start, end, span)


def _numbered(sheet: _Sheet, letter: str, texts: Sequence[str]) -> Iterator[Bullet]:
    for number, text in enumerate((t for t in texts if t), 1):
        span = sheet.write(text)
        yield Bullet(f"{letter}{number}", sheet.lines[-1], span)


_BEFORE: Final = (("awards", ("title", "awarder")), ("certificates", ("name", "issuer")))
_PAPERS: Final = (("publications", ("name", "publisher", "releaseDate")),)


def _extras(document: Mapping[str, object], *kinds: tuple[str, tuple[str, ...]]) -> Iterator[str]:
    for key, fields in kinds:
        for item in _objects(document, key):
            yield ", ".join(t for f in fields if (t := _text(item, f)))


def _urls(basics: Mapping[str, object]) -> Iterator[str]:
    own = _text(basics, "url") or _text(basics, "website")
    if own:
        yield own
    yield from (u for p in _objects(basics, "profiles") if (u := _text(p, "url")))
