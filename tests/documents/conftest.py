"""A reader with the shipped words, and files made on the spot."""

import pytest

from service.corpus.load import load_knowledge
from service.corpus.resume_words import load_resume_words
from service.documents.limits import ReadLimits
from service.documents.reader import ResumeReader
from service.settings import ROOT

KNOWLEDGE = ROOT / "knowledge"


@pytest.fixture(scope="session")
def reader() -> ResumeReader:
    words = load_resume_words(KNOWLEDGE / "resume_words.yaml")
    return ResumeReader(ReadLimits(), words, load_knowledge(KNOWLEDGE).skills)
