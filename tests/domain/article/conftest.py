from pathlib import Path

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.domain.article import ArticleChecker
from service.domain.assertions import Lexicon
from service.domain.knowledge import Knowledge
from service.flows.scales import open_scales

KNOWLEDGE = Path(__file__).resolve().parents[3] / "knowledge"


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return load_knowledge(KNOWLEDGE)


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon(KNOWLEDGE / "lexicon")


@pytest.fixture(scope="session")
def checker(knowledge: Knowledge, lexicon: Lexicon) -> ArticleChecker:
    models = load_models(KNOWLEDGE / "models.yaml")
    return ArticleChecker(
        knowledge, lexicon, models, open_scales(KNOWLEDGE, knowledge, lexicon).beliefs
    )
