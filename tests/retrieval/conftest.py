"""A handful of facts, and an embedder that needs no weights."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from service.domain.knowledge import Fact, HowVerified
from service.domain.language import Bilingual
from service.retrieval.embedding import Vectors, unit
from service.retrieval.open import HealingRetriever, at_once, open_retriever
from service.retrieval.terms import terms

TEXTS = {
    "F001": (
        "zero_communication",
        "Ring all-reduce moves 2ψ elements.",
        "环形 all-reduce 传输 2ψ 元素。",
    ),
    "F002": (
        "debugging",
        "A hang means ranks took different paths.",
        "挂起说明各进程走了不同路径。",
    ),
    "F003": ("zero_stages", "Stage 3 also partitions parameters.", "ZeRO-3 连参数也切分。"),
    "F004": ("offload", "NVMe offload needs stage 3.", "卸载到硬盘需要 ZeRO-3。"),
}


class TermEmbedder:
    """Places texts by their search terms: same words, same direction."""

    def __init__(self, name: str = "terms 1") -> None:
        self._name = name
        self.calls = 0

    @property
    def name(self) -> str:
        return self._name

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        vectors = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text):
                vectors[row, zlib.crc32(term.encode()) % 64] += 1
        return unit(vectors)


@pytest.fixture
def facts() -> Mapping[str, Fact]:
    return {
        id_: Fact(id_, Bilingual(zh=zh, en=en), "a paper, §1", HowVerified.VP, topic)
        for id_, (topic, en, zh) in TEXTS.items()
    }


@pytest.fixture
def embedder() -> TermEmbedder:
    return TermEmbedder()


@pytest.fixture
def fused(facts, embedder, tmp_path: Path) -> Iterator[HealingRetriever]:
    retriever = open_retriever(facts, "d1", tmp_path, start=at_once, embedder=embedder)
    yield retriever
    retriever.close()
