from collections.abc import AsyncIterator, Callable
from itertools import count

import pytest

from service.corpus.configs import load_schemas
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.corpus.resume_words import load_resume_words
from service.documents.limits import ReadLimits
from service.documents.reader import ResumeReader
from service.domain.article import ArticleChecker
from service.domain.assertions import Lexicon
from service.domain.claims import KnownModels
from service.domain.knowledge import Knowledge, Passage
from service.engine.port import Engine
from service.flows.parts import Limits, Parts
from service.retrieval.port import Found, IndexState
from service.settings import ROOT
from service.store.open import open_store
from service.store.port import Store
from tests.domain.samples import NOON
from tests.fakes import ScriptedEngine, SteppingClock

KNOWLEDGE = ROOT / "knowledge"


class FirstFacts:
    """Retrieves the first facts of the base, whatever is asked."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._facts = list(knowledge.facts.values())

    def find(self, query: str, limit: int = 5) -> Found:
        return Found(self.nearest(query, limit), confident=True)

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        assert query
        return tuple(Passage(f, 0.5) for f in self._facts[:limit])

    def state(self) -> IndexState:
        return IndexState.READY


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return load_knowledge(KNOWLEDGE)


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon(KNOWLEDGE / "lexicon")


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    opened = await open_store("sqlite+aiosqlite:///:memory:", clock=SteppingClock(NOON))
    yield opened
    await opened.close()


MakeParts = Callable[[Engine], Parts]


@pytest.fixture
def make_parts(store: Store, knowledge: Knowledge, lexicon: Lexicon) -> MakeParts:
    numbers = count(1)
    words = load_resume_words(KNOWLEDGE / "resume_words.yaml")

    models = load_models(KNOWLEDGE / "models.yaml")
    articles = ArticleChecker(knowledge, lexicon, models)
    schemas = load_schemas(KNOWLEDGE / "configs")

    def make(engine: Engine) -> Parts:
        return Parts(
            store=store,
            engine=engine,
            retriever=FirstFacts(knowledge),
            knowledge=knowledge,
            lexicon=lexicon,
            models=models,
            known_models=KnownModels(models),
            articles=articles,
            schemas=schemas,
            resumes=ResumeReader(ReadLimits(), words, knowledge.skills),
            limits=Limits(5_000, 20_000, 5_000_000, lease_seconds=60),
            clock=SteppingClock(NOON),
            new_id=lambda: f"id{next(numbers):04d}",
            engine_name="scripted",
        )

    return make


@pytest.fixture
def parts(make_parts: MakeParts) -> Parts:
    return make_parts(ScriptedEngine())
