"""What is said in other words than any pattern knows: proposed by vectors, decided by frames.

A stretch is one sentence or two neighbours. See docs/reading.md for what is measured and why.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Protocol

from service.domain.assertions.evidence import FIGURES, Evidence, Stretch
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame
from service.domain.assertions.rejection import REPORTED, SENTENCE
from service.domain.assertions.traces import trace_of
from service.domain.assertions.trees import Ensemble
from service.domain.text import Span, fold

MOST_PROPOSED: Final = 4
LEAST_COSINE: Final = 0.4  # below, no wording is near enough to be worth reading
LEAST_LENGTH: Final = 4  # code points; a shorter stretch says nothing
LEAST_ANSWER: Final = 4
LONGEST_ANSWER: Final = 120  # code points behind a belief that can answer it
# How much nearer an answer is to the correction than to the belief itself (eval/LOG.md).
ANSWERED: Final = 0.1
STOPS: Final = "。！？!?.\n"
# The belief is given as somebody else's, as words in quotation marks, or as one's own of old.
GIVEN_AS: Final = re.compile(
    REPORTED.pattern + r"|[\"“”「『]|\bused to\b|\bat first\b|\binitially\b|\bmy first\b|"
    r"\b(?:claim|rule|idea|belief|notion|saying)\b|曾|以前|原先|起初|一开始|当初|说法|观点",
    re.IGNORECASE,
)
TURNS: Final = re.compile(
    r"[\s,，—–-]*(?:no|nope|not|but|wrong|false|actually|in fact|in truth|wait|sorry|hang on|"
    r"hold on|except|however|correction|scratch|strike|rather|that is not|it is not|it isn't|"
    r"it does|it doesn't|或者不|不|错|其实|实际|事实|但|可|等等|更正|我收回|说错|抱歉|哦)",
    re.IGNORECASE,
)
CLAUSES: Final = re.compile(r"[,，;；:：—–]")
BLANK: Final = " \t\r\n,.，。;；:：…\"'”」』"
NUMBER: Final = FIGURES.index("number")
LONGEST: Final = 160  # code points of a pair; two long sentences are weighed alone


class Nearness(Protocol):
    """Cosines of texts to the wordings of `Evidence`, in their order."""

    def cosines(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


@dataclass(frozen=True, slots=True)
class Weighed:
    """An entry that a stretch is found to state, with the probability that it does."""

    entry_id: str
    span: Span
    probability: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """What was measured of one stretch and one entry."""

    entry_id: str
    span: Span
    figures: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Everything a text is weighed with; safe to share between threads."""

    evidence: Evidence
    nearness: Nearness
    ensemble: Ensemble
    lexicon: Lexicon

    def best(
        self, text: str, frames: Sequence[Frame], turned_down: Sequence[Span] = ()
    ) -> dict[str, Weighed]:
        """Every entry found stated, each at its most probable place."""
        best: dict[str, Weighed] = {}
        for one in self.measure(text, frames, turned_down):
            if not self.admits(one):
                continue
            probability = self.ensemble.probability(one.figures)
            known = best.get(one.entry_id)
            if probability < self.ensemble.least or (known and known.probability >= probability):
                continue
            best[one.entry_id] = Weighed(one.entry_id, one.span, probability)
        return best

    def plain(self, text: str) -> str:
        """As vectors are made of it: nothing unseen, one width, simplified characters."""
        known = self.lexicon.characters
        return "".join(known.get(char, char) for char in fold(text).text)

    def admits(self, one: Candidate) -> bool:
        """Whether this stretch may state the entry at all."""
        del one
        return True

    def measure(
        self, text: str, frames: Sequence[Frame], turned_down: Sequence[Span] = ()
    ) -> Iterator[Candidate]:
        """The figures of every stretch and each entry proposed for it."""
        stretches = tuple(_stretches(text, frames))
        plain = [self.plain(span.of(text)) for span, _ in stretches]
        rows = self.nearness.cosines(plain) if plain else ()
        for (span, inside), cosines in zip(stretches, rows, strict=True):
            if max(cosines) < LEAST_COSINE:
                continue
            share = _covered(span, turned_down)
            stretch = Stretch(trace_of(span.of(text), inside, self.lexicon), cosines, share)
            near = self.evidence.proposed(stretch, MOST_PROPOSED)
            measured = self.evidence.figures(stretch, near)
            yield from (Candidate(i, span, figures) for i, figures in measured.items())


@dataclass(frozen=True, slots=True)
class BeliefScale(Scale):
    """Weighs a text for the wrong beliefs it holds."""

    def weigh(
        self, text: str, frames: Sequence[Frame], turned_down: Sequence[Span] = ()
    ) -> tuple[Weighed, ...]:
        """The beliefs held, in the order of the text."""
        best = self.best(text, frames, turned_down)
        held = (w for w in best.values() if not self.answered(text, w.entry_id, w.span))
        return tuple(sorted(held, key=lambda w: (w.span, w.entry_id)))

    def answered(self, text: str, entry_id: str, span: Span) -> bool:
        """Whether what follows the belief at `span` states its correction.

        Then the belief was somebody else's, or is taken back, whatever words say so.
        """
        places = self.evidence.places.get(entry_id)
        following = _following(text, span)
        if places is None or len(following) < LEAST_ANSWER:
            return False
        own, against = places
        (cosines,) = self.nearness.cosines([self.plain(following)])
        nearer = max(cosines[p] for p in against) - max(cosines[p] for p in own)
        return nearer >= ANSWERED


@dataclass(frozen=True, slots=True)
class PointScale(Scale):
    """Weighs an answer for the rubric points of one question."""

    def weigh(
        self, text: str, frames: Sequence[Frame], turned_down: Sequence[Span] = ()
    ) -> dict[str, Weighed]:
        """The points stated, by id."""
        return self.best(text, frames, turned_down)

    def admits(self, one: Candidate) -> bool:
        """A point that all its wordings give with a number is only stated with that number."""
        own, _ = self.evidence.sides(one.entry_id)
        return bool(one.figures[NUMBER]) or not all(trace.numbers for trace in own.traces)


class PointScales(Protocol):
    """The scales of the questions."""

    def of(self, question_id: str) -> PointScale | None:
        """None for a question outside the knowledge base."""
        ...


@dataclass(frozen=True, slots=True)
class Scales:
    """What finds things said in other words; without them patterns alone do."""

    beliefs: BeliefScale | None = None
    points: PointScales | None = None


def _following(text: str, span: Span) -> str:
    """The rest of the sentence that the belief stands in, and the next one, where they may answer.

    They may when the belief is given as somebody's, or when they open a clause with a turn: what
    merely comes next in a list of statements answers nothing.
    """
    rest = text[span.end : span.end + LONGEST_ANSWER]
    start = max(text.rfind(stop, 0, span.start) for stop in STOPS) + 1
    own = "" if text[span.end - 1] in STOPS else _sentence(rest)
    following = _sentence(rest[len(own) :])
    if GIVEN_AS.search(text[start : span.end]) or TURNS.match(following):
        return (own + following).strip(BLANK)
    turned = any(TURNS.match(clause) for clause in CLAUSES.split(own))
    return own.strip(BLANK) if turned else ""


def _sentence(text: str) -> str:
    """The first sentence that says anything, with what stands before it."""
    ends = (m.end() for m in SENTENCE.finditer(text) if m[0].strip(BLANK))
    return text[: next(ends, len(text))]


def _stretches(text: str, frames: Sequence[Frame]) -> Iterator[tuple[Span, tuple[Frame, ...]]]:
    """Each sentence, and each with the one behind it."""
    sentences = [tuple(group) for _, group in groupby(frames, key=lambda f: f.sentence)]
    for at in range(len(sentences)):
        for size in (1, 2):
            inside = tuple(f for part in sentences[at : at + size] for f in part)
            span = Span(min(f.span.start for f in inside), max(f.span.end for f in inside))
            length = span.end - span.start
            if at + size > len(sentences) or (size > 1 and length > LONGEST):
                continue
            if length >= LEAST_LENGTH and span.of(text).strip():
                yield span, inside


def _covered(span: Span, others: Sequence[Span]) -> float:
    """Share of `span` that lies in `others`, which are apart."""
    inside = sum(max(0, min(span.end, o.end) - max(span.start, o.start)) for o in others)
    return inside / (span.end - span.start)
