"""What a number measures: which quantity, as far as its unit and the words around it tell."""

from typing import Final

from service.domain.claims import signs
from service.domain.claims.conditions import Conditions
from service.domain.claims.model import ClaimContext, Quantity
from service.domain.claims.numbers import is_width
from service.domain.claims.parts import Parts
from service.domain.claims.places import is_elsewhere, is_hardware, is_measured, is_rate
from service.domain.claims.subjects import FACTOR_UNITS, Subjects
from service.domain.claims.tokens import Mark, Number, Unit
from service.domain.claims.view import View

_SIZE_UNITS: Final = frozenset({Unit.BYTES, Unit.LETTER_M, Unit.LETTER_K, Unit.LETTER_T})
_REACH: Final = 28
_FAR: Final = 90
_SMALL: Final = 4.0  # bare multiples of ψ up to here are traffic, beyond they are bytes
_EVIDENCE: Final = ("need", "train", "infer", "part", "per")


class Topics:
    """Reads the words around numbers of one view."""

    def __init__(self, view: View, conditions: Conditions, context: ClaimContext) -> None:
        self._view = view
        self._conditions = conditions
        self._context = context
        self.subjects = Subjects(view, context)
        self.parts = Parts(view)
        self._width_at = -1  # where bytes per parameter were last spoken of
        self._memory_at = -1

    def quantity(self, number: Number) -> Quantity | None:
        """None when the number is no claim of this trade."""
        if number.unit is Unit.FORMULA:
            return self._of_formula(number)
        if number.unit in {Unit.WIDTH, Unit.SUM}:
            return self._of_width(number)
        if is_width(self._view, number):
            return Quantity.BYTES_PER_PARAM
        if number.unit in {Unit.PARAMS, Unit.LETTER_B}:
            return self._of_count(number)
        if number.unit in _SIZE_UNITS:
            return self._of_size(number)
        if number.unit in FACTOR_UNITS:
            return self._of_factor(number)
        return self._of_bare(number)

    def _of_formula(self, number: Number) -> Quantity | None:
        names = number.expr.names if number.expr else frozenset[str]()
        if names & {"s", "b", "h"} >= {"s", "h"}:
            return Quantity.ACTIVATION
        if "N" in names and "ψ" not in names:
            return Quantity.FORMULA if self.subjects.is_near(number) else None
        if "N" in names or "K" in names:
            return Quantity.FORMULA
        if self._is_lone_symbol(number) and not self._is_alone(number):
            return None
        return Quantity.COMM_VOLUME if self._is_traffic(number) else Quantity.FORMULA

    def _is_lone_symbol(self, number: Number) -> bool:
        """ψ without a figure: mostly the name of a quantity, "a reduce-scatter of ψ"."""
        text = self._view.text(number.start, number.end)
        return (
            not any(c.isdigit() or c in "零一二两三四五六七八九十" for c in text)
            and len(text) < 6
            and " " not in text.strip()
        )

    def _is_alone(self, number: Number) -> bool:
        """DDP communicates ψ: nothing else in the sentence says how much."""
        others = self._view.numbers_of_sentence(self._view.sentence(number.start))
        is_only = sum(n.unit in {Unit.FORMULA, *FACTOR_UNITS} for n in others) == 1
        return is_only and self.topic(number) == "comm" and self.subjects.is_near(number)

    def _is_traffic(self, number: Number) -> bool:
        topic = self.topic(number)
        if topic == "comm" or self._view.clause_has("coll", number):
            return not self._view.clause_has("part", number) or topic == "comm"
        if topic in {"memory", "kv", "act"} or self._view.clause_has("part", number):
            return False
        if self._view.sentence_has("coll", number):
            return True
        value = number.expr.at({"ψ": 1, "k": 1}) if number.expr else None
        if value is None or self._view.clause_has("per", number):
            return False
        return value <= _SMALL and value % 1 == 0  # passes over the wire come whole

    def _of_width(self, number: Number) -> Quantity | None:
        if is_rate(self._view, number) or is_elsewhere(self._view, number):
            return None
        if self.subjects.per(number) in {"token", "layer", "sequence"}:
            return None
        view = self._view
        is_told = view.clause_has("per", number, "param") or any(
            view.sentence_has(kind, number) for kind in ("part", "opt", "mix")
        )
        is_carried = self._width_at >= 0 and view.sentence(number.start) - self._width_at <= 2
        if number.unit is Unit.SUM and not (is_told or is_carried):
            return None
        is_told = is_told or self._multiplies_model(number)
        if is_told or is_carried or view.sentence_has("per", number, "param"):
            self._width_at = view.sentence(number.start)
            return Quantity.BYTES_PER_PARAM
        return None

    def _multiplies_model(self, number: Number) -> bool:
        """7B × 16 字节."""
        before = self._view.text(number.start - 6, number.start).rstrip(" ")
        return (
            before.endswith(("×", "*", "x", "乘", "乘以", "times"))
            and self._conditions.model(number, 0, 1) is not None
        )

    def _of_count(self, number: Number) -> Quantity | None:
        if self._is_most(number):
            return Quantity.PARAM_COUNT
        view = self._view
        model = self._conditions.named_model(number)
        if model is None or not model.name or self._context_only(model.start):
            return None
        if (
            view.loud_between(min(model.end, number.start), number.start)
            or abs(number.start - model.end) > _REACH
        ):
            return None
        between = view.text(model.end, number.start)
        says = any(
            word in between
            for word in (
                "有",
                "has",
                "have",
                "是",
                "为",
                "contains",
                "参数",
                "counts",
                "parameter",
                "with",
                "is",
                "共",
            )
        )
        return Quantity.PARAM_COUNT if says and number.start > model.end else None

    def _context_only(self, start: int) -> bool:
        return start < 0

    def _is_most(self, number: Number) -> bool:
        """The largest model that a memory and a scheme allow."""
        view = self._view
        return (
            view.clause_has("most", number)
            and bool(view.sentence_has("scheme", number))
            and self.capacity(number) is not None
        )

    def capacity(self, number: Number) -> float | None:
        """Bytes of the card that the sentence names."""
        home = self._view.sentence(number.start)
        sizes = [n for n in self._view.numbers_of_sentence(home) if n.unit is Unit.BYTES]
        return sizes[0].amount.low if sizes else None

    def _of_size(self, number: Number) -> Quantity | None:
        if (
            is_rate(self._view, number)
            or is_hardware(self._view, number)
            or is_elsewhere(self._view, number)
        ):
            return None
        topic = self.topic(number)
        if number.unit is Unit.LETTER_M and self._view.sentence_has("scheme", number, "zeropp"):
            return Quantity.COMM_VOLUME
        if number.unit in {Unit.LETTER_K, Unit.LETTER_M} and topic != "kv":
            return None
        if topic == "kv":
            return Quantity.KV_CACHE
        if topic == "act" and not self.parts.tight(number):
            return Quantity.ACTIVATION
        if topic == "comm" or (self._view.clause_has("coll", number) and topic != "memory"):
            return Quantity.COMM_VOLUME
        if not self._is_memory(number):
            return None
        self._memory_at = self._view.sentence(number.start)
        return Quantity.TOTAL_MEMORY if self._is_total(number) else Quantity.MEMORY_PER_GPU

    def _is_memory(self, number: Number) -> bool:
        view = self._view
        if (
            number.sums_to is not None
            or self.subjects.is_near(number)
            or is_measured(self._view, number)
        ):
            return True
        is_sized = self._conditions.model(number, 0, 1) is not None or view.clause_has(
            "part", number
        )
        is_told = any(view.clause_has(kind, number) for kind in _EVIDENCE) or self._is_product(
            number
        )
        if view.clause_has("topic", number, "memory") or view.clause_has("per", number, "gpu"):
            return True
        if is_sized and is_told:
            return True
        return self._memory_at >= 0 and view.sentence(number.start) - self._memory_at <= 1

    def _is_product(self, number: Number) -> bool:
        return (
            self._view.text(number.start - 8, number.start)
            .rstrip(" ")
            .endswith(
                (
                    "=",
                    "≈",
                    "就是",
                    "等于",
                    "equals",
                    ", or",
                    ",or",
                    "i.e.",
                    "that is",
                    "也就是",
                    "即",
                    "so",
                    "所以是",
                    "所以",
                    ":",
                )
            )
        )

    def _is_total(self, number: Number) -> bool:
        if self.subjects.per(number) == "gpu" or (
            self.subjects.is_near(number) and not self._view.clause_has("per", number, "total")
        ):
            return False
        return not self._context.scheme or self._view.clause_has("per", number, "total")

    def _of_factor(self, number: Number) -> Quantity | None:
        view = self._view
        if signs.MULTIPLE_OF.match(view.low, number.end) and view.sentence_has(
            "part", number, "optimizer"
        ):
            return Quantity.BYTES_PER_PARAM
        if view.clause_has("topic", number, "speed") and not view.clause_has(
            "topic", number, "comm"
        ):
            return None
        if is_elsewhere(self._view, number):
            return None
        topic = self.topic(number)
        if topic == "speed" or topic in {"kv", "act"}:
            return None
        if not (
            self.subjects.schemes(number, 0, 1)
            or self._context.scheme
            or view.sentence_has("stages", number)
        ):
            return None
        if topic == "comm":
            return Quantity.COMM_VOLUME
        if number.unit is Unit.SHARE and not view.clause_has("less", number) and topic != "memory":
            return None
        if (
            topic == "memory"
            or view.clause_has("less", number)
            or view.sentence_has("less", number)
        ):
            return Quantity.REDUCTION_FACTOR
        if view.sentence_has("part", number, "states"):
            return Quantity.REDUCTION_FACTOR
        return self._prior_factor(number)

    def _prior_factor(self, number: Number) -> Quantity | None:
        """A factor with a scheme and no topic: 1.5 is traffic, 4 and 8 are savings."""
        if number.unit is not Unit.FACTOR:
            return None
        is_traffic = (
            number.amount.low <= 2
            or self.subjects.reference(number) != ""
            and number.amount.low <= 3
        )
        return Quantity.COMM_VOLUME if is_traffic else Quantity.REDUCTION_FACTOR

    def _of_bare(self, number: Number) -> Quantity | None:
        view = self._view
        if number.name == "K":
            return Quantity.BYTES_PER_PARAM
        if number.name:
            return None
        if number.sums_to is not None:
            return self._of_sum_result(number)
        before = view.text(number.start - 12, number.start).rstrip(" 是为要占用约大概就=:")
        if (
            signs.RATIO.search(view.text(number.start - 12, number.start))
            and self.subjects.schemes(number, 0, 1)
            and self.topic(number) == "comm"
        ):
            return Quantity.COMM_VOLUME
        if before.endswith(("每个参数", "每参数", "per parameter", "per param", "一个参数")):
            return self._of_width(number)
        part = self.parts.tight(number) or self._ends_clause_after_part(number)
        is_recent = self._width_at >= 0 and view.sentence(number.start) - self._width_at <= 1
        if part and is_recent and number.unit is Unit.NONE:
            return Quantity.BYTES_PER_PARAM
        return None

    def _ends_clause_after_part(self, number: Number) -> bool:
        """The optimizer adds 12."""
        view = self._view
        after = view.text(number.end, number.end + 3).lstrip(" ").removeprefix("个")[:1]
        left = view.before("part", number.start)
        is_near = left is not None and view.clause(left.start) == view.clause(number.start)
        return (
            is_near
            and after in {"", ".", ",", "。", "\ue020", ";", "、"}
            and not view.loud_between(left.end if left else 0, number.start)
        )

    def _of_sum_result(self, number: Number) -> Quantity | None:
        is_told = any(
            self._view.sentence_has(kind, number) for kind in ("part", "opt", "mix", "per")
        )
        return Quantity.BYTES_PER_PARAM if is_told and number.amount.low <= 64 else None

    def topic(self, number: Number) -> str:
        """Nearest topic: of the clause, then of the sentence, then carried for a while."""
        view = self._view
        mark = view.in_clause("topic", number) or self._topic_of_sentence(number)
        if mark is not None:
            return mark.value
        earlier = view.before("topic", number.start)
        if (
            earlier
            and number.start - earlier.end < _FAR
            and view.sentence(number.start) - view.sentence(earlier.start) <= 2
        ):
            return earlier.value
        return ""

    def _topic_of_sentence(self, number: Number) -> Mark | None:
        """What follows in another clause is about something else where this one says enough."""
        view = self._view
        mark = view.in_sentence("topic", number)
        return (
            mark if mark and (mark.start < number.start or number.unit is not Unit.BYTES) else None
        )

    def manner(self, number: Number, quantity: Quantity) -> set[str]:
        """Small words that change what the figure means: to or by, all states, the largest."""
        view = self._view
        words: set[str] = set()
        if number.unit in {Unit.SHARE, Unit.PERCENT} and not signs.DOWN_TO.search(
            view.text(number.start - 14, number.start)
        ):
            words.add("by")
        if view.sentence_has("part", number, "states"):
            words.add("states")
        if signs.STARTS_FROM.search(view.text(number.start - 16, number.start)):
            words.add("from")
        if quantity is Quantity.PARAM_COUNT and self._is_most(number):
            words.add("most")
        if view.sentence_has("limit", number):
            words.add("limit")
        optimizer = view.before("opt", number.start) or view.after("opt", number.end)
        is_adam = (
            optimizer is not None
            and optimizer.value == "adam"
            and abs(optimizer.start - number.start) < _REACH
            and not signs.TRAINS.search(view.text(number.start - _REACH, number.end + _REACH))
        )
        if is_adam and not (
            view.sentence_has("mix", number) or view.sentence_has("per", number, "total")
        ):
            words.add("adam")
        return words
