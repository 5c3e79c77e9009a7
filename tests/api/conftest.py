from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.assembly import Seams
from service.corpus.load import load_knowledge
from service.retrieval.open import open_retriever
from service.retrieval.port import Retriever
from service.settings import ROOT, Settings
from tests.domain.samples import NOON
from tests.fakes import ScriptedEngine, SteppingClock


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, engine="builtin", model=None)


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture(scope="session")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    """Search without the index: building it for each test would cost more than the tests."""
    knowledge = load_knowledge(ROOT / "knowledge")
    folder = tmp_path_factory.mktemp("index")
    return open_retriever(knowledge.facts, knowledge.digest, folder, start=lambda _: None)


@pytest.fixture
def client(settings: Settings, engine: ScriptedEngine, by_words: Retriever) -> Iterator[TestClient]:
    seams = Seams(engine=engine, retriever=by_words, clock=SteppingClock(NOON))
    app = create_app(settings, seams)
    with TestClient(app, "http://localhost", headers={"Accept-Language": "en"}) as opened:
        yield opened
