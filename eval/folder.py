"""A run's folder: what was run (header), each result as it came, and what it cost.

header.json    what must be the same for the folder to be gone on with
answers.jsonl  the answers and their labels, so that the folder stands by itself
results.jsonl  one line an answer, synced as it comes; in the order of the answers at the end
attempts.jsonl one line an attempt with its time and tokens; not the same from run to run
summary.json, cost.json
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final, cast

from eval.answers import AnswerLine, read_answers
from eval.row import TRIED_AGAIN, Row
from service.errors import InputInvalid

RESULTS: Final = "results.jsonl"
HEADER: Final = "header.json"
SUMMARY: Final = "summary.json"
ANSWERS: Final = "answers.jsonl"
ATTEMPTS: Final = "attempts.jsonl"
COST: Final = "cost.json"
# Known only once the model has answered, so it does not tell one run from another.
SERVED: Final = "served"


def digest_of_answers(answers: Sequence[AnswerLine]) -> str:
    texts = json.dumps([[a.id, a.question_id, a.answer] for a in answers], ensure_ascii=False)
    return hashlib.sha256(texts.encode()).hexdigest()


def write_json(path: Path, document: object) -> None:
    write_whole(path, json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Either the old bytes or the new ones, whenever the process is killed."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def claim_folder(out: Path, header: Mapping[str, object]) -> None:
    """Refuse to mix two runs in one folder.

    Raises:
        InputInvalid: the folder holds a run of something else; says what differs.
    """
    out.mkdir(parents=True, exist_ok=True)
    path = out / HEADER
    if not path.exists():
        write_json(path, header)
        return
    old = read_header(out)
    differing = [k for k in {**old, **header} if k != SERVED and old.get(k) != header.get(k)]
    if differing:
        raise InputInvalid(
            "{out} holds another run: {what} differ. Name a new folder.",
            out=str(out),
            what=", ".join(differing),
        )


def read_header(out: Path) -> Mapping[str, object]:
    """Raises InputInvalid: no run stands there."""
    try:
        return cast("Mapping[str, object]", json.loads((out / HEADER).read_text(encoding="utf-8")))
    except (OSError, json.JSONDecodeError) as error:
        raise InputInvalid("{out} holds no run.", out=str(out)) from error


def keep_answers(out: Path, answers: Sequence[AnswerLine]) -> None:
    rows = [
        a.model_dump(mode="json", exclude_defaults=True) | {"answer": a.answer} for a in answers
    ]
    write_whole(out / ANSWERS, _lines(rows))


def read_run(out: Path) -> tuple[Sequence[AnswerLine], Mapping[str, Row]]:
    """The answers of a run and its results by id.

    Raises:
        InputInvalid: no run stands there.
    """
    read_header(out)
    return read_answers(out / ANSWERS), {str(r["id"]): r for r in read_results(out)}


def read_results(out: Path) -> Iterator[Row]:
    path = out / RESULTS
    if path.exists():
        yield from whole_rows(path)


def whole_rows(path: Path) -> Iterator[Row]:
    """The lines that are whole; a kill may have cut the last one."""
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            row: object = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(row, dict) and "id" in row:
            yield cast("Row", row)


def finished(out: Path, retried: frozenset[str]) -> set[str]:
    """Ids that need no more grading; cut lines and outcomes to be tried again are dropped."""
    again = {o.value for o in TRIED_AGAIN} | retried
    rows = {str(r["id"]): r for r in read_results(out) if r.get("outcome") not in again}
    write_whole(out / RESULTS, _lines(rows.values()))
    return set(rows)


def append(file: IO[str], row: Row) -> None:
    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    file.flush()
    os.fsync(file.fileno())


def put_in_order(out: Path, answers: Sequence[AnswerLine]) -> Sequence[Row]:
    by_id = {str(r["id"]): r for r in read_results(out)}
    ordered = [by_id[a.id] for a in answers if a.id in by_id]
    write_whole(out / RESULTS, _lines(ordered))
    return ordered


def _lines(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
