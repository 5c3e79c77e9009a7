"""What the API takes in and gives out of learning."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from service.api.bodies import FactBody, GradeBody, ReaderBody
from service.api.forms import Body, Text, with_example
from service.domain.grading import Level
from service.domain.interview import Mode
from service.domain.language import Lang
from service.domain.learning.model import Rating, Rule, Standing

Topic = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Share = Annotated[float, Field(ge=0, le=1)]


class SkillPointBody(Body):
    """A topic of the knowledge base and where it stands by evidence."""

    topic: str
    name: str
    standing: Standing = Field(description="By evidence alone: new, shaky, good or stable.")
    why: str = Field(description="Why it stands there, and what comes next.")
    column: Standing = Field(description="Where the card lies: your own note moves it.")
    mastery: Share | None = Field(description="0 to 1; null before the first practice.")
    recall: Share | None = Field(description="The chance that FSRS gives to recalling it now.")
    due: datetime | None
    is_due: bool
    stability_days: float | None
    points: int = Field(description="Rubric points of all its questions.")
    proved: int = Field(description="Of these, said in your own words and confirmed.")
    reviews: int
    note: str
    note_revision: int = Field(description="0 where there is no note; send it back as `seen`.")


class PointShownBody(Body):
    point_id: str
    verdict: str
    quote: str
    hinted: bool
    confirmed: bool = Field(
        description="Fixed rules saw it as well, or a number in it was recomputed and is right."
    )


class ReviewBody(Body):
    """One practice: an answered question of an interview, or a short question."""

    at: datetime
    question_id: str
    origin: Literal["interview", "drill"]
    origin_id: str
    rating: Rating
    rule: Rule = Field(description="The row of the table that decided the rating.")
    why: str
    share: Share
    proved: Share
    points: Sequence[PointShownBody]


class BulletLineBody(Body):
    id: str
    text: str


class BestAnswerBody(Body):
    at: datetime
    origin: Literal["interview", "drill"]
    origin_id: str
    quotes: Sequence[str]


class SkillPointDetailBody(Body):
    """A skill point with the chain: your résumé's lines, your best answer, every review."""

    point: SkillPointBody
    resume_id: str | None
    bullets: Sequence[BulletLineBody]
    best: BestAnswerBody | None
    reviews: Sequence[ReviewBody]


class TrendRowBody(Body):
    """One interview; marks 0 to 100, null where the answers were too thin."""

    session_id: str
    at: datetime
    level: Level
    mode: Mode
    score: float | None
    dimensions: dict[str, float | None]
    asked: dict[str, float | None]


class DrillBody(Body):
    """A short question; what it is about is told once it is answered."""

    id: str
    topic: str
    question_id: str
    point_id: str
    lang: Lang
    text: str
    asked_at: datetime
    updated_at: datetime
    status: Literal["asked", "stored", "answered", "skipped"]
    hints: Sequence[str]
    answer: str | None
    grade: GradeBody | None
    rating: Rating | None = Field(description="Null where it is no review.")
    why: str | None
    confirmed: bool
    read_by: ReaderBody | None
    facts: Sequence[FactBody]
    due: datetime | None = Field(description="When its skill point comes back.")


class SkillNoteIn(Body):
    model_config = with_example(seen=0, column="stable", text="I explained it to a colleague.")

    seen: int = Field(ge=0, description="The note's revision that you looked at; 0 for none.")
    column: Standing | None = Field(
        default=None, description="Where to put the card; null leaves it to the evidence."
    )
    text: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="Your own words; null leaves them as they are."
    )


class DrillIn(Body):
    model_config = with_example(lang="zh", topic="zero")

    lang: Lang = Field(default=Lang.EN, description="The language of the question.")
    topic: Topic | None = Field(default=None, description="Your choice; null takes what is due.")


class DrillAnswerIn(Body):
    model_config = with_example(answer="ZeRO-1 shards the optimizer states alone.")

    answer: Text | None = Field(
        description="Your words; null reads stored words again after a failure."
    )
