"""What an assembled answer earns, told from what it was assembled of and never from its text.

By the labelling guide: final stance only; what is rejected, taken back or said both ways earns
nothing. Shares no code with any grader.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from eval.constructed.bank import BankQuestion, Belief


class Label(StrEnum):
    MET = "met"
    PARTIAL = "partial"
    ABSENT = "missed"  # the word that other tools use
    CONTRADICTED = "contradicted"


class Stance(StrEnum):
    ASSERTED = "asserted"
    DENIED = "denied"  # rejected, or asserted and taken back
    HEDGED = "hedged"


class What(StrEnum):
    WHOLE = "whole"
    HALF = "half"
    BELIEF = "belief"
    NOTHING = "nothing"  # fillers and asides


@dataclass(frozen=True, slots=True)
class Said:
    """One statement as the answer makes it. `about` is a point's or a belief's id."""

    what: What
    about: str
    lang: str
    text: str
    stance: Stance = Stance.ASSERTED


@dataclass(frozen=True, slots=True)
class Labels:
    """`points` leaves out those without a clear label (`open`); they count as 0 in `score`."""

    points: Mapping[str, Label]
    open: tuple[str, ...]
    misconceptions: tuple[str, ...]
    dimensions: Mapping[str, float]
    score: float


@dataclass(slots=True)
class _Tally:
    earned: dict[str, Label] = field(default_factory=dict[str, Label])
    denied: set[str] = field(default_factory=set[str])
    hedged: set[str] = field(default_factory=set[str])
    held: set[str] = field(default_factory=set[str])
    open: set[str] = field(default_factory=set[str])

    def label(self, point: str) -> Label:
        if point in self.denied:
            return Label.CONTRADICTED
        if point in self.hedged:
            return Label.ABSENT
        return self.earned.get(point, Label.ABSENT)


CREDIT: Final[Mapping[Label, Fraction]] = {
    Label.MET: Fraction(1),
    Label.PARTIAL: Fraction(1, 2),
    Label.ABSENT: Fraction(0),
    Label.CONTRADICTED: Fraction(0),
}


def label(question: BankQuestion, beliefs: Mapping[str, Belief], said: Sequence[Said]) -> Labels:
    """Labels and expected scores (0..100) of an answer made of `said`."""
    tally = _Tally()
    for one in said:
        if one.what is What.BELIEF:
            _count_belief(tally, beliefs[one.about], one)
        elif one.what is not What.NOTHING:
            _count_truth(tally, question, one)
    labels = {p: tally.label(p) for p in question.points}
    unclear = {p for p in tally.open if labels.get(p) is Label.ABSENT}
    means = {d: _mean(question, d, labels) for d in question.dimensions}
    total = sum((m * question.dimensions[d] for d, m in means.items()), Fraction(0))
    return Labels(
        points={p: v for p, v in labels.items() if p not in unclear},
        open=tuple(sorted(unclear)),
        misconceptions=tuple(sorted(tally.held)),
        dimensions={d: _percent(m) for d, m in means.items()},
        score=_percent(total / sum(question.dimensions.values())),
    )


def _count_belief(tally: _Tally, belief: Belief, one: Said) -> None:
    if one.stance is not Stance.ASSERTED:
        return
    tally.held.add(one.about)
    tally.denied |= set(belief.denies)
    tally.open |= set(belief.clouds)


def _count_truth(tally: _Tally, question: BankQuestion, one: Said) -> None:
    if one.stance is Stance.DENIED:
        tally.denied.add(one.about)
        return
    if one.stance is Stance.HEDGED:
        tally.hedged.add(one.about)
        return
    if one.what is What.WHOLE:
        tally.earned[one.about] = Label.MET
        tally.open |= set(question.points[one.about].implies)
        return
    tally.earned.setdefault(one.about, Label.PARTIAL)


def _mean(question: BankQuestion, dimension: str, labels: Mapping[str, Label]) -> Fraction:
    own = [CREDIT[labels[p]] for p, v in question.points.items() if v.dimension == dimension]
    return sum(own, Fraction(0)) / len(own)


def _percent(value: Fraction) -> float:
    return round(float(value * 100), 2)
