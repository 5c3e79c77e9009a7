"""Where the text names concepts: the longest form at each place, stage numbers, quantities."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.domain.assertions.lexicon import Composition, Lexicon, Node, longest_form
from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.numerals import Formula, formula_at, number_at
from service.domain.assertions.series import STAGE_HEAD, bare_stages, stages_after
from service.domain.assertions.tokens import GLUE, Shape, Token

FORMULA: Final = "formula"


def find_mentions(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Mention, ...]:
    """Mentions in order of their first token; several concepts of one form share a place."""
    forms = tuple(lexicon.form_of(token) for token in tokens)
    numbered = bare_stages(tokens, forms, lexicon)
    found: list[Mention] = []
    at = 0
    while at < len(tokens):
        step = (numbered[at],) if at in numbered else _at(tokens, forms, at, lexicon)
        found.extend(step)
        at = max((m.last for m in step), default=at + 1)
    return tuple(found)


def _at(
    tokens: Sequence[Token], forms: Sequence[str], at: int, lexicon: Lexicon
) -> tuple[Mention, ...]:
    last, concepts = _form_at(tokens, forms, at, lexicon)
    if STAGE_HEAD in concepts:
        stages = tuple(stages_after(tokens, last, lexicon, at))
        if stages:
            return stages
    expression = formula_at(tokens, at)
    if expression and expression.last > last:
        mention = Mention(
            (FORMULA,), Kind.QUANTITY, at, expression.last, expression.whole, expression.share
        )
        if expression.share:
            return (mention,)
        return (mention, *_units_inside(tokens, forms, expression, lexicon))
    quantity = _quantity(tokens, forms, at, lexicon, lexicon.trie)
    if quantity and quantity.last > last:
        return (quantity,)
    return tuple(_named(at, last, concepts, lexicon))


def _form_at(
    tokens: Sequence[Token], forms: Sequence[str], at: int, lexicon: Lexicon
) -> tuple[int, tuple[str, ...]]:
    """The longest form here, unless a longer one starts inside it: 跑|完整 rather than 跑完|整.

    Only Chinese writes words without blanks, so only there can a form end inside the next word.
    """
    last, concepts = longest_form(forms, at, lexicon.trie)
    if last - at < 2 or tokens[last - 1].shape is not Shape.HAN:  # noqa: PLR2004 - two characters
        return last, concepts
    for inner in range(at + 1, last):
        end, _ = longest_form(forms, inner, lexicon.trie)
        if end > last and end - inner > last - at:
            return longest_form(forms[:inner], at, lexicon.trie)
    return last, concepts


def _named(at: int, last: int, concepts: Sequence[str], lexicon: Lexicon) -> Iterator[Mention]:
    for concept in concepts:
        kind = lexicon.kind_of(concept)
        if kind is not Kind.QUANTITY:
            yield Mention(lexicon.broader[concept], kind, at, last)


def find_terms(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Mention, ...]:
    """Mentions of the terms layer; they tell what is spoken of and do not shape clauses.

    A form may begin inside another when it reaches beyond it: `no loss` hides no `loss scaling`.
    """
    forms = tuple(lexicon.form_of(token) for token in tokens)
    found: list[Mention] = []
    furthest = 0
    for at in range(len(tokens)):
        quantity = _quantity(tokens, forms, at, lexicon, lexicon.terms)
        last, concepts = longest_form(forms, at, lexicon.terms)
        step = (quantity,) if quantity else tuple(_named(at, last, concepts, lexicon))
        found.extend(replace(m, term=True) for m in step if m.last > furthest)
        furthest = max([furthest, *(m.last for m in step)])
    return tuple(found)


def _quantity(
    tokens: Sequence[Token], forms: Sequence[str], at: int, lexicon: Lexicon, trie: Node
) -> Mention | None:
    """A number and the unit right behind it."""
    number = number_at(tokens, at)
    if number is None:
        return None
    unit_at = number.last
    while unit_at < len(forms) and forms[unit_at] in GLUE:
        unit_at += 1
    last, concepts = longest_form(forms, unit_at, trie)
    units = [c for c in concepts if lexicon.kind_of(c) is Kind.QUANTITY]
    if not units:
        return None
    return Mention(lexicon.broader[units[0]], Kind.QUANTITY, at, last, number.value)


def _units_inside(
    tokens: Sequence[Token], forms: Sequence[str], expression: Formula, lexicon: Lexicon
) -> Iterator[Mention]:
    """The quantities of an expression, such as the 3ψ of `3ψ = ψ + ψ + ψ`."""
    for at in range(expression.first, expression.last):
        quantity = _quantity(tokens, forms, at, lexicon, lexicon.trie)
        if quantity:
            yield quantity


def compose(mentions: Sequence[Mention], lexicon: Lexicon) -> tuple[Mention, ...]:
    """The mentions of one clause and the concepts that several of them make together."""
    made = [
        mention
        for index, first in enumerate(mentions)
        for concept in first.concepts
        for composition in lexicon.compositions.get(concept, ())
        if (mention := _composed(mentions, index, composition, lexicon)) is not None
    ]
    return tuple(sorted((*mentions, *made), key=_place)) if made else tuple(mentions)


def _place(mention: Mention) -> tuple[int, int, str]:
    return (mention.first, mention.last, mention.concepts[0])


def _composed(
    mentions: Sequence[Mention], index: int, composition: Composition, lexicon: Lexicon
) -> Mention | None:
    first = mentions[index]
    last, denied = first.last, first.negated
    at = index
    for part in composition.parts[1:]:
        following = _next_part(mentions, at, last, part, composition)
        if following is None:
            return None
        at = following
        last = max(last, mentions[at].last)
        denied = denied or mentions[at].negated
    return Mention(
        concepts=lexicon.broader[composition.id],
        kind=lexicon.kind_of(composition.id),
        first=first.first,
        last=last,
        negated=denied != composition.denied,
        made=True,
    )


def _next_part(
    mentions: Sequence[Mention],
    at: int,
    last: int,
    part: frozenset[str],
    composition: Composition,
) -> int | None:
    for place in range(at + 1, len(mentions)):
        mention = mentions[place]
        if mention.first > last + composition.gap:
            return None
        if mention.first >= last and not part.isdisjoint(mention.concepts):
            return place
        if not composition.blockers.isdisjoint(mention.concepts):
            return None
    return None
