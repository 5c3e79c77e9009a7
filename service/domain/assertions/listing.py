"""Whether a sentence is a row of terms with nothing said about them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from service.domain.assertions.model import Mention
from service.domain.assertions.tokens import Shape, Token, stem

SEPARATORS: Final = frozenset({",", "、", ";", "|", "/", "。", "."})
LEAST_TERMS: Final = 5
TERMS_A_NUMBER: Final = 6  # a number in a longer row than this is one of its terms
# Share of the stretches between separators that are one term and nothing else.
TERM_SHARE: Final = 0.8
# A longer row may hold several terms between two separators, but no word besides.
LEAST_TILED: Final = 7
TILED_SHARE: Final = 0.9
WORDS_A_STRETCH: Final = 8  # shorter ones are what a terse speaker puts between commas
SIGNLESS: Final = 12  # words a sign, from which a text counts as unpunctuated
# Running technical English has one function word in four; a longer row leaves less to chance.
# (words from which on, least share of function words)
FUNCTION_SHARES: Final = ((60, 0.25), (20, 0.2), (10, 0.09))
ENGLISH_FUNCTION_WORDS: Final = (
    "a an the this that these those it its they them their we our you your i my he she"
    " and or but nor so because while whereas if when then as than though although since"
    " of to in on at by for from with without into over under between per after before until"
    " is are was were be been being am has have had do does did can could will would should"
    " must may might not no only also just still even both each every all any some same other"
    " more less most least which who whose what where how there here again about"
)
FUNCTION_WORDS: Final = frozenset(map(stem, ENGLISH_FUNCTION_WORDS.split()))
HAN_FUNCTION_WORDS: Final = frozenset(
    "的了是在把被和与会就都也没有为能到从再还才又只仍并每各这那其所以而但则且或及着过给让使由按"
)
# A whole text with fewer is headings, a table or a list, whatever signs stand in it. In 375
# written and assembled answers the least was 0.18 of the words in English and 0.083 in Chinese.
LEAST_ENGLISH_TEXT: Final = 25  # words
LEAST_HAN_TEXT: Final = 55  # words and characters
ENGLISH_SHARE_OF_A_TEXT: Final = 0.09
HAN_SHARE_OF_A_TEXT: Final = 0.065
# A list with more figures than that gives an account.
ENGLISH_WORDS_A_FIGURE: Final = 6
HAN_WORDS_A_FIGURE: Final = 12

Stretch = tuple[int, int]


def is_word_list(
    tokens: Sequence[Token], first: int, last: int, mentions: Iterable[Mention]
) -> bool:
    """True for a sentence (tokens first..last) made of terms of the lexicon put in a row.

    A sentence that counts something is never one: `weights 14 GB, gradients 14 GB` says much.
    """
    inside = list(mentions)
    stretches = list(_stretches(tokens, first, last))
    counted = sum(m.value is not None for m in inside)
    if counted * TERMS_A_NUMBER > len(stretches):
        return False
    places = {(m.first, m.last) for m in inside}
    single = sum(stretch in places for stretch in stretches)
    if len(stretches) >= LEAST_TERMS and single >= TERM_SHARE * len(stretches):
        return True
    if _are_tiled(stretches, inside):
        return True
    loose = last - first >= WORDS_A_STRETCH * len(stretches)
    return loose and _without_function_words(tokens[first:last])


def is_unbroken_row(tokens: Sequence[Token], mentions: Iterable[Mention]) -> bool:
    """True for a text of terms with neither signs nor enough other words to hold them.

    Speech without punctuation keeps its function words; a list of terms has none to keep.
    """
    signs = sum(t.form in SEPARATORS for t in tokens)
    if len(tokens) < SIGNLESS * (signs + 1):
        return False
    stretches = list(_stretches(tokens, 0, len(tokens)))
    return _are_tiled(stretches, mentions) or _without_function_words(tokens)


def is_text_of_terms(tokens: Sequence[Token], mentions: Iterable[Mention]) -> bool:
    """True for a whole text that no grammar holds together: terms under headings, rows of a table.

    A column of figures is an account and no list.
    """
    words = [t for t in tokens if t.shape is not Shape.SIGN]
    han = [t for t in words if t.shape is Shape.HAN]
    if len(words) < (LEAST_HAN_TEXT if han else LEAST_ENGLISH_TEXT):
        return False
    words_a_figure = HAN_WORDS_A_FIGURE if han else ENGLISH_WORDS_A_FIGURE
    if sum(m.value is not None for m in mentions) * words_a_figure > len(words):
        return False
    latin = [t for t in words if t.shape is not Shape.HAN]
    held = sum(not HAN_FUNCTION_WORDS.isdisjoint(t.form) for t in han)
    joined = sum(t.form in FUNCTION_WORDS for t in latin)
    # Half a text of each language is held together by either.
    wanted = HAN_SHARE_OF_A_TEXT * len(han)
    wanted += 0.0 if han else ENGLISH_SHARE_OF_A_TEXT * len(latin)
    return held + joined < wanted


def _are_tiled(stretches: Sequence[Stretch], mentions: Iterable[Mention]) -> bool:
    """Many stretches, and next to no token in them outside the terms."""
    covered = {at for m in mentions for at in range(m.first, m.last)}
    tiled = sum(covered.issuperset(range(a, b)) for a, b in stretches)
    return len(stretches) >= LEAST_TILED and tiled >= TILED_SHARE * len(stretches)


def _stretches(tokens: Sequence[Token], first: int, last: int) -> Iterator[Stretch]:
    """Stretches between separators; a blank separates where it parts Chinese characters."""
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
    # Between Chinese and Latin a blank is mere typography.
    return left.end < right.start and left.shape is right.shape is Shape.HAN


def _without_function_words(tokens: Sequence[Token]) -> bool:
    """A row of Latin words in which hardly one holds the others together."""
    words = [t for t in tokens if t.shape is not Shape.SIGN]
    if any(t.shape is Shape.HAN for t in words):
        return False
    least = next((share for count, share in FUNCTION_SHARES if len(words) >= count), 0.0)
    return sum(t.form in FUNCTION_WORDS for t in words) < least * len(words)
