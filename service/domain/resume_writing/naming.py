"""What a field of a résumé is called to a person: `work[0].bullets[2]` is line 3 of job 1."""

import re
from collections.abc import Mapping
from typing import Final

from service.domain.language import Message, msg

_PATH: Final = re.compile(r"(\w+)(?:\[(\d+)\])?(?:\.(\w+)(?:\[(\d+)\])?)?")
_SINGLE: Final[Mapping[str, Message]] = {
    "name": msg("Name"),
    "email": msg("Email"),
    "phone": msg("Phone"),
    "city": msg("City"),
}
_LISTED: Final[Mapping[str, Message]] = {
    "urls": msg("Link {number}"),
    "education": msg("Education {number}"),
    "work": msg("Job {number}"),
    "projects": msg("Project {number}"),
    "skills": msg("Skill {number}"),
    "skill_lines": msg("Skills, line {number}"),
    "notes": msg("Summary, awards and the like, line {number}"),
}
_INSIDE: Final[Mapping[str, Message]] = {
    "school": msg("School"),
    "degree": msg("Degree"),
    "major": msg("Field of study"),
    "start": msg("Start"),
    "end": msg("End"),
    "employer": msg("Employer"),
    "title": msg("Job title"),
    "name": msg("Name"),
    "role": msg("Role"),
    "bullets": msg("line {number}"),
    "description": msg("description, line {number}"),
}
_TWO: Final = msg("{whole}: {part}")


def field_title(path: str) -> Message:
    """The name of a field; a path that nobody knows is called by itself."""
    match = _PATH.fullmatch(path)
    if match is None:
        return Message("{path}", (("path", path),))
    whole = _SINGLE.get(match[1]) if match[2] is None else _LISTED.get(match[1])
    if whole is None:
        return Message("{path}", (("path", path),))
    whole = _numbered(whole, match[2])
    part = _INSIDE.get(match[3] or "")
    return whole if part is None else _joined(whole, _numbered(part, match[4]))


def _numbered(title: Message, index: str | None) -> Message:
    return title if index is None else Message(title.template, (("number", int(index) + 1),))


def _joined(whole: Message, part: Message) -> Message:
    return Message(_TWO.template, (("part", part), ("whole", whole)))
