"""How the speaker stands to each clause, and which concepts of a clause are denied."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from service.domain.assertions.clauses import Clause
from service.domain.assertions.listing import (
    is_text_of_terms,
    is_unbroken_row,
    is_word_list,
)
from service.domain.assertions.model import Kind, Mention, Stance
from service.domain.assertions.order import is_disordered, is_word_salad
from service.domain.assertions.retraction import (
    WRONG,
    names_subject,
    nearest_said,
    says,
    take_back,
    takes_back_own_words,
)
from service.domain.assertions.tokens import Shape, Token

# A marker that sets the stance of its clause and, until the sentence turns, of the rest.
OPENING: Final = {
    "reported": Stance.QUOTED,
    "wrong_that": Stance.REJECTED,
    "condition": Stance.HYPOTHETICAL,
    "undecided": Stance.HEDGED,
    "asking": Stance.ASKED,
}
LASTING: Final = frozenset({Stance.QUOTED, Stance.REJECTED, Stance.HEDGED})
TURN: Final = "contrast"
ALSO_MAYBE: Final = "also_maybe"
NOT_ENDS: Final = "but_rather"
OR: Final = "either_or"
ASKING: Final = "asking"
TOPIC: Final = "呢"  # asks at the end; in `X 呢就是 Y` it only sets X before what is said of it
BEHIND_TOPIC: Final = frozenset("就固是")
LEAST_LIST: Final = 5  # bare terms in a row from which a text is a list of words
TERM_LENGTH: Final = 6  # tokens of a bare term at most


def stances(clauses: Sequence[Clause], tokens: Sequence[Token]) -> tuple[Stance, ...]:
    """One stance per clause, the final one: what is rejected or taken back later is not held."""
    found = [Stance.ASSERTED] * len(clauses)
    lasting, sentence = Stance.ASSERTED, -1
    for index, clause in enumerate(clauses):
        if clause.sentence != sentence:
            lasting, sentence = Stance.ASSERTED, clause.sentence
        concepts = _concepts(clause) - _topic_particles(clause, tokens)
        if TURN in concepts and not concepts & OPENING.keys():
            lasting = Stance.ASSERTED
        opened = _opened(clause, concepts)
        found[index] = opened or lasting
        if opened in LASTING:
            lasting = opened or lasting
    _reject_backwards(clauses, found)
    take_back(clauses, found)
    _leave_open(clauses, found)
    _lists(clauses, tokens, found)
    _disordered(clauses, tokens, found)
    return tuple(found)


def _concepts(clause: Clause) -> set[str]:
    return {c for m in clause.mentions for c in m.concepts}


def _opened(clause: Clause, concepts: set[str]) -> Stance | None:
    """The stance a clause sets by its own markers; a denied report asserts nothing else."""
    if clause.asked:
        return Stance.ASKED
    opening = next((OPENING[c] for c in OPENING if c in concepts), None)
    if opening is None and _alternatives(clause):
        return Stance.HEDGED
    return opening


def _topic_particles(clause: Clause, tokens: Sequence[Token]) -> set[str]:
    """The question mark of speech, when every such mark of the clause is a particle of topic."""
    asking = [m for m in clause.mentions if ASKING in m.concepts]
    topical = all(
        tokens[m.last - 1].form == TOPIC
        and m.last < clause.last
        and tokens[m.last].form in BEHIND_TOPIC
        for m in asking
    )
    return {ASKING} if topical else set()


def _alternatives(clause: Clause) -> bool:
    """`optimizer states or gradients`: objects joined by or, outside a denial."""
    for index, mention in enumerate(clause.mentions[1:-1], start=1):
        if OR not in mention.concepts or mention.negated:
            continue
        before, after = clause.mentions[index - 1], clause.mentions[index + 1]
        near = before.last == mention.first and after.first <= mention.last + 1
        if near and before.kind is Kind.OBJECT and after.kind is Kind.OBJECT:
            return True
    return False


def _reject_backwards(clauses: Sequence[Clause], found: list[Stance]) -> None:
    """`..., which is wrong` rejects what its sentence said, or else the sentence before."""
    for index, clause in enumerate(clauses):
        if WRONG not in _concepts(clause) or found[index] is Stance.ASKED:
            continue
        if any(WRONG in m.concepts and m.negated for m in clause.mentions):
            continue
        if takes_back_own_words(clause):
            continue
        _mark_back(clauses, found, index, Stance.REJECTED)


def _mark_back(clauses: Sequence[Clause], found: list[Stance], index: int, stance: Stance) -> None:
    """Set the stance of the nearest stretch that says something, up to a turn."""
    if any(says(m) for m in clauses[index].mentions):
        found[index] = stance
        return
    target = nearest_said(clauses, index)
    if target is None:
        return
    for place in range(target, -1, -1):
        if clauses[place].sentence != clauses[target].sentence:
            return
        found[place] = stance
        if TURN in _concepts(clauses[place]) or names_subject(clauses[place]):
            return


def _leave_open(clauses: Sequence[Clause], found: list[Stance]) -> None:
    """`..., or maybe ...`: neither the clause nor the one before it is held."""
    for index, clause in enumerate(clauses):
        if ALSO_MAYBE not in _concepts(clause):
            continue
        found[index] = Stance.HEDGED
        if index and clauses[index - 1].sentence >= clause.sentence - 1:
            found[index - 1] = Stance.HEDGED


def _lists(clauses: Sequence[Clause], tokens: Sequence[Token], found: list[Stance]) -> None:
    """A run of bare terms is a list of words, not a statement."""
    run: list[int] = []
    for index, clause in enumerate([*clauses, None]):
        if clause is not None and _is_bare_term(clause, tokens):
            run.append(index)
            continue
        if len(run) >= LEAST_LIST:
            _mark(run, found, Stance.LISTED)
        run = []


def _disordered(clauses: Sequence[Clause], tokens: Sequence[Token], found: list[Stance]) -> None:
    """Words thrown together assert nothing, whatever they are."""
    every = [m for clause in clauses for m in clause.mentions]
    if _is_one_list(tokens, every):
        _mark(range(len(found)), found, Stance.LISTED)
        return
    for _, group in groupby(range(len(clauses)), key=lambda place: clauses[place].sentence):
        places = list(group)
        first, last = clauses[places[0]].first, clauses[places[-1]].last
        said = [m for place in places for m in clauses[place].mentions]
        if is_disordered(tokens[first:last]) or is_word_list(tokens, first, last, said):
            _mark(places, found, Stance.LISTED)


def _is_one_list(tokens: Sequence[Token], every: Sequence[Mention]) -> bool:
    return (
        is_word_salad(tokens) or is_unbroken_row(tokens, every) or is_text_of_terms(tokens, every)
    )


def _mark(places: Iterable[int], found: list[Stance], stance: Stance) -> None:
    for place in places:
        found[place] = stance


def _is_bare_term(clause: Clause, tokens: Sequence[Token]) -> bool:
    if clause.last - clause.first > TERM_LENGTH:
        return False
    if any((m.first, m.last) == _words_of(clause, tokens) for m in clause.mentions):
        return True
    if any(m.kind is Kind.RELATION for m in clause.mentions):
        return False
    counted = any(m.value is not None for m in clause.mentions)
    after_colon = clause.first > 0 and tokens[clause.first - 1].form == ":"
    return not (counted and (after_colon or names_subject(clause)))


def _words_of(clause: Clause, tokens: Sequence[Token]) -> tuple[int, int]:
    """The clause without the signs at its end."""
    last = clause.last
    while last > clause.first and tokens[last - 1].shape is Shape.SIGN:
        last -= 1
    return clause.first, last
