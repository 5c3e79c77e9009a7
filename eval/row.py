"""One line of a run's results: the fields other tools rely on, and what became of the item.

`status` is graded, not_enough_evidence or error; `outcome` says more: ok, parse_error, refused,
transport_error or skipped. A row that is not ok has no score and counts as missing.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from eval.answers import AnswerLine
from service.domain.claims.model import NumericClaim
from service.domain.grading import Grade
from service.engine.reasons import Reason, reason_of
from service.errors import EngineError, EngineUnavailable, ReadingInvalid
from service.flows.reading import Read

Row = Mapping[str, object]


class Outcome(StrEnum):
    OK = "ok"
    PARSE_ERROR = "parse_error"
    REFUSED = "refused"
    TRANSPORT_ERROR = "transport_error"
    SKIPPED = "skipped"


# The same text would be declined again; everything else may go better another time.
DECLINED: Final = frozenset({Reason.FILTERED, Reason.REFUSED, Reason.TOO_LONG})
TRIED_AGAIN: Final = frozenset({Outcome.TRANSPORT_ERROR, Outcome.SKIPPED})
_EMPTY: Final[Row] = {"dimensions": {}, "points": {}, "misconceptions": [], "claims": []}


def outcome_of(error: EngineError) -> Outcome:
    if isinstance(error, ReadingInvalid):
        return Outcome.PARSE_ERROR
    declined = isinstance(error, EngineUnavailable) and reason_of(error) in DECLINED
    return Outcome.REFUSED if declined else Outcome.TRANSPORT_ERROR


def why_of(error: EngineError) -> str:
    """A word of ours, never what a server said."""
    reason = reason_of(error) if isinstance(error, EngineUnavailable) else None
    return reason.value if reason else type(error).__name__


def missing_row(line: AnswerLine, outcome: Outcome, why: str) -> dict[str, object]:
    row: dict[str, object] = {"id": line.id, "status": "error", "outcome": outcome.value}
    return row | {"error": why, "score": None} | dict(_EMPTY)


def graded_row(line: AnswerLine, question_id: str, read: Read) -> dict[str, object]:
    """Everything that does not change from one run to the next: no times."""
    grade: Grade = read.grade
    return {
        "id": line.id,
        "status": grade.status.value,
        "outcome": Outcome.OK.value,
        "question": question_id,
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
