"""A whole service for a module of tests: starting one costs more than all their requests."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from service.app import create_app
from service.assembly import Seams
from service.domain.knowledge import Passage
from service.retrieval.port import Found, IndexState
from service.settings import Settings
from tests.fakes import ScriptedEngine

WISH: Mapping[str, object] = {"lang": "en", "level": "mid", "question_ids": ["zero-stages"]}
ANSWER = "Every GPU keeps a full copy of parameters, gradients and optimizer states."
RESUME = """# Li Example
Email: li.example@example.com

## Work
### Example Tech | Training engineer | 2021.07 - present
- Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100.

## Skills
Python, PyTorch, DeepSpeed
"""
POSTING = "Training engineer\nRequirements:\n1. Familiar with DeepSpeed or Megatron-LM.\n"


class NothingFound:
    """A retriever for tests in which search plays no part."""

    def find(self, query: str, limit: int = 5) -> Found:
        return Found(self.nearest(query, limit), confident=False)

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        assert query
        assert limit > 0
        return ()

    def state(self) -> IndexState:
        return IndexState.READY


@contextmanager
def opened(
    data_dir: Path, seams: Seams | None = None, /, **changes: object
) -> Generator[TestClient]:
    """A service with the built-in engine unless `seams` or settings say otherwise."""
    values: dict[str, Any] = {"data_dir": data_dir, "engine": "builtin", "model": None} | changes
    chosen = seams or Seams(engine=ScriptedEngine())
    app = create_app(
        Settings(**values), replace(chosen, retriever=chosen.retriever or NothingFound())
    )
    with TestClient(app, "http://localhost", headers={"Accept-Language": "en"}) as client:
        yield client


def app_of(client: TestClient) -> FastAPI:
    assert isinstance(client.app, FastAPI)
    return client.app


def operations(client: TestClient) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """(method, path, description) by operation id, as the service itself describes them."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, item in app_of(client).openapi()["paths"].items()
        for method, operation in item.items()
    }
