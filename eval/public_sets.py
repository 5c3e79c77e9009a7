"""Public short-answer sets from a folder the user names, as answers with a score of 0..100.

Nothing is shipped or fetched. What a file is shows in it:

SemEval 2013 (SciEntsBank, Beetle)  XML: question, referenceAnswer, studentAnswer accuracy="..."
Mohler   a table with student_answer, desired_answer, question, score_avg of 5
SAF      JSON lines with provided_answer, reference_answer, question, score of 1
any other table or JSON lines with answer and score, and max_score where it is not 100
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from defusedxml.ElementTree import ParseError, fromstring

from eval.sheets import csv_rows, read_text
from service.errors import InputInvalid

ACCURACY: Final[Mapping[str, float]] = {
    "correct": 100.0, "partially_correct_incomplete": 50.0, "incorrect": 0.0,
    "contradictory": 0.0, "irrelevant": 0.0, "non_domain": 0.0,
}  # fmt: skip
# Names of the same thing in different sets, the set's full mark beside its score.
ANSWER: Final = ("answer", "student_answer", "provided_answer", "essaytext")
REFERENCE: Final = ("reference", "desired_answer", "reference_answer")
QUESTION: Final = ("question", "question_id", "essayset", "prompt")
SCORE: Final = {"score_avg": 5.0, "score": 100.0, "score1": 3.0}
FULL_OF_SAF: Final = 1.0
SUFFIXES: Final = frozenset({".xml", ".csv", ".tsv", ".jsonl"})


@dataclass(frozen=True, slots=True)
class Marked:
    """`score` of 0..100; `label` is the set's own word where it has one."""

    id: str
    question: str
    reference: str
    answer: str
    score: float
    label: str = ""


def read_public(folder: Path) -> tuple[Marked, ...]:
    """Every answer of every file under `folder`, in the order of their names.

    Raises:
        InputInvalid: no such answers there, or a file that is not of its form.
    """
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    found = tuple(m for p in paths for m in _read(p, p.relative_to(folder).as_posix()))
    if not found:
        raise InputInvalid("{path} holds no answers with scores.", path=str(folder))
    return found


def _read(path: Path, name: str) -> Iterator[Marked]:
    text = read_text(path)
    if path.suffix.lower() == ".xml":
        yield from _of_xml(text, name)
        return
    is_json = path.suffix.lower() == ".jsonl"
    rows = _json_rows(text, name) if is_json else csv_rows(text)
    for number, row in rows:
        yield _of_row(cast("Mapping[str, Any] | None", row), f"{name}:{number}")


def _json_rows(text: str, name: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                place = f"{name}:{number}"
                raise InputInvalid("{path} holds no answer with a score.", path=place) from error


def _of_xml(text: str, name: str) -> Iterator[Marked]:
    try:
        root: Any = fromstring(text.lstrip())
    except ParseError as error:
        raise InputInvalid("{path} holds no answer with a score.", path=name) from error
    asked = str(root.findtext("questionText") or "")
    known = [str(r.text or "") for r in root.iter("referenceAnswer")]
    for number, node in enumerate(root.iter("studentAnswer"), start=1):
        label = str(node.get("accuracy", ""))
        if label not in ACCURACY:
            raise InputInvalid("{path} holds no answer with a score.", path=f"{name}:{number}")
        said, best = str(node.text or "").strip(), known[0] if known else ""
        yield Marked(f"{name}:{number}", asked or name, best, said, ACCURACY[label], label)


def _of_row(row: Mapping[str, Any] | None, place: str) -> Marked:
    cells = {str(k).casefold(): v for k, v in (row or {}).items()}
    answer = _first(cells, ANSWER)
    named = next((n for n in SCORE if cells.get(n) not in (None, "")), None)
    if answer is None or named is None:
        raise InputInvalid("{path} holds no answer with a score.", path=place)
    full = FULL_OF_SAF if "provided_answer" in cells else SCORE[named]
    try:
        score = 100 * float(cells[named]) / float(cells.get("max_score") or full)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise InputInvalid("{path} holds no answer with a score.", path=place) from error
    question, best = (_first(cells, names) or "" for names in (QUESTION, REFERENCE))
    return Marked(place, question or place, best, answer, min(100.0, max(0.0, score)))


def _first(cells: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(cells[n]) for n in names if cells.get(n) is not None), None)
