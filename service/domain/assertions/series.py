"""Subjects that are numbered: `ZeRO-1/2/3`, `stage 1 and 2`, or `1 = ..., 2 = ...`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from service.domain.assertions.lexicon import Lexicon, longest_form
from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.numerals import number_at
from service.domain.assertions.tokens import GLUE, Shape, Token

STAGE_HEAD: Final = "stage_head"
STAGES: Final = {1: "stage1", 2: "stage2", 3: "stage3"}
ROMAN: Final = {"i": 1, "ii": 2, "iii": 3}
JOINERS: Final = frozenset({"/", ",", "、", "and", "和", "与", "跟", "及", "&", "or", "或"})
RANGES: Final = frozenset({"-", "~", "to", "到", "至", "–"})
BETWEEN_HEAD_AND_NUMBER: Final = GLUE | {"第", "#", ":", "="}
# What may stand before and behind a bare number that stands for a stage.
BEFORE_BARE: Final = frozenset("。.,;:!?、(")
BEHIND_BARE: Final = frozenset({"=", ":", "只", "仅", "再", "又", "还", "连", "就", "号", "档"})
SAYING: Final = frozenset({Kind.RELATION, Kind.OBJECT})


def stages_after(
    tokens: Sequence[Token], at: int, lexicon: Lexicon, first: int
) -> Iterator[Mention]:
    """`ZeRO-1/2/3`, `stage 1 and 2`, `ZeRO 1-3`: the numbers that follow a stage word."""
    place = _skip(tokens, at, BETWEEN_HEAD_AND_NUMBER)
    number = _stage_number(tokens, place)
    if number is None:
        return
    yield _stage(lexicon, number, first, place + 1)
    while True:
        joiner = place + 1
        following = _next_stage(tokens, joiner, lexicon)
        if following is None:
            return
        place, upper = following
        ranged = tokens[joiner].form in RANGES
        for each in range(number + 1, upper + 1) if ranged else (upper,):
            yield _stage(lexicon, each, place, place + 1)
        number = upper


def _stage(lexicon: Lexicon, number: int, first: int, last: int) -> Mention:
    return Mention(lexicon.broader[STAGES[number]], Kind.SUBJECT, first, last)


def _next_stage(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[int, int] | None:
    """Place and number of a further stage behind a joiner, its stage word optional."""
    if at >= len(tokens) or tokens[at].form not in JOINERS | RANGES:
        return None
    place = _skip(tokens, at + 1, JOINERS | BETWEEN_HEAD_AND_NUMBER)
    forms = tuple(t.form for t in tokens[place : place + 4])
    last, concepts = longest_form(forms, 0, lexicon.trie)
    if STAGE_HEAD in concepts:
        place = _skip(tokens, place + last, BETWEEN_HEAD_AND_NUMBER)
    number = _stage_number(tokens, place)
    if number is None or (STAGE_HEAD not in concepts and _counts_something(tokens, place, lexicon)):
        return None
    return place, number


def _counts_something(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> bool:
    """The number belongs to a unit or an expression, not to a list of stages."""
    forms = tuple(t.form for t in tokens[place + 1 : place + 5])
    if forms[:1] in (("*",), ("+",), ("ψ",), ("%",)):
        return True
    _, concepts = longest_form(forms, 0, lexicon.trie) if forms else (0, ())
    return any(lexicon.kind_of(c) is Kind.QUANTITY for c in concepts)


def _stage_number(tokens: Sequence[Token], at: int) -> int | None:
    if at >= len(tokens):
        return None
    form = tokens[at].form
    if form in ROMAN:
        return ROMAN[form]
    number = number_at(tokens, at)
    if number is None or number.last != at + 1 or number.value not in (1, 2, 3):
        return None
    return int(number.value)


def _skip(tokens: Sequence[Token], at: int, forms: frozenset[str]) -> int:
    while at < len(tokens) and tokens[at].form in forms:
        at += 1
    return at


def bare_stages(
    tokens: Sequence[Token], forms: Sequence[str], lexicon: Lexicon
) -> Mapping[int, Mention]:
    """Bare numbers used as stage names, by token; only a run 1, 2 (, 3) counts as such."""
    found: dict[int, Mention] = {}
    expected = 1
    for at in range(len(tokens)):
        if expected <= len(STAGES) and _is_bare_stage(tokens, forms, at, expected, lexicon):
            found[at] = _stage(lexicon, expected, at, at + 1)
            expected += 1
    return found if len(found) > 1 else {}


def _is_bare_stage(
    tokens: Sequence[Token], forms: Sequence[str], at: int, number: int, lexicon: Lexicon
) -> bool:
    if tokens[at].shape is Shape.SIGN or _stage_number(tokens, at) != number:
        return False
    if at and tokens[at - 1].form not in BEFORE_BARE and not tokens[at - 1].line_end:
        return False
    if at + 1 >= len(tokens):
        return False
    if tokens[at + 1].form in BEHIND_BARE:
        return True
    _, concepts = longest_form(forms, at + 1, lexicon.trie)
    return any(lexicon.kind_of(c) in SAYING for c in concepts)
