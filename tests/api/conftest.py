from collections.abc import Iterator

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


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data_dir=tmp_path_factory.mktemp("api"), engine="builtin", model=None)


@pytest.fixture(scope="session")
def shared_engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def engine(shared_engine: ScriptedEngine) -> ScriptedEngine:
    shared_engine.asked.clear()
    return shared_engine


@pytest.fixture(scope="session")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    """Search without the index: building it for each test would cost more than the tests."""
    knowledge = load_knowledge(ROOT / "knowledge")
    folder = tmp_path_factory.mktemp("index")
    return open_retriever(knowledge.facts, knowledge.digest, folder, start=lambda _: None)


@pytest.fixture(scope="session")
def running(
    settings: Settings, shared_engine: ScriptedEngine, by_words: Retriever
) -> Iterator[TestClient]:
    """One service for all tests: starting it costs more than all their requests."""
    seams = Seams(engine=shared_engine, retriever=by_words, clock=SteppingClock(NOON))
    app = create_app(settings, seams)
    with TestClient(app, "http://localhost", headers={"Accept-Language": "en"}) as opened:
        yield opened


@pytest.fixture
def client(running: TestClient, engine: ScriptedEngine) -> TestClient:
    """The shared service with nothing kept from the test before."""
    assert engine.asked == []
    assert running.delete("/v1/me").status_code == 204
    return running
