"""The report of an interview, as the API gives it out."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from service.api.bodies import FactBody, GradeBody, ReaderBody, TurnBody
from service.api.forms import Body


class GapBody(Body):
    question_id: str
    point_id: str
    text: str
    why: str
    facts: Sequence[FactBody]


class QuestionReportBody(Body):
    question_id: str
    question: str
    why: str
    state: Literal["graded", "not_enough_evidence", "skipped", "not_answered", "not_reached"]
    attempts: Sequence[float | None] = Field(
        description="The mark of each attempt where there were several; the best counts."
    )
    turns: Sequence[TurnBody]
    grade: GradeBody | None
    reference: Sequence[FactBody]
    versions: dict[str, str]


class NextQuestionBody(Body):
    question_id: str
    question: str
    minutes: int
    why: str


class ReportBody(Body):
    session_id: str
    finished: bool
    score: float | None
    penalty: float
    dimensions: dict[str, float | None]
    asked: dict[str, float | None] = Field(
        description="Per dimension the mark of an answer that says just what the level requires."
    )
    questions: Sequence[QuestionReportBody]
    gaps: Sequence[GapBody]
    next_action: str
    next_session: Sequence[NextQuestionBody] = Field(description="At most four; may be started.")
    read_by: Sequence[ReaderBody]
    fell_back: bool
