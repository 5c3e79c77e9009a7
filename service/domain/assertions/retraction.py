"""What the speaker takes back: the nearest thing said, or what the retraction names."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.assertions.clauses import COPULA, Clause
from service.domain.assertions.model import Kind, Mention, Stance

RETRACT: Final = "retract"  # no wait; I misspoke
WRONG: Final = "wrong"
FAULTS: Final = frozenset({WRONG, "faulty"})
AHEAD: Final = "retract_ahead"  # I was wrong about ...: what is taken back follows
OPENING: Final = "retract_opening"
OWN_WORDS: Final = "said_before"  # what I said earlier
SHOULD_BE: Final = "should_be"
NEAR: Final = 4  # clauses
FAR: Final = 80  # clauses a retraction that names its object may reach back


def says(mention: Mention) -> bool:
    return mention.kind is Kind.RELATION and COPULA.isdisjoint(mention.concepts)


def names_subject(clause: Clause) -> bool:
    return any(m.kind is Kind.SUBJECT for m in clause.mentions)


def nearest_said(clauses: Sequence[Clause], index: int) -> int | None:
    for place in range(index - 1, max(index - NEAR, -1), -1):
        if clauses[index].sentence - clauses[place].sentence > 1:
            return None
        if any(m.kind is not Kind.MARKER for m in clauses[place].mentions):
            return place
    return None


def takes_back_own_words(clause: Clause) -> bool:
    """`What I said about X is wrong`, which is more than calling somebody's X wrong."""
    concepts = {c for m in clause.mentions if not m.negated for c in m.concepts}
    return OWN_WORDS in concepts and not FAULTS.isdisjoint(concepts)


def take_back(clauses: Sequence[Clause], found: list[Stance]) -> None:
    """Mark as CORRECTED what a later clause takes back."""
    for index, clause in enumerate(clauses):
        marks = _marks(clauses, index)
        if not marks or found[index] is Stance.ASKED:
            continue
        named = _named(clause, marks[0])
        if named:
            found[index] = Stance.CORRECTED
        for target in _targets(clauses, index, named):
            _spread_back(clauses, found, target)


def _marks(clauses: Sequence[Clause], index: int) -> list[Mention]:
    clause = clauses[index]
    marks = [m for m in clause.mentions if RETRACT in m.concepts and _is_meant(clause, m)]
    if marks:
        return marks
    if takes_back_own_words(clause):
        return [m for m in clause.mentions if not FAULTS.isdisjoint(m.concepts)]
    own = [m for m in clause.mentions if OWN_WORDS in m.concepts]
    return own if own and _is_replaced(clauses, index) else []


def _is_meant(clause: Clause, mark: Mention) -> bool:
    """`Wait, ...` opens a clause; in `the early ones wait, ...` nothing is taken back."""
    if OPENING not in mark.concepts:
        return True
    covered = {i for m in clause.mentions if m.kind is Kind.MARKER for i in range(m.first, m.last)}
    return covered.issuperset(range(clause.first, mark.first))


def _is_replaced(clauses: Sequence[Clause], index: int) -> bool:
    """`I said three times, it should be 1.5`."""
    following = clauses[index + 1 : index + 2]
    return any(
        c.sentence == clauses[index].sentence and SHOULD_BE in m.concepts
        for c in following
        for m in c.mentions
    )


def _named(clause: Clause, mark: Mention) -> list[Mention]:
    """What the clause itself says is taken back: it stands before the mark, or behind `about`."""
    behind = {AHEAD, OWN_WORDS}.intersection(mark.concepts)
    return [
        m
        for m in clause.mentions
        if m.kind is not Kind.MARKER
        and COPULA.isdisjoint(m.concepts)
        and not {RETRACT, OWN_WORDS, *FAULTS}.intersection(m.concepts)
        and (m.last <= mark.first or (behind and m.first >= mark.last))
    ]


def _targets(clauses: Sequence[Clause], index: int, named: Sequence[Mention]) -> list[int]:
    """The clauses before that share most with what is named; without a name the nearest."""
    wanted = {f for m in named for f in _features(m)}
    shared = {
        place: len(wanted.intersection(f for m in clauses[place].mentions for f in _features(m)))
        for place in range(max(0, index - FAR), index)
    }
    most = max(shared.values(), default=0)
    statement = any(says(m) for m in named)
    if most:
        best = [place for place, count in shared.items() if count == most]
        return best if statement and most > 1 else best[-1:]
    nearest = None if statement else nearest_said(clauses, index)
    return [] if nearest is None else [nearest]


def _features(mention: Mention) -> Iterator[tuple[str, object]]:
    if mention.kind is not Kind.MARKER and not mention.term:
        yield mention.concepts[0], mention.value


def _spread_back(clauses: Sequence[Clause], found: list[Stance], target: int) -> None:
    for place in range(target, -1, -1):
        if clauses[place].sentence != clauses[target].sentence:
            return
        found[place] = Stance.CORRECTED
        if names_subject(clauses[place]):
            return
