"""How fast facts are found, and what the search costs in memory and at start.

`python -m eval.bench_retrieval [--passages 50000]`: the shipped facts, or that many made-up ones.
Made-up facts have drawn vectors; every query is really embedded.
"""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import quantiles
from typing import Annotated, Final, TypeVar

import numpy as np
import typer

from eval.retrieval import CASES, read_cases
from service.corpus.load import load_knowledge
from service.domain.knowledge import Fact
from service.domain.language import Bilingual
from service.retrieval.embedding import UseEmbedder, Vectors, unit
from service.retrieval.open import HealingRetriever, at_once, open_retriever
from service.settings import read_settings

ValueT = TypeVar("ValueT")
DIMENSIONS: Final = 512
GOAL_MS: Final = 25.0
PAGE_BYTES: Final = 4096


class DrawnEmbedder:
    """Embeds single texts; draws the vectors of long lists, which only an index build asks for."""

    def __init__(self) -> None:
        self._real = UseEmbedder()
        self._draw = np.random.default_rng(1)

    @property
    def name(self) -> str:
        return "drawn 1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) == 1:
            return self._real.embed(texts)
        return unit(self._draw.standard_normal((len(texts), DIMENSIONS)).astype(np.float32))


def made_up(facts: Mapping[str, Fact], count: int) -> dict[str, Fact]:
    """`count` facts whose words are those of two real ones, so that word search has real work."""
    real = list(facts.values())
    made: dict[str, Fact] = {}
    for number in range(count):
        one, two = real[number % len(real)], real[(number * 7 + number // len(real)) % len(real)]
        text = Bilingual(zh=one.text.zh + two.text.zh, en=f"{one.text.en} {two.text.en} {number}")
        made[f"F{number:06}"] = replace(one, id=f"F{number:06}", text=text)
    return made


def timed(action: Callable[[], ValueT]) -> tuple[ValueT, float]:
    """What `action` gives and how many seconds it took."""
    started = time.perf_counter()
    value = action()
    return value, time.perf_counter() - started


def resident_mb() -> float:
    """Memory of this process in MB (1e6 bytes), where the system tells; else 0."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0.0
    return int(pages) * PAGE_BYTES / 1e6


def main(
    passages: Annotated[int, typer.Option(help="0: the shipped facts.")] = 0,
    queries: Annotated[int, typer.Option(help="How many queries are timed.")] = 200,
) -> None:
    """Time start, query and memory. 检索性能测试。"""
    knowledge, loading = timed(lambda: load_knowledge(read_settings().knowledge_dir))
    facts = made_up(knowledge.facts, passages) if passages else dict(knowledge.facts)
    embedder = DrawnEmbedder() if passages else UseEmbedder()
    texts = [case.query for case in read_cases(CASES / "dev.jsonl")][:queries]
    with tempfile.TemporaryDirectory() as folder:

        def opened() -> HealingRetriever:
            return open_retriever(facts, "bench", Path(folder), start=at_once, embedder=embedder)

        first, building = timed(opened)
        first.close()
        retriever, again = timed(opened)
        spans = [timed(lambda text=text: retriever.find(text))[1] * 1e3 for text in texts]
        retriever.close()
    cuts = quantiles(spans, n=20)
    print(f"{len(facts)} facts; knowledge read in {loading:.2f} s")
    print(f"built and opened in {building:.2f} s, opened again in {again:.2f} s")
    print(f"query p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms over {len(spans)}")
    print(f"process {resident_mb():.0f} MB")
    raise typer.Exit(0 if cuts[9] <= GOAL_MS else 1)


if __name__ == "__main__":
    typer.run(main)
