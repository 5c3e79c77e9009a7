"""The index is built once, beside its place, and mended when it is lost."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.retrieval.fused import FusedRetriever
from service.retrieval.index import build_index, index_path, open_index, rebuild
from service.retrieval.lexical import LexicalIndex
from service.retrieval.open import open_retriever
from service.retrieval.port import IndexState
from service.retrieval.vectors import IndexLost, VectorIndex


class Later:
    """Keeps the jobs of the opener until the test runs them."""

    def __init__(self) -> None:
        self.jobs = []

    def __call__(self, job) -> None:
        self.jobs.append(job)

    def run(self) -> None:
        while self.jobs:
            self.jobs.pop()()


class FailingEmbedder:
    name = "failing 1"

    def embed(self, texts):
        raise OSError(28, f"No space left on device for {len(texts)} texts")


@pytest.fixture
def later() -> Later:
    return Later()


def test_words_serve_until_the_index_is_built(facts, embedder, tmp_path, later):
    retriever = open_retriever(facts, "d1", tmp_path, start=later, embedder=embedder)
    assert retriever.state() is IndexState.DEGRADED
    assert retriever.find("why is it stuck").passages[0].fact.id == "F002"
    later.run()
    assert retriever.state() is IndexState.READY
    assert retriever.find("why is it stuck").passages[0].fact.id == "F002"
    retriever.close()


def test_a_standing_index_is_opened_not_built_again(facts, embedder, tmp_path, later):
    place = build_index(facts, "d1", tmp_path, embedder)
    built = (place / "manifest.json").stat().st_mtime_ns
    calls = embedder.calls
    retriever = open_retriever(facts, "d1", tmp_path, start=later, embedder=embedder)
    later.run()
    assert retriever.state() is IndexState.READY
    assert (place / "manifest.json").stat().st_mtime_ns == built
    assert embedder.calls == calls + 1  # the warming word; no fact was embedded again
    retriever.close()


def vectors_of(place: Path) -> Path:
    (vectors,) = place.glob("vectors-*")
    return vectors


def damaged_database(place: Path) -> None:
    (vectors_of(place) / "chroma.sqlite3").write_bytes(b"no database at all" * 500)


def no_database(place: Path) -> None:
    (vectors_of(place) / "chroma.sqlite3").unlink()


def no_vectors(place: Path) -> None:
    shutil.rmtree(vectors_of(place))


def broken_manifest(place: Path) -> None:
    (place / "manifest.json").write_text("{", encoding="utf-8")


def manifest_of_another_model(place: Path) -> None:
    path = place / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"embedder": "other"}))


@pytest.mark.parametrize(
    "damage",
    [damaged_database, no_database, no_vectors, broken_manifest, manifest_of_another_model],
)
def test_a_broken_index_is_built_again(facts, embedder, tmp_path, later, damage):
    damage(build_index(facts, "d1", tmp_path, embedder))
    retriever = open_retriever(facts, "d1", tmp_path, start=later, embedder=embedder)
    later.run()
    assert retriever.state() is IndexState.READY
    assert retriever.find("ssd offload").passages[0].fact.id == "F004"
    retriever.close()


def test_a_stranger_in_the_index_reaches_nobody(facts, embedder, tmp_path, later):
    rogue = {**dict(list(facts.items())[:3]), "F666": facts["F004"]}
    build_index(rogue, "d1", tmp_path, embedder)
    retriever = open_retriever(facts, "d1", tmp_path, start=later, embedder=embedder)
    later.run()
    found = retriever.find("ssd offload")
    assert found.passages[0].fact.id == "F004"
    assert all(passage.fact.id in facts for passage in found.passages)
    later.run()
    retriever.close()


def test_unknown_ids_in_the_index_are_reported_as_a_loss(facts, embedder, tmp_path):
    place = build_index(facts, "d1", tmp_path, embedder)
    vectors = VectorIndex(vectors_of(place), len(facts))
    known = {id_: fact for id_, fact in facts.items() if id_ != "F004"}
    retriever = FusedRetriever(known, LexicalIndex(known), vectors, embedder)
    with pytest.raises(IndexLost):
        retriever.find("offload", limit=4)
    vectors.close()


def test_a_builder_that_fails_leaves_nothing_and_words_serve(facts, tmp_path, later):
    retriever = open_retriever(facts, "d1", tmp_path, start=later, embedder=FailingEmbedder())
    later.run()
    assert retriever.state() is IndexState.DEGRADED
    assert retriever.find("stuck").passages[0].fact.id == "F002"
    assert [path.name for path in (tmp_path / "index").iterdir()] == [".lock"]


def test_builders_at_the_same_time_build_once(facts, embedder, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        places = set(pool.map(lambda _: build_index(facts, "d1", tmp_path, embedder), range(4)))
    assert places == {index_path("d1", tmp_path)}
    assert embedder.calls == 1


def test_what_a_killed_builder_left_is_cleared(facts, embedder, tmp_path):
    left = tmp_path / "index" / ".building-dead"
    left.mkdir(parents=True)
    build_index(facts, "d1", tmp_path, embedder)
    assert not left.exists()


def test_other_knowledge_gets_its_own_index_and_old_ones_go(facts, embedder, tmp_path):
    for digest in ("d1", "d2", "d3", "d4"):
        build_index(facts, digest, tmp_path, embedder)
    assert not index_path("d1", tmp_path).exists()
    assert all(index_path(digest, tmp_path).is_dir() for digest in ("d2", "d3", "d4"))


def test_building_again_replaces_what_stands(facts, embedder, tmp_path):
    place = build_index(facts, "d1", tmp_path, embedder)
    (place / "stray").write_text("x")
    assert rebuild(facts, "d1", tmp_path, embedder) == place
    assert not (place / "stray").exists()
    open_index(facts, "d1", tmp_path, embedder).close()


def test_opening_without_an_index_says_it_is_lost(facts, embedder, tmp_path):
    with pytest.raises(IndexLost):
        open_index(facts, "d1", tmp_path, embedder)
