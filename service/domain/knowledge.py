"""What the vetted knowledge base holds. Values only; `service.corpus` reads them from files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from service.domain.drawing.model import Drawing
from service.domain.grading import Dimension, Level, Rubric
from service.domain.language import Bilingual


class HowVerified(StrEnum):
    """How a fact was checked. S2 and M are shown as such and never mark a candidate wrong."""

    VP = "VP"  # primary paper text read
    VS = "VS"  # source code read
    VD = "VD"  # official documentation read
    VR = "VR"  # run and measured
    VI = "VI"  # issue or pull-request thread read
    S2 = "S2"  # secondary summary only
    M = "M"  # own derivation or memory

    @property
    def is_firm(self) -> bool:
        return self not in (HowVerified.S2, HowVerified.M)


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    title: str
    locator: str  # version, section, file and line
    url: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    id: str
    text: Bilingual
    source: str  # as shown to people: where it is proved, with version or section
    verified: HowVerified
    topic: str
    level: Level = Level.MID
    date: str = ""  # ISO date of the check
    source_ids: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()  # questions it answers, in either language; for search only


@dataclass(frozen=True, slots=True)
class Misconception:
    id: str
    belief: Bilingual
    correction: Bilingual
    fact_ids: tuple[str, ...]
    level: str  # basic or subtle
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    contradicts: tuple[str, ...] = ()  # ids of rubric points
    probe: Bilingual | None = None  # one question that tests it
    # Patterns over frames, as read from the file; `service.domain.assertions` gives them meaning.
    patterns: tuple[Mapping[str, object], ...] = ()


class QuestionKind(StrEnum):
    EXPLAIN = "explain"
    COMPARE = "compare"
    DERIVE = "derive"
    DECIDE = "decide"
    DIAGNOSE = "diagnose"
    CALCULATE = "calculate"
    COUNTERFACTUAL = "counterfactual"
    EXPERIENCE = "experience"


class Background(StrEnum):
    """Where a candidate comes from; a question names those it suits best."""

    ACADEMIC = "academic"
    INDUSTRY = "industry"
    CAREER_CHANGER = "career_changer"
    MATHS_PHYSICS = "maths_physics"


# How hard a question is within its level: 1 opens a round, 5 is where most answers end.
EASIEST: Final = 1
HARDEST: Final = 5
USUAL_DIFFICULTY: Final = 3


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: Bilingual
    topic: str
    kind: QuestionKind
    level: Level
    minutes: int
    rubric: Rubric
    fact_ids: tuple[str, ...] = ()  # in the order of the reference answer
    skills: tuple[str, ...] = ()  # canonical skills that call for it
    follow_ups: Mapping[str, Bilingual] = field(default_factory=dict[str, Bilingual])  # by point id
    # Ready-made shorter answers: thirty_seconds, two_minutes, whiteboard.
    versions: Mapping[str, Bilingual] = field(default_factory=dict[str, Bilingual])
    asked: int = 0  # reports of candidates that name its topic; orders the bank
    background: tuple[Background, ...] = tuple(Background)  # whom it suits best
    difficulty: int = USUAL_DIFFICULTY  # EASIEST..HARDEST
    # Numbers drawn anew: what is drawn and computed, and the texts with {names} for the numbers.
    drawing: Drawing | None = None
    template: "Question | None" = None


@dataclass(frozen=True, slots=True)
class Skill:
    """A canonical skill and how it is written."""

    name: str
    aliases: tuple[str, ...]
    category: str
    zh: str | None = None
    case_sensitive: bool = False
    context: tuple[str, ...] = ()  # ambiguous names need one of these nearby
    parents: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()

    @property
    def title(self) -> Bilingual:
        """What it is called; a name that Chinese writes in Latin letters stays as it is."""
        return Bilingual(zh=self.zh or self.name, en=self.name)


def skill_title(skills: Mapping[str, Skill], name: str) -> Bilingual:
    """The title of `name`; one that is not among `skills` is called by its name."""
    known = skills.get(name)
    return known.title if known else Bilingual(zh=name, en=name)


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved fact and how well it fits (0..1)."""

    fact: Fact
    score: float


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The whole vetted base, by id. `digest` names its content."""

    facts: Mapping[str, Fact]
    sources: Mapping[str, Source]
    misconceptions: Mapping[str, Misconception]
    questions: Mapping[str, Question]
    skills: Mapping[str, Skill]
    digest: str


__all__ = [
    "EASIEST",
    "HARDEST",
    "USUAL_DIFFICULTY",
    "Background",
    "Dimension",
    "Fact",
    "HowVerified",
    "Knowledge",
    "Level",
    "Misconception",
    "Passage",
    "Question",
    "QuestionKind",
    "Skill",
    "Source",
    "skill_title",
]
