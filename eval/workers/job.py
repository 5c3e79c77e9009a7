"""What travels: an answer to a worker, and the attempt back, both as ASCII JSON.

ASCII, because PostgreSQL takes no NUL in a text and an answer may hold one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Self, cast

from eval.answers import AnswerLine
from eval.run import Attempt, Grader, identity_of


@dataclass(frozen=True, slots=True)
class Job:
    """One answer of one run; labels stay at home. `at_once` in each worker."""

    run: int
    at_once: int
    line: AnswerLine

    def write(self) -> str:
        line = self.line
        fields = {"id": line.id, "lang": line.lang, "answer": line.answer}
        fields["question_id"] = line.question_id
        return json.dumps({"run": self.run, "at_once": self.at_once, **fields})

    @classmethod
    def read(cls, text: str) -> Self:
        fields = cast("dict[str, object]", json.loads(text))
        run, at_once = (int(str(fields.pop(name))) for name in ("run", "at_once"))
        return cls(run, at_once, AnswerLine.model_validate(fields))


def with_question(line: AnswerLine, grader: Grader) -> AnswerLine:
    """What a worker needs of it; the question is named, for a worker serves runs of any.

    Raises:
        InputInvalid: the answer names no question that is there.
    """
    fields = {"id": line.id, "lang": line.lang, "answer": line.answer}
    return AnswerLine.model_validate({**fields, "question_id": grader.question_of(line).id})


def workflow_id(run: int, line_id: str) -> str:
    """The same answer of the same run has the same one, whoever asks and how often."""
    return f"{prefix_of(run)}{sha256(line_id.encode()).hexdigest()[:32]}"


def prefix_of(run: int) -> str:
    return f"eval-{run:08x}-"


def run_of(name: str) -> int:
    """The run that a workflow belongs to."""
    return int(name.split("-")[1], 16)


def version_of(grader: Grader) -> str:
    """Workers take only the jobs of a grader that would give the same results."""
    identity = json.dumps(identity_of(grader), sort_keys=True, default=str)
    return sha256(identity.encode()).hexdigest()[:32]


def write_attempt(attempt: Attempt) -> str:
    return json.dumps({"row": attempt.row, "spent": attempt.spent})


def read_attempt(text: str) -> Attempt:
    fields = cast("Mapping[str, Mapping[str, object]]", json.loads(text))
    return Attempt(fields["row"], fields["spent"])
