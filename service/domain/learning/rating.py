"""From an oral answer to one of the four ratings of FSRS, by a table.

| rule | when, the first that fits | rating |
|---|---|---|
| dont_know | the answer says honestly that it is not known | again |
| wrong | at the end a false belief, a wrong number or a point said the wrong way stood | again |
| little | less than 40 % of the credit that the level asks for | again |
| half | less than 70 % | hard |
| hinted | 70 % or more, but not without hints | hard |
| unconfirmed | 70 % or more, but only a model says so | hard |
| fluent | everything, in the first answer, confirmed | easy |
| solid | 70 % or more, confirmed | good |

An answer too thin to judge, and a skipped question, are no review at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.learning.model import Rating, Rule

LITTLE: Final = 0.4
ENOUGH: Final = 0.7


@dataclass(frozen=True, slots=True)
class Shown:
    """What one answer showed. Shares are 0..1 of the credit that the level asks for.

    `unaided` is the share earned without hints, `proved` the unaided share that is confirmed.
    """

    share: float
    unaided: float
    proved: float
    is_wrong: bool = False
    says_dont_know: bool = False
    at_once: bool = False  # a whole question, in its first answer


_TABLE: Final[tuple[tuple[Rule, Callable[[Shown], bool], Rating], ...]] = (
    (Rule.DONT_KNOW, lambda s: s.says_dont_know, Rating.AGAIN),
    (Rule.WRONG, lambda s: s.is_wrong, Rating.AGAIN),
    (Rule.LITTLE, lambda s: s.share < LITTLE, Rating.AGAIN),
    (Rule.HALF, lambda s: s.share < ENOUGH, Rating.HARD),
    (Rule.HINTED, lambda s: s.unaided < ENOUGH, Rating.HARD),
    (Rule.UNCONFIRMED, lambda s: s.proved < ENOUGH, Rating.HARD),
    (Rule.FLUENT, lambda s: s.at_once and s.proved >= 1, Rating.EASY),
    (Rule.SOLID, lambda _: True, Rating.GOOD),
)
RATING: Final[Mapping[Rule, Rating]] = {rule: rating for rule, _, rating in _TABLE}


def rule_of(shown: Shown) -> Rule:
    """The first row of the table that fits."""
    return next(rule for rule, fits, _ in _TABLE if fits(shown))
