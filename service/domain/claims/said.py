"""Other figures of the same text: sums, differences, products and quotients a number may be."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from service.domain.claims import signs
from service.domain.claims.conditions import Conditions
from service.domain.claims.places import is_hardware
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View

_SIZES: Final = frozenset({Unit.BYTES})
_WIDTHS: Final = frozenset({Unit.WIDTH, Unit.NONE, Unit.SUM})
_FACTORS: Final = frozenset({Unit.FACTOR, Unit.SHARE, Unit.PERCENT})
_MULTIPLES: Final = frozenset({Unit.FORMULA})
_NEIGHBOURS: Final = 7  # figures looked at before the number
_AHEAD: Final = 3
_RECENT: Final = 2  # sentences
_CLOSE: Final = 0.015
_EACH: Final = 4
_MOST_PARTS: Final = 4
_AROUND: Final = 24


class Said:
    """Figures of one view, asked for what they make together."""

    def __init__(self, view: View, conditions: Conditions) -> None:
        self._view = view
        self._conditions = conditions
        self._numbers = view.sheet.numbers
        self._starts = [n.start for n in self._numbers]

    def made_of(self, number: Number) -> tuple[str, tuple[Number, ...]] | None:
        """The arithmetic that gives the number, as text, and the figures it was made of."""
        return next(self._ways(number), None)

    def is_of_cards(self, number: Number) -> bool:
        """640 GB beside eight cards of 80 GB."""
        home = self._view.sentence(number.start)
        near = self._view.numbers_of_sentence(home)
        cards = [n for n in near if n.unit is Unit.BYTES and n != number]
        counts = [n for n in near if n.unit in {Unit.GPUS, Unit.NONE}]
        said = number.amount.low
        gpus = self._conditions.value("gpus", number) or 1.0
        values = {gpus, *(float(c.amount.low) for c in counts)}
        return any(
            is_hardware(self._view, card) and _same(said, card.amount.low * count)
            for card in cards
            for count in values
            if count > 1
        )

    def _ways(self, number: Number) -> Iterator[tuple[str, tuple[Number, ...]]]:
        if number.unit in _FACTORS:
            yield from self._quotients(number)
            return
        kind = next((k for k in (_SIZES, _WIDTHS, _MULTIPLES) if number.unit in k), None)
        if kind is None:
            return
        around = self._view.near(number, _AROUND)
        before = self._near(number, kind, is_ahead=False)
        if signs.TAKEN_OFF.search(around):
            yield from _differences(number, before)
            yield from _differences(number, [*self._near(number, kind, is_ahead=True), *before])
        if self._is_summed(number, around):
            yield from _sums(number, _twice(self._view, before))
        if signs.ADDED.search(self._view.text(number.start - _AROUND, number.start)):
            yield from _differences(number, [*self._near(number, kind, is_ahead=True), *before])

    def _is_summed(self, number: Number, around: str) -> bool:
        return bool(signs.PUT_TOGETHER.search(around)) or self._view.clause_has(
            "per", number, "total"
        )

    def _quotients(self, number: Number) -> Iterator[tuple[str, tuple[Number, ...]]]:
        said = number.amount.low / (100 if number.unit is Unit.PERCENT else 1)
        for kind in (_SIZES, _MULTIPLES):
            for one, other in combinations(self._near(number, kind, is_ahead=False), 2):
                for above, below in ((one, other), (other, one)):
                    ratio = _value(above) / max(_value(below), 1e-9)
                    if _same(said, ratio, 0.03) or _same(said, 1 - ratio, 0.03):
                        yield f"{_shown(above)} / {_shown(below)}", (above, below)

    def _near(self, number: Number, kind: frozenset[Unit], *, is_ahead: bool) -> Sequence[Number]:
        at = bisect_left(self._starts, number.start)
        home = self._view.sentence(number.start)
        rows = (
            self._numbers[at + 1 : at + 1 + _AHEAD]
            if is_ahead
            else self._numbers[max(0, at - _NEIGHBOURS) : at]
        )
        reach = 0 if is_ahead else _RECENT
        return [
            n
            for n in rows
            if n.unit in kind
            and _value(n) > 0
            and abs(home - self._view.sentence(n.start)) <= reach
        ]


def _value(number: Number) -> float:
    if number.expr is not None and number.unit is Unit.FORMULA:
        return number.expr.at({"ψ": 1.0}) or 0.0
    return float(number.amount.low)


def _same(said: float, exact: float, width: float = _CLOSE) -> bool:
    return abs(said - exact) <= width * abs(exact)


def _shown(number: Number) -> str:
    return f"{_value(number) / number.scale:g}"


def _differences(
    number: Number, near: Sequence[Number]
) -> Iterator[tuple[str, tuple[Number, ...]]]:
    said = _value(number)
    for one, other in combinations(near, 2):
        big, small = (one, other) if _value(one) >= _value(other) else (other, one)
        if _value(big) > _value(small) and _same(said, _value(big) - _value(small)):
            yield f"{_shown(big)} - {_shown(small)}", (big, small)


def _twice(view: View, near: Sequence[Number]) -> list[Number]:
    """参数和梯度各 26GB: such a figure stands for two."""
    again = [n for n in near if signs.EACH_BEFORE.search(view.text(n.start - _EACH, n.start))]
    return [*near, *again]


def _sums(number: Number, near: Sequence[Number]) -> Iterator[tuple[str, tuple[Number, ...]]]:
    said = _value(number)
    for count in range(2, min(_MOST_PARTS, len(near)) + 1):
        for parts in combinations(near, count):
            if _same(said, sum(_value(p) for p in parts)):
                yield " + ".join(_shown(p) for p in parts), parts
