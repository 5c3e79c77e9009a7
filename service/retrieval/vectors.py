"""Vectors of facts in an embedded Chroma database: written once, then only read.

It holds ids and vectors; texts always come from the vetted files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from service.retrieval.embedding import Vectors

FACTS: Final = "facts"  # what is searched: a fact and the questions it answers
SENTENCES: Final = "sentences"  # the fact's own sentences, to judge a hit by
# Chroma refuses larger batches (its limit depends on the SQLite it was built with).
BATCH: Final = 2_000


class IndexLost(Exception):
    """The vector index is missing, damaged or of another build; it can be built again."""


class _Collection(Protocol):
    def add(self, *, ids: list[str], embeddings: NDArray[Any]) -> None: ...

    def count(self) -> int: ...

    def query(
        self, *, query_embeddings: NDArray[Any], n_results: int, include: list[str]
    ) -> dict[str, Any]: ...

    def get(self, *, ids: list[str], include: list[str]) -> dict[str, Any]: ...


class _Client(Protocol):
    def create_collection(
        self, name: str, *, embedding_function: None, configuration: dict[str, Any]
    ) -> _Collection: ...

    def get_collection(self, name: str, *, embedding_function: None) -> _Collection: ...

    def close(self) -> None: ...


def _client(folder: Path) -> _Client:
    # Never the server: its HTTP mode has an unmended remote execution advisory,
    # see docs/decisions/0008-chroma-embedded-only.md.
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    return cast("_Client", chromadb.PersistentClient(str(folder), settings))


def write_vectors(folder: Path, ids: Sequence[str], collections: Mapping[str, Vectors]) -> None:
    """Make the collections in an empty `folder`. Vectors are given: nothing is downloaded."""
    client = _client(folder)
    try:
        for name, vectors in collections.items():
            made = client.create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            for start in range(0, len(ids), BATCH):
                end = start + BATCH
                made.add(ids=list(ids[start:end]), embeddings=vectors[start:end])
    finally:
        client.close()


class VectorIndex:
    """Nearest facts by cosine. Safe to share between threads."""

    def __init__(self, folder: Path, size: int) -> None:
        """Open what `write_vectors` made.

        Raises:
            IndexLost: it cannot be read or does not hold `size` vectors a collection.
        """
        self._client = _opened(folder)
        try:
            self._facts = self._client.get_collection(FACTS, embedding_function=None)
            self._sentences = self._client.get_collection(SENTENCES, embedding_function=None)
            found = {self._facts.count(), self._sentences.count()}
        except _damage() as error:
            self._client.close()
            raise IndexLost(f"the vector index cannot be read: {type(error).__name__}") from error
        if found != {size}:
            self._client.close()
            raise IndexLost(f"the vector index holds {sorted(found)} vectors, not {size}")

    def nearest(self, vector: Vectors, limit: int) -> dict[str, float]:
        """Cosine by fact id, best first.

        Raises:
            IndexLost: the files went away or were damaged while open.
        """
        try:
            answer = self._facts.query(
                query_embeddings=vector[None, :], n_results=limit, include=["distances"]
            )
        except _damage() as error:
            raise IndexLost(f"the vector index does not answer: {type(error).__name__}") from error
        pairs = zip(answer["ids"][0], answer["distances"][0], strict=True)
        return {str(id_): 1.0 - float(distance) for id_, distance in pairs}

    def cosines(self, ids: Sequence[str], vector: Vectors) -> dict[str, float]:
        """Cosine of each id, all of which must be in the index.

        Raises:
            IndexLost: one is not, or the files were damaged while open.
        """
        return _cosines(self._facts, ids, vector)

    def sentence_cosines(self, ids: Sequence[str], vector: Vectors) -> dict[str, float]:
        """The same with the facts' own sentences only."""
        return _cosines(self._sentences, ids, vector)

    def close(self) -> None:
        self._client.close()


def _cosines(collection: _Collection, ids: Sequence[str], vector: Vectors) -> dict[str, float]:
    if not ids:
        return {}
    try:
        answer = collection.get(ids=list(ids), include=["embeddings"])
    except _damage() as error:
        raise IndexLost(f"the vector index does not answer: {type(error).__name__}") from error
    found = cast("list[str]", answer["ids"])
    if len(found) != len(ids):
        raise IndexLost("the vector index lacks facts")
    stored = np.asarray(answer["embeddings"], dtype=np.float32)
    return dict(zip(found, (stored @ vector).tolist(), strict=True))


def _opened(folder: Path) -> _Client:
    try:
        return _client(folder)
    except _damage() as error:
        raise IndexLost(f"the vector index cannot be opened: {type(error).__name__}") from error


def _damage() -> tuple[type[Exception], ...]:
    """What Chroma raises on files that are gone or broken; AttributeError after a failed start."""
    from chromadb.errors import ChromaError

    return (ChromaError, OSError, ValueError, KeyError, RuntimeError, AttributeError)
