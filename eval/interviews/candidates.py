"""Simulated candidates: who they are stands in a file, what they say is drawn from the bank."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval.constructed.dice import Dice
from service.corpus.denials import Denials
from service.domain.grading import Dimension, RubricPoint
from service.domain.interview import Turn
from service.domain.knowledge import Knowledge, Question
from service.domain.language import Lang
from service.domain.text import SENTENCE_ENDS, clause_ends
from service.errors import InputInvalid

CASES: Final = Path(__file__).parents[1] / "cases" / "candidates" / "candidates.yaml"
Lines = Mapping[Lang, tuple[str, ...]]
# A wrong opening denies this many points: enough to be certain of, short enough to be spoken.
DENIED: Final = 3
LETTERS: Final[Mapping[Lang, str]] = {
    Lang.ZH: "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可",
    Lang.EN: "abcdefghijklmnopqrstuvwxyz   ",
}
LENGTH: Final[Mapping[Lang, int]] = {Lang.ZH: 60, Lang.EN: 160}  # characters of gibberish


class Candidate(BaseModel):
    """`standing` orders the candidates by what their answers are worth."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    standing: int
    opens: tuple[str, ...] = Field(min_length=1)
    goes_on: tuple[str, ...] = Field(min_length=1)
    lines: Lines = Field(default_factory=dict[Lang, tuple[str, ...]])


class Cast(BaseModel):
    """Everybody who is interviewed, what they share, and what is asked of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: Mapping[str, Candidate]
    own: Lines
    number: Lines
    dont_know: Lines
    verdicts: Mapping[Lang, str]
    questions: tuple[str, ...]


def read_cast(path: Path = CASES) -> Cast:
    """Raises InputInvalid: the file is not of this form, or names a source that is not known."""
    try:
        cast = Cast.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, ValidationError, yaml.YAMLError) as error:
        raise InputInvalid("{path} holds no candidates.", path=str(path)) from error
    sources = {s for c in cast.candidates.values() for s in (*c.opens, *c.goes_on)}
    if sources - SOURCES.keys():
        raise InputInvalid("{path} holds no candidates.", path=str(path))
    return cast


@dataclass(frozen=True, slots=True)
class Saying:
    """All that an answer is made from. `nth` counts the candidate's answers to this question."""

    who: Candidate
    cast: Cast
    knowledge: Knowledge
    denials: Denials
    question: Question  # with the numbers of this interview
    turn: Turn
    lang: Lang
    nth: int

    @property
    def dice(self) -> Dice:
        return Dice("candidates").at(self.question.id, self.lang, self.nth)

    @property
    def asked_point(self) -> RubricPoint | None:
        points = self.question.rubric.points
        return next((p for p in points if p.id == self.turn.move.about), None)


def say(saying: Saying) -> str:
    """What this candidate answers to the awaited turn."""
    if saying.nth == 0:
        return " ".join(SOURCES[name](saying) for name in saying.who.opens).strip()
    names = saying.who.goes_on
    return SOURCES[names[(saying.nth - 1) % len(names)]](saying)


def _version(saying: Saying, name: str) -> str:
    found = saying.question.versions.get(name)
    return found.in_(saying.lang) if found else ""


def _half(saying: Saying) -> str:
    text = _version(saying, "thirty_seconds")
    ends = list(clause_ends(text, SENTENCE_ENDS)) or [len(text)]
    return text[: ends[(len(ends) - 1) // 2]].strip()


def _point(saying: Saying) -> str:
    """The point asked about in a wording of the bank; where it cannot be told, the long answer."""
    point = saying.asked_point
    if point is None:
        return _version(saying, "two_minutes")
    if point.dimension is Dimension.EXPERIENCE:
        return saying.dice.pick(saying.cast.own[saying.lang])
    wordings = point.wordings.get(saying.lang.value, ())
    return saying.dice.pick(wordings or (point.text.in_(saying.lang),))


def _denial(saying: Saying) -> str:
    """The point asked about denied; where nothing denies it, the first that can be."""
    known = saying.denials.get(saying.question.id, {})
    point = saying.asked_point
    of_point = known.get(point.id, {}).get(saying.lang, ()) if point else ()
    return saying.dice.pick(of_point) if of_point else _denials(saying)


def _denials(saying: Saying) -> str:
    """The first points that can be denied, and a wrong belief that goes with the question."""
    known = saying.denials.get(saying.question.id, {})
    ids = [p.id for p in saying.question.rubric.points if known.get(p.id, {}).get(saying.lang)]
    said = [saying.dice.pick(known[i][saying.lang], i) for i in ids[:DENIED]]
    facts = set(saying.question.fact_ids)
    beliefs = [m for m in saying.knowledge.misconceptions.values() if facts & set(m.fact_ids)]
    return " ".join((*said, *(m.belief.in_(saying.lang) for m in beliefs[:1])))


def _in_turn(saying: Saying, lines: Lines) -> str:
    said = lines[saying.lang]
    return said[(saying.nth + saying.dice.at("first").below(len(said))) % len(said)]


def _letters(saying: Saying) -> str:
    alphabet = LETTERS[saying.lang]
    return "".join(saying.dice.pick(alphabet, i) for i in range(LENGTH[saying.lang])).strip()


SOURCES: Final[Mapping[str, Callable[[Saying], str]]] = {
    "reference": lambda s: _version(s, "two_minutes"),
    "short": lambda s: _version(s, "thirty_seconds"),
    "half": _half,
    "point": _point,
    "denial": _denial,
    "denials": _denials,
    "number": lambda s: _in_turn(s, s.cast.number),
    "dont_know": lambda s: _in_turn(s, s.cast.dont_know),
    "line": lambda s: _in_turn(s, s.who.lines),
    "letters": _letters,
    "asked": lambda s: s.turn.text,
}


def in_threes(questions: Sequence[str], size: int = 3) -> list[tuple[str, ...]]:
    """The questions as plans of `size`, in order."""
    return [tuple(questions[at : at + size]) for at in range(0, len(questions), size)]
