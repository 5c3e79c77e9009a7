"""How well a stretch of text fits an entry: the figures that `weighing` decides by.

An entry is a wrong belief, with its correction against it, or a point of a rubric, with the
beliefs that contradict it. Vectors propose (they know near wordings, and nothing of `not`);
concepts, subjects, polarity, numbers and stance of the frames say whether the entry itself is
meant, or what stands against it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Stance
from service.domain.assertions.traces import (
    Clause,
    Rarity,
    Trace,
    rarity_of,
    read_trace,
    words_of,
)
from service.domain.knowledge import Misconception
from service.domain.language import Lang

MOST_DENIALS: Final = 3
OTHERS: Final = 0.3  # what is said of another subject counts this much
LONG: Final = 40  # words of a stretch that counts as long
FIGURES: Final = (
    "cosine",  # to the nearest wording of the belief
    "cosine_to_correction",
    "cosine_apart",  # the first less the second
    "cosine_to_any_correction",
    "cosine_ahead",  # of the best other belief
    "cosine_on_average",
    "words",  # shared with the nearest wording, Dice by rarity
    "words_of_correction",
    "concepts",  # share of a wording's concepts that the stretch names
    "concepts_turned",  # of these, with the other polarity
    "concepts_of_correction",
    "concepts_of_correction_turned",
    "concepts_ahead",
    "clause",  # a wording's clauses found in clauses of the same subject and polarity
    "clause_turned",
    "clause_of_correction",
    "clause_of_correction_turned",
    "clause_ahead",
    "subject",  # 1 shared, -1 another, 0 nobody named
    "number",
    "number_of_correction",
    "own_words",  # share of the stretch that only the belief's wordings have
    "correction_words",
    "own_concepts",
    "correction_concepts",
    "known_concepts",
    "asks",
    "asserted",
    "supposed",
    "not_held",
    "turned_down",
    "denials",
    "denials_apart",
    "length",
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence that states an entry, or what stands against it."""

    entry_id: str
    text: str
    states: bool


def wordings_of(atlas: Sequence[Misconception]) -> tuple[Wording, ...]:
    """Every sentence a stretch is compared with, in a fixed order."""
    found: list[Wording] = []
    for entry in atlas:
        for lang in Lang:
            stating = (entry.belief.in_(lang), *entry.wordings.get(lang.value, ()))
            found += [Wording(entry.id, text, True) for text in stating]
            found.append(Wording(entry.id, entry.correction.in_(lang), False))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Side:
    """The wordings of an entry, or those against it, put together."""

    places: tuple[int, ...]
    traces: tuple[Trace, ...]
    words: frozenset[str]
    concepts: frozenset[str]
    subjects: frozenset[str]
    numbers: frozenset[object]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of text to be weighed: `cosines` are to every wording, in their order."""

    trace: Trace
    cosines: Sequence[float]
    turned_down: float  # share of its characters in sentences that the speaker turns down


@dataclass(slots=True)
class Evidence:
    """The wordings ready to be compared with; an entry's are read when it is first proposed."""

    wordings: tuple[Wording, ...]
    lexicon: Lexicon
    places: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = field(init=False)
    rare_words: Rarity = field(init=False)
    corrections: tuple[int, ...] = field(init=False)
    _sides: dict[str, tuple[_Side, _Side]] = field(
        default_factory=dict[str, tuple[_Side, _Side]], init=False
    )

    def __post_init__(self) -> None:
        self.rare_words = rarity_of([words_of(w.text, self.lexicon) for w in self.wordings])
        self.corrections = tuple(p for p, w in enumerate(self.wordings) if not w.states)
        ids = dict.fromkeys(w.entry_id for w in self.wordings)
        self.places = {
            i: (self._places(i, states=True), self._places(i, states=False)) for i in ids
        }

    def _places(self, entry_id: str, *, states: bool) -> tuple[int, ...]:
        return tuple(
            at
            for at, w in enumerate(self.wordings)
            if w.entry_id == entry_id and w.states is states
        )

    def proposed(self, stretch: Stretch, most: int) -> list[str]:
        """The entries with the nearest wordings, nearest first."""
        best = self._best(stretch)
        return sorted(best, key=lambda i: (-best[i], i))[:most]

    def _best(self, stretch: Stretch) -> dict[str, float]:
        return {i: max(stretch.cosines[p] for p in own) for i, (own, _) in self.places.items()}

    def sides(self, entry_id: str) -> tuple[_Side, _Side]:
        known = self._sides.get(entry_id)
        if known is None:
            own, against = self.places[entry_id]
            known = self._sides[entry_id] = (self._side(own), self._side(against))
        return known

    def _side(self, places: tuple[int, ...]) -> _Side:
        traces = tuple(read_trace(self.wordings[p].text, self.lexicon) for p in places)
        return _Side(
            places,
            traces,
            frozenset(w for t in traces for w in t.words),
            frozenset(c for t in traces for c in t.names),
            frozenset(s for t in traces for s in t.subjects),
            frozenset(n for t in traces for n in t.numbers),
        )

    def figures(self, stretch: Stretch, proposed: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """FIGURES for each entry proposed."""
        best = self._best(stretch)
        shares = {i: self._concepts(stretch.trace, self.sides(i)[0])[0] for i in proposed}
        clauses = {i: _clauses(stretch.trace, self.sides(i)[0]) for i in proposed}
        corrected = max((stretch.cosines[p] for p in self.corrections), default=0.0)
        return {
            i: self._figures(
                stretch,
                i,
                ahead=best[i] - max((v for o, v in best.items() if o != i), default=0.0),
                concepts_ahead=shares[i]
                - max((v for o, v in shares.items() if o != i), default=0.0),
                corrected=corrected,
                clause=clauses[i],
                clause_ahead=clauses[i][0]
                - max((v[0] for o, v in clauses.items() if o != i), default=0.0),
            )
            for i in proposed
        }

    def _figures(
        self,
        stretch: Stretch,
        entry_id: str,
        *,
        ahead: float,
        concepts_ahead: float,
        corrected: float,
        clause: tuple[float, float],
        clause_ahead: float,
    ) -> tuple[float, ...]:
        own, against = self.sides(entry_id)
        trace = stretch.trace
        near = [stretch.cosines[p] for p in own.places]
        far = max((stretch.cosines[p] for p in against.places), default=0.0)
        nearest = own.traces[near.index(max(near))]
        concepts, turned = self._concepts(trace, own)
        their_concepts, their_turned = self._concepts(trace, against)
        words = self.rare_words.of(trace.words) or 1.0
        named = len(trace.names) or 1
        stances = trace.stances
        figures = (
            max(near),
            far,
            max(near) - far,
            corrected,
            ahead,
            sum(near) / len(near),
            self._words(trace, own),
            self._words(trace, against),
            concepts,
            turned,
            their_concepts,
            their_turned,
            concepts_ahead,
            *clause,
            *_clauses(trace, against),
            clause_ahead,
            _subject(trace, own),
            float(not trace.numbers.isdisjoint(own.numbers)),
            float(not trace.numbers.isdisjoint(against.numbers - own.numbers)),
            self.rare_words.of(trace.words & (own.words - against.words)) / words,
            self.rare_words.of(trace.words & (against.words - own.words)) / words,
            len(trace.names & (own.concepts - against.concepts)) / named,
            len(trace.names & (against.concepts - own.concepts)) / named,
            len(trace.names & own.concepts) / named,
            float(trace.asks),
            stances.get(Stance.ASSERTED, 0.0),
            stances.get(Stance.HYPOTHETICAL, 0.0),
            trace.not_held,
            stretch.turned_down,
            float(min(MOST_DENIALS, trace.denials)),
            float(min(MOST_DENIALS, abs(trace.denials - nearest.denials))),
            min(1.5, len(trace.words) / LONG),
        )
        return tuple(round(f, 4) for f in figures)

    def _words(self, trace: Trace, side: _Side) -> float:
        own = self.rare_words.of(trace.words)
        shared = (
            (self.rare_words.of(trace.words & t.words), self.rare_words.of(t.words))
            for t in side.traces
        )
        return max((2 * both / ((own + theirs) or 1.0) for both, theirs in shared), default=0.0)

    def _concepts(self, trace: Trace, side: _Side) -> tuple[float, float]:
        """Share of the best covered wording's concepts that are named, and named turned."""
        best = (0.0, 0.0)
        for wording in side.traces:
            total = len(wording.names)
            if not total:
                continue
            named = len(wording.names & trace.names) / total
            if named > best[0]:
                turned = {c.name for c in wording.concepts - trace.concepts} & trace.names
                best = (named, len(turned) / total)
        return best


def _subject(trace: Trace, side: _Side) -> float:
    if not trace.subjects or not side.subjects:
        return 0.0
    return -1.0 if trace.subjects.isdisjoint(side.subjects) else 1.0


def _clauses(trace: Trace, side: _Side) -> tuple[float, float]:
    """How much of the best fitting wording the stretch's clauses say, and how much they deny.

    A clause fits another of the same subject; of the same polarity, or turned.
    """
    fits = [_fit(wording, trace) for wording in side.traces]
    return max((f for f, _ in fits), default=0.0), max((t for _, t in fits), default=0.0)


def _fit(wording: Trace, trace: Trace) -> tuple[float, float]:
    total = sum(len(c.said) for c in wording.clauses)
    if not total:
        return 0.0, 0.0
    held = [c for c in trace.clauses if c.held]
    straight = sum(_nearest(c, [o for o in held if o.denied is c.denied]) for c in wording.clauses)
    turned = sum(
        _nearest(c, [o for o in held if o.denied is not c.denied]) for c in wording.clauses
    )
    return straight / total, turned / total


def _nearest(wanted: Clause, found: Sequence[Clause]) -> float:
    """Concepts in common; those said of somebody else count little."""
    names = {c.name for c in wanted.said}
    return max((_shared(wanted, names, other) for other in found), default=0.0)


def _shared(wanted: Clause, names: set[str], found: Clause) -> float:
    shared = len(names.intersection(c.name for c in found.said))
    apart = wanted.subjects and found.subjects and wanted.subjects.isdisjoint(found.subjects)
    return shared * OTHERS if apart else float(shared)
