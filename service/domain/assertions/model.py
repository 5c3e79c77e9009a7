"""What the reader sees in a text: mentions of concepts, gathered into frames with a stance."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from service.domain.text import Span


class Kind(StrEnum):
    """What a concept is good for inside a clause."""

    SUBJECT = "subject"
    OBJECT = "object"
    RELATION = "relation"
    QUALITY = "quality"
    QUANTITY = "quantity"
    MARKER = "marker"


class Stance(StrEnum):
    """How the speaker stands to a clause; only ASSERTED earns."""

    ASSERTED = "asserted"
    QUOTED = "quoted"  # somebody else's opinion
    REJECTED = "rejected"  # said to be wrong
    CORRECTED = "corrected"  # said, then taken back
    ASKED = "asked"
    HYPOTHETICAL = "hypothetical"  # the condition of an if
    HEDGED = "hedged"  # left open between alternatives
    LISTED = "listed"  # words in a row without a predicate


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept named by tokens first..last (half-open).

    `concepts` starts with the most specific. A quantity has a value; a formula in ψ and N has
    `value` as the coefficient that stays whole and `share` as the one divided by N.
    """

    concepts: tuple[str, ...]
    kind: Kind
    first: int
    last: int
    value: Fraction | None = None
    share: Fraction | None = None
    negated: bool = False
    term: bool = False  # of the terms layer: says what is spoken of, shapes no clause
    made: bool = False  # composed of others


@dataclass(frozen=True, slots=True)
class Frame:
    """One predicate of the text: who, does what, to what, how much, and whether it is meant.

    `carried` counts the sentences since the subject was named; 0 when the frame names it or
    shares the sentence that does. `own_case` is true inside an account of the speaker's work.
    """

    span: Span
    subjects: tuple[str, ...]
    mentions: tuple[Mention, ...]
    stance: Stance
    sentence: int
    carried: int = 0
    explicit: bool = False
    own_case: bool = False

    def _of(self, kind: Kind) -> tuple[str, ...]:
        return tuple(m.concepts[0] for m in self.mentions if m.kind is kind)

    @property
    def relations(self) -> tuple[str, ...]:
        return self._of(Kind.RELATION)

    @property
    def objects(self) -> tuple[str, ...]:
        return self._of(Kind.OBJECT)

    @property
    def quantities(self) -> tuple[Fraction, ...]:
        return tuple(m.value for m in self.mentions if m.value is not None)

    @property
    def negated(self) -> bool:
        """Polarity of the frame: whether a relation in it is denied."""
        return any(m.negated for m in self.mentions if m.kind is Kind.RELATION and not m.made)
