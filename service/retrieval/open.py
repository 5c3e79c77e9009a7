"""The retriever a service uses: fused search when the index stands, words alone until it does."""

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from service.domain.knowledge import Fact, Passage
from service.retrieval.lexical import LexicalIndex, LexicalRetriever
from service.retrieval.port import Found, IndexState, Retriever

if TYPE_CHECKING:
    from service.retrieval.embedding import Embedder
    from service.retrieval.fused import FusedRetriever

Job = Callable[[], None]
Start = Callable[[Job], None]
T = TypeVar("T")
LOG: Final = logging.getLogger(__name__)


def in_background(job: Job) -> None:
    threading.Thread(target=job, name="knowledge-index", daemon=True).start()


def at_once(job: Job) -> None:
    job()


def open_retriever(
    facts: Mapping[str, Fact],
    digest: str,
    data_dir: Path,
    *,
    start: Start = in_background,
    embedder: "Embedder | None" = None,
) -> "HealingRetriever":
    """Search over `facts`, with the index named by `digest` below `data_dir`.

    Returns at once: `start` runs the job that opens the index, or builds a missing or broken one.
    Until it is done words alone serve and `state` is degraded. Give `at_once` to wait for it.
    """
    return HealingRetriever(facts, digest, data_dir, start, embedder)


class HealingRetriever:
    """A retriever that never fails for want of its index, and mends it by itself."""

    def __init__(
        self,
        facts: Mapping[str, Fact],
        digest: str,
        data_dir: Path,
        start: Start,
        embedder: "Embedder | None",
    ) -> None:
        self._facts = facts
        self._digest = digest
        self._data_dir = data_dir
        self._start = start
        self._embedder = embedder
        self._index = LexicalIndex(facts)
        self._words = LexicalRetriever(facts, self._index)
        self._fused: FusedRetriever | None = None
        self._mending = threading.Lock()
        self._start(self._mend)

    def find(self, query: str, limit: int = 5) -> Found:
        return self._searched(lambda retriever: retriever.find(query, limit))

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        return self._searched(lambda retriever: retriever.nearest(query, limit))

    def _searched(self, search: Callable[[Retriever], T]) -> T:
        """By the fused search; when its index is lost, by words, and the index is mended."""
        from service.retrieval.vectors import IndexLost

        fused = self._fused
        if fused is None:
            return search(self._words)
        try:
            return search(fused)
        except IndexLost as lost:
            LOG.warning("knowledge index lost: %s", lost)
            self._fused = None
            self._start(self._mend)
            return search(self._words)

    def state(self) -> IndexState:
        current: Retriever = self._fused or self._words
        return current.state()

    def close(self) -> None:
        """Let go of the files; not to be searched afterwards."""
        if self._fused is not None:
            self._fused.close()
        self._fused = None
        self._index.close()

    def _mend(self) -> None:
        """Open the index, else build it once and open that. One at a time; a failure is logged."""
        if not self._mending.acquire(blocking=False):
            return
        try:
            self._fused = self._fused or self._opened_or_built()
        except Exception:
            LOG.exception("the knowledge index could not be built; words alone serve")
        finally:
            self._mending.release()

    def _opened_or_built(self) -> "FusedRetriever":
        from service.retrieval.embedding import UseEmbedder
        from service.retrieval.fused import FusedRetriever
        from service.retrieval.index import build_index, open_index, rebuild
        from service.retrieval.vectors import IndexLost

        embedder = self._embedder or UseEmbedder()
        self._embedder = embedder
        build_index(self._facts, self._digest, self._data_dir, embedder)
        try:
            vectors = open_index(self._facts, self._digest, self._data_dir, embedder)
        except IndexLost:
            rebuild(self._facts, self._digest, self._data_dir, embedder)
            vectors = open_index(self._facts, self._digest, self._data_dir, embedder)
        embedder.embed(["warm"])  # the weights are read now, not at the first question
        return FusedRetriever(self._facts, self._index, vectors, embedder)
