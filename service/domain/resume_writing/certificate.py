"""What of a résumé comes back when its export is read again: each value, by two readers.

White space, width of letters and kinds of middle dot do not count (a line may break anywhere);
all else does.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.language import Lang
from service.domain.resume import Education, Project, Resume, Work
from service.domain.resume_writing.compose import in_words, written

_CONTACTS: Final = ("name", "email", "phone", "city")
_STUDY: Final = ("school", "degree", "major", "start", "end")
_WORK: Final = ("employer", "title", "start", "end")
_PROJECT: Final = ("name", "role", "start", "end")
# Fonts draw these with one glyph, and a reader may give back any of them.
_DOTS: Final = str.maketrans(dict.fromkeys("•・‧∙", "·"))
_WEB: Final = re.compile(r"^(?:https?://)?(?:www\.)?|/+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Check:
    """One value: as it is, as our importer read it back, and whether a second reader saw it.

    `seen` is None where no second reader exists for the form.
    """

    field: str
    value: str
    reread: str | None
    same: bool
    seen: bool | None

    @property
    def kept(self) -> bool:
        return self.same and self.seen is not False


@dataclass(frozen=True, slots=True)
class Certificate:
    """`second` names the other reader; `left_out` are lines of the source the export lacks."""

    form: str
    second: str | None
    checks: tuple[Check, ...]
    left_out: tuple[str, ...] = ()

    @property
    def kept(self) -> int:
        return sum(c.kept for c in self.checks)

    @property
    def lost(self) -> tuple[Check, ...]:
        return tuple(c for c in self.checks if not c.kept)


def certificate(
    form: str, resume: Resume, reread: Resume, second: tuple[str, str] | None, lang: Lang
) -> Certificate:
    """Compare field by field. `second` is the other reader's name and the text it saw."""
    other = squeezed(second[1]) if second else None
    checks = tuple(
        Check(field, value, back, _same(field, value, back), _seen(field, value, other, lang))
        for field, value, back in _pairs(resume, reread)
    )
    return Certificate(form, second[0] if second else None, checks, tuple(_left_out(resume)))


def squeezed(text: str) -> str:
    """Without white space and invisible characters, widths folded, cells as they are written."""
    folded = unicodedata.normalize("NFKC", written(text))
    return "".join(folded.translate(_DOTS).split())


def _same(field: str, value: str, back: str | None) -> bool:
    if back is None:
        return False
    if field.startswith("urls"):
        return _WEB.sub("", value).lower() == _WEB.sub("", back).lower()
    if field == "phone":
        return re.sub(r"\D", "", value) == re.sub(r"\D", "", back)
    return squeezed(value) == squeezed(back)


def _seen(field: str, value: str, other: str | None, lang: Lang) -> bool | None:
    if other is None:
        return None
    is_date = field.endswith((".start", ".end"))
    return squeezed(in_words(value, lang) if is_date else value) in other


def _pairs(one: Resume, two: Resume) -> Iterator[tuple[str, str, str | None]]:
    for name in _CONTACTS:
        value: str | None = getattr(one, name)
        if value:
            yield name, value, getattr(two, name)
    yield from _listed("urls", one.urls, _by_address(one.urls, two.urls))
    yield from _entries("education", one.education, two.education, _STUDY)
    yield from _entries("work", one.work, two.work, _WORK)
    yield from _entries("projects", one.projects, two.projects, _PROJECT)
    yield from _listed("skills", one.skills, _found(one.skills, two.skills))
    for kind in ("skill_lines", "notes"):
        texts = tuple(b.text for b in getattr(one, kind))
        yield from _listed(kind, texts, _found(texts, [b.text for b in getattr(two, kind)]))


def _listed(
    field: str, values: Sequence[str], backs: Sequence[str | None]
) -> Iterator[tuple[str, str, str | None]]:
    for index, (value, back) in enumerate(zip(values, backs, strict=True)):
        yield f"{field}[{index}]", value, back


def _found(values: Sequence[str], backs: Sequence[str]) -> list[str | None]:
    """Where order says nothing, a value is the same wherever it stands."""
    known: Mapping[str, str] = {squeezed(b): b for b in backs}
    return [v if squeezed(v) in known else None for v in values]


def _by_address(values: Sequence[str], backs: Sequence[str]) -> list[str | None]:
    known = {_WEB.sub("", b).lower(): b for b in backs}
    return [known.get(_WEB.sub("", v).lower()) for v in values]


Entry = Education | Work | Project


def _entries(
    field: str, ones: Sequence[Entry], twos: Sequence[Entry], names: Sequence[str]
) -> Iterator[tuple[str, str, str | None]]:
    for index, one in enumerate(ones):
        two = twos[index] if index < len(twos) else None
        for name in names:
            value: str | None = getattr(one, name)
            if value:
                yield f"{field}[{index}].{name}", value, getattr(two, name, None)
        for kind in ("bullets", "description"):
            yield from _told(f"{field}[{index}].{kind}", one, two, kind)


def _told(
    field: str, one: Entry, two: Entry | None, kind: str
) -> Iterator[tuple[str, str, str | None]]:
    texts = [b.text for b in getattr(one, kind, ())]
    backs = [b.text for b in getattr(two, kind, ())]
    for index, text in enumerate(texts):
        yield f"{field}[{index}]", text, backs[index] if index < len(backs) else None


def _left_out(resume: Resume) -> Iterator[str]:
    """Lines of the source that no field holds: headings, and what was not understood."""
    held = squeezed(" ".join(_values(resume))).lower()
    for line in resume.text.split("\n"):
        words = [w for w in re.split(r"[\s|｜·•,，:：、()（）]+", line) if len(w) > 1]
        lacking = [w for w in words if squeezed(w).lower() not in held and not _is_date(w)]
        if words and len(lacking) * 2 > len(words):
            yield line.strip()


def _is_date(word: str) -> bool:
    return re.search(r"\d{4}", word) is not None


def _values(resume: Resume) -> Iterator[str]:
    yield from (value for _, value, _ in _pairs(resume, resume))
