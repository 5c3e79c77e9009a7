"""The forms of the knowledge files, as their authors write them; unknown keys are refused."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
)

from service.corpus.drawings import DrawForm
from service.domain.claims.model import Quantity
from service.domain.grading import Dimension, Level
from service.domain.knowledge import (
    EASIEST,
    HARDEST,
    USUAL_DIFFICULTY,
    Background,
    HowVerified,
    QuestionKind,
)
from service.domain.language import Bilingual, Lang, detect_language

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
FactId = Annotated[str, StringConstraints(pattern=r"^F\d{3,}$")]
MisconceptionId = Annotated[str, StringConstraints(pattern=r"^M\d{2,}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*$")]
PointId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


def _exact(value: object) -> object:
    """0.2 as written, not as the nearest binary number: weights must add to exactly one."""
    return Fraction(str(value)) if isinstance(value, int | float) else value


Weight = Annotated[Fraction, BeforeValidator(_exact), Field(gt=0)]


class Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pair(Form):
    """The same words in both languages; a formula may look alike in both."""

    zh: Text
    en: Text

    def value(self) -> Bilingual:
        return Bilingual(zh=self.zh, en=self.en)


def _in_its_language(pair: Pair) -> Pair:
    if not any("\u4e00" <= char <= "\u9fff" for char in pair.zh):
        raise ValueError("the zh text holds no Chinese")
    if detect_language(pair.en) is Lang.ZH:
        raise ValueError("the en text is Chinese")
    return pair


Prose = Annotated[Pair, AfterValidator(_in_its_language)]


class Wordings(Form):
    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()

    def value(self) -> Mapping[str, tuple[str, ...]]:
        return {lang: words for lang, words in (("zh", self.zh), ("en", self.en)) if words}


class SourceForm(Form):
    id: Slug
    title: Text
    locator: Text
    url: Annotated[str, StringConstraints(pattern=r"^https://\S+$")] | None = None


class CitationForm(Form):
    """`at` narrows a source down: a section, a table, a file and line."""

    of: Slug
    at: Text | None = None


class FactForm(Form):
    id: FactId
    level: Level
    verified: HowVerified
    date: date
    text: Prose
    sources: Annotated[tuple[CitationForm, ...], Field(min_length=1)]
    asked: Wordings = Wordings()


class MisconceptionForm(Form):
    id: MisconceptionId
    belief: Prose
    correction: Prose
    facts: Annotated[tuple[FactId, ...], Field(min_length=1)]
    level: Literal["basic", "subtle"]
    contradicts: tuple[Text, ...] = ()
    wordings: Wordings = Wordings()
    probe: Prose | None = None
    patterns: tuple[Mapping[str, object], ...] = ()


class PointForm(Form):
    id: PointId
    dimension: Dimension
    text: Prose
    facts: tuple[FactId, ...] = ()
    required_from: Level = Level.JUNIOR
    weight: Weight = Fraction(1)
    quantities: tuple[Quantity, ...] = ()
    figures: tuple[PointId, ...] = ()  # of `draw`; all of them must be right
    wordings: Wordings = Wordings()
    patterns: tuple[Mapping[str, object], ...] = ()
    follow_up: Prose | None = None


class VersionsForm(Form):
    thirty_seconds: Pair | None = None
    two_minutes: Pair | None = None
    whiteboard: Pair | None = None

    def value(self) -> Mapping[str, Bilingual]:
        pairs = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: pair.value() for name, pair in pairs.items() if isinstance(pair, Pair)}

    def pairs(self) -> tuple[Pair, ...]:
        every = (self.thirty_seconds, self.two_minutes, self.whiteboard)
        return tuple(pair for pair in every if pair)


class QuestionForm(Form):
    id: Slug
    text: Prose
    topic: Slug
    kind: QuestionKind
    level: Level
    minutes: Annotated[int, Field(ge=1, le=60)]
    asked: Annotated[int, Field(ge=0)] = 0
    background: Annotated[tuple[Background, ...], Field(min_length=1)] = tuple(Background)
    difficulty: Annotated[int, Field(ge=EASIEST, le=HARDEST)] = USUAL_DIFFICULTY
    facts: tuple[FactId, ...] = ()
    skills: tuple[Text, ...] = ()
    dimensions: Annotated[Mapping[Dimension, Weight], Field(min_length=1)]
    points: Annotated[tuple[PointForm, ...], Field(min_length=1)]
    versions: VersionsForm = VersionsForm()
    draw: DrawForm | None = None


class SkillForm(Form):
    name: Text
    aliases: tuple[Text, ...] = ()
    category: Text
    zh: Text | None = None
    case_sensitive: bool = False
    context: tuple[Text, ...] = ()
    parents: tuple[Text, ...] = ()
    siblings: tuple[Text, ...] = ()
    near_misses: tuple[Text, ...] = ()
