"""What the clause of a number itself says: conditions that are bound, and those left open."""

import re
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.conditions import Conditions
from service.domain.claims.model import Quantity
from service.domain.claims.tokens import Mark, Number, Unit
from service.domain.claims.view import View

SIZES: Final = frozenset({Quantity.MEMORY_PER_GPU, Quantity.TOTAL_MEMORY})
_OF_STATES: Final = frozenset({*SIZES, Quantity.BYTES_PER_PARAM, Quantity.FORMULA})
_SUBJECTS: Final = ("scheme", "part", "train", "infer", "opt", "mix")
_RULERS: Final = ("scheme", "train", "opt", "mix")
_OF_ALL: Final = ("train", "mix")  # Adam and its 12 bytes: the optimizer may be all that is meant
_NAMED: Final = re.compile(
    "zero|stage|ddp|dp|fsdp|阶段|级|档|数据并行|data.parallel|first|second|third"
)
_TITLE: Final = 14  # "ZeRO stages 1, 2"
_LAST: Final = 4  # settings before a number that may be meant
_CARRIES_ON: Final = re.compile(
    r" *(?:(?:and|so|then|that|it|this|which|thus|hence|therefore|i\.e\.|or|now|each|= ?|≈ ?|→ ?|->"
    r"|that's|it's|gives|giving|makes|making|is|about|only|just|around|roughly|comes|down|to|takes"
    r"|needs|holds|becomes|would|will|be|from|at|per|gpu|card|memory) *)*[\d.~$]"
    "|.{0,2}(?:所以|就是|即|也就是|等于|降到|变成|变为|那就|也就|大概|约|大约|就|只要|只剩|只有"
    r"|需要|要|占|它|这|=|≈|→|得|是|为|从|到|每卡){1,4} ?[\d一二三四五六七八九十两几百]"
)


class Bindings:
    """Looks at the clause of each number of one view."""

    def __init__(self, view: View, conditions: Conditions) -> None:
        self._view = view
        self._conditions = conditions

    def says(self, number: Number, *kinds: str) -> bool:
        return any(self._view.clause_has(kind, number) for kind in kinds)

    def sets(self, kind: str, number: Number) -> bool:
        """Whether the value of a condition stands in the clause."""
        found = self._conditions.nearest(kind, number)
        home = self._view.clause(number.start)
        return found is not None and found.start >= 0 and self._view.clause(found.start) == home

    def names_scheme(self, number: Number) -> bool:
        """Whether a scheme is called by its name, not only told by what it does (不切)."""
        mark = self._view.in_clause("scheme", number)
        return mark is not None and self.is_name(mark)

    def is_name(self, mark: Mark) -> bool:
        """ZeRO-2, the second stage; not 全切."""
        return _NAMED.search(self._view.text(mark.start - _TITLE, mark.end)) is not None

    def claims_all(self, asked: Asked) -> bool:
        """It says how it is sharded, or that all states or the training are meant."""
        if asked.quantity not in _OF_STATES:
            return True
        view, number = self._view, asked.number
        if view.clause_has("part", number, "states") or view.clause_has("per", number, "total"):
            return True
        if view.clause_has("per", number, "gpu") and self.follows_scheme(number):
            return True
        if self._goes_on_with_a_state(asked):
            return False
        rulers = _RULERS if asked.quantity is not Quantity.BYTES_PER_PARAM else _OF_ALL
        return any(self._governs(kind, number) for kind in rulers)

    def _goes_on_with_a_state(self, asked: Asked) -> bool:
        """bf16 参数 60GB，八卡分下来 7.5GB: the state named for the figure before."""
        view, number = self._view, asked.number
        part = view.before("part", number.start)
        if part is None or view.sentence(part.start) != view.sentence(number.start):
            return False
        if self.says(number, "part", "train") or view.clause_has("per", number, "gpu"):
            return False
        return part.value != "states" and view.clause(part.start) == view.clause(number.start) - 1

    def _governs(self, kind: str, number: Number) -> bool:
        """In its own clause and not behind an "and"."""
        home = self._view.clause(number.start)
        return any(
            self._view.clause(mark.start) == home and not self._view.is_behind_and(mark, number)
            for mark in self._view.governing(kind, number)
        )

    def follows_scheme(self, number: Number) -> bool:
        """7B 八卡 ZeRO-2，每卡 14GB: the subject of a figure on one GPU is all it holds."""
        view = self._view
        scheme = view.before("scheme", number.start)
        if scheme is None or view.sentence(scheme.start) != view.sentence(number.start):
            return False
        return not view.loud_between(scheme.end, number.start)

    def is_contested(self, asked: Asked) -> bool:
        """Whether a condition stands in no clause of the sentence and the text has several."""
        number, view = asked.number, self._view
        kinds = ["model"] if asked.psi is not None else []
        kinds += ["gpus"] if asked.shards is not None else []
        if any(self._is_contested(kind, number) for kind in kinds):
            return True
        if not asked.schemes or view.sentence_has("scheme", number):
            return False
        return len(set(view.last_values("scheme", number.start, _LAST))) > 1

    def _is_contested(self, kind: str, number: Number) -> bool:
        found = self._conditions.nearest(kind, number)
        home = self._view.sentence(number.start)
        if found is None or found.start < 0 or self._view.sentence(found.start) == home:
            return False
        return len(set(self._conditions.around(kind, number, _LAST))) > 1

    def identifies(self, number: Number) -> bool:
        """Whether it says what a size is of, or where; or only goes on with what did."""
        view = self._view
        if self.says(number, *_SUBJECTS) or view.clause_has("topic", number, "memory"):
            return True
        if view.clause_has("per", number, "gpu") or view.clause_has("per", number, "total"):
            return True
        if self.sets("model", number) or self.sets("gpus", number):
            return True
        return number.unit is Unit.NONE or self._goes_on(number)

    def _goes_on(self, number: Number) -> bool:
        """It takes 20 GB, so 20 GB: the clause has no other subject."""
        storage = self._view.before("storage", number.start)
        home = self._view.sentence(number.start)
        if storage is not None and self._view.sentence(storage.start) == home:
            return False
        start = self._view.clause_start(number)
        return _CARRIES_ON.match(self._view.low, start) is not None
