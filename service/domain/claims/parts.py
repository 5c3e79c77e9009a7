"""Which model state a number is said of: weights, gradients, moments, all of them."""

from typing import Final

from service.domain.claims import signs
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import Group, View

_REACH: Final = 28
_FAR: Final = 90
_BESIDE: Final = 3
_STATED: Final = frozenset({Unit.WIDTH, Unit.BYTES, Unit.FORMULA, Unit.NONE})
_IN_MOMENTS: Final = frozenset({"momentum", "variance"})
_IN_OPTIMIZER: Final = frozenset({"master", "moments"}) | _IN_MOMENTS


class Parts:
    """Reads states in order: a later number may restate the one before."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._said_at = -1
        self._last_group = -1
        self._said: tuple[str, ...] = ()
        self.is_weak = False  # the last state was named in another clause, or as what is split

    def of(self, number: Number, index: int, size: int) -> tuple[str, ...]:
        """Model states it is said of; empty for all of them."""
        self.is_weak = False
        if number.name == "K":
            return ("optimizer",)
        group = self._part_group(number)
        if group is None:
            said = self._restated(number)
            self._said_at, self._said = number.end, said
            self.is_weak = bool(said)
            return said
        self.is_weak = self._view.clause(group.end - 1) != self._view.clause(number.start)
        before = self._view.text(group.start - 20, group.start)
        if self._sums_up(group, number) or signs.OMITTED.search(before):
            inner = signs.COUNTS_IN.search(before) and set(group.values) <= _IN_OPTIMIZER
            return ("optimizer",) if inner else ()
        self.is_weak = self.is_weak or bool(signs.SHARDED.search(before))
        values = tuple(dict.fromkeys(group.values))
        if size > 1 and len(group.values) == size:
            values = (group.values[index],)
        elif self._is_each(number):
            values = tuple("momentum" if v == "moments" else v for v in values[:1])
        values = () if "states" in values else _apart(values)
        self._said_at, self._said = number.end, values
        return values

    def _sums_up(self, group: Group, number: Number) -> bool:
        """加上权重和梯度就十六: what is added makes the whole."""
        view = self._view
        is_added = bool(signs.ADDED.search(view.text(group.start - 26, group.start)))
        return (
            is_added
            and group.end <= number.start
            and bool(signs.SUMS_UP.search(view.text(group.end, number.start)))
        )

    def _is_each(self, number: Number) -> bool:
        """权重和梯度各 2 字节: the figure holds for each of them."""
        before = self._view.text(number.start - 10, number.start)
        after = self._view.text(number.end, number.end + 8)
        return any(word in before for word in ("各", "each", "both", "均", "分别", "都")) or any(
            word in after for word in ("each", "apiece")
        )

    def _restated(self, number: Number) -> tuple[str, ...]:
        """The state of the number before, when this one only says it in other words."""
        between = self._view.text(self._said_at, number.start)
        is_near = 0 <= self._said_at < number.start and len(between) < _FAR
        return self._said if is_near and signs.RESTATES.search(between) else ()

    def tight(self, number: Number) -> Group | None:
        return self._view.tight_after("part", number)

    def _part_group(self, number: Number) -> Group | None:
        group = self._choose_part(number)
        self._last_group = group.start if group and group.start > number.start else -1
        return group

    def _choose_part(self, number: Number) -> Group | None:
        view = self._view
        left = view.group_before("part", number.start)
        if left and left.start == self._last_group:
            left = None  # it belongs to the number before: twelve bytes of optimizer so sixteen
        if left and (
            view.clause(left.start) != view.clause(number.start)
            or view.loud_between(left.end, number.start)
        ):
            left = self._from_clause_before(left, number)
        right = view.tight_after("part", number)
        if right and view.clause(right.start) != view.clause(max(number.start, number.end - 1)):
            right = None
        if right and self._breaks_down(number, right):
            right = None
        if right and signs.ATTRIBUTE.fullmatch(view.text(number.start, right.start)):
            return right
        if left and right:
            is_elsewhere = view.clause(left.start) != view.clause(number.start)
            return right if is_elsewhere or self._reads_rightwards(number) else left
        return left or right

    def _breaks_down(self, number: Number, group: Group) -> bool:
        """16 字节（fp16 参数 2、fp16 梯度 2）: the bracket says what the figure is made of."""
        view = self._view
        after = view.number_after(group.end)
        is_opened = "(" in view.text(number.end, group.start)
        if not is_opened or after is None or after.start - group.end > _BESIDE:
            return False
        return ")" not in view.text(group.end, after.start)

    def _from_clause_before(self, left: Group, number: Number) -> Group | None:
        """优化器状态呢，12 字节: the subject may stand one clause earlier."""
        view = self._view
        is_next = view.clause(number.start) - view.clause(max(left.start, left.end - 1)) == 1
        is_same_sentence = view.sentence(left.start) == view.sentence(number.start)
        is_short = number.start - left.end < _REACH and not view.loud_between(
            left.end, number.start
        )
        sums_up = view.clause_has("per", number, "total") and len(left.marks) == 1
        return left if is_next and is_same_sentence and is_short and not sums_up else None

    def _reads_rightwards(self, number: Number) -> bool:
        """2 字节参数、2 字节梯度: the first number of the sentence stands before the first part."""
        view = self._view
        first_part = next(iter(view.marks_in_sentence("part", number)), None)
        first = next(
            (
                n
                for n in view.numbers_of_sentence(view.sentence(number.start))
                if n.unit in _STATED and n.end - n.start > 1
            ),
            None,
        )
        return first_part is not None and first is not None and first.start < first_part.start


def _apart(values: tuple[str, ...]) -> tuple[str, ...]:
    """No state beside what it is made of: the optimizer state, that is master and moments."""
    inner = set(values)
    if "moments" in inner:
        inner -= _IN_MOMENTS
    if "optimizer" in inner and inner & _IN_OPTIMIZER:
        is_whole = "master" in inner and ("moments" in inner or inner >= _IN_MOMENTS)
        inner -= _IN_OPTIMIZER if is_whole else {"optimizer"}
    return tuple(value for value in values if value in inner)
