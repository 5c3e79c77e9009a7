from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.assembly import Seams
from service.domain.tasks import AnswerReading, ReadAnswer
from service.engine.port import Engine
from service.settings import Settings
from tests.domain.samples import NOON
from tests.fakes import ScriptedEngine, SteppingClock, reading
from tests.web.browsing import by_words

QUOTE = 12


def covers_first_point(task: ReadAnswer) -> AnswerReading:
    """The first point is met by the answer's first words, the second half, the rest is missed."""
    quote = task.answer[:QUOTE]
    verdicts = ["met", "partial", *["missed"] * len(task.points)]
    return reading(
        *(
            (p.id, v, "" if v == "missed" else quote)
            for p, v in zip(task.points, verdicts, strict=False)
        )
    )


@contextmanager
def opened(settings: Settings, engine: Engine) -> Generator[TestClient]:
    seams = Seams(engine=engine, retriever=by_words(), clock=SteppingClock(NOON))
    app = create_app(settings, seams)
    with TestClient(app, "http://localhost", headers={"Accept-Language": "en"}) as client:
        yield client


@pytest.fixture(scope="session")
def shared_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One service for all tests: starting it costs more than all their requests."""
    folder = tmp_path_factory.mktemp("pages")
    settings = Settings(data_dir=folder, engine="builtin", model=None, max_posting_chars=20_000)
    with opened(settings, ScriptedEngine(covers_first_point)) as client:
        yield client


@pytest.fixture
def pages(shared_pages: TestClient) -> TestClient:
    """Nothing of another test is left: no data, no preferences."""
    shared_pages.cookies.clear()
    assert shared_pages.post("/settings/delete").status_code == 200
    return shared_pages


@pytest.fixture(scope="session")
def pages_by_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("by_key")
    settings = Settings(data_dir=folder, engine="builtin", model=None, access="key")
    with opened(settings, ScriptedEngine()) as client:
        yield client
