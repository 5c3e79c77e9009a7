"""Reads `resume_words.yaml`; every fault is found at start-up, all at once."""

import re
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.domain.resume_reading.words import Degree, ResumeWords, Section
from service.errors import KnowledgeInvalid

FILE: Final = "resume_words.yaml"


class _Words(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    sections: dict[Section, list[str]]
    titles: list[str] = Field(min_length=1)
    employers: list[str] = Field(min_length=1)
    schools: list[str] = Field(min_length=1)
    degrees: list[list[str]] = Field(min_length=1)
    labels: dict[str, list[str]]
    entry_labels: list[str]
    places: list[str]
    noise: list[str]
    skill_levels: list[str]


def load_resume_words(path: Path) -> ResumeWords:
    """Read the words résumés are read by.

    Raises:
        KnowledgeInvalid: the file is missing, is no YAML or breaks the form.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
        words = _Words.model_validate(raw)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise KnowledgeInvalid(
            "The words for résumés cannot be read:", [f"{path}: {error}"]
        ) from error
    except ValidationError as error:
        faults = [f"{path}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise KnowledgeInvalid("The words for résumés are not in form:", faults) from error
    return _compiled(words, path)


def _compiled(words: _Words, path: Path) -> ResumeWords:
    faults = [f"{path}: noise: {p}: {e}" for p in words.noise if (e := _pattern_fault(p))]
    if faults:
        raise KnowledgeInvalid("The words for résumés are not in form:", faults)
    return ResumeWords(
        sections={w.lower(): s for s, ws in words.sections.items() for w in ws},
        titles=tuple(words.titles),
        employers=tuple(words.employers),
        schools=tuple(words.schools),
        degrees=tuple(Degree(d[0], d[1], tuple(w.lower() for w in d[2:])) for d in words.degrees),
        labels={w.lower(): field for field, ws in words.labels.items() for w in ws},
        entry_labels=frozenset(w.lower() for w in words.entry_labels),
        places=frozenset(w.lower() for w in words.places),
        noise=tuple(words.noise),
        skill_levels=tuple(words.skill_levels),
    )


def _pattern_fault(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except re.error as error:
        return str(error)
    return None
