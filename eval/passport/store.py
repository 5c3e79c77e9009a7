"""Where the passport stands: a page for the service, Markdown for readers; compared with anew."""

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final, cast

from eval.constructed.bank import Split
from eval.folder import write_whole
from eval.grader import LIBRARIES, ROOMS
from eval.meta import Document
from eval.passport.blocks import markdown
from eval.passport.pages import pages
from eval.passport.texts import PROBES
from service.domain.language import Lang
from service.errors import InputInvalid
from service.settings import ROOT

SHIPPED: Final = ROOT / "service" / "web" / "passport.json"
PAPERS: Final[Mapping[Lang, str]] = {Lang.EN: "docs/passport.md", Lang.ZH: "docs/passport.zh.md"}
# Rounding of floating point may differ between processors; a mark of 100 may by a hundredth.
TOLERANCE: Final = 0.002
KINDS: Final = frozenset({".py", ".jsonl", ".json", ".yaml", ".yml", ".toml", ".txt", ".md"})
TIMED: Final = "latency"
SETS: Final = (
    "cases/free", "cases/constructed", "cases/claims", "cases/misconceptions", "cases/retrieval",
)  # fmt: skip


def made_with(day: str, root: Path = ROOT) -> Document:
    """Versions, and sixteen digits of a hash over names and bytes of code, rules and data."""
    rooms = [root / "service" / room for room in ROOMS]
    versions = {"Shardwise": version("shardwise"), "Python": platform.python_version()}
    versions |= {name: version(name) for name in LIBRARIES}
    versions |= {"code": _digest(*rooms), "knowledge": _digest(root / "knowledge")}
    return {
        "date": day,
        "cores": os.cpu_count() or 1,
        "cases": PROBES[Split.TEST],
        "versions": versions,
        "data": {f"eval/{name}": _digest(root / "eval" / name) for name in SETS},
    }


def _digest(*folders: Path) -> str:
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in KINDS):
            total.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def write_passport(figures: Document, made: Document, root: Path = ROOT) -> list[Path]:
    """The JSON that the service shows and both Markdown files, under `root`."""
    shown = {lang.value: pages(figures, made, lang) for lang in Lang}
    whole = {"made": made, "pages": shown, "figures": figures}
    text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    files = {SHIPPED.relative_to(ROOT).as_posix(): text}
    files |= {name: markdown(pages(figures, made, lang)) for lang, name in PAPERS.items()}
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(root / name, content)
    return [root / name for name in files]


def read_passport(path: Path = SHIPPED) -> Document:
    """Raises InputInvalid: there is none, or it cannot be read."""
    try:
        return cast("Document", json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise InputInvalid("{path} holds no passport.", path=str(path)) from error


def unlike(old: object, new: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Path, old and new of every figure that is not the same; times are not compared."""
    if path == TIMED:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        one, other = cast("Document", old), cast("Document", new)
        for key in sorted({**one, **other}):
            yield from unlike(one.get(key), other.get(key), f"{path}.{key}".removeprefix("."))
        return
    if isinstance(old, list) and isinstance(new, list):
        before, after = cast("list[object]", old), cast("list[object]", new)
        if len(before) == len(after):
            for place, pair in enumerate(zip(before, after, strict=True)):
                yield from unlike(*pair, f"{path}.{place}")
            return
    if not _is_like(cast("object", old), cast("object", new)):
        yield path, cast("object", old), cast("object", new)


def _is_like(old: object, new: object) -> bool:
    if isinstance(old, float | int) and isinstance(new, float | int):
        return abs(old - new) <= TOLERANCE
    return old == new
