"""Renders invented persons in every layout, reads them back and prints field accuracy.

Usage: python -m eval.resume_run tuning|held_back
"""

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import yaml

from eval.resume_layouts import render
from eval.resume_typeset import typeset
from eval.resumes import FIELDS, Tally, compare, table
from eval.splits import case_file
from service.cli.output import print_json
from service.cli.resume import document, open_reader, unread_document
from service.documents.reader import ResumeReader
from service.errors import UserError

Json = Mapping[str, Any]
CASES: Final = Path(__file__).parent / "cases" / "resumes" / "persons"
HELD_BACK: Final = "held_back"
# So many characters of a bullet tell it from the others.
START: Final = 14


def main(split: str, *, as_json: bool = False) -> None:
    """Totals by field; what was wrong only for the split used while building.

    Raises:
        InputInvalid: there is no such split.
    """
    text = case_file(CASES, split, ".yaml").read_text(encoding="utf-8")
    persons = cast("Sequence[Json]", yaml.safe_load(text))
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(persons, Path(folder), tally))
    if as_json:
        print_json(tally_document(tally, split))
        return
    if split != HELD_BACK:
        print("\n".join(tally.wrong))
    print("\n".join(table(tally)))


def tally_document(tally: Tally, split: str) -> dict[str, object]:
    """Counts and shares of 0..1 by field; what was wrong as in the table."""
    return {
        "split": split,
        "fields": {
            name: {"right": tally.right[name], "total": total, "share": tally.right[name] / total}
            for name in FIELDS
            if (total := tally.total.get(name, 0))
        },
        "skills_f1": tally.skills_f1 if tally.skills_true else None,
        "wrong": None if split == HELD_BACK else tally.wrong,
    }


async def _measure(persons: Sequence[Json], folder: Path, tally: Tally) -> None:
    reader = open_reader()
    for person in persons:
        for path in (*render(person, folder), *typeset(person, folder)):
            compare(await read_document(reader, path), {**as_truth(person), "id": path.name}, tally)


async def read_document(reader: ResumeReader, path: Path) -> Json:
    try:
        return document(await reader.read(path.read_bytes(), path.name))
    except UserError as error:
        return unread_document(getattr(error, "quality", "unsupported"))


def as_truth(person: Json) -> Json:
    kinds = ("work", "projects")
    entries = {
        kind: [{**e, "bullet_starts": [b[:START] for b in e["bullets"]]} for e in person[kind]]
        for kind in kinds
    }
    return {**person, **entries}


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tuning")
