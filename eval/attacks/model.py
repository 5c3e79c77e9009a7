"""A case of the probe suite, the relation that must hold for it, and the bar of its class."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    SAME = "same"  # the score of the base, within the tolerance
    AT_MOST = "at_most"  # the score itself is at most the tolerance
    LOST = "lost"  # the points named earn nothing, what the others earn stays
    NOT_RAISED = "not_raised"  # as SAME, and no belief that was rejected is raised
    NEVER_DOWN = "never_down"
    NEVER_UP = "never_up"


@dataclass(frozen=True, slots=True)
class Bar:
    """What a class must keep.

    `tolerance` in points of 100 belongs to the relation of one case. `mean` bounds the mean of
    |change| (of the score for AT_MOST). `worst` bounds every case. `holds` is the least share of
    cases in which the relation holds. None: no such bound.
    """

    relation: Relation
    tolerance: float = 0.0
    mean: float | None = None
    worst: float | None = None
    holds: float | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """`base` is None where no honest answer stands behind it. `lost` and `beliefs` by id."""

    id: str
    kind: str
    question: str
    lang: str
    answer: str
    cluster: str
    base: str | None = None
    lost: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graded:
    """What a grader said: `score` 0..100 or None (no mark), points that earn, beliefs raised."""

    score: float | None
    credited: frozenset[str]
    raised: frozenset[str]

    @property
    def counted(self) -> float:
        return self.score or 0.0
