"""One clause of an ad: its kind, its group, its numbers. Rules only; words come from tables."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from service.domain.knowledge import Skill
from service.domain.posting import Group, Kind
from service.domain.posting_reading import words
from service.domain.posting_reading.words import Part
from service.domain.skills import Mention, ancestors, are_alternatives

SOFT: Final = "soft"
EDUCATION: Final = "education"
EXPERIENCE: Final = "experience"
OTHER: Final = "other"
_CODING: Final = re.compile(
    r"(?:编程|编码|代码|工程)(?:能力|功底|基础)|(?:coding|programming) (?:ability|skills?)",
    re.IGNORECASE,
)
_WRITTEN_IN: Final = frozenset({"language", "framework", "training_framework", "kernel"})
# Between two alternatives of one kind a slash means "or" (TensorFlow/PyTorch).
_SLASH: Final = re.compile(r"\s*/\s*")


def kind_of(clause: str, part: Part) -> Kind:
    """Nice by the section or by the clause's own cue; a must cue in the clause wins."""
    nice = words.NICE_ZH.search(clause) or words.NICE_EN.search(clause)
    if words.MUST_CUE.search(clause) and not (part is not Part.NICE and nice):
        return Kind.MUST
    return Kind.NICE if part is Part.NICE or nice else Kind.MUST


def negated(clause: str) -> bool:
    return words.NEGATED.search(clause) is not None


def years(clause: str) -> float | None:
    """The least number of years asked for; 0 for graduates; None when none is named."""
    if words.YEARS_OF_SOMETHING_ELSE.search(clause):
        return None
    found = [_to_number(m[1]) for m in words.YEARS.finditer(clause)]
    if found:
        alternatives = re.search(r"\bor\b|或", clause, re.IGNORECASE)
        return min(found) if alternatives else found[0]
    return 0.0 if words.FRESH.search(clause) and "届" in clause else None


def _to_number(written: str) -> float:
    lowered = written.lower()
    if lowered in words.DIGITS_ZH:
        return float(words.DIGITS_ZH[lowered])
    if lowered in words.DIGITS_EN:
        return float(words.DIGITS_EN[lowered])
    return float(written)


def degree(clause: str) -> str | None:
    """The lowest degree that will do: college, bachelor, master or phd."""
    return next((name for name, pattern in words.DEGREES if pattern.search(clause)), None)


def is_education(clause: str) -> bool:
    return bool(degree(clause) or words.MAJOR.search(clause) or words.EDUCATION.search(clause))


def named_skills(
    clause: str, mentions: Sequence[Mention], skills: Mapping[str, Skill]
) -> tuple[str, ...]:
    """Canonical names in order; a class that is only the heading of its members is left out.

    Nor is "programming skills" asked for beside the language it is about.
    """
    kinds = {skills[m.skill].category for m in mentions}
    kept = [
        m for m in mentions if not (kinds & _WRITTEN_IN and _CODING.fullmatch(m.span.of(clause)))
    ]
    names = tuple(dict.fromkeys(m.skill for m in kept))
    classes = classes_named(mentions, skills)
    return tuple(n for n in names if n not in classes)


def classes_named(mentions: Sequence[Mention], skills: Mapping[str, Skill]) -> tuple[str, ...]:
    """The classes a list of examples stands for (分布式训练框架（如 DeepSpeed）).

    Classes are the entries written in lower case; PyTorch beside FSDP is asked for itself.
    """
    names = tuple(dict.fromkeys(m.skill for m in mentions))
    classes = {a for name in names for a in ancestors(name, skills)}
    return tuple(n for n in names if n in classes and n.islower())


def group_of(
    clause: str, mentions: Sequence[Mention], names: Sequence[str], skills: Mapping[str, Skill]
) -> Group:
    if len(names) < 2:  # noqa: PLR2004 - one skill has no alternative
        return Group.ALL_OF
    if words.ANY_OF.search(clause):
        return Group.ANY_OF
    slashed = _slashed(clause, mentions)
    same_kind = len(slashed) > 1 and are_alternatives(slashed, skills)
    return Group.ANY_OF if same_kind and set(slashed) == set(names) else Group.ALL_OF


def _slashed(clause: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Skills tied by slashes in the clause (mentions carry spans of the clause)."""
    tied: dict[str, None] = {}
    for one, other in pairwise(mentions):
        if _SLASH.fullmatch(clause[one.span.end : other.span.start]):
            tied |= {one.skill: None, other.skill: None}
    return tuple(tied)


def category_of(
    clause: str, names: Sequence[str], asked_years: float | None, skills: Mapping[str, Skill]
) -> str:
    if degree(clause) or (is_education(clause) and not names):
        return EDUCATION
    if names:
        return skills[names[0]].category
    return EXPERIENCE if asked_years is not None or "经验" in clause else OTHER
