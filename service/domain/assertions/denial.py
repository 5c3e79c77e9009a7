"""Which concepts of a clause are denied."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from service.domain.assertions.clauses import NOT, Clause
from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.retraction import says
from service.domain.assertions.tokens import Shape, Token

NOT_ENDS: Final = "but_rather"
WITHOUT: Final = "without"  # a negation that reaches no further than the thing right behind it
WITHOUT_IT: Final = "without_it"
RIGHT_BEHIND: Final = 1  # tokens, such as an article
FINAL_PARTICLES: Final = frozenset("了的啊呢嘛吧过")


def deny(clause: Clause, tokens: Sequence[Token]) -> Clause:
    """Mark what stands behind a negation in the clause, up to a `but rather`.

    Behind a denied predicate its objects are left as they are: `does not shard X` speaks of X;
    a predicate behind its object is a new one.
    """
    denied, predicate, complete = False, False, False
    reach: int | None = None  # for `without`: the token behind the thing it denies
    brief, negation = False, 0
    marked: list[Mention] = []
    for mention in clause.mentions:
        if NOT in mention.concepts:
            denied = not (denied and mention.first - negation <= RIGHT_BEHIND)
            predicate, complete = False, False
            brief = WITHOUT in mention.concepts
            reach = mention.last if WITHOUT_IT in mention.concepts else None
            negation = mention.last
        elif _ends(mention, reach) or (complete and says(mention)):
            denied = False
        named = mention.kind in (Kind.OBJECT, Kind.SUBJECT)
        kept = not denied or (named and predicate) or NOT in mention.concepts
        marked.append(mention if kept else replace(mention, negated=True))
        predicates = mention.kind in (Kind.RELATION, Kind.QUALITY) and not mention.term
        predicate = predicate or predicates
        complete = complete or (predicate and mention.kind is Kind.OBJECT)
        near = brief and mention.first - negation <= RIGHT_BEHIND
        if near and denied and reach is None and _is_thing(mention):
            reach = mention.last
    return replace(clause, mentions=tuple(_denied_at_the_end(marked, clause, tokens)))


def _ends(mention: Mention, reach: int | None) -> bool:
    return NOT_ENDS in mention.concepts or (reach is not None and mention.first >= reach)


def _is_thing(mention: Mention) -> bool:
    return mention.kind not in (Kind.MARKER, Kind.RELATION)


def _denied_at_the_end(
    mentions: Sequence[Mention], clause: Clause, tokens: Sequence[Token]
) -> list[Mention]:
    """`连完整权重都没有`: a negation with nothing behind it denies what stands before it."""
    spoken = [m for m in mentions if m.kind is not Kind.MARKER or NOT in m.concepts]
    if not spoken or NOT not in spoken[-1].concepts or _goes_on(spoken[-1], clause, tokens):
        return list(mentions)
    return [
        replace(m, negated=True) if m.kind in (Kind.RELATION, Kind.QUALITY) else m for m in mentions
    ]


def _goes_on(mention: Mention, clause: Clause, tokens: Sequence[Token]) -> bool:
    """`p instead of m` denies m, a word the lexicon does not know."""
    behind = tokens[mention.last : clause.last]
    return any(t.shape is not Shape.SIGN and t.form not in FINAL_PARTICLES for t in behind)
