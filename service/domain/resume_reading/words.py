"""The words a résumé is read by, as `service.corpus` found them in the knowledge base."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Section(StrEnum):
    """What a stretch of a résumé is about. `head` is what stands before the first heading."""

    HEAD = "head"
    WORK = "work"
    PROJECT = "project"
    EDUCATION = "education"
    SKILLS = "skills"
    SUMMARY = "summary"
    CONTACT = "contact"
    PUBLICATIONS = "publications"
    AWARDS = "awards"
    CERTIFICATES = "certificates"
    LANGUAGES = "languages"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Degree:
    zh: str
    en: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResumeWords:
    """All words in lower case; `degrees` lowest first."""

    sections: Mapping[str, Section]
    titles: tuple[str, ...]
    employers: tuple[str, ...]
    schools: tuple[str, ...]
    degrees: tuple[Degree, ...]
    labels: Mapping[str, str]  # word -> field
    entry_labels: frozenset[str]
    places: frozenset[str]
    noise: tuple[str, ...]
    skill_levels: tuple[str, ...]


@lru_cache(maxsize=64)
def any_word(words: tuple[str, ...]) -> re.Pattern[str]:
    """Finds any of the words: Latin ones whole, Chinese ones anywhere, the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(_bounded(w) for w in ordered), re.IGNORECASE)


def _bounded(word: str) -> str:
    left = r"(?<![A-Za-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    right = r"(?![A-Za-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return f"{left}{re.escape(word)}{right}"
