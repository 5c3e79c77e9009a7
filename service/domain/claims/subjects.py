"""Which sharding scheme a number is said of, and which one it is compared with."""

from typing import Final

from service.domain.claims import signs
from service.domain.claims.model import ClaimContext
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import Group, View

FACTOR_UNITS: Final = frozenset({Unit.FACTOR, Unit.SHARE, Unit.PERCENT})
_CLOSE: Final = 16
_NEAR: Final = 40
_PAIR: Final = 2
_STAGES: Final = ("zero1", "zero2", "zero3")


class Subjects:
    """Schemes around the numbers of one view."""

    def __init__(self, view: View, context: ClaimContext) -> None:
        self._view = view
        self._context = context
        self._groups: dict[tuple[int, int], Group | None] = {}  # asked of each number several times

    def schemes(self, number: Number, index: int, size: int) -> tuple[str, ...]:
        """The schemes it is said of: one, or one of a list, or all of a list."""
        group = self._scheme_group(number)
        listed = self._listed_before(number, size)
        if listed and (group is None or len(group.values) != size):
            return (listed[index],)
        if (
            1 < size <= len(_STAGES)
            and self._view.sentence_has("stages", number)
            and (group is None or len(group.values) != size)
        ):
            return (_STAGES[index],)
        if group is None:
            return ()
        values = group.values
        if size > 1 and len(values) == size:
            return (values[index],)
        return tuple(dict.fromkeys(values))

    def is_told_later(self, number: Number) -> bool:
        """Whether its scheme stands only in a clause behind it."""
        group = self._scheme_group(number)
        if group is None or group.start < number.end:
            return False
        return self._view.clause(group.start) != self._view.clause(number.start)

    def _listed_before(self, number: Number, size: int) -> tuple[str, ...]:
        """DDP, Z1, Z2 ... For 7B that is 112/38.5/26.25: the schemes named last, in order."""
        if size <= _PAIR or self._view.sentence_has("scheme", number):
            return ()
        values = self._view.last_values("scheme", number.start, size)
        return values if len(set(values)) == size else ()

    def _scheme_group(self, number: Number) -> Group | None:
        place = (number.start, number.end)
        if place not in self._groups:
            self._groups[place] = self._find_group(number)
        return self._groups[place]

    def _find_group(self, number: Number) -> Group | None:
        """Right behind it, else in its clause, else in its sentence, else said before."""
        left = self._subject_before(number)
        tight = self._tight(number, left)
        if tight:
            return tight
        right = self._free_after(number)
        for place in (self._view.clause, self._view.sentence):
            home = place(number.start)
            if left and place(left.start) == home:
                return left
            if right and place(right.start) == home:
                return right
        return left

    def _tight(self, number: Number, left: Group | None) -> Group | None:
        """16.6 GB with ZeRO-2; not ZeRO-1 31.4 GB ZeRO-2 16.6 GB."""
        view = self._view
        tight = view.tight_after("scheme", number)
        if tight is None or self._is_reference(tight, number):
            return None
        owner = left and view.clause(left.start) == view.clause(number.start)
        if not owner or left is None or view.loud_between(left.end, number.start):
            return tight
        is_joined = signs.JOINS.search(view.text(number.end, tight.start)) is not None
        return tight if is_joined and not self._is_followed(tight) else None

    def _free_after(self, number: Number) -> Group | None:
        view = self._view
        right = view.group_after("scheme", number.end)
        if right is None or view.loud_between(number.end, right.start):
            return None
        if view.introduces(right, number):
            return None
        return None if self._is_reference(right, number) else right

    def _subject_before(self, number: Number) -> Group | None:
        """The nearest group before that is not only what the number is compared with."""
        group = self._view.group_before("scheme", number.start)
        for _ in _STAGES:
            if group is None or not self._is_only_compared(group, number):
                return group
            group = self._view.group_before("scheme", group.start)
        return group

    def _is_only_compared(self, group: Group, number: Number) -> bool:
        return self._is_reference(group, number) or self._is_aside(group, number)

    def _is_aside(self, group: Group, number: Number) -> bool:
        """In "That is ZeRO-1. It should read ..." it explains the figure before, not this one."""
        view = self._view
        explains = signs.ASIDE.search(view.text(group.start - _CLOSE, group.start)) is not None
        return (
            explains
            and view.clause(group.end) != view.clause(number.start)
            and view.group_before("scheme", group.start) is not None
        )

    def _is_followed(self, group: Group) -> bool:
        """Whether the group itself introduces the next number."""
        view = self._view
        after = view.text(group.end, group.end + 4).lstrip(" ")
        return view.loud_between(group.end, group.end + 14) and not after.startswith(
            ("and", "和", "与", "or", ",", "。", ";", "\ue020", "、", ".")
        )

    def _is_baseline(self, group: Group) -> bool:
        """Nothing is said to be less than itself: beside another scheme DDP is the measure."""
        earlier = self._view.group_before("scheme", group.start)
        if group.values != ("ddp",) or earlier is None:
            return False
        return self._view.sentence(earlier.start) == self._view.sentence(group.start)

    def _compares(self, group: Group) -> bool:
        """是 DDP 的 3 倍: a factor hangs on the group, and something before it is compared."""
        view = self._view
        number = view.number_after(group.end)
        if number is None or number.unit not in FACTOR_UNITS or number.start - group.end > _CLOSE:
            return False
        between = view.text(group.end, number.start)
        is_joined = ("的" in between or "'s" in between) and bool(signs.OF_IT.fullmatch(between))
        return is_joined and (
            view.group_before("scheme", group.start) is not None or bool(self._context.scheme)
        )

    def _is_reference(self, group: Group, number: Number) -> bool:
        """1.5x of DDP, than ZeRO-2, 是 DDP 的 1.5 倍."""
        if number.unit not in FACTOR_UNITS and number.unit is not Unit.FORMULA:
            return False
        view = self._view
        is_owner = number.unit is Unit.FORMULA and view.text(group.end, number.start).strip() in {
            "",
            "'s",
            "的",
        }
        if is_owner and group.end <= number.start:
            return False
        before = view.text(group.start - 24, group.start)
        if signs.REFERENCE.search(before):
            is_compared = signs.COMPARED.search(before) or signs.ALIKE.match(view.low, group.end)
            is_beside = group.start < number.start or bool(signs.ALIKE.match(view.low, group.end))
            return number.unit in FACTOR_UNITS or (is_beside and bool(is_compared))
        if number.unit not in FACTOR_UNITS:
            return False
        if group.end <= number.start and (self._compares(group) or self._is_baseline(group)):
            return True
        ahead = view.text(number.end, group.start)
        is_named = group.values == ("ddp",) or bool(signs.THAN.search(ahead))
        return (
            group.start >= number.end
            and len(ahead) < _NEAR
            and is_named
            and bool(signs.OF_THAT.fullmatch(ahead))
        )

    def reference(self, number: Number) -> str:
        """What a factor is relative to; empty for plain data parallelism or nothing named."""
        if number.unit not in FACTOR_UNITS:
            return ""
        view = self._view
        for group in (
            view.group_before("scheme", number.start),
            view.group_after("scheme", number.end),
        ):
            if (
                group
                and view.sentence(group.start) == view.sentence(number.start)
                and self._is_reference(group, number)
            ):
                return group.marks[0].value
        return ""

    def is_near(self, number: Number) -> bool:
        return self._view.sentence_has("scheme", number) or bool(self._context.scheme)

    def per(self, number: Number) -> str:
        view = self._view
        mark = view.in_clause("per", number)
        if mark:
            return mark.value
        earlier = view.before("per", number.start)
        if earlier and view.sentence(earlier.start) == view.sentence(number.start):
            return earlier.value
        later = view.after("per", number.end)
        if later is None or view.sentence(later.start) != view.sentence(number.start):
            return ""
        is_taken = view.introduces(later, number) or view.loud_between(number.end, later.start)
        return "" if is_taken else later.value
