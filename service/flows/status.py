"""What works right now, told truthfully."""

from dataclasses import dataclass

from service.flows.parts import Parts
from service.retrieval.port import IndexState


@dataclass(frozen=True, slots=True)
class Readiness:
    """`ready`: requests are served. `degraded`: served, with something missing."""

    ready: bool
    degraded: bool
    store: str
    index: str
    engine: str
    facts: int
    questions: int


def searches_by_words(parts: Parts) -> bool:
    """Whether facts are found by words alone, because the search index is not there yet."""
    return parts.retriever.state() is not IndexState.READY


async def readiness(parts: Parts) -> Readiness:
    health = await parts.store.health()
    index = parts.retriever.state()
    return Readiness(
        ready=health.ok,
        degraded=index is not IndexState.READY,
        store="ok" if health.ok else health.why,
        index=index.value,
        engine=parts.engine_name,
        facts=len(parts.knowledge.facts),
        questions=len(parts.knowledge.questions),
    )
