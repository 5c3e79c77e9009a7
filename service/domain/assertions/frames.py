"""From text to frames, with the subject carried from clause to clause (the second one, it)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.assertions.clauses import (
    CONJUNCTION,
    REFERENCE,
    Clause,
    split_clauses,
    with_terms,
)
from service.domain.assertions.denial import deny
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.mentions import compose, find_mentions, find_terms
from service.domain.assertions.model import Frame, Kind, Mention, Stance
from service.domain.assertions.sentences import COPULA
from service.domain.assertions.series import STAGES
from service.domain.assertions.stance import stances
from service.domain.assertions.tokens import Token, tokenize
from service.domain.assertions.wholesale import deny_wholesale
from service.domain.text import Folded, Span, fold

NEXT: Final = "next_stage"
LAST: Final = "last_stage"
PREVIOUS: Final = "previous_stage"
SEQUENCE: Final = {"first_of_all": 1, "after_that": 2, "finally": 3}
RESPECTIVELY: Final = "respectively"
OWN_CASE: Final = "own_case"
IN_GENERAL: Final = "in_general"
OWN_REACH: Final = 3  # sentences an account of one's own work goes on without saying "we"
ON_TOP: Final = "on_top"
WITH: Final = "with"
COMPARED: Final = frozenset({"comparison", "comparison_base"})
PREDICATIVE: Final = frozenset({"not", "equals", "kind_of", "differs"})
STAGE_NAMES: Final = frozenset(STAGES.values())
TAKEN_BACK: Final = frozenset({Stance.CORRECTED, Stance.REJECTED})
# Concepts whose members are told apart by being set beside each other.
RIVALS: Final = frozenset({"number_format"})


def read_frames(text: str, lexicon: Lexicon) -> tuple[Frame, ...]:
    """Frames in the order of the text; linear in its length, no randomness, no clock."""
    folded = fold(text)
    tokens = tokenize(folded, text, lexicon.characters)
    if not tokens:
        return ()
    clauses = with_terms(
        split_clauses(tokens, find_mentions(tokens, lexicon)), find_terms(tokens, lexicon)
    )
    spoken = tuple(replace(c, mentions=compose(deny(c, tokens).mentions, lexicon)) for c in clauses)
    held = stances(spoken, tokens)
    return deny_wholesale(text, tuple(_frames(spoken, held, tokens, folded)))


@dataclass(frozen=True, slots=True)
class _Topic:
    """What the speaker is talking about: the last subjects, and the last single stage."""

    subjects: tuple[str, ...] = ()
    sentence: int = -1
    stage: int = 0
    own_until: int = -1


def _frames(
    clauses: Sequence[Clause],
    held: Sequence[Stance],
    tokens: Sequence[Token],
    folded: Folded,
) -> Iterator[Frame]:
    topic = _Topic()
    own = {c.sentence for c in clauses if OWN_CASE in _all_concepts(c.mentions)}
    predicate: tuple[int, Mention] | None = None
    announced: frozenset[str] = frozenset()
    previous: Frame | None = None
    for clause, stance in zip(clauses, held, strict=True):
        topic = _own_case(topic, clause)
        named = _named_subjects(clause, topic, announced)
        announced = _announced(clause, announced)
        if named:
            topic = _moved(topic, named, clause.sentence)
        frame = Frame(
            span=_span(clause, tokens, folded),
            subjects=topic.subjects,
            mentions=clause.mentions,
            stance=stance,
            sentence=clause.sentence,
            carried=clause.sentence - topic.sentence if topic.subjects else 0,
            explicit=bool(named),
            own_case=clause.sentence <= topic.own_until or clause.sentence in own,
        )
        spoken = _with_objects_before(_with_shared_predicate(frame, predicate), previous)
        spoken = _put_right(spoken, previous)
        previous = _carried_on(spoken, previous)
        predicate = _last_predicate(spoken, predicate)
        yield from _distributed(spoken)


def _with_shared_predicate(frame: Frame, predicate: tuple[int, Mention] | None) -> Frame:
    """`stage 1 shards X, stage 2 also Y`: a stage and an object share the verb said before."""
    if predicate is None or frame.sentence - predicate[0] > 1:
        return frame
    stage = STAGE_NAMES.intersection(m.concepts[0] for m in frame.mentions)
    named = any(m.kind is Kind.OBJECT for m in frame.mentions)
    said = any(m.kind is Kind.RELATION for m in frame.mentions)
    if said or not stage or not named:
        return frame
    return replace(frame, mentions=(*frame.mentions, predicate[1]))


def _with_objects_before(frame: Frame, previous: Frame | None) -> Frame:
    """`X (a, b, c) are divided`: what stands before a bracket or comma is what is divided."""
    if previous is None or previous.sentence != frame.sentence or frame.explicit:
        return frame
    lacks = not any(m.kind in (Kind.OBJECT, Kind.SUBJECT) for m in frame.mentions)
    verbs = any(_tells(m) for m in frame.mentions)
    waiting = [m for m in previous.mentions if m.kind is Kind.OBJECT]
    if not (lacks and verbs and waiting) or any(_tells(m) for m in previous.mentions):
        return frame
    return replace(frame, mentions=(*waiting, *frame.mentions))


def _put_right(frame: Frame, previous: Frame | None) -> Frame:
    """`X is three times, no, it is 1.5`: what replaces a thing taken back is said of the same X."""
    if previous is None or previous.stance not in TAKEN_BACK or frame.explicit:
        return frame
    if frame.stance is not Stance.ASSERTED or frame.sentence - previous.sentence > 1:
        return frame
    if _is_empty(frame) or any(m.kind is Kind.OBJECT or _tells(m) for m in frame.mentions):
        return frame
    objects = [m for m in previous.mentions if m.kind is Kind.OBJECT]
    return replace(frame, mentions=(*objects, *frame.mentions))


def _carried_on(frame: Frame, previous: Frame | None) -> Frame:
    """The frame the next one may lean on; a bare `that is not right` leans on the one before."""
    if _is_empty(frame) and previous is not None and previous.stance in TAKEN_BACK:
        return replace(previous, sentence=frame.sentence)
    return frame


def _is_empty(frame: Frame) -> bool:
    return all(
        m.term or m.kind is Kind.MARKER or not COPULA.isdisjoint(m.concepts) for m in frame.mentions
    )


def _tells(mention: Mention) -> bool:
    return mention.kind is Kind.RELATION and COPULA.isdisjoint(mention.concepts)


def _last_predicate(
    frame: Frame, predicate: tuple[int, Mention] | None
) -> tuple[int, Mention] | None:
    verbs = [m for m in frame.mentions if m.kind is Kind.RELATION and COPULA.isdisjoint(m.concepts)]
    return (frame.sentence, verbs[0]) if verbs else predicate


def _distributed(frame: Frame) -> Iterator[Frame]:
    """`ZeRO-1/2/3 shard X, Y and Z respectively`: one frame for each pair."""
    stages = [m for m in frame.mentions if m.concepts[0] in STAGE_NAMES]
    objects = [m for m in frame.mentions if m.kind is Kind.OBJECT]
    told = any(RESPECTIVELY in m.concepts for m in frame.mentions)
    if not told or len(stages) < 2 or len(stages) != len(objects):  # noqa: PLR2004 - a pair
        yield frame
        return
    listed = [*stages, *objects]
    shared = [m for m in frame.mentions if not any(_overlap(m, x) for x in listed)]
    for stage, thing in zip(stages, objects, strict=True):
        yield replace(frame, subjects=stage.concepts, mentions=(stage, thing, *shared))


def _overlap(one: Mention, other: Mention) -> bool:
    return one.first < other.last and other.first < one.last


def _span(clause: Clause, tokens: Sequence[Token], folded: Folded) -> Span:
    return folded.span(tokens[clause.first].start, tokens[clause.last - 1].end)


def _own_case(topic: _Topic, clause: Clause) -> _Topic:
    concepts = {c for m in clause.mentions for c in m.concepts}
    if IN_GENERAL in concepts:
        return replace(topic, own_until=-1)
    if OWN_CASE in concepts:
        return replace(topic, own_until=clause.sentence + OWN_REACH)
    return topic


def _moved(topic: _Topic, named: tuple[str, ...], sentence: int) -> _Topic:
    stages = [n for n, name in STAGES.items() if name in named]
    stage = stages[-1] if stages else topic.stage
    return replace(topic, subjects=named, sentence=sentence, stage=stage)


def _named_subjects(clause: Clause, topic: _Topic, announced: frozenset[str]) -> tuple[str, ...]:
    """The subjects a clause names itself, by name or by their place in the series."""
    mentions = clause.mentions
    subjects: list[str] = []
    for index, mention in enumerate(mentions):
        if mention.kind is not Kind.SUBJECT or _is_reference(mentions, index):
            continue
        if mention.concepts[0] not in STAGE_NAMES and _is_predicate(mentions, index):
            continue
        late = _comes_late(mentions, index)
        if late and (subjects or (topic.subjects and mention.concepts[0] not in STAGE_NAMES)):
            break
        subjects.extend(c for c in mention.concepts if c not in subjects)
    return tuple(subjects) or _rival(mentions, topic) or _placed(mentions, topic, announced)


def _rival(mentions: Sequence[Mention], topic: _Topic) -> tuple[str, ...]:
    """`bf16 does without; fp16 needs it`: another of its kind in front is spoken of from here on.

    So is one that a clause ends on: `what needs it is fp16`.
    """
    families = RIVALS.intersection(topic.subjects)
    if not families:
        return ()
    spoken = [i for i, m in enumerate(mentions) if not m.term and m.kind is not Kind.MARKER]
    for index in spoken:
        mention = mentions[index]
        ahead = [mentions[i] for i in spoken if i < index]
        front = not any(m.kind is Kind.OBJECT or _predicates(m) for m in ahead)
        ending = index == spoken[-1] and bool(ahead) and not COPULA.isdisjoint(ahead[-1].concepts)
        named = not families.isdisjoint(mention.concepts)
        if named and (front or ending) and not _is_reference(mentions, index):
            return mention.concepts
    return ()


def _predicates(mention: Mention) -> bool:
    return _tells(mention) and PREDICATIVE.isdisjoint(mention.concepts)


def _announced(clause: Clause, before: frozenset[str]) -> frozenset[str]:
    """A clause that is only `to begin with` or `finally` places the clause after it."""
    if any(m.kind is not Kind.MARKER and not m.term for m in clause.mentions):
        return frozenset()
    return before | (_all_concepts(clause.mentions) & SEQUENCE.keys())


def _placed(
    mentions: Sequence[Mention], topic: _Topic, announced: frozenset[str]
) -> tuple[str, ...]:
    concepts = _all_concepts(mentions) | announced
    if LAST in concepts:
        return ("stage3",)
    if NEXT in concepts:
        return (STAGES[min(max(topic.stage, 1) + 1, 3)],)
    if PREVIOUS in concepts and topic.stage > 1:
        return (STAGES[topic.stage - 1],)
    in_zero = not topic.subjects or bool(STAGE_NAMES.union(("zero",)) & set(topic.subjects))
    speaks = any(m.kind is Kind.OBJECT for m in mentions) and "partition" in concepts
    place = next((n for name, n in SEQUENCE.items() if name in concepts), 0)
    if speaks and in_zero and place and (place == 1 or topic.stage):
        return (STAGES[place if place != 2 else min(topic.stage + 1, 3)],)  # noqa: PLR2004
    return ()


def _is_reference(mentions: Sequence[Mention], index: int) -> bool:
    """`compared with stage 2`, `在 ZeRO-1 基础上`, `与 DDP 相同`: named only for comparison."""
    mention = mentions[index]
    before = _all_concepts(m for m in mentions[:index] if m.last >= mention.first - 2)
    after = _all_concepts(m for m in mentions[index + 1 :] if m.first <= mention.last + 2)
    if REFERENCE in before or ON_TOP in after:
        return True
    joined = CONJUNCTION in before or WITH in before
    return index > 0 and joined and not COMPARED.isdisjoint(after)


def _is_predicate(mentions: Sequence[Mention], index: int) -> bool:
    """`it is not model parallelism`: the name says what something is."""
    at = mentions[index].first
    before = _all_concepts(m for m in mentions[:index] if m.last <= at)
    return not PREDICATIVE.isdisjoint(before)


def _all_concepts(mentions: Iterable[Mention]) -> set[str]:
    return {c for m in mentions for c in m.concepts}


def _comes_late(mentions: Sequence[Mention], index: int) -> bool:
    """A subject behind the predicate or an object is what is spoken of, not who."""
    return any(m.kind in (Kind.RELATION, Kind.OBJECT) and not m.term for m in mentions[:index])
