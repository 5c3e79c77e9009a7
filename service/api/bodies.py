"""What the API gives out. Sentences are in the language the client asked for."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from service.api.forms import Body
from service.domain.grading import Level
from service.domain.interview import Mode
from service.domain.language import Lang

Offsets = Annotated[tuple[int, int], Field(description="Half-open range of Unicode code points.")]


class FaultBody(Body):
    field: str = Field(description="Where in the request, e.g. body.minutes.")
    reason: str


class ProblemBody(Body):
    """Why a request failed, by RFC 9457."""

    type: str = Field(description="urn:shardwise: and the title.")
    title: str = Field(description="A stable code for programs, e.g. turn_out_of_order.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence for people, in the language asked for.")
    quality: str | None = Field(
        default=None,
        description="Of a file that cannot be read: scan, garbled, protected, empty, unsupported.",
    )
    faults: Sequence[FaultBody] | None = Field(
        default=None, description="Of a request that does not fit the form: each field that is off."
    )


class FactBody(Body):
    fact_id: str
    text: str = Field(description="In the language asked for.")
    text_en: str
    text_zh: str
    source: str
    verified: str = Field(
        description="VP paper, VS source, VD documentation, VR run, VI issue, S2, M"
    )
    topic: str


class HitBody(Body):
    fact_id: str
    score: float
    text_en: str
    text_zh: str
    source: str


class AskBody(Body):
    hits: Sequence[HitBody]
    confident: bool = Field(description="False when the knowledge base does not answer it.")


class ClaimBody(Body):
    span: Offsets
    text: str
    quantity: str
    verdict: Literal["right", "wrong", "conditional", "uncheckable"]
    expected: str | None
    formula: str | None
    why: str
    fact_ids: Sequence[str]


class MisconceptionBody(Body):
    id: str
    quote: str
    span: Offsets
    correction: str
    fact_ids: Sequence[str]


class SentenceBody(Body):
    """One sentence; the lists are places in `claims` and `misconceptions`."""

    span: Offsets
    verdict: Literal["right", "wrong", "misconception", "conditional", "uncheckable"] | None = (
        Field(description="Null where the sentence says nothing that can be checked.")
    )
    claims: Sequence[int]
    misconceptions: Sequence[int]
    quoted: bool = Field(description="Repeated by the text in order to correct it; not judged.")


class CheckBody(Body):
    claims: Sequence[ClaimBody]
    misconceptions: Sequence[MisconceptionBody]
    sentences: Sequence[SentenceBody]


class MemoryBody(Body):
    model: str | None
    params: float
    scheme: str
    shards: int
    bytes_per_gpu: float
    breakdown: dict[str, float]
    formula: str
    worked: str = Field(description="The formula with the numbers put in.")
    comm_elements_per_step: float
    comm_bytes_per_step: float
    comm_formula: str
    host_bytes: float
    left_out: Sequence[str]
    notes: Sequence[str]
    sources: Sequence[str]
    fact_ids: Sequence[str]


class NoticeBody(Body):
    kind: str
    count: int
    detail: str


class BulletBody(Body):
    id: str
    text: str
    span: Offsets


class ResumeBody(Body):
    id: str
    created_at: datetime
    filename: str
    quality: str
    warnings: Sequence[NoticeBody]
    name: str | None
    email: str | None
    phone: str | None
    city: str | None
    urls: Sequence[str]
    education: Sequence[dict[str, str | None]]
    work: Sequence["EntryBody"]
    projects: Sequence["EntryBody"]
    skills: Sequence[str]
    text: str


class EntryBody(Body):
    name: str = Field(description="Employer or project.")
    title: str | None
    start: str | None
    end: str | None
    bullets: Sequence[BulletBody]


class RequirementBody(Body):
    id: str
    text: str
    span: Offsets
    skills: Sequence[str]
    kind: Literal["must", "nice"]
    group: Literal["all_of", "any_of"]
    negated: bool
    years: float | None
    category: str


class PostingBody(Body):
    id: str
    created_at: datetime
    title: str | None
    level: str | None
    years_min: float | None
    degree: str | None
    requirements: Sequence[RequirementBody]


class EvidenceBody(Body):
    bullet_id: str
    text: str
    strength: str
    how: str


class RequirementMatchBody(Body):
    id: str
    text: str
    kind: str
    status: Literal["met", "partial", "gap"]
    evidence: Sequence[EvidenceBody]
    why: str


class MatchBody(Body):
    id: str
    created_at: datetime
    resume_id: str
    posting_id: str
    score: float
    parts: dict[str, float]
    requirements: Sequence[RequirementMatchBody]
    gaps: Sequence[str]


class PlannedBody(Body):
    question_id: str
    question: str
    minutes: int
    why: str
    basis: str = Field(description="usual, requirement, bullet, number, gap, weak_point or chosen.")
    bullet: str | None


class PlanBody(Body):
    lang: Lang
    level: Level
    mode: Mode
    minutes: int
    seed: str
    warm_up: bool
    questions: Sequence[PlannedBody]


class SpreadBody(Body):
    """How often each verdict was given for a point on which the votes were not one."""

    point_id: str
    votes: Mapping[str, int]


class DoubtBody(Body):
    """A point on which the built-in reader differs from the model: to be checked by a person."""

    point_id: str
    model: str
    builtin: str


class ReaderBody(Body):
    """Who read an answer. A fallback is labelled: the model could not answer."""

    engine: str
    model: str | None
    fallback_from: str | None
    fallback_why: str | None = Field(description="A sentence, in the language asked for.")
    milliseconds: float
    votes: int = Field(description="Readings by the model that the verdicts are the majority of.")
    spread: Sequence[SpreadBody]
    doubts: Sequence[DoubtBody]


class PointBody(Body):
    id: str
    dimension: str
    text: str
    verdict: Literal["met", "partial", "missed", "contradicted", "unsupported", "unjudged"]
    quote: str
    span: Offsets | None
    confidence: float
    fact_ids: Sequence[str]
    lift: str | None = Field(default=None, description="What would lift this mark.")


class GradeBody(Body):
    status: Literal["graded", "not_enough_evidence"]
    score: float | None = Field(description="0 to 100, without the penalty.")
    penalty: float = Field(description="For asserted misconceptions; shown apart.")
    coverage: float = Field(description="Share of the rubric that could be judged, 0 to 1.")
    dimensions: dict[str, float | None]
    points: Sequence[PointBody]
    misconceptions: Sequence[MisconceptionBody]
    claims: Sequence[ClaimBody]


class HintBody(Body):
    level: int = Field(description="1 says where to look, 3 says the point.")
    text: str
    ceiling: float = Field(description="The most its point can still earn, 0 to 1.")


class TimingBody(Body):
    """Time on the server's clock, pauses left out; below 0 in overtime."""

    question_seconds_left: float
    session_seconds_left: float
    question_deadline: datetime | None = Field(description="Null while time stands still.")
    session_deadline: datetime | None


class TurnBody(Body):
    seq: int
    question_id: str
    kind: str
    depth: int
    text: str
    status: Literal["asked", "stored", "answered", "skipped", "set_aside"]
    attempt: int
    hints: Sequence[HintBody]
    answer: str | None
    asked_at: datetime
    answered_at: datetime | None
    read_by: ReaderBody | None


class SessionBody(Body):
    id: str
    status: Literal["open", "paused", "closed"]
    revision: int
    created_at: datetime
    updated_at: datetime
    plan: PlanBody
    timing: TimingBody | None = Field(description="Null when the interview is over.")
    turns: Sequence[TurnBody]


class SessionRow(Body):
    id: str
    title: str
    lang: Lang
    level: Level
    mode: Mode
    status: Literal["open", "paused", "closed"]
    created_at: datetime
    updated_at: datetime
    turns: int


class NextBody(Body):
    seq: int
    question_id: str
    kind: str
    depth: int
    text: str


class AnsweredBody(Body):
    session_id: str
    seq: int
    grade: GradeBody
    read_by: ReaderBody
    next: NextBody | None = Field(description="Null when the interview has ended.")
    closing: str | None


class QuestionBody(Body):
    id: str
    text: str
    topic: str
    kind: str
    level: Level
    minutes: int
    skills: Sequence[str]


class ReadyBody(Body):
    ready: bool = Field(description="Requests are served.")
    degraded: bool = Field(
        description="Served, but facts are found by words alone until `index` is ready."
    )
    store: str = Field(description="`ok`, or what is wrong with the database.")
    index: str = Field(
        description="`ready`, or `degraded` while the search index is missing or being built."
    )
    engine: str
    facts: int
    questions: int


class HealthBody(Body):
    status: Literal["alive"] = "alive"


class ExportBody(Body):
    format: str = Field(description="Name and version of this form.")
    exported_at: datetime
    tables: dict[str, Sequence[dict[str, JsonValue]]] = Field(
        description="Every row that is kept of you, by table."
    )


class KeyBody(Body):
    id: str
    name: str
    created_at: datetime
    revoked_at: datetime | None
