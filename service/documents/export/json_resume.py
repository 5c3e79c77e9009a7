"""A résumé in the JSON Resume form (jsonresume.org, schema 1.0.0).

The schema has no way to say that an end is unknown rather than open; where its silence would
say something else, `current` (an additional property) says which it is. Notes of no section of
the schema stand in `basics.notes`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from service.domain.resume import Education, Project, Resume, Work
from service.domain.resume_writing.compose import (
    other_notes,
    paper_notes,
    plain,
    skill_texts,
    summary_notes,
    written,
)

PRESENT: Final = "present"
_SCHEMA: Final = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
Json = Mapping[str, object]


def write_json_resume(resume: Resume) -> bytes:
    document = {
        "$schema": _SCHEMA,
        "basics": _basics(resume),
        "work": [_work(w) for w in resume.work],
        "education": [_education(e) for e in resume.education],
        "projects": [_project(p) for p in resume.projects],
        "skills": list(_skills(resume)),
        "publications": [{"name": written(n.text)} for n in paper_notes(resume)],
    }
    kept = {k: v for k, v in document.items() if v}
    return (json.dumps(kept, ensure_ascii=False, indent=2) + "\n").encode()


def _filled(**values: object) -> Json:
    return {k: v for k, v in values.items() if v not in (None, "", [], {})}


def _basics(resume: Resume) -> Json:
    first, rest = resume.urls[:1], resume.urls[1:]
    return _filled(
        name=resume.name,
        email=resume.email,
        phone=resume.phone,
        url=first[0] if first else None,
        location=_filled(city=resume.city),
        profiles=[{"url": u} for u in rest],
        summary="\n".join(written(n.text) for n in summary_notes(resume)),
        notes=[written(n.text) for n in other_notes(resume)],
    )


def _work(work: Work) -> Json:
    ended = {"current": False} if work.start and not work.end else {}
    return {
        **_filled(name=work.employer, position=work.title, **_dates(work.start, work.end)),
        **ended,
        **_told(work),
    }


def _project(project: Project) -> Json:
    going_on = {"current": True} if project.end == PRESENT else {}
    return {
        **_filled(
            name=project.name,
            roles=[project.role] if project.role else [],
            **_dates(project.start, project.end),
        ),
        **going_on,
        **_told(project),
    }


def _education(study: Education) -> Json:
    going_on = {"current": True} if study.end == PRESENT else {}
    values = {"institution": study.school, "studyType": study.degree, "area": study.major}
    return {**_filled(**values, **_dates(study.start, study.end)), **going_on}


def _told(entry: Work | Project) -> Json:
    return _filled(
        summary="\n".join(written(d.text) for d in entry.description),
        highlights=[written(b.text) for b in entry.bullets],
    )


def _dates(start: str | None, end: str | None) -> Mapping[str, str | None]:
    return {"startDate": start, "endDate": None if end == PRESENT else end}


def _skills(resume: Resume) -> Iterator[Json]:
    """Each line of the skills section with the skills it names; those in no line by themselves."""
    left = dict.fromkeys(plain(s) for s in resume.skills)
    for line in _texts(resume):
        named = [s for s in left if s in line]
        yield {"name": line, "keywords": named}
        left = dict.fromkeys(s for s in left if s not in named)
    if left:
        yield {"name": "", "keywords": list(left)}


def _texts(resume: Resume) -> tuple[str, ...]:
    return skill_texts(resume) if resume.skill_lines else ()
