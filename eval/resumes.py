"""Field accuracy of the résumé reader against truth files; no part of the service."""

# ruff: noqa: E501 - a note says all it knows

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

Json = Mapping[str, Any]

FIELDS: Final = (
    "name",
    "email",
    "phone",
    "urls",
    "school",
    "degree",
    "major",
    "education_dates",
    "employer",
    "title",
    "work_dates",
    "work_bullets",
    "project",
    "project_dates",
    "project_bullets",
    "bullet_starts",
)


LEAST_PHONE_DIGITS: Final = 7


@dataclass(slots=True)
class Tally:
    """Right and all by field; skills by precision and recall; what was wrong, to be looked at."""

    right: dict[str, int] = field(default_factory=dict[str, int])
    total: dict[str, int] = field(default_factory=dict[str, int])
    skills_hit: int = 0
    skills_said: int = 0
    skills_true: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def count(self, name: str, *, right: bool, note: str = "") -> None:
        self.total[name] = self.total.get(name, 0) + 1
        self.right[name] = self.right.get(name, 0) + right
        if not right:
            self.wrong.append(f"{name}: {note}")

    @property
    def skills_f1(self) -> float:
        said_and_true = self.skills_said + self.skills_true
        return 2 * self.skills_hit / said_and_true if said_and_true else 1.0


def key(text: object) -> str:
    """Case, width, spaces and punctuation do not matter."""
    folded = unicodedata.normalize("NFKC", str(text or "")).lower()
    return re.sub(r"[\W_]+", "", folded)


def compare(read: Json, truth: Json, tally: Tally) -> None:
    who = str(truth.get("id", ""))
    for name in ("name", "email"):
        if truth.get(name):
            tally.count(
                name,
                right=key(read.get(name)) == key(truth[name]),
                note=f"{who} {read.get(name)!r} is {truth[name]!r}",
            )
    _phone(read, truth, tally, who)
    _urls(read, truth, tally, who)
    _education(read, truth, tally, who)
    _work(read, truth, tally, who)
    _projects(read, truth, tally, who)
    _skills(read, truth, tally, who)


def _phone(read: Json, truth: Json, tally: Tally, who: str) -> None:
    if truth.get("phone"):
        said, true = (re.sub(r"\D", "", str(d.get("phone") or "")) for d in (read, truth))
        right = said == true or (
            len(said) >= LEAST_PHONE_DIGITS and (said.endswith(true) or true.endswith(said))
        )
        tally.count("phone", right=right, note=f"{who} {read.get('phone')!r} is {truth['phone']!r}")


def _urls(read: Json, truth: Json, tally: Tally, who: str) -> None:
    said = {_url(u) for u in read.get("urls", ())}
    for url in truth.get("urls", ()):
        tally.count("urls", right=_url(url) in said, note=f"{who} {url} not in {sorted(said)}")


def _url(url: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?|/+$", "", url.lower())


def _nearest(name: object, found: Sequence[Json], names: Sequence[str]) -> Json:
    """The read entry of that name; else the one whose name holds it or is held by it."""
    wanted = key(name)
    for entry in found:
        if any(key(entry.get(n)) == wanted for n in names):
            return entry
    for entry in found:
        said = "".join(key(entry.get(n)) for n in names)
        if wanted and said and (wanted in said or said in wanted):
            return entry
    return {}


def _dates(tally: Tally, name: str, entry: Json, truth: Json, note: str) -> None:
    for end in ("start", "end"):
        if truth.get(end):
            said, true = entry.get(end), truth[end]
            tally.count(name, right=said == true, note=f"{note} {end} {said!r} is {true!r}")


def _education(read: Json, truth: Json, tally: Tally, who: str) -> None:
    for true in truth.get("education", ()):
        entry = _nearest(true["school"], read.get("education", ()), ("school",))
        note = f"{who} {true['school']}"
        tally.count(
            "school",
            right=key(entry.get("school")) == key(true["school"]),
            note=f"{note} read {entry.get('school')!r} of {[e['school'] for e in read.get('education', ())]}",
        )
        if true.get("degree"):
            tally.count(
                "degree",
                right=_degree(entry.get("degree")) == _degree(true["degree"]),
                note=f"{note} {entry.get('degree')!r} is {true['degree']!r}",
            )
        if true.get("major"):
            tally.count(
                "major",
                right=key(entry.get("major")) == key(true["major"]),
                note=f"{note} {entry.get('major')!r} is {true['major']!r}",
            )
        _dates(tally, "education_dates", entry, true, note)


_DEGREES: Final = {
    "本科": "bachelor",
    "学士": "bachelor",
    "硕士": "master",
    "博士": "phd",
    "doctor": "phd",
    "大专": "associate",
}


def _degree(said: object) -> str:
    return _DEGREES.get(key(said), key(said))


def _work(read: Json, truth: Json, tally: Tally, who: str) -> None:
    for true in truth.get("work", ()):
        name = true.get("org") or true.get("employer")
        entry = _nearest(name, read.get("work", ()), ("employer", "title"))
        note = f"{who} {name}"
        tally.count(
            "employer",
            right=key(entry.get("employer")) == key(name),
            note=f"{note} read {entry.get('employer')!r} of {[w['employer'] for w in read.get('work', ())]}",
        )
        if true.get("title"):
            tally.count(
                "title",
                right=key(entry.get("title")) == key(true["title"]),
                note=f"{note} {entry.get('title')!r} is {true['title']!r}",
            )
        _dates(tally, "work_dates", entry, true, note)
        _bullets(tally, "work_bullets", entry, true, note)


def _projects(read: Json, truth: Json, tally: Tally, who: str) -> None:
    for true in truth.get("projects", ()):
        name = true.get("title") or true.get("name")
        entry = _nearest(name, read.get("projects", ()), ("name",))
        note = f"{who} {name}"
        tally.count(
            "project",
            right=key(entry.get("name")) == key(name),
            note=f"{note} read {entry.get('name')!r} of {[p['name'] for p in read.get('projects', ())]}",
        )
        _dates(tally, "project_dates", entry, true, note)
        _bullets(tally, "project_bullets", entry, true, note)


def _bullets(tally: Tally, name: str, entry: Json, true: Json, note: str) -> None:
    bullets = [b["text"] for b in entry.get("bullets", ())]
    wanted = true.get("bullets")
    count = len(cast("list[str]", wanted)) if isinstance(wanted, list) else wanted
    if count:
        tally.count(
            name, right=len(bullets) == count, note=f"{note} {len(bullets)} bullets, not {count}"
        )
    for start in true.get("bullet_starts", ()):
        right = any(key(b).startswith(key(start)) for b in bullets)
        tally.count("bullet_starts", right=right, note=f"{note} {start!r}")


def _skills(read: Json, truth: Json, tally: Tally, who: str) -> None:
    true = {key(s) for s in truth.get("skills", ()) if key(s)}
    if not true:
        return
    said = {key(s) for s in read.get("skills", ()) if key(s)}
    tally.skills_hit += len(said & true)
    tally.skills_said += len(said)
    tally.skills_true += len(true)
    if said != true:
        tally.wrong.append(
            f"skills: {who} missing {sorted(true - said)} extra {sorted(said - true)}"
        )


def table(tally: Tally) -> Iterable[str]:
    for name in FIELDS:
        total = tally.total.get(name, 0)
        if total:
            yield f"{name:16} {tally.right[name] / total:6.1%}  {tally.right[name]}/{total}"
    if tally.skills_true:
        yield f"{'skills F1':16} {tally.skills_f1:6.1%}  {tally.skills_hit} of {tally.skills_said} said, {tally.skills_true} true"


def truth_of(path: Path) -> Json:
    return cast("Json", json.loads(path.read_text(encoding="utf-8")))
