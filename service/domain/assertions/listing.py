"""Whether a sentence is a row of terms with nothing said about them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.tokens import Shape, Token

SEPARATORS: Final = frozenset({",", "、", ";", "|", "/", "。", "."})
LEAST_TERMS: Final = 5
# Share of the stretches between separators that are one term and nothing else.
TERM_SHARE: Final = 0.8
# Without separators: a row of Latin words this long in which next to none is a function word.
LEAST_WORDS: Final = 9
LOOSE_SHARE: Final = 0.1

Stretch = tuple[int, int]


def is_word_list(
    tokens: Sequence[Token], first: int, last: int, mentions: Iterable[Mention]
) -> bool:
    """True for a sentence (tokens first..last) made of terms of the lexicon put in a row.

    A sentence that counts something is never one: `weights 14 GB, gradients 14 GB` says much.
    """
    inside = list(mentions)
    if any(m.value is not None for m in inside):
        return False
    stretches = list(_stretches(tokens, first, last))
    places = {(m.first, m.last) for m in inside}
    single = sum(stretch in places for stretch in stretches)
    if len(stretches) >= LEAST_TERMS and single >= TERM_SHARE * len(stretches):
        return True
    return _without_function_words(tokens[first:last], first, inside)


def _stretches(tokens: Sequence[Token], first: int, last: int) -> Iterator[Stretch]:
    """Stretches between separators; a blank separates where it touches a Chinese character."""
    start = first
    for at in range(first, last):
        if tokens[at].form in SEPARATORS:
            if at > start:
                yield start, at
            start = at + 1
        elif at > start and _parted_by_a_blank(tokens[at - 1], tokens[at]):
            yield start, at
            start = at
    if last > start:
        yield start, last


def _parted_by_a_blank(left: Token, right: Token) -> bool:
    return left.end < right.start and Shape.HAN in (left.shape, right.shape)


def _without_function_words(
    tokens: Sequence[Token], first: int, mentions: Sequence[Mention]
) -> bool:
    words = [at for at, t in enumerate(tokens, first) if t.shape is not Shape.SIGN]
    if len(words) < LEAST_WORDS or any(t.shape is Shape.HAN for t in tokens):
        return False
    terms = {at for m in mentions if m.kind is not Kind.MARKER for at in range(m.first, m.last)}
    return sum(at not in terms for at in words) <= LOOSE_SHARE * len(words)
