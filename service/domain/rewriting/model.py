"""Values of a rewrite: where its words may come from, what is proposed, refused and asked."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.language import Message


def filled(sentence: Message, **values: object) -> Message:
    """A ready sentence with its values."""
    return Message(sentence.template, tuple(sorted(values.items())))


class Style(StrEnum):
    """How a bullet is put: in plainer words, situation to result, with figures, result first."""

    PLAIN = "plain"
    STAR = "star"
    QUANTIFIED = "quantified"
    RESULT_FIRST = "result_first"


class State(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STALE = "stale"  # the bullet was changed by something else


class Asks(StrEnum):
    """What a question is for, in the order of what is missed most."""

    RESULT = "result"
    SCALE = "scale"
    BASELINE = "baseline"
    SITUATION = "situation"


@dataclass(frozen=True, slots=True)
class Source:
    """All that a rewritten bullet may say. `heading` lends names, never figures or deeds."""

    bullet_id: str
    text: str
    heading: str = ""
    answers: tuple[str, ...] = ()

    @property
    def own(self) -> str:
        return "\n".join((self.text, *self.answers))

    @property
    def whole(self) -> str:
        return "\n".join((self.text, *self.answers, self.heading))


@dataclass(frozen=True, slots=True)
class ToAsk:
    """`doubt` is set where an answer was given that cannot be as it stands."""

    id: str
    bullet_id: str
    asks: Asks
    text: Message
    doubt: Message | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What the person said now: as good a source as the résumé."""

    question_id: str
    bullet_id: str
    asks: Asks
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One bullet put another way. `doubts` are figures the memory formulas do not bear out."""

    id: str
    style: Style
    source: Source
    after: str
    by: str  # builtin, or the model's name
    state: State = State.OPEN
    doubts: tuple[Message, ...] = ()

    @property
    def before(self) -> str:
        return self.source.text


@dataclass(frozen=True, slots=True)
class Refused:
    """What an engine proposed and the guard kept back, with the reason; its text is not kept."""

    bullet_id: str
    style: Style
    by: str
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The state of a version's rewriting. `fallback` says why the built-in engine stepped in.

    `refused_orders` are ids of orders the person did not want; they are not proposed again.
    """

    questions: tuple[ToAsk, ...] = ()
    answers: tuple[Answered, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    refused: tuple[Refused, ...] = ()
    fallback: str | None = None
    refused_orders: tuple[str, ...] = ()

    def proposal(self, own_id: str) -> Proposal | None:
        return next((p for p in self.proposals if p.id == own_id), None)
