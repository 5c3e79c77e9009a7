"""Word search over facts by BM25 in an SQLite full-text table held in memory."""

import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Final

from service.domain.knowledge import Fact, Passage
from service.retrieval.concepts import TOPICS
from service.retrieval.port import Found, IndexState
from service.retrieval.terms import terms

# Words arrive cut; `porter` takes English endings off, the rest is left as it is.
TABLE: Final = (
    "CREATE VIRTUAL TABLE passage USING fts5("
    "terms, id UNINDEXED, tokenize=\"porter unicode61 remove_diacritics 0 tokenchars '._'\")"
)
MOST_TERMS: Final = 256
# BM25 of the best fact from which words alone are trusted; chosen on the development queries.
CONFIDENT_BM25: Final = 10.4


class LexicalIndex:
    """BM25 (k1 1.2, b 0.75, as SQLite fixes them) over both languages of each fact."""

    def __init__(self, facts: Mapping[str, Fact], cut: Callable[[str], list[str]] = terms) -> None:
        self._cut = cut
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute(TABLE)
        rows = ((" ".join(cut(searched_text(fact))), id_) for id_, fact in facts.items())
        self._db.executemany("INSERT INTO passage (terms, id) VALUES (?, ?)", rows)

    def search(self, query: str, limit: int) -> dict[str, float]:
        """BM25 by fact id, best first; greater is better. Empty when no word is shared."""
        wanted = list(dict.fromkeys(self._cut(query)))[:MOST_TERMS]
        if not wanted:
            return {}
        expression = " OR ".join(f'"{term}"' for term in wanted)
        sql = (
            "SELECT id, -bm25(passage) AS score FROM passage WHERE passage MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?"
        )
        with self._lock, closing(self._db.execute(sql, (expression, limit))) as rows:
            return {str(id_): float(score) for id_, score in rows}

    def close(self) -> None:
        with self._lock:
            self._db.close()


def searched_text(fact: Fact) -> str:
    """All that may lead to a fact: one on traffic need not say "communication" itself."""
    topic = TOPICS.get(fact.topic, fact.topic.replace("_", " "))
    return " ".join((fact.text.en, fact.text.zh, topic, *fact.asked, fact.source))


class LexicalRetriever:
    """Serves while the vector index is missing. Scores are shares of the best BM25."""

    def __init__(self, facts: Mapping[str, Fact], index: LexicalIndex) -> None:
        self._facts = facts
        self._index = index

    def find(self, query: str, limit: int = 5) -> Found:
        scores = self._index.search(query, limit)
        best = max(scores.values(), default=0.0)
        passages = tuple(Passage(self._facts[i], share(score, best)) for i, score in scores.items())
        return Found(passages, confident=best >= CONFIDENT_BM25)

    def state(self) -> IndexState:
        return IndexState.DEGRADED


def share(score: float, best: float) -> float:
    return max(0.0, score / best) if best > 0 else 0.0
