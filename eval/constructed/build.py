"""Writes the constructed set: answers with labels and clusters, attacks, and a small one for CI.

The same seed and bank give the same bytes everywhere; the manifest holds their digests.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from eval.attacks.cases import SEED, build_suite
from eval.attacks.classes import CLASSES, TEST_ONLY
from eval.attacks.model import Case
from eval.constructed.bank import Bank, Split
from eval.constructed.bases import Base, Maker
from eval.constructed.changes import CHANGES, Change
from eval.constructed.dice import Dice
from eval.constructed.labels import Labels

COMMITTED: Final = Path(__file__).parents[1] / "cases" / "constructed"
MANIFEST: Final = "manifest.json"
CI: Final = "ci.jsonl"
CHANGES_PER_BASE: Final = 3
CI_BASES: Final = 50
CI_CASES_PER_CLASS: Final = 2
# Left out of the small set: one such text is larger than all the rest of it.
TOO_LONG: Final = "fifty_thousand"
Line = Mapping[str, object]
Questions = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Built:
    """File names with their content, and what the manifest says of them."""

    files: Mapping[str, bytes]
    manifest: Mapping[str, object]


def build(bank: Bank, questions: Questions, seed: str = SEED) -> Built:
    """All files; `questions` gives each question's words by language."""
    files = {name: _encode(lines) for name, lines in _all_files(bank, questions, seed)}
    entries = {
        name: {
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "lines": content.count(b"\n"),
        }
        for name, content in files.items()
    }
    return Built(files, {"seed": seed, "files": entries})


def write(built: Built, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in built.files.items():
        (folder / name).write_bytes(content)
    (folder / MANIFEST).write_bytes(manifest_bytes(built))


def manifest_bytes(built: Built) -> bytes:
    return (json.dumps(built.manifest, indent=2) + "\n").encode()


def stale_files(built: Built, folder: Path = COMMITTED) -> list[str]:
    """Committed files that are not what the bank gives now."""
    expected = {CI: built.files[CI], MANIFEST: manifest_bytes(built)}
    return [
        name
        for name, content in expected.items()
        if not (folder / name).exists() or (folder / name).read_bytes() != content
    ]


def _all_files(bank: Bank, questions: Questions, seed: str) -> Iterator[tuple[str, Sequence[Line]]]:
    maker = Maker(bank, Dice(seed))
    for split in Split:
        bases = maker.bases(split)
        yield f"{split}.jsonl", [line for b in bases for line in _cluster(maker, b)]
        suite = build_suite(bank, questions, split, seed=seed)
        yield f"{split}_attacks.jsonl", [_case_line(c, split) for c in suite.cases]
    yield CI, _small(maker, bank, questions, seed)


def _small(maker: Maker, bank: Bank, questions: Questions, seed: str) -> list[Line]:
    """Every fourth dev base with one change each, and two attacks of each class."""
    every = maker.bases(Split.DEV)
    bases = every[:: len(every) // CI_BASES]
    lines: list[Line] = [line for b in bases for line in _cluster(maker, b, 1)]
    kinds = [k for k in CLASSES if k != TOO_LONG]
    suite = build_suite(
        bank, questions, Split.DEV, kinds=kinds, per_class=CI_CASES_PER_CLASS, seed=seed
    )
    return lines + [_case_line(c, Split.DEV) for c in suite.cases]


def _cluster(maker: Maker, base: Base, changes: int = CHANGES_PER_BASE) -> list[Line]:
    """The base and some changes of it, each with the relation to the base that must hold."""
    head = {"id": base.id, "cluster": base.id, "kind": "plain", **_about(base)}
    lines: list[Line] = [head | _labelled(base.text, base.labels)]
    dice = maker.dice.at("cluster", base.id)
    for kind in dice.shuffled(sorted(CHANGES), "kinds"):
        is_kept_back = kind in TEST_ONLY and base.split is Split.DEV
        change = None if is_kept_back else CHANGES[kind](maker, base, dice.at(kind))
        if change is not None and len(lines) <= changes:
            lines.append(_changed(base, kind, change))
    return lines


def _changed(base: Base, kind: str, change: Change) -> Line:
    about = _about(base)
    if kind == "other_language":
        about["lang"] = "en" if base.lang == "zh" else "zh"
    return {
        "id": f"{base.id}-{kind}",
        "cluster": base.id,
        "kind": kind,
        **about,
        **_relation(kind),
        **_labelled(change.text, change.labels),
        "lost": list(change.lost),
        "beliefs": list(change.beliefs),
    }


def _about(base: Base) -> dict[str, object]:
    return {
        "split": base.split.value,
        "question": base.question.question,
        "lang": base.lang,
        "family": base.family.value,
    }


def _relation(kind: str) -> dict[str, object]:
    bar = CLASSES[kind]
    return {"relation": bar.relation.value, "tolerance": bar.tolerance}


def _labelled(text: str, labels: Labels) -> dict[str, object]:
    return {
        "answer": text,
        "points": {p: v.value for p, v in labels.points.items()},
        "open": list(labels.open),
        "misconceptions": list(labels.misconceptions),
        "dimensions": dict(labels.dimensions),
        "score": labels.score,
    }


def _case_line(case: Case, split: Split) -> Line:
    return {
        "id": case.id,
        "cluster": case.cluster,
        "kind": case.kind,
        "split": split.value,
        "question": case.question,
        "lang": case.lang,
        **_relation(case.kind),
        "base": case.base,
        "answer": case.answer,
        "lost": list(case.lost),
        "beliefs": list(case.beliefs),
    }


def _encode(lines: Sequence[Line]) -> bytes:
    return "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines).encode()
