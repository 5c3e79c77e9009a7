"""When a skill point comes back: FSRS-6 over its reviews, folded from the first to the last.

Nothing is stored: the same reviews give the same schedule. FSRS's random spread of intervals
(fuzz) is off, and its steps of minutes are left out, since an oral answer is practised by days.
The weights are those the library ships (fitted by its authors on many learners, not on this one).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import fsrs

from service.domain.learning.model import Rating, Review

RETENTION: Final = 0.9  # a point comes back when the chance to recall it has fallen to this
LONGEST_INTERVAL: Final = 365  # days
_SCHEDULER: Final = fsrs.Scheduler(
    desired_retention=RETENTION,
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=LONGEST_INTERVAL,
    enable_fuzzing=False,
)
_RATING: Final = {
    Rating.AGAIN: fsrs.Rating.Again,
    Rating.HARD: fsrs.Rating.Hard,
    Rating.GOOD: fsrs.Rating.Good,
    Rating.EASY: fsrs.Rating.Easy,
}


@dataclass(frozen=True, slots=True)
class Schedule:
    """`stability` is in days: the time after which recall has fallen to 0.9."""

    stability: float
    difficulty: float
    last: datetime
    due: datetime

    def recall(self, now: datetime) -> float:
        """The chance (0..1) that FSRS gives to recalling it now; a clock set back changes none."""
        return float(_SCHEDULER.get_card_retrievability(_card(self), now.astimezone(UTC)))


def in_order(reviews: Iterable[Review]) -> tuple[Review, ...]:
    """By time; the id decides between two of the same moment."""
    return tuple(sorted(reviews, key=lambda r: (r.at, r.id)))


def schedule(reviews: Iterable[Review]) -> Schedule | None:
    """The state after all `reviews` of one skill point; None without any."""
    state: Schedule | None = None
    for review in in_order(reviews):
        state = _after(state, review.rating, review.at.astimezone(UTC))
    return state


def _after(state: Schedule | None, rating: Rating, at: datetime) -> Schedule:
    card = _card(state) if state else fsrs.Card(card_id=0, due=at)
    card, _ = _SCHEDULER.review_card(card, _RATING[rating], at)
    if card.stability is None or card.difficulty is None:
        raise AssertionError("a reviewed card has a stability and a difficulty")
    return Schedule(card.stability, card.difficulty, at, card.due)


def _card(state: Schedule) -> fsrs.Card:
    return fsrs.Card(
        card_id=0,
        state=fsrs.State.Review,
        stability=state.stability,
        difficulty=state.difficulty,
        due=state.due,
        last_review=state.last,
    )
