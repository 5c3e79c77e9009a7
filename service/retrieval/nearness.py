"""Cosines of texts to a fixed list of sentences, which are embedded at first use."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from service.retrieval.embedding import Embedder, Vectors

DECIMALS: Final = 4  # what lies beyond differs between machines
KEPT: Final = 256  # texts whose vectors are kept: those of a long answer


class RecentlyEmbedded:
    """An embedder that keeps the vectors of the last texts. Safe to share between threads."""

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def name(self) -> str:
        return self._open().name

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One unit vector a text, in order."""
        import numpy as np

        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known |= dict(zip(new, self._open().embed(new), strict=True))
        with self._lock:
            self._kept |= {text: known[text] for text in new}
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return np.stack([known[text] for text in texts])

    def _open(self) -> "Embedder":
        if self._embedder is None:
            from service.retrieval.embedding import UseEmbedder

            self._embedder = UseEmbedder()
        return self._embedder


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
        return [_rounded(own @ vector) for vector in self._open().embed(texts)]

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


def _rounded(cosines: "NDArray[np.float32]") -> list[float]:
    import numpy as np

    return cast("list[float]", np.round(cosines.astype(np.float64), DECIMALS).tolist())
