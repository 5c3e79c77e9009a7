"""The shipped skills and résumé words, read once."""

from functools import lru_cache

from service.corpus.load import load_knowledge
from service.corpus.resume_words import load_resume_words
from service.domain.knowledge import Skill
from service.domain.resume_reading.words import ResumeWords
from service.settings import ROOT


@lru_cache(maxsize=1)
def skills() -> dict[str, Skill]:
    return dict(load_knowledge(ROOT / "knowledge").skills)


@lru_cache(maxsize=1)
def resume_words() -> ResumeWords:
    return load_resume_words(ROOT / "knowledge" / "resume_words.yaml")
