"""Vectors of facts in an embedded Chroma collection: written once, then only read.

The collection holds ids and vectors; texts always come from the vetted files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from service.retrieval.embedding import Vectors

COLLECTION: Final = "facts"
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
    # see docs/decisions/chroma-embedded-only.md.
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    return cast("_Client", chromadb.PersistentClient(str(folder), settings))


def write_vectors(folder: Path, ids: Sequence[str], vectors: Vectors) -> None:
    """Make the collection in an empty `folder`. Vectors are given: nothing is downloaded."""
    client = _client(folder)
    try:
        made = client.create_collection(
            COLLECTION, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
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
            IndexLost: it cannot be read or does not hold `size` vectors.
        """
        self._client = _opened(folder)
        try:
            self._collection = self._client.get_collection(COLLECTION, embedding_function=None)
            found = self._collection.count()
        except _damage() as error:
            self._client.close()
            raise IndexLost(f"the vector index cannot be read: {type(error).__name__}") from error
        if found != size:
            self._client.close()
            raise IndexLost(f"the vector index holds {found} vectors, not {size}")

    def nearest(self, vector: Vectors, limit: int) -> dict[str, float]:
        """Cosine by fact id, best first.

        Raises:
            IndexLost: the files went away or were damaged while open.
        """
        try:
            answer = self._collection.query(
                query_embeddings=vector[None, :], n_results=limit, include=["distances"]
            )
        except _damage() as error:
            raise IndexLost(f"the vector index does not answer: {type(error).__name__}") from error
        return {
            i: 1.0 - float(d) for i, d in zip(answer["ids"][0], answer["distances"][0], strict=True)
        }

    def cosines(self, ids: Sequence[str], vector: Vectors) -> dict[str, float]:
        """Cosine of each id, all of which must be in the index.

        Raises:
            IndexLost: one is not, or the files were damaged while open.
        """
        if not ids:
            return {}
        try:
            answer = self._collection.get(ids=list(ids), include=["embeddings"])
        except _damage() as error:
            raise IndexLost(f"the vector index does not answer: {type(error).__name__}") from error
        if len(answer["ids"]) != len(ids):
            raise IndexLost("the vector index lacks facts")
        stored = np.asarray(answer["embeddings"], dtype=np.float32)
        return dict(zip(answer["ids"], (stored @ vector).tolist(), strict=True))

    def close(self) -> None:
        self._client.close()


def _opened(folder: Path) -> _Client:
    try:
        return _client(folder)
    except _damage() as error:
        raise IndexLost(f"the vector index cannot be opened: {type(error).__name__}") from error


def _damage() -> tuple[type[Exception], ...]:
    from chromadb.errors import ChromaError

    return (ChromaError, OSError, ValueError, KeyError, RuntimeError)
