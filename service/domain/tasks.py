"""All that may be asked of an engine. A task's fields are everything the engine may know.

`prompt` names the prompt file, `untrusted` the fields that strangers wrote (fenced when
rendered), `reading_type` the agreed form of the reply.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from service.domain.language import Lang


class Strict(BaseModel):
    """Frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


ReadingT_co = TypeVar("ReadingT_co", bound=Strict, covariant=True)


class Task(Strict, Generic[ReadingT_co]):
    prompt: ClassVar[str]
    untrusted: ClassVar[frozenset[str]]
    reading_type: ClassVar[type[Strict]]

    lang: Lang


Quote = Annotated[str, Field(max_length=2_000)]


class AskedPoint(Strict):
    """A rubric point as an engine sees it: no weight, no mark."""

    id: str
    text: str


class AskedMisconception(Strict):
    id: str
    belief: str
    correction: str


class AskedPassage(Strict):
    fact_id: str
    text: str
    source: str


class CheckedNumber(Strict):
    """The result of the number check; engines may not overrule it."""

    text: str
    verdict: str
    expected: str | None
    why: str
    quantity: str = ""
    scheme: str | None = None


class PointReading(Strict):
    id: str
    verdict: Literal["met", "partial", "missed", "contradicted"]
    quote: Quote = ""


class MisconceptionReading(Strict):
    id: str
    quote: Quote


class AnswerReading(Strict):
    """Points the engine leaves out are unjudged, not missed."""

    points: tuple[PointReading, ...] = Field(max_length=60)
    misconceptions: tuple[MisconceptionReading, ...] = Field(default=(), max_length=60)


class ReadAnswer(Task[AnswerReading]):
    """Judge one answer against the points of one question."""

    prompt: ClassVar[str] = "read_answer"
    # The question as it was said may repeat the candidate's own words or a line of the résumé.
    untrusted: ClassVar[frozenset[str]] = frozenset({"answer", "question"})
    reading_type: ClassVar[type[Strict]] = AnswerReading

    question_id: str
    question: str
    points: tuple[AskedPoint, ...]
    misconceptions: tuple[AskedMisconception, ...]
    passages: tuple[AskedPassage, ...]
    numbers: tuple[CheckedNumber, ...]
    answer: str


class Phrase(Strict):
    text: str = Field(min_length=1, max_length=1_200)


class PhraseMove(Task[Phrase]):
    """Word the move that the domain has picked. `quote` is the candidate's own words.

    `asks_about` says in plain words what must be asked; `facts` are safe to mention.
    """

    prompt: ClassVar[str] = "phrase_move"
    untrusted: ClassVar[frozenset[str]] = frozenset({"answer", "quote"})
    reading_type: ClassVar[type[Strict]] = Phrase

    move: str
    question: str
    answer: str
    quote: str
    asks_about: str
    variant: int  # picks among wordings; comes from the session, so a replay says the same
    slots: Mapping[str, str] = Field(default_factory=dict)


class Spread(Strict):
    """How often each verdict was given for a point on which the votes were not one."""

    point_id: str
    votes: Mapping[str, int]


class Doubt(Strict):
    """A point on which the reader that counts and a second one differ."""

    point_id: str
    first: str
    second: str


class AskedBullet(Strict):
    """One bullet to word anew, and all that it may say."""

    id: str
    text: str
    heading: str = ""
    answers: Mapping[str, str] = Field(default_factory=dict)  # by question id


class WordedBullet(Strict):
    bullet_id: str = Field(max_length=64)
    style: Literal["plain", "star", "quantified", "result_first"]
    text: str = Field(min_length=1, max_length=1_200)


class WordedBullets(Strict):
    proposals: tuple[WordedBullet, ...] = Field(max_length=80)


class WordBullets(Task[WordedBullets]):
    """Put bullets of a résumé in other words. `material` is `bullets` as a model is shown them."""

    prompt: ClassVar[str] = "word_bullets"
    untrusted: ClassVar[frozenset[str]] = frozenset({"material", "posting"})
    reading_type: ClassVar[type[Strict]] = WordedBullets

    bullets: tuple[AskedBullet, ...]
    styles: tuple[str, ...]
    material: str
    posting: str = ""  # what the posting asks for, in its own words


class EngineNote(Strict):
    """Stored with each reading: who read it, and what it cost. `engine` is builtin, llm, ..."""

    engine: str
    model: str | None = None  # as the server named it
    prompt: str | None = None
    prompt_version: int | None = None
    fingerprint: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    milliseconds: float = 0.0
    fallback_from: str | None = None  # the engine that could not answer
    fallback_why: str | None = None
    votes: int = 1  # readings that the verdicts are the majority of
    spread: tuple[Spread, ...] = ()
    doubts: tuple[Doubt, ...] = ()
