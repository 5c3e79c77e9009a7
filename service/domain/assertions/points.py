"""From frames to claims: which rubric points are met, and which misconceptions are held."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame, Stance
from service.domain.assertions.patterns import (
    FrameIndex,
    Gives,
    Hit,
    Pattern,
    compile_pattern,
    find_hits,
    index_frames,
)
from service.domain.assertions.rejection import rejected_spans, stands_outside
from service.domain.assertions.weighing import BeliefScale, PointScale, Weighed
from service.domain.grading import MisconceptionClaim, PointClaim, RubricPoint, Verdict
from service.domain.knowledge import Misconception
from service.domain.text import CLOSING, OPENING, Span

LONGEST_BRACKET: Final = 120  # code points
LONGEST_QUOTE: Final = 400  # code points; a quote is to be found at a glance
CARRY_OF_A_DENIAL: Final = 1  # sentences; further away the subject is a guess


@dataclass(frozen=True, slots=True)
class PointPatterns:
    """A rubric point ready for matching; `parts` must all be said for a full point."""

    point_id: str
    patterns: tuple[Pattern, ...]
    parts: frozenset[str]


@dataclass(frozen=True, slots=True)
class MisconceptionPatterns:
    misconception_id: str
    patterns: tuple[Pattern, ...]
    contradicts: tuple[str, ...]


def prepare_point(point: RubricPoint, lexicon: Lexicon) -> PointPatterns:
    """Compile a point's patterns.

    Raises:
        ValueError: see `compile_pattern`.
    """
    patterns = tuple(compile_pattern(raw, lexicon) for raw in point.patterns)
    return PointPatterns(point.id, patterns, frozenset(p.part for p in patterns if p.part))


def prepare_misconception(misconception: Misconception, lexicon: Lexicon) -> MisconceptionPatterns:
    """Compile a misconception's patterns.

    Raises:
        ValueError: see `compile_pattern`.
    """
    patterns = tuple(compile_pattern(raw, lexicon) for raw in misconception.patterns)
    return MisconceptionPatterns(misconception.id, patterns, misconception.contradicts)


def match_points(
    answer: str,
    frames: Sequence[Frame],
    points: Iterable[PointPatterns],
    held: Mapping[str, str] | None = None,
) -> tuple[PointClaim, ...]:
    """One claim per point, in the order given; what is not said is missed.

    `held` names the points that a misconception found in the answer contradicts, with its quote.
    """
    index = index_frames(frames)
    denied = index_frames([f for f in frames if f.stance is Stance.REJECTED])
    held = held or {}
    return tuple(
        _contradicted(point.point_id, held[point.point_id])
        if point.point_id in held
        else _judge(answer, point, index, denied)
        for point in points
    )


def match_in_other_words(
    answer: str,
    frames: Sequence[Frame],
    claims: Sequence[PointClaim],
    scale: PointScale | None,
) -> tuple[PointClaim, ...]:
    """The claims, with those that no pattern found looked for once more by the `scale`."""
    if scale is None or all(c.verdict is not Verdict.MISSED for c in claims):
        return tuple(claims)
    stated = scale.weigh(answer, frames, rejected_spans(answer))
    return tuple(
        _weighed(answer, stated[c.point_id])
        if c.verdict is Verdict.MISSED and c.point_id in stated
        else c
        for c in claims
    )


def _weighed(answer: str, found: Weighed) -> PointClaim:
    quote = quote_of_span(answer, found.span)[:LONGEST_QUOTE].strip()
    return PointClaim(found.entry_id, Verdict.MET, quote, round(found.probability, 2))


def _contradicted(point_id: str, quote: str) -> PointClaim:
    return PointClaim(point_id, Verdict.CONTRADICTED, quote, CONFIDENCE[Verdict.CONTRADICTED])


# How often each verdict of this reader is right is measured by eval; these are the rounded shares.
CONFIDENCE: Final[Mapping[Verdict, float]] = {
    Verdict.MET: 0.9,
    Verdict.PARTIAL: 0.7,
    Verdict.CONTRADICTED: 0.8,
    Verdict.MISSED: 0.7,
}


def _judge(answer: str, point: PointPatterns, index: FrameIndex, denied: FrameIndex) -> PointClaim:
    hits = [hit for pattern in point.patterns for hit in find_hits(pattern, index)]
    opposed = [h for h in hits if h.pattern.gives is Gives.CONTRADICTED and not h.flipped]
    if opposed:
        return _claim(answer, point, Verdict.CONTRADICTED, opposed[:1])
    straight = [h for h in hits if not h.flipped and h.pattern.gives is not Gives.CONTRADICTED]
    verdict, ground = _earned(point, straight)
    if verdict is not None:
        return _claim(answer, point, verdict, ground)
    turned = _turned(point, hits, denied)
    if turned:
        return _claim(answer, point, Verdict.CONTRADICTED, turned[:1])
    return PointClaim(point.point_id, Verdict.MISSED, "", CONFIDENCE[Verdict.MISSED])


def _earned(point: PointPatterns, hits: Sequence[Hit]) -> tuple[Verdict | None, list[Hit]]:
    whole = [h for h in hits if h.pattern.gives is Gives.MET and not h.pattern.part]
    if whole:
        return Verdict.MET, whole[:1]
    by_part = {h.pattern.part: h for h in reversed(hits) if h.pattern.part}
    if point.parts and point.parts == by_part.keys():
        return Verdict.MET, [by_part[p] for p in sorted(by_part)]
    half = [h for h in hits if h.pattern.gives is Gives.PARTIAL and not h.pattern.part]
    if half or by_part:
        return Verdict.PARTIAL, [*half, *(by_part[p] for p in sorted(by_part))][:1]
    return None, []


def _turned(point: PointPatterns, hits: Sequence[Hit], denied: FrameIndex) -> list[Hit]:
    """A truth said with its predicate denied, or called wrong as a whole."""
    flipped = [
        h
        for h in hits
        if h.flipped
        and h.pattern.gives is Gives.MET
        and not h.pattern.part
        and all(f.subjects and f.carried <= CARRY_OF_A_DENIAL for f in h.frames)
    ]
    if flipped:
        return flipped
    rejected = [_among_rejected(p) for p in point.patterns if p.gives is Gives.MET and not p.part]
    return [h for p in rejected for h in find_hits(p, denied) if not h.flipped]


def _among_rejected(pattern: Pattern) -> Pattern:
    return Pattern(
        says=pattern.says,
        about=pattern.about,
        not_about=pattern.not_about,
        unless=pattern.unless,
        within=pattern.within,
        stances=frozenset({Stance.REJECTED}),
        own=pattern.own,
        explicit=pattern.explicit,
        order=pattern.order,
    )


def _claim(answer: str, point: PointPatterns, verdict: Verdict, hits: Sequence[Hit]) -> PointClaim:
    return PointClaim(point.point_id, verdict, quote_of(answer, hits), CONFIDENCE[verdict])


def quote_of(answer: str, hits: Sequence[Hit]) -> str:
    """The words of the answer from the first to the last frame used, when they lie close."""
    frames = sorted((f for h in hits for f in h.frames), key=lambda f: f.span)
    whole = Span(frames[0].span.start, max(f.span.end for f in frames))
    if whole.end - whole.start > LONGEST_QUOTE:
        first = frames[0].span
        whole = Span(first.start, min(first.end, first.start + LONGEST_QUOTE))
    return quote_of_span(answer, whole)


def quote_of_span(answer: str, span: Span) -> str:
    """The words of the answer there, with the other half of a bracket that the span cuts."""
    return _closed(answer, span).of(answer).strip(" \t\r\n,，;；、")


def _closed(answer: str, span: Span) -> Span:
    """The span with the other half of a bracket that it cuts; linear in its length."""
    depth, lowest = 0, 0
    for char in span.of(answer):
        depth += (char in OPENING) - (char in CLOSING)
        lowest = min(lowest, depth)
    ahead = answer[span.end : span.end + LONGEST_BRACKET]
    behind = answer[max(0, span.start - LONGEST_BRACKET) : span.start]
    end = next((i + 1 for i, c in enumerate(ahead) if c in CLOSING), 0) if depth > lowest else 0
    start = next((i + 1 for i, c in enumerate(reversed(behind)) if c in OPENING), 0)
    return Span(span.start - (start if lowest < 0 else 0), span.end + end)


def match_misconceptions(
    answer: str,
    frames: Sequence[Frame],
    atlas: Iterable[MisconceptionPatterns],
    scale: BeliefScale | None = None,
) -> tuple[MisconceptionClaim, ...]:
    """The misconceptions held in the end, in the order of the atlas, each once.

    What patterns do not find, a `scale` may still find in other words.
    """
    index = index_frames(frames)
    rejected = rejected_spans(answer)
    weighed = scale.weigh(answer, frames, rejected) if scale else ()
    in_other_words = {w.entry_id: quote_of_span(answer, w.span) for w in weighed}
    claims: list[MisconceptionClaim] = []
    for entry in atlas:
        hits = (
            h
            for p in entry.patterns
            for h in find_hits(p, index)
            if not h.flipped and not _answered(answer, entry.misconception_id, h, scale)
        )
        quotes = (quote_of(answer, [hit]) for hit in hits)
        held = next((q for q in quotes if stands_outside(answer, q, rejected)), None)
        held = held or in_other_words.get(entry.misconception_id)
        if held is not None:
            claims.append(MisconceptionClaim(entry.misconception_id, held))
    return tuple(claims)


def _answered(answer: str, belief_id: str, hit: Hit, scale: BeliefScale | None) -> bool:
    """Whether what follows the hit states the correction: see `BeliefScale.answered`."""
    if scale is None:
        return False
    spans = [f.span for f in hit.frames]
    return scale.answered(answer, belief_id, Span(spans[0].start, max(s.end for s in spans)))
