from pathlib import Path

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions import Lexicon
from service.domain.knowledge import Knowledge

KNOWLEDGE = Path(__file__).resolve().parents[3] / "knowledge"


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon(KNOWLEDGE / "lexicon")


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return load_knowledge(KNOWLEDGE)
