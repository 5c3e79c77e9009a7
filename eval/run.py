"""A run: every answer of a file graded into a folder, one synced line each.

Killed anywhere, the same command goes on where it stopped and grades nothing twice.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import IO, Final, cast

from eval.answers import AnswerLine
from service.domain.claims.model import ClaimContext, NumericClaim
from service.domain.grading import Grade
from service.domain.knowledge import Question
from service.errors import EngineError, InputInvalid
from service.flows.reading import Asked, Read, Reader, read_answer

RESULTS: Final = "results.jsonl"
HEADER: Final = "header.json"
SUMMARY: Final = "summary.json"


@dataclass(frozen=True, slots=True)
class Grader:
    """What a run grades with. `engine_name` is builtin, or the model as it is called."""

    reader: Reader
    engine_name: str
    question: Question


@dataclass(frozen=True, slots=True)
class RunReport:
    graded: int
    not_enough_evidence: int
    errors: int
    mean_score: float | None

    @property
    def complete(self) -> bool:
        return self.errors == 0


async def run_answers(
    grader: Grader,
    answers: Sequence[AnswerLine],
    out: Path,
    tell: Callable[[int, int], None],
) -> RunReport:
    """Grade what is not graded yet; `tell(done, all)` after each answer.

    Raises:
        InputInvalid: the folder holds another run.
    """
    out.mkdir(parents=True, exist_ok=True)
    _claim_folder(out, _header(grader, answers))
    done = _finished(out / RESULTS)
    with (out / RESULTS).open("a", encoding="utf-8") as results:
        for count, line in enumerate(answers, start=1):
            if line.id not in done:
                _append(results, await grade_line(grader, line))
            tell(count, len(answers))
    return _summarise(out, answers)


async def grade_line(grader: Grader, line: AnswerLine) -> dict[str, object]:
    """One result line; an engine that fails is an error, never a mark."""
    lang = line.reader_lang
    asked = Asked(grader.question, grader.question.text.in_(lang), lang, ClaimContext())
    try:
        read = await read_answer(asked, line.answer, grader.reader)
    except EngineError as error:
        return _not_read(line, type(error).__name__)
    return {"id": line.id} | result(read)


def _not_read(line: AnswerLine, why: str) -> dict[str, object]:
    empty: Mapping[str, object] = {
        "dimensions": {},
        "points": {},
        "misconceptions": [],
        "claims": [],
    }
    return {"id": line.id, "status": "error", "error": why, "score": None, **empty}


def result(read: Read) -> dict[str, object]:
    """The fields other tools rely on."""
    grade: Grade = read.grade
    return {
        "status": grade.status.value,
        "score": grade.score,
        "dimensions": {d.value: v for d, v in grade.dimensions.items()},
        "points": {
            f.point_id: {
                "verdict": f.verdict.value,
                "quote": f.evidence.quote if f.evidence else "",
            }
            for f in grade.findings
        },
        "misconceptions": [m.misconception_id for m in grade.misconceptions],
        "penalty": grade.penalty,
        "coverage": grade.coverage,
        "claims": [_claim(c) for c in grade.claims],
        "engine": read.note.engine,
        "model": read.note.model,
    }


def _claim(claim: NumericClaim) -> dict[str, object]:
    return {
        "span": [claim.span.start, claim.span.end],
        "text": claim.text,
        "quantity": claim.quantity.value,
        "verdict": claim.verdict.value,
        "expected": claim.expected,
        "fact_ids": list(claim.fact_ids),
    }


def _header(grader: Grader, answers: Sequence[AnswerLine]) -> dict[str, object]:
    texts = json.dumps([[a.id, a.answer] for a in answers], ensure_ascii=False)
    return {
        "question": grader.question.id,
        "engine": grader.engine_name,
        "knowledge": grader.reader.knowledge.digest,
        "answers": hashlib.sha256(texts.encode()).hexdigest(),
        "count": len(answers),
    }


def _claim_folder(out: Path, header: Mapping[str, object]) -> None:
    """Refuse to mix two runs in one folder."""
    path = out / HEADER
    if path.exists() and json.loads(path.read_text(encoding="utf-8")) != header:
        raise InputInvalid(
            "{out} holds a run of other answers, another question, engine or knowledge base; "
            "name a new folder.",
            out=str(out),
        )
    path.write_text(json.dumps(header, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _finished(path: Path) -> set[str]:
    """Ids with a whole line; a line cut by a kill and lines of errors are dropped."""
    if not path.exists():
        return set()
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if _is_whole(line)]
    path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return {str(json.loads(line)["id"]) for line in kept}


def _is_whole(line: str) -> bool:
    try:
        return json.loads(line)["status"] != "error"
    except (json.JSONDecodeError, KeyError, TypeError):
        return False


def _append(results: IO[str], line: Mapping[str, object]) -> None:
    results.write(json.dumps(line, ensure_ascii=False) + "\n")
    results.flush()
    os.fsync(results.fileno())


def read_results(out: Path) -> Iterator[Mapping[str, object]]:
    for line in (out / RESULTS).read_text(encoding="utf-8").splitlines():
        yield cast("Mapping[str, object]", json.loads(line))


def _summarise(out: Path, answers: Sequence[AnswerLine]) -> RunReport:
    """Put the lines into the order of the answers and count."""
    by_id = {str(r["id"]): r for r in read_results(out)}
    ordered = [by_id[a.id] for a in answers]
    (out / RESULTS).write_text(
        "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in ordered), encoding="utf-8"
    )
    scores = [r["score"] for r in ordered if isinstance(r["score"], int | float)]
    report = RunReport(
        graded=sum(r["status"] == "graded" for r in ordered),
        not_enough_evidence=sum(r["status"] == "not_enough_evidence" for r in ordered),
        errors=sum(r["status"] == "error" for r in ordered),
        mean_score=round(fmean(scores), 2) if scores else None,
    )
    summary = {
        "answers": len(answers),
        "graded": report.graded,
        "not_enough_evidence": report.not_enough_evidence,
        "errors": report.errors,
        "mean_score": report.mean_score,
    }
    (out / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    return report
