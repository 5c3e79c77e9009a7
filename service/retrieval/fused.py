"""Meaning and words together: cosine of the sentence vectors plus a share of BM25."""

from collections.abc import Mapping
from typing import Final

from service.domain.knowledge import Fact, Passage
from service.retrieval.embedding import Embedder, Vectors
from service.retrieval.lexical import LexicalIndex, share
from service.retrieval.port import Found, IndexState
from service.retrieval.vectors import IndexLost, VectorIndex

# Chosen on the development queries; eval/LOG.md has the figures.
WORDS_WEIGHT: Final = 0.5
# Certainty = BM25 of the facts' own sentences + SENTENCE_WEIGHT x their best cosine
# + LEAD_WEIGHT x lead, by which the nearest fact is nearer than the last candidate.
SENTENCE_WEIGHT: Final = 50.0
LEAD_WEIGHT: Final = 60.0
CONFIDENT: Final = 45.0
JUDGED: Final = 5  # hits whose sentences are compared with the query
CANDIDATES: Final = 60  # from each of the two searches; no more than these are ever returned


class FusedRetriever:
    """Ranks by cosine + WORDS_WEIGHT x BM25 / best BM25 of the query."""

    def __init__(
        self,
        facts: Mapping[str, Fact],
        lexical: LexicalIndex,
        vectors: VectorIndex,
        embedder: Embedder,
    ) -> None:
        self._facts = facts
        self._lexical = lexical
        self._vectors = vectors
        self._embedder = embedder

    def find(self, query: str, limit: int = 5) -> Found:
        """Best first; `score` runs 0..1.

        Raises:
            IndexLost: the vector index went away or names facts that are not known.
        """
        if not query.strip():
            return Found((), confident=False)
        vector = self._embedder.embed([query])[0]
        ranked, lead = self._search(query, vector)
        certainty = self._certainty(query, vector, ranked[:JUDGED]) + LEAD_WEIGHT * lead
        return Found(ranked[:limit], confident=certainty >= CONFIDENT)

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        """As `find`, without its certainty, which takes a quarter of its time. Raises IndexLost."""
        if not query.strip():
            return ()
        ranked, _ = self._search(query, self._embedder.embed([query])[0])
        return ranked[:limit]

    def _search(self, query: str, vector: Vectors) -> tuple[tuple[Passage, ...], float]:
        """All candidates, best first, and how far the nearest one leads the last."""
        words = self._lexical.search(query, CANDIDATES)
        meaning = self._vectors.nearest(vector, min(CANDIDATES, len(self._facts)))
        lead = max(meaning.values(), default=0.0) - min(meaning.values(), default=0.0)
        meaning |= self._vectors.cosines([i for i in words if i not in meaning], vector)
        if not meaning.keys() <= self._facts.keys():
            raise IndexLost("the vector index names facts that are not known")
        return self._ranked(meaning, words, max(words.values(), default=0.0)), lead

    def _certainty(self, query: str, vector: Vectors, hits: tuple[Passage, ...]) -> float:
        cosines = self._vectors.sentence_cosines([hit.fact.id for hit in hits], vector)
        return self._lexical.certainty(query) + SENTENCE_WEIGHT * max(cosines.values(), default=0.0)

    def _ranked(
        self, meaning: Mapping[str, float], words: Mapping[str, float], best: float
    ) -> tuple[Passage, ...]:
        fused = {
            i: (max(0.0, cosine) + WORDS_WEIGHT * share(words.get(i, 0.0), best))
            / (1 + WORDS_WEIGHT)
            for i, cosine in meaning.items()
        }
        order = sorted(fused, key=lambda i: (-fused[i], i))
        return tuple(Passage(self._facts[i], round(min(1.0, fused[i]), 4)) for i in order)

    def state(self) -> IndexState:
        return IndexState.READY

    def close(self) -> None:
        self._vectors.close()
