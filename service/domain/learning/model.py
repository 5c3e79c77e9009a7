"""Values of learning. A skill point is a topic of the knowledge base; a review is one practice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from service.domain.grading import CREDIT, Dimension, Grade, Level, Verdict
from service.domain.interview import Mode
from service.domain.language import Lang
from service.domain.tasks import EngineNote


class Rating(StrEnum):
    """The four ratings of FSRS; given by rule, never by the person or a model."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"
    EASY = "easy"


class Rule(StrEnum):
    """Why a rating is what it is; the table is in `rating`."""

    DONT_KNOW = "dont_know"
    WRONG = "wrong"
    LITTLE = "little"
    HALF = "half"
    HINTED = "hinted"
    UNCONFIRMED = "unconfirmed"
    SOLID = "solid"
    FLUENT = "fluent"


class Standing(StrEnum):
    """The columns of the learning board."""

    NEW = "new"
    SHAKY = "shaky"
    GOOD = "good"
    STABLE = "stable"


class Origin(StrEnum):
    INTERVIEW = "interview"
    DRILL = "drill"


@dataclass(frozen=True, slots=True)
class PointShown:
    """One rubric point as an answer showed it.

    `confirmed` means that the fixed rules saw it too, or that a number in the quote was recomputed
    and is right; what a model alone saw is not confirmed.
    """

    point_id: str
    verdict: Verdict
    quote: str = ""
    hinted: bool = False
    confirmed: bool = False

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.MET and self.is_own

    @property
    def is_own(self) -> bool:
        return self.confirmed and not self.hinted

    @property
    def credit(self) -> float:
        return float(CREDIT.get(self.verdict, 0))


@dataclass(frozen=True, slots=True)
class Review:
    """One practice of one skill point.

    `share` (0..1) is the credit earned of what the level asks for; `proved` the part of it that
    was neither hinted nor seen by a model alone. `origin_id` names the interview or the drill.
    """

    id: str
    at: datetime
    topic: str
    question_id: str
    origin: Origin
    origin_id: str
    rating: Rating
    rule: Rule
    share: float
    proved: float
    points: tuple[PointShown, ...] = ()
    bullet: str | None = None
    bullet_id: str | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """What one interview showed; made anew whenever the interview or the rules change.

    Dimensions and `asked` (what the level asks for) run 0..100, None where nothing was judged.
    """

    session_id: str
    seen_at: datetime  # the interview's own `updated_at` when it was looked at
    rules: int
    began_at: datetime
    level: Level
    mode: Mode
    finished: bool
    score: float | None
    dimensions: Mapping[Dimension, float | None]
    asked: Mapping[Dimension, float | None]
    reviews: tuple[Review, ...] = ()


class DrillStatus(StrEnum):
    ASKED = "asked"
    STORED = "stored"  # the answer is safe, its reading is not finished
    ANSWERED = "answered"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Drill:
    """One short question about one rubric point, and its answer. `hints` counts those shown.

    `drawn` are the numbers of a question that draws them anew; a blank line in `text` stands
    between the setting and what is asked.
    """

    id: str
    topic: str
    question_id: str
    point_id: str
    lang: Lang
    text: str  # as it was asked
    asked_at: datetime
    updated_at: datetime
    status: DrillStatus = DrillStatus.ASKED
    hints: int = 0
    answer: str | None = None
    grade: Grade | None = None
    read_by: EngineNote | None = None
    confirmed: frozenset[str] = field(default=frozenset())  # points the fixed rules saw as well
    drawn: tuple[tuple[str, str], ...] = ()
    revision: int = 1

    @property
    def is_open(self) -> bool:
        return self.status in OPEN


OPEN: Final = (DrillStatus.ASKED, DrillStatus.STORED)


@dataclass(frozen=True, slots=True)
class SkillNote:
    """A person's own view of a skill point. It moves the card and counts for nothing else."""

    topic: str
    updated_at: datetime
    standing: Standing | None = None
    text: str = ""
    revision: int = 1
