"""Results kept on this machine, so that what was graded once is not graded again.

One file an entry, named by a hash of everything that determines it. Entries hold the words that a
mark was read from; the folder is readable by its owner alone and may be deleted at any time.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from filelock import FileLock

FOLDER: Final = "eval_cache"
KINDS: Final = ("builtin", "llm")
LIMIT_BYTES: Final = 256_000_000
# Full, it shrinks to this share, so that not every new entry has to make room.
KEPT_SHARE: Final = 0.9
TALLY: Final = "tally.json"
LOCK: Final = "tally.lock"
UNNAMED: Final = "none"
HITS, MISSES, CORRUPT, EVICTED = "hits", "misses", "corrupt", "evicted"

Entry = Mapping[str, object]


def key_of(parts: Mapping[str, object]) -> str:
    """The same for equal parts, in whatever order."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()


@dataclass
class ResultCache:
    """`counted` goes into the folder's tally with `close`; nothing here raises for a bad entry."""

    folder: Path
    kind: str
    limit: int = LIMIT_BYTES
    counted: Counter[str] = field(default_factory=Counter[str])
    size: int | None = None  # bytes; None: not looked at yet

    def knows(self, key: str) -> bool:
        """Is there an entry, read from whatever model?"""
        return next(self._shard(key).glob(f"{key}-*.json"), None) is not None

    def get(self, key: str, served: str | None) -> Entry | None:
        """The entry, if it was read from the model that the server calls `served`."""
        path = self._path(key, served)
        try:
            entry = _opened(path.read_bytes(), key)
            os.utime(path)
        except OSError:
            return None
        except ValueError:
            self.counted[CORRUPT] += 1
            return None
        return entry

    def put(self, key: str, served: str | None, entry: Entry) -> None:
        """A full disk or a foreign file in the way costs the entry, not the run."""
        path = self._path(key, served)
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        sealed = _sealed(entry, key)
        try:
            for folder in (self.folder, self.folder / self.kind, path.parent):
                folder.mkdir(parents=folder is self.folder, exist_ok=True, mode=0o700)
            before = path.stat().st_size if path.exists() else 0
            beside.write_bytes(sealed)
            beside.replace(path)
        except OSError:
            return
        self._make_room(len(sealed) - before)

    def close(self) -> None:
        """Add what was counted to the folder's tally."""
        if not self.counted or not self.folder.is_dir():
            return
        with FileLock(self.folder / LOCK):
            tally = read_tally(self.folder)
            for what, count in self.counted.items():
                tally[f"{self.kind}.{what}"] += count
            beside = self.folder / f"{TALLY}.new"
            beside.write_text(json.dumps(tally, sort_keys=True), encoding="utf-8")
            beside.replace(self.folder / TALLY)
        self.counted.clear()

    def _shard(self, key: str) -> Path:
        return self.folder / self.kind / key[:2]

    def _path(self, key: str, served: str | None) -> Path:
        named = sha256(served.encode()).hexdigest()[:12] if served else UNNAMED
        return self._shard(key) / f"{key}-{named}.json"

    def _make_room(self, more: int) -> None:
        """Over the limit, what was used longest ago goes."""
        self.size = sum(f.size for f in files_of(self.folder)) if self.size is None else self.size
        self.size += more
        if self.size <= self.limit:
            return
        for file in sorted(files_of(self.folder), key=lambda f: f.used):
            if self.size <= self.limit * KEPT_SHARE:
                break
            file.path.unlink(missing_ok=True)
            self.size -= file.size
            self.counted[EVICTED] += 1


def _sealed(entry: Entry, key: str) -> bytes:
    body = json.dumps({"key": key, "entry": entry})
    return f"{sha256(body.encode()).hexdigest()} {body}\n".encode()


def _opened(raw: bytes, key: str) -> Entry:
    """Raises ValueError: cut, altered, or another entry's."""
    seal, _, body = raw.decode("ascii").rstrip("\n").partition(" ")
    if sha256(body.encode()).hexdigest() != seal:
        raise ValueError(seal)
    found = cast("dict[str, object]", json.loads(body))
    if found["key"] != key:
        raise ValueError(key)
    return cast("Entry", found["entry"])


@dataclass(frozen=True, slots=True)
class KeptFile:
    """`size` in bytes, `used` in seconds since 1970."""

    path: Path
    kind: str
    size: int
    used: float


def files_of(folder: Path) -> Iterator[KeptFile]:
    """Every entry, and what a killed process left half-written."""
    for kind in KINDS:
        for path in (folder / kind).glob("*/*"):
            try:
                found = path.stat()
            except OSError:  # another process was faster
                continue
            yield KeptFile(path, kind, found.st_size, found.st_mtime)


def read_tally(folder: Path) -> Counter[str]:
    """Counts by `kind.what` since the cache was cleared; a damaged tally begins anew."""
    try:
        kept = json.loads((folder / TALLY).read_text(encoding="utf-8"))
        return Counter({str(k): int(v) for k, v in cast("dict[str, int]", kept).items()})
    except (OSError, ValueError, AttributeError, TypeError):
        return Counter()


def stats_of(folder: Path) -> dict[str, object]:
    """How much is kept, and how often it served, by kind."""
    files, tally = list(files_of(folder)), read_tally(folder)
    kinds = {
        kind: {
            "entries": sum(f.kind == kind for f in files),
            "bytes": sum(f.size for f in files if f.kind == kind),
            **{what: tally[f"{kind}.{what}"] for what in (HITS, MISSES, CORRUPT, EVICTED)},
        }
        for kind in KINDS
    }
    whats = ("entries", "bytes", HITS, MISSES, CORRUPT, EVICTED)
    totals = {what: sum(counts[what] for counts in kinds.values()) for what in whats}
    return {"folder": str(folder), **totals, "limit_bytes": LIMIT_BYTES, "by_kind": kinds}


def clear(folder: Path) -> dict[str, object]:
    """Remove every entry and the tally; nothing that is not the cache's own."""
    files = list(files_of(folder))
    for file in files:
        file.path.unlink(missing_ok=True)
    for name in (TALLY, LOCK):
        (folder / name).unlink(missing_ok=True)
    for inner in sorted({f.path.parent for f in files} | {f.path.parent.parent for f in files})[
        ::-1
    ]:
        with suppress(OSError):  # a run has put something new there
            inner.rmdir()
    return {
        "folder": str(folder),
        "removed_entries": len(files),
        "removed_bytes": sum(f.size for f in files),
    }
