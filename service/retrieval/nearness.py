"""Cosines of texts to a fixed list of sentences, which are embedded at first use."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from service.retrieval.embedding import Embedder, Vectors

DECIMALS: Final = 4  # what lies beyond differs between machines


class SentenceNearness:
    """Safe to share between threads; model and vectors are loaded when they are needed."""

    def __init__(self, sentences: Sequence[str], embedder: "Embedder | None" = None) -> None:
        self._sentences = tuple(sentences)
        self._embedder = embedder
        self._lock = threading.Lock()
        self._vectors: Vectors | None = None

    def cosines(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One row a text; a column for each sentence, in order."""
        if not texts:
            return ()
        own = self._own()
        return [
            [round(float(c), DECIMALS) for c in own @ vector]
            for vector in self._open().embed(texts)
        ]

    def _open(self) -> "Embedder":
        if self._embedder is None:
            from service.retrieval.embedding import UseEmbedder

            self._embedder = UseEmbedder()
        return self._embedder

    def _own(self) -> "Vectors":
        with self._lock:
            if self._vectors is None:
                self._vectors = self._open().embed(self._sentences)
            return self._vectors
