"""The article check: read, judge numbers and beliefs section by section, mark every sentence."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from service.domain import claims
from service.domain.article.model import (
    CheckedArticle,
    Confirmed,
    HeldBelief,
    Mark,
    MarkedSentence,
)
from service.domain.article.reading import Reading, Section, read_document
from service.domain.article.sentences import split_sentences
from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame
from service.domain.assertions.patterns import FrameIndex, Gives, Hit, find_hits, index_frames
from service.domain.assertions.points import (
    LONGEST_QUOTE,
    MisconceptionPatterns,
    PointPatterns,
    prepare_misconception,
    prepare_point,
)
from service.domain.assertions.rejection import rejected_spans
from service.domain.assertions.weighing import BeliefScale
from service.domain.claims.known import KnownModels
from service.domain.claims.model import ClaimContext, ClaimVerdict, NumericClaim, Quantity
from service.domain.knowledge import Knowledge
from service.domain.memory.parameters import ModelShape
from service.domain.text import Span

# Sizes rest on the model and the GPUs, which a text names once; all else needs only a scheme,
# and that of another section is not meant.
CARRIED: Final = frozenset({Quantity.MEMORY_PER_GPU, Quantity.TOTAL_MEMORY, Quantity.KV_CACHE})
BY_CLAIM: Final[Mapping[ClaimVerdict, Mark]] = {
    ClaimVerdict.WRONG: Mark.WRONG,
    ClaimVerdict.CONDITIONAL: Mark.CONDITIONAL,
    ClaimVerdict.RIGHT: Mark.RIGHT,
    ClaimVerdict.UNCHECKABLE: Mark.UNCHECKABLE,
}
LEAST_SAID: Final = 2  # things a pattern must name before a sentence confirms it
LONGEST_SPAN: Final = 1_000  # code points; no frame of one sentence reaches further
FoundT = TypeVar("FoundT", HeldBelief, Confirmed)
ORDER: Final = (Mark.WRONG, Mark.MISCONCEPTION, Mark.CONDITIONAL, Mark.RIGHT, Mark.UNCHECKABLE)


@dataclass(frozen=True, slots=True)
class _Statement:
    question_id: str
    point: PointPatterns
    fact_ids: tuple[str, ...]


class ArticleChecker:
    """Holds the atlas and the vetted statements ready for many texts."""

    def __init__(
        self,
        knowledge: Knowledge,
        lexicon: Lexicon,
        models: Mapping[str, ModelShape],
        scale: BeliefScale | None = None,
    ) -> None:
        """With a `scale`, beliefs said in words that no pattern knows are found as well.

        Raises ValueError for a malformed pattern (the loader reports these with a line).
        """
        self._lexicon = lexicon
        self._scale = scale
        self._models = KnownModels(models)
        self._atlas = tuple(
            prepare_misconception(m, lexicon)
            for m in knowledge.misconceptions.values()
            if m.patterns
        )
        stated = tuple(
            _Statement(question.id, _self_contained(prepare_point(point, lexicon)), point.fact_ids)
            for question in knowledge.questions.values()
            for point in question.rubric.points
            if point.patterns and point.fact_ids
        )
        self._statements = tuple(s for s in stated if s.point.patterns)

    def check(self, text: str, context: ClaimContext | None = None) -> CheckedArticle:
        """Every number and every known belief of the text, and a mark for each sentence."""
        reading = read_document(text, self._lexicon)
        framed = [(s, read_frames(s.text, self._lexicon)) for s in reading.sections]
        beliefs = _in_order(b for s, frames in framed for b in self._beliefs(s, frames))
        confirmed = _in_order(c for s, frames in framed for c in self._confirmed(s, frames))
        numbers = self._numbers(text, reading, context or ClaimContext())
        found = CheckedArticle((), numbers, beliefs, confirmed)
        return replace(found, sentences=tuple(_sentences(text, reading, found)))

    def _beliefs(self, section: Section, frames: Sequence[Frame]) -> Iterator[HeldBelief]:
        turned_down = rejected_spans(section.text)
        index = index_frames([f for f in frames if not _lies_in(f, turned_down)])
        named: set[str] = set()
        for entry in self._atlas:
            for span in self._places(section, entry, index):
                named.add(entry.misconception_id)
                yield HeldBelief(entry.misconception_id, span)
        yield from self._weighed(section, frames, turned_down, named)

    def _places(
        self, section: Section, entry: MisconceptionPatterns, index: FrameIndex
    ) -> Iterator[Span]:
        """Where a pattern holds and what follows does not put it right, each place once."""
        seen: set[Span] = set()
        for pattern in entry.patterns:
            hits = (
                h
                for h in find_hits(pattern, index)
                if not self._answered(section, entry.misconception_id, h)
            )
            for span in _own_spans(section, hits):
                if not any(span.overlaps(known) for known in seen):
                    seen.add(span)
                    yield span

    def _answered(self, section: Section, belief_id: str, hit: Hit) -> bool:
        if self._scale is None or hit.flipped:
            return False
        return self._scale.answered(section.text, belief_id, _extent(hit.frames))

    def _weighed(
        self,
        section: Section,
        frames: Sequence[Frame],
        turned_down: Sequence[Span],
        named: Collection[str],
    ) -> Iterator[HeldBelief]:
        """Beliefs of the section that no pattern found."""
        if self._scale is None:
            return
        for one in self._scale.weigh(section.text, frames, turned_down):
            span = section.own(one.span)
            if span and one.entry_id not in named:
                yield HeldBelief(one.entry_id, span)

    def _confirmed(self, section: Section, frames: Sequence[Frame]) -> Iterator[Confirmed]:
        index = index_frames(frames)
        for statement in self._statements:
            for pattern in statement.point.patterns:
                for span in _own_spans(section, filter(_is_plain, find_hits(pattern, index))):
                    point_id = statement.point.point_id
                    yield Confirmed(statement.question_id, point_id, span, statement.fact_ids)

    def _numbers(
        self, text: str, reading: Reading, context: ClaimContext
    ) -> tuple[NumericClaim, ...]:
        alone = [c for s in reading.sections for c in self._judged(text, s, context)]
        if len(reading.sections) == 1:
            return _in_text_order(alone)
        whole = {c.span: c for c in self._judged(text, _joined(reading.sections), context)}
        return _in_text_order(_with_sizes(claim, whole) for claim in alone)

    def _judged(self, text: str, section: Section, context: ClaimContext) -> Iterator[NumericClaim]:
        for claim in claims.check(section.text, context, models=self._models):
            span = section.own(claim.span)
            if span and section.is_own(claim.span):
                yield replace(claim, span=span, text=span.of(text))


def _self_contained(point: PointPatterns) -> PointPatterns:
    """The patterns that say whom they are about: the rest need their question."""
    kept = tuple(
        p
        for p in point.patterns
        if p.gives is Gives.MET and not p.part and p.about and len(p.says) >= LEAST_SAID
    )
    return replace(point, patterns=kept)


def _is_plain(hit: Hit) -> bool:
    """Said in sentences that name or share their subject."""
    return all(f.subjects and f.carried == 0 for f in hit.frames)


def _lies_in(frame: Frame, spans: Sequence[Span]) -> bool:
    """Whether it touches one of `spans`, which are in order and apart."""
    place = bisect_left(spans, frame.span.end, key=lambda span: span.start)
    return place > 0 and spans[place - 1].end > frame.span.start


def _own_spans(section: Section, hits: Iterable[Hit]) -> Iterator[Span]:
    for hit in hits:
        if hit.flipped:
            continue
        span = section.own(_extent(hit.frames))
        if span:
            yield span


def _extent(frames: Sequence[Frame]) -> Span:
    """From the first to the last frame used when they lie close, else the first."""
    whole = Span(frames[0].span.start, max(f.span.end for f in frames))
    return whole if whole.end - whole.start <= LONGEST_QUOTE else frames[0].span


def _joined(sections: Sequence[Section]) -> Section:
    return Section("".join(s.text for s in sections), tuple(p for s in sections for p in s.places))


def _with_sizes(claim: NumericClaim, whole: Mapping[Span, NumericClaim]) -> NumericClaim:
    """A size that lacks its model or GPUs is judged by what other sections say of them."""
    if claim.verdict is not ClaimVerdict.UNCHECKABLE or claim.quantity not in CARRIED:
        return claim
    return whole.get(claim.span, claim)


def _in_text_order(found: Iterable[NumericClaim]) -> tuple[NumericClaim, ...]:
    return tuple(sorted(found, key=lambda claim: claim.span))


def _in_order(found: Iterable[FoundT]) -> tuple[FoundT, ...]:
    return tuple(sorted(dict.fromkeys(found), key=lambda one: one.span))


def _sentences(text: str, reading: Reading, found: CheckedArticle) -> Iterator[MarkedSentence]:
    for places in reading.words:
        for span in split_sentences(text, places):
            yield _marked(span, reading, found)


def _marked(span: Span, reading: Reading, found: CheckedArticle) -> MarkedSentence:
    numbers = _touching(span, [c.span for c in found.claims])
    beliefs = _touching(span, [b.span for b in found.beliefs])
    confirmed = _touching(span, [c.span for c in found.confirmed])
    marks = {BY_CLAIM[found.claims[i].verdict] for i in numbers}
    marks |= {Mark.MISCONCEPTION} if beliefs else set()
    marks |= {Mark.RIGHT} if confirmed else set()
    return MarkedSentence(
        span,
        next((m for m in ORDER if m in marks), None),
        numbers,
        beliefs,
        confirmed,
        quoted=any(q.start <= span.start and span.end <= q.end for q in reading.quoted),
    )


def _touching(span: Span, spans: Sequence[Span]) -> tuple[int, ...]:
    """Places of the sorted `spans` that overlap `span`."""
    earliest = max(0, span.start - LONGEST_SPAN)
    first = bisect_left(spans, Span(earliest, earliest))
    found: list[int] = []
    for place in range(first, len(spans)):
        if spans[place].start >= span.end:
            break
        if spans[place].overlaps(span):
            found.append(place)
    return tuple(found)
