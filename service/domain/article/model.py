"""What a checked text is: its sentences with their marks, and what the marks rest on."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.claims.model import NumericClaim
from service.domain.text import Span


class Mark(StrEnum):
    """How a sentence stands; a sentence that says nothing checkable has none."""

    WRONG = "wrong"  # a number or formula that does not hold
    MISCONCEPTION = "misconception"  # a known wrong belief, held
    CONDITIONAL = "conditional"
    RIGHT = "right"
    UNCHECKABLE = "uncheckable"  # a number whose conditions are not said


@dataclass(frozen=True, slots=True)
class HeldBelief:
    """A misconception and the words of the text that hold it."""

    misconception_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A vetted statement that the text makes in its own words."""

    question_id: str
    point_id: str
    span: Span
    fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """`claims`, `beliefs` and `confirmed` are places in the lists of the whole text.

    `quoted` is true for words the text repeats in order to correct them; they are not judged.
    """

    span: Span
    mark: Mark | None
    claims: tuple[int, ...] = ()
    beliefs: tuple[int, ...] = ()
    confirmed: tuple[int, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class CheckedArticle:
    """Everything in the order of the text; spans count code points of it."""

    sentences: tuple[MarkedSentence, ...]
    claims: tuple[NumericClaim, ...]
    beliefs: tuple[HeldBelief, ...]
    confirmed: tuple[Confirmed, ...]
