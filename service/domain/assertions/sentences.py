"""Where sentences end: at stops, and in speech without punctuation at another subject."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.tokens import Token

STRONG: Final = frozenset("。!?;…")
WEAK: Final = frozenset(",:()|→>•“”")
# A run of this many tokens with hardly a sign in it is speech without punctuation.
UNPUNCTUATED: Final = 30
TOKENS_A_SIGN: Final = 30
# Longer sentences are cut at a sign, so that no work grows with more than their length.
LONG: Final = 120
LEAST: Final = 5  # tokens before a turn is a sentence of its own
TURNS: Final = frozenset({"next_stage", "own_case", "first_of_all", "finally", "contrast"})
HELD_TOGETHER: Final = frozenset(
    {
        "reference",
        "conjunction",
        "with",
        "either_or",
        "not",
        "condition",
        "did",
        "choose",
        "escalate",
    }
    | {"equals"}
)
PULLS_BACK: Final = frozenset({"on_top", "comparison_base", "comparison"})
COPULA: Final = frozenset({"equals", "colon"})  # says nothing by itself
BEFORE_NAME: Final = frozenset({"of", "for", "in", "at", "under", "with", "the", "on", "上"})


def split_sentences(
    tokens: Sequence[Token], mentions: Sequence[Mention]
) -> Iterator[tuple[int, int]]:
    """Half-open token ranges that cover the text."""
    starts = [m.first for m in mentions]
    for first, last in _at_stops(tokens, mentions):
        inside = mentions[bisect_left(starts, first) : bisect_left(starts, last)]
        yield from _refined(tokens, first, last, inside)


def _at_stops(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    guarded = {i for m in mentions for i in range(m.first, m.last)}
    start = 0
    for at, token in enumerate(tokens):
        ends = token.form in STRONG or _is_full_stop(tokens, at)
        if (ends and at not in guarded) or token.line_end:
            yield start, at + 1
            start = at + 1
    if start < len(tokens):
        yield start, len(tokens)


def _is_full_stop(tokens: Sequence[Token], at: int) -> bool:
    """A dot that is not inside a name such as zero_optimization.stage."""
    if tokens[at].form != ".":
        return False
    return at + 1 == len(tokens) or tokens[at + 1].start > tokens[at].end


def _refined(
    tokens: Sequence[Token], first: int, last: int, inside: Sequence[Mention]
) -> Iterator[tuple[int, int]]:
    signs = [i for i in range(first, last) if tokens[i].form in WEAK]
    cuts: list[int] = []
    if last - first >= UNPUNCTUATED and len(signs) * TOKENS_A_SIGN < last - first:
        cuts = list(_turns(tokens, first, inside))
    elif last - first > LONG:
        cuts = list(_spread(signs, first))
    edges = [first, *cuts, last]
    for a, b in pairwise(edges):
        yield from ((i, min(i + LONG, b)) for i in range(a, b, LONG))


def _spread(signs: Sequence[int], first: int) -> Iterator[int]:
    """A sign now and then, at least half a long sentence apart."""
    at = first
    for sign in signs:
        if sign + 1 - at >= LONG // 2:
            at = sign + 1
            yield at


def _turns(tokens: Sequence[Token], first: int, inside: Sequence[Mention]) -> Iterator[int]:
    """Where somebody or something else is spoken of, with something said before it."""
    start, said = first, False
    for index, mention in enumerate(inside):
        turns = mention.kind is Kind.SUBJECT or not TURNS.isdisjoint(mention.concepts)
        if turns and said and mention.first - start >= LEAST and _stands_free(inside, index):
            start = _with_its_noun(tokens, inside, index, start)
            said = False
            yield start
        said = said or _says(mention)


def _says(mention: Mention) -> bool:
    if mention.kind is Kind.RELATION:
        return COPULA.isdisjoint(mention.concepts)
    return mention.kind is Kind.QUANTITY


def _stands_free(inside: Sequence[Mention], index: int) -> bool:
    mention = inside[index]
    if index:
        before = inside[index - 1]
        near = before.last >= mention.first - 1
        if near and not HELD_TOGETHER.isdisjoint(before.concepts):
            return False
        if near and before.kind is Kind.SUBJECT:
            return False
    after = inside[index + 1 : index + 2]
    return not any(
        not PULLS_BACK.isdisjoint(m.concepts) and m.first <= mention.last + 1 for m in after
    )


def _with_its_noun(
    tokens: Sequence[Token], inside: Sequence[Mention], index: int, start: int
) -> int:
    """`the communication volume of ZeRO-1` belongs together; so does `in stage 3`."""
    at = inside[index].first
    while at - 1 > start and tokens[at - 1].form in BEFORE_NAME:
        at -= 1
    before = [m for m in inside[max(0, index - 2) : index] if m.last == at and m.first > start]
    linked = at < inside[index].first
    if linked and before and before[-1].kind is Kind.OBJECT:
        at = before[-1].first
        while at - 1 > start and tokens[at - 1].form in BEFORE_NAME:
            at -= 1
    return at
