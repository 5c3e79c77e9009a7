"""The bank of statements as it stands in eval/cases/constructed/bank, checked when it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.errors import InputInvalid

BANK: Final = Path(__file__).parents[1] / "cases" / "constructed" / "bank"
QUESTIONS: Final = ("zero-stages", "mixed-precision", "kv-cache")
LANGUAGES: Final = ("zh", "en")


class Split(StrEnum):
    DEV = "dev"
    TEST = "test"


class Family(StrEnum):
    """How far a wording is from a textbook's."""

    NEAR = "near"
    MIDDLE = "middle"
    FAR = "far"


# Which of a family's wordings each split may use. Far wordings are for the test alone.
SHARE: Final[Mapping[tuple[Family, Split], slice]] = {
    (Family.NEAR, Split.DEV): slice(0, 2),
    (Family.NEAR, Split.TEST): slice(2, 3),
    (Family.MIDDLE, Split.DEV): slice(0, 1),
    (Family.MIDDLE, Split.TEST): slice(1, 2),
    (Family.FAR, Split.DEV): slice(0, 0),
    (Family.FAR, Split.TEST): slice(0, 1),
}
HALF_SHARE: Final = {Split.DEV: slice(0, 1), Split.TEST: slice(1, 2)}
FAMILIES: Final = {
    Split.DEV: (Family.NEAR, Family.MIDDLE),
    Split.TEST: (Family.NEAR, Family.MIDDLE, Family.FAR),
}
Kind = TypeVar("Kind")


def half_of(items: Sequence[Kind], split: Split) -> Sequence[Kind]:
    """The first half of a list belongs to dev, the second to test."""
    middle = len(items) // 2
    return items[:middle] if split is Split.DEV else items[middle:]


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wordings(Strict):
    near: tuple[str, ...] = Field(min_length=2)
    middle: tuple[str, ...] = ()
    far: tuple[str, ...] = ()


class BankPoint(Strict):
    dimension: str
    terms: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, Wordings]
    half: Mapping[str, Wordings] = Field(default_factory=dict[str, Wordings])
    implies: tuple[str, ...] = ()

    def wordings(self, lang: str, family: Family, split: Split) -> tuple[str, ...]:
        return getattr(self.whole[lang], family.value)[SHARE[family, split]]

    def halves(self, lang: str, split: Split) -> tuple[str, ...]:
        return self.half[lang].near[HALF_SHARE[split]] if self.half else ()


class BankQuestion(Strict):
    question: str
    dimensions: Mapping[str, int]
    points: Mapping[str, BankPoint]


class Belief(Strict):
    """A false statement. `denies`: points it contradicts; `clouds`: points it leaves unlabelled."""

    zh: tuple[str, str, str, str]
    en: tuple[str, str, str, str]
    denies: tuple[str, ...] = ()
    clouds: tuple[str, ...] = ()
    split: Split | None = None  # test: the whole belief is kept back

    def wordings(self, lang: str, split: Split) -> tuple[str, ...]:
        both = self.zh if lang == "zh" else self.en
        return tuple(half_of(both, split))

    @property
    def touches(self) -> frozenset[str]:
        return frozenset(self.denies) | frozenset(self.clouds)


class Template(Strict):
    name: str
    zh: Mapping[str, tuple[str, ...]]
    en: Mapping[str, tuple[str, ...]]

    def parts(self, lang: str) -> Mapping[str, tuple[str, ...]]:
        return self.zh if lang == "zh" else self.en


Lines = Mapping[str, tuple[str, ...]]
Pairs = Mapping[str, Mapping[str, str]]


class Speech(Strict):
    templates: tuple[Template, ...]
    fillers: Lines
    aside: Lines
    rejecting: Lines
    negating: Lines
    correcting: Lines
    both_ways: Lines
    deny_all: Lines


class Tricks(Strict):
    openers: Lines
    flattery: Lines
    injections: Lines
    fake_json: Lines
    fake_end: Lines
    off_topic: Lines
    terms: Pairs
    homophones: Pairs
    numerals: Pairs


class Beliefs(Strict):
    beliefs: Mapping[str, Belief]


class Glyphs(Strict):
    simplified: str
    traditional: str

    def convert(self, text: str) -> str:
        return text.translate(str.maketrans(self.simplified, self.traditional))


@dataclass(frozen=True, slots=True)
class Bank:
    questions: Mapping[str, BankQuestion]
    beliefs: Mapping[str, Belief]
    speech: Speech
    tricks: Tricks
    glyphs: Glyphs

    def beliefs_for(self, question: BankQuestion, split: Split) -> dict[str, Belief]:
        """Those about this question: they touch its points, or no other question's."""
        own = question.points.keys()
        others = {p for q in self.questions.values() if q is not question for p in q.points}
        return {
            name: belief
            for name, belief in self.beliefs.items()
            if belief.split in (None, split)
            and not belief.touches & (others - own)
            and (belief.touches or question.question == QUESTIONS[0])
        }


def load_bank(folder: Path = BANK) -> Bank:
    """Read all files of the bank.

    Raises:
        InputInvalid: a file that is missing or not of its form.
    """
    questions = [_read(folder / f"{name}.yaml", BankQuestion) for name in QUESTIONS]
    return Bank(
        questions={q.question: q for q in questions},
        beliefs=_read(folder / "misconceptions.yaml", Beliefs).beliefs,
        speech=_read(folder / "speech.yaml", Speech),
        tricks=_read(folder / "attacks.yaml", Tricks),
        glyphs=_read(folder / "traditional.yaml", Glyphs),
    )


Form = TypeVar("Form", bound=BaseModel)


def _read(path: Path, form: type[Form]) -> Form:
    try:
        content = cast("object", yaml.load(path.read_text("utf-8"), yaml.CSafeLoader))
        return form.model_validate(content)
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise InputInvalid("{path} is not a part of the statement bank.", path=str(path)) from error
