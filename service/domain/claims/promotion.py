"""Figures whose own words leave them open: right when the text around them makes them right."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.bindings import SIZES
from service.domain.claims.experience import is_told_from_experience
from service.domain.claims.judge import Judgement
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.tokens import Number
from service.domain.claims.variants import Variants
from service.domain.claims.view import View

_RECENT: Final = 2  # sentences that a state is carried over
_MOST: Final = 3  # states named before that are tried
_REACH: Final = 24
_NARROW: Final = 0.05  # still right so far off, a figure is within three of a hundred
_LEFT_OVER: Final = re.compile(
    "剩|余|留|空|缓冲|碎片|激活|(?<![a-z])(?:left|leav|remain|spare|headroom|free|buffer|activation"
    "|fragment|logit|overhead)"
)


class Promotion:
    """Tries what the text says elsewhere on figures that could not be checked as they stand."""

    def __init__(self, view: View, variants: Variants, judge: Callable[[Asked], Judgement]) -> None:
        self._view = view
        self._variants = variants
        self._judge = judge

    def of(self, asked: Asked) -> Judgement | None:
        """The first reading that makes it right; None when there is none, or it was measured."""
        if asked.quantity not in SIZES or asked.psi is None or "measured" in asked.words:
            return None
        if is_told_from_experience(self._view, asked.number):
            return None
        return next((j for one in self._readings(asked) if (j := self._is_right(one))), None)

    def fit(self, asked: Asked) -> Judgement | None:
        """A size that no word explains, when it is what a reading gives almost exactly."""
        near = self._view.near(asked.number, _REACH)
        if _LEFT_OVER.search(near) or signs.TAKEN_OFF.search(near):
            return None
        sides = (_scaled(asked, 1 - _NARROW), asked, _scaled(asked, 1 + _NARROW))
        judged = [self.of(one) for one in sides]
        return judged[1] if all(judged) else None

    def _readings(self, asked: Asked) -> Iterator[Asked]:
        yield asked
        for part in self._states(asked):
            yield replace(asked, part=part)
            yield replace(asked, part=part, schemes=(), per="total")
            if part == ("optimizer",) and (asked.shards or 1) > 1 and not asked.schemes:
                yield replace(asked, part=part, schemes=("zero1",), per="gpu")
        yield from self._variants.of(asked)

    def _states(self, asked: Asked) -> Iterator[tuple[str, ...]]:
        """States named shortly before, nearest first, where its own clause names none."""
        number, view = asked.number, self._view
        if asked.part or view.clause_has("part", number):
            return
        for mark in reversed(view.last("part", number.start, _MOST)):
            is_recent = view.sentence(number.start) - view.sentence(mark.start) <= _RECENT
            if is_recent and mark.value != "states":
                yield (mark.value,)

    def _is_right(self, asked: Asked) -> Judgement | None:
        judged = self._judge(asked)
        return judged if judged.verdict is ClaimVerdict.RIGHT else None


def _scaled(asked: Asked, factor: float) -> Asked:
    number: Number = asked.number
    return replace(asked, number=replace(number, amount=number.amount.times(factor)))
