"""Cuts a text into sentences and clauses, also where speech recognition left no punctuation."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from service.domain.assertions.brackets import arithmetic_brackets
from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.sentences import COPULA, WEAK, split_sentences
from service.domain.assertions.tokens import Token

NAMING: Final = frozenset(":→>")  # signs that can stand for "is"
LIST_SIGNS: Final = frozenset({",", "、"})
CONNECTIVE: Final = "connective"
CONDITION_END: Final = "condition_end"
CONJUNCTION: Final = "conjunction"
ALSO: Final = "also"
REFERENCE: Final = "reference"
NOT: Final = "not"
REACH: Final = 3  # tokens between a sign or conjunction and the word it belongs to


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens first..last and the mentions that lie in them."""

    first: int
    last: int
    sentence: int
    mentions: tuple[Mention, ...]
    asked: bool = False


def split_clauses(tokens: Sequence[Token], mentions: Sequence[Mention]) -> tuple[Clause, ...]:
    """Clauses in order; every token lies in exactly one."""
    clauses: list[Clause] = []
    starts = [m.first for m in mentions]
    for sentence, (first, last) in enumerate(split_sentences(tokens, mentions)):
        inside = mentions[bisect_left(starts, first) : bisect_left(starts, last)]
        asked = any(t.form == "?" for t in tokens[max(first, last - 2) : last])
        clauses.extend(
            Clause(a, b, sentence, part, asked)
            for a, b, part in _clauses_of(tokens, first, last, inside)
        )
    return tuple(clauses)


def with_terms(clauses: Sequence[Clause], terms: Sequence[Mention]) -> tuple[Clause, ...]:
    """The clauses with the mentions of the terms layer that lie in them."""
    if not terms:
        return tuple(clauses)
    starts = [m.first for m in terms]
    return tuple(_with_terms(clause, terms, starts) for clause in clauses)


def _with_terms(clause: Clause, terms: Sequence[Mention], starts: Sequence[int]) -> Clause:
    inside = terms[bisect_left(starts, clause.first) : bisect_left(starts, clause.last)]
    if not inside:
        return clause
    every = sorted((*clause.mentions, *inside), key=lambda m: (m.first, m.last))
    return replace(clause, mentions=tuple(every))


def _clauses_of(
    tokens: Sequence[Token], first: int, last: int, inside: Sequence[Mention]
) -> Iterator[tuple[int, int, tuple[Mention, ...]]]:
    guarded = {i for m in inside for i in range(m.first + 1, m.last)}
    guarded |= arithmetic_brackets(tokens, first, last)
    cuts = [first]
    for at in range(first, last):
        if at in guarded:
            continue
        if _is_weak(tokens, at, inside) and not _joins_a_list(tokens, at, last, inside):
            cuts.append(at + 1)
    cuts += [
        min(_joint(m, tokens), last)
        for m in inside
        if CONNECTIVE in m.concepts and _connects(m, inside, guarded)
    ]
    starts = [m.first for m in inside]
    ordered = sorted({*cuts, last})
    for a, b in pairwise(ordered):
        part = tuple(inside[bisect_left(starts, a) : bisect_left(starts, b)])
        yield from _predicates(a, b, part)


def _joint(mention: Mention, tokens: Sequence[Token]) -> int:
    """A connective opens its clause; `的话` closes it, with the comma behind it."""
    if CONDITION_END not in mention.concepts:
        return mention.first
    signed = mention.last < len(tokens) and tokens[mention.last].form in WEAK
    return mention.last + signed


def _connects(mention: Mention, inside: Sequence[Mention], guarded: set[int]) -> bool:
    """A connective cuts, but not `not because of X`, whose denial reaches further."""
    if mention.first in guarded:
        return False
    return not any(m.last == mention.first and NOT in m.concepts for m in inside)


def _follows_subject(at: int, inside: Sequence[Mention]) -> bool:
    """`ZeRO-1: optimizer states` is one clause, the colon its predicate."""
    return any(m.last == at and m.kind is Kind.SUBJECT for m in inside)


def _is_weak(tokens: Sequence[Token], at: int, inside: Sequence[Mention]) -> bool:
    token = tokens[at]
    if token.form in WEAK:
        return token.form not in NAMING or not _follows_subject(at, inside)
    if token.form not in "-–—" or not 0 < at < len(tokens) - 1:
        return False
    return tokens[at - 1].end < token.start and token.end < tokens[at + 1].start


def _joins_a_list(tokens: Sequence[Token], at: int, last: int, inside: Sequence[Mention]) -> bool:
    """A comma between two objects or subjects, unless both sides hold a predicate of their own."""
    if tokens[at].form not in LIST_SIGNS:
        return False
    before = [m for m in inside if m.last <= at and m.last >= at - 1]
    after = [m for m in inside if at < m.first <= at + REACH and m.first < last]
    kinds = {m.kind for m in before} & {m.kind for m in after}
    if kinds.isdisjoint((Kind.OBJECT, Kind.SUBJECT)):
        return False
    return not (_predicate_before(tokens, at, inside) and _predicate_after(tokens, at, inside))


def _predicate_before(tokens: Sequence[Token], at: int, inside: Sequence[Mention]) -> bool:
    for mention in reversed([m for m in inside if m.last <= at]):
        if any(t.form in WEAK for t in tokens[mention.last : at]):
            return False
        if mention.kind is Kind.RELATION:
            return True
    return False


def _predicate_after(tokens: Sequence[Token], at: int, inside: Sequence[Mention]) -> bool:
    for mention in (m for m in inside if m.first > at):
        if any(t.form in WEAK for t in tokens[at + 1 : mention.first]):
            return False
        if mention.kind is Kind.RELATION:
            return True
    return False


def _predicates(
    first: int, last: int, inside: Sequence[Mention]
) -> Iterator[tuple[int, int, tuple[Mention, ...]]]:
    """Cut where a second stage starts its own predicate, and between joined predicates."""
    cuts = [first]
    for index, mention in enumerate(inside):
        left = [m for m in inside[:index] if m.first >= cuts[-1]]
        if _starts_anew(mention, left, inside[index + 1 :]):
            cuts.append(mention.first)
        elif mention.kind is Kind.RELATION:
            cut = _between_predicates(mention, left)
            if cut is not None and cut > cuts[-1]:
                cuts.append(cut)
    for a, b in zip(cuts, [*cuts[1:], last], strict=True):
        yield a, b, tuple(m for m in inside if a <= m.first < b)


def _starts_anew(mention: Mention, left: Sequence[Mention], right: Sequence[Mention]) -> bool:
    """A subject in the middle of a clause, with something said before it and about it."""
    if mention.kind is not Kind.SUBJECT or (left and REFERENCE in left[-1].concepts):
        return False
    said = any(m.kind is Kind.OBJECT or _predicates_more(m) for m in left)
    if not said or _joined_subject(mention, left):
        return False
    speaks = any(_predicates_more(m) or m.share is not None for m in right)
    return speaks and any(m.kind is Kind.SUBJECT for m in left)


def _predicates_more(mention: Mention) -> bool:
    return mention.kind is Kind.RELATION and COPULA.isdisjoint(mention.concepts)


def _joined_subject(mention: Mention, left: Sequence[Mention]) -> bool:
    """`A and B`: the subject shares the predicate of the one before it."""
    joint = [m for m in left if m.last == mention.first and CONJUNCTION in m.concepts]
    return (
        any(m.kind is Kind.SUBJECT and m.last == joint[0].first for m in left) if joint else False
    )


def _between_predicates(second: Mention, left: Sequence[Mention]) -> int | None:
    """Where `shards X and keeps Y` or `X is sharded and Y is kept` falls into two.

    With objects before the first predicate (passive) the first conjunction behind it parts them,
    otherwise the last one before the second predicate.
    """
    first = next((m for m in reversed(left) if m.kind is Kind.RELATION), None)
    if first is None or first.last > second.first or set(first.concepts) == set(second.concepts):
        return None
    joints = [
        _joint_at(m, left)
        for m in left
        if CONJUNCTION in m.concepts and first.last <= m.first < second.first
    ]
    if not joints:
        return None
    passive = any(m.kind is Kind.OBJECT and m.last <= first.first for m in left)
    return joints[0] if passive else joints[-1]


def _joint_at(mention: Mention, left: Sequence[Mention]) -> int:
    """The conjunction, or with `X 也` the X that it speaks of."""
    if ALSO in mention.concepts or any(
        ALSO in m.concepts and m.first == mention.first for m in left
    ):
        spoken = [m for m in left if m.last == mention.first and m.kind is Kind.OBJECT]
        return spoken[0].first if spoken else mention.first
    return mention.first
