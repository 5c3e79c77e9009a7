from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.assembly import Seams
from service.settings import Settings
from tests.domain.samples import NOON
from tests.fakes import ScriptedEngine, SteppingClock


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, engine="builtin", model=None)


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def client(settings: Settings, engine: ScriptedEngine) -> Iterator[TestClient]:
    app = create_app(settings, Seams(engine=engine, clock=SteppingClock(NOON)))
    with TestClient(app, headers={"Accept-Language": "en"}) as opened:
        yield opened
