"""Word search over facts by BM25 in an SQLite full-text table held in memory."""

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import accumulate
from typing import Final

from service.domain.knowledge import Fact, Passage
from service.retrieval.concepts import TOPICS
from service.retrieval.port import Found, IndexState
from service.retrieval.terms import telling_terms, terms

# Words arrive cut; `porter` takes English endings off, the rest is left as it is.
TABLE: Final = (
    "CREATE VIRTUAL TABLE passage USING fts5("
    "own, more, id UNINDEXED, tokenize=\"porter unicode61 remove_diacritics 0 tokenchars '._'\")"
)
# Entries of the table one search may read, about a microsecond each: beyond it the commonest terms,
# which tell least, are left out. The shipped facts stay far below it.
MOST_ENTRIES: Final = 4_000
# `certainty` from which words alone are trusted; chosen on the development queries.
CONFIDENT_WORDS: Final = 15.0


class LexicalIndex:
    """BM25 (k1 1.2, b 0.75, as SQLite fixes them) over both languages of each fact."""

    def __init__(self, facts: Mapping[str, Fact], cut: Callable[[str], list[str]] = terms) -> None:
        self._cut = cut
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute(TABLE)
        self._facts_with: Counter[str] = Counter()
        self._db.executemany(
            "INSERT INTO passage (own, more, id) VALUES (?, ?, ?)", self._rows(facts)
        )

    def _rows(self, facts: Mapping[str, Fact]) -> Iterator[tuple[str, str, str]]:
        for id_, fact in facts.items():
            own, more = self._cut(own_text(fact)), self._cut(more_text(fact))
            self._facts_with.update({*own, *more})
            yield " ".join(own), " ".join(more), id_

    def search(self, query: str, limit: int) -> dict[str, float]:
        """BM25 by fact id, best first; greater is better. Empty when no word is shared."""
        return self._matches(self._any_of(self._cut(query)), limit)

    def certainty(self, query: str) -> float:
        """BM25 of the fact whose own sentences hold most of what the query is about."""
        wanted = self._any_of(telling_terms(query))
        return max(self._matches(f"own : ({wanted})" if wanted else "", 1).values(), default=0.0)

    def _any_of(self, wanted: Sequence[str]) -> str:
        """A search expression of the rarest terms whose entries stay within the limit."""
        rarest = sorted(set(wanted), key=lambda term: (self._facts_with[term], term))
        entries = accumulate(self._facts_with[term] for term in rarest)
        kept = [t for t, total in zip(rarest, entries, strict=True) if total <= MOST_ENTRIES]
        return " OR ".join(f'"{term}"' for term in kept or rarest[:1])

    def _matches(self, expression: str, limit: int) -> dict[str, float]:
        if not expression:
            return {}
        sql = (
            "SELECT id, -bm25(passage) AS score FROM passage WHERE passage MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?"
        )
        with self._lock, closing(self._db.execute(sql, (expression, limit))) as rows:
            return {str(id_): float(score) for id_, score in rows}

    def close(self) -> None:
        with self._lock:
            self._db.close()


def own_text(fact: Fact) -> str:
    return f"{fact.text.en} {fact.text.zh}"


def more_text(fact: Fact) -> str:
    """What else may lead to a fact: one on traffic need not say "communication" itself."""
    topic = TOPICS.get(fact.topic, fact.topic.replace("_", " "))
    return " ".join((topic, *fact.asked, fact.source))


class LexicalRetriever:
    """Serves while the vector index is missing. Scores are shares of the best BM25."""

    def __init__(self, facts: Mapping[str, Fact], index: LexicalIndex) -> None:
        self._facts = facts
        self._index = index

    def find(self, query: str, limit: int = 5) -> Found:
        confident = self._index.certainty(query) >= CONFIDENT_WORDS
        return Found(self.nearest(query, limit), confident=confident)

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        scores = self._index.search(query, limit)
        best = max(scores.values(), default=0.0)
        return tuple(Passage(self._facts[i], share(score, best)) for i, score in scores.items())

    def state(self) -> IndexState:
        return IndexState.DEGRADED


def share(score: float, best: float) -> float:
    return max(0.0, score / best) if best > 0 else 0.0
