"""The built index on disk: `index/<digest>/`, made whole beside its place and then only read."""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from filelock import FileLock
from pydantic import TypeAdapter

from service.domain.knowledge import Fact
from service.retrieval.embedding import Embedder, Vectors, unit
from service.retrieval.vectors import FACTS, SENTENCES, IndexLost, VectorIndex, write_vectors

FORMAT: Final = 4
MANIFEST: Final = "manifest.json"
SITE: Final = ".building-"
BUILD_NAME: Final = re.compile(r"vectors-\w+")
# Older builds kept for a service that still runs on them while a new one starts.
KEPT_BUILDS: Final = 3


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the vectors beside it were made from, and the folder they stand in.

    The folder has another name in every build: Chroma keeps one client a path for the life of the
    process, also one that failed to open, so a mended index must not stand at the old path.
    """

    format: int
    digest: str
    embedder: str
    facts: int
    vectors: str = ""


_READ_MANIFEST: Final = TypeAdapter(Manifest)


def build_index(facts: Mapping[str, Fact], digest: str, data_dir: Path, embedder: Embedder) -> Path:
    """Build the index unless a whole one stands; one builder at a time, others wait for it."""
    place = index_path(digest, data_dir)
    with _building(place.parent):
        if _standing(place, _manifest(facts, digest, embedder)):
            return place
        return _build(facts, digest, place, embedder)


def rebuild(facts: Mapping[str, Fact], digest: str, data_dir: Path, embedder: Embedder) -> Path:
    """Build the index anew and put it in the place of the one that stands, whole or broken."""
    place = index_path(digest, data_dir)
    with _building(place.parent):
        return _build(facts, digest, place, embedder)


def open_index(
    facts: Mapping[str, Fact], digest: str, data_dir: Path, embedder: Embedder
) -> VectorIndex:
    """Open a whole index.

    Raises:
        IndexLost: there is none, it is damaged, or it was made from something else.
    """
    place = index_path(digest, data_dir)
    vectors = _standing(place, _manifest(facts, digest, embedder))
    if vectors is None:
        raise IndexLost(f"no whole index at {place.name}")
    return VectorIndex(vectors, len(facts))


def index_path(digest: str, data_dir: Path) -> Path:
    return data_dir / "index" / digest


def _building(folder: Path) -> FileLock:
    folder.mkdir(parents=True, exist_ok=True)
    return FileLock(folder / ".lock")


def _manifest(facts: Mapping[str, Fact], digest: str, embedder: Embedder) -> Manifest:
    return Manifest(FORMAT, digest, embedder.name, len(facts))


def _standing(place: Path, wanted: Manifest) -> Path | None:
    """The folder of the vectors, when the build at `place` is the wanted one."""
    try:
        found = _READ_MANIFEST.validate_json((place / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return None
    if replace(found, vectors="") != wanted or not BUILD_NAME.fullmatch(found.vectors):
        return None
    return place / found.vectors


def _build(facts: Mapping[str, Fact], digest: str, place: Path, embedder: Embedder) -> Path:
    for left in place.parent.glob(f"{SITE}*"):  # of a builder that was killed
        shutil.rmtree(left, ignore_errors=True)
    site = Path(tempfile.mkdtemp(prefix=SITE, dir=place.parent))
    try:
        name = f"vectors-{site.name.removeprefix(SITE)}"
        write_vectors(site / name, list(facts), fact_vectors(facts, embedder))
        manifest = replace(_manifest(facts, digest, embedder), vectors=name)
        (site / MANIFEST).write_text(json.dumps(asdict(manifest)), encoding="utf-8")
        shutil.rmtree(place, ignore_errors=True)
        site.rename(place)
    except BaseException:
        shutil.rmtree(site, ignore_errors=True)
        raise
    _forget_old(place)
    return place


def fact_vectors(facts: Mapping[str, Fact], embedder: Embedder) -> Mapping[str, Vectors]:
    """One unit vector a fact for each collection: the middle of its texts, both languages."""
    groups = [[fact.text.en, fact.text.zh, *fact.asked] for fact in facts.values()]
    vectors = embedder.embed([text for group in groups for text in group])
    ends = np.cumsum([len(group) for group in groups])[:-1]
    parts = np.split(vectors, ends)
    return {
        FACTS: unit(np.stack([part.sum(axis=0) for part in parts])),
        SENTENCES: unit(np.stack([part[:2].sum(axis=0) for part in parts])),
    }


def _forget_old(place: Path) -> None:
    builds = [path for path in place.parent.iterdir() if (path / MANIFEST).is_file()]
    newest_first = sorted(builds, key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in newest_first[KEPT_BUILDS:]:
        if path != place:
            shutil.rmtree(path, ignore_errors=True)
