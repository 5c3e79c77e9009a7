"""Finding facts for a question, in either language."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from service.domain.knowledge import Passage


class IndexState(StrEnum):
    READY = "ready"
    DEGRADED = "degraded"  # lexical search serves while the vector index is missing or rebuilt


@dataclass(frozen=True, slots=True)
class Found:
    """`confident` is false when the knowledge base does not answer the query."""

    passages: tuple[Passage, ...]
    confident: bool


class Retriever(Protocol):
    def find(self, query: str, limit: int = 5) -> Found:
        """The facts nearest to `query`, best first. CPU-bound: call it in a thread."""
        ...

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        """The passages of `find`, without the work of telling whether they answer the query."""
        ...

    def state(self) -> IndexState: ...
