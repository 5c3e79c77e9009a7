"""What a number measures: which quantity, as far as its unit and the words around it tell."""

from collections.abc import Callable, Mapping
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
_NOT_AHEAD: Final = frozenset({Unit.BYTES, Unit.FORMULA})  # a later clause has its own topic
_FAR: Final = 90
_NEAR: Final = 28
_JUST_BEFORE: Final = 12
_RECENT: Final = 2  # sentences that a topic is remembered for
_SMALL: Final = 4.0  # bare multiples of ψ up to here are traffic, beyond they are bytes
_LARGEST_WIDTH: Final = 64
_TRAFFIC: Final = 2.0  # bare factors up to here are traffic, 4 and 8 are savings
_COMPARED_TRAFFIC: Final = 3.0
_EVIDENCE: Final = ("need", "train", "infer", "part", "per")
_NUMERALS: Final = frozenset("0123456789零一二两三四五六七八九十")
_LONGEST_SYMBOL: Final = 5  # "\psi", "psi"
_PER_PARAM: Final = ("每个参数", "每参数", "per parameter", "per param", "一个参数")
_TIMES: Final = ("×", "*", "x", "乘", "乘以", "times")
_CLAUSE_ENDS: Final = frozenset({"", ".", ",", "。", "\ue020", ";", "、"})
_SIZE_TOPICS: Final[Mapping[str, Quantity]] = {
    "kv": Quantity.KV_CACHE,
    "act": Quantity.ACTIVATION,
    "comm": Quantity.COMM_VOLUME,
}


class Topics:
    """Reads the words around numbers of one view, in order: widths and sizes are remembered."""

    def __init__(self, view: View, conditions: Conditions, context: ClaimContext) -> None:
        self._view = view
        self._conditions = conditions
        self._context = context
        self.subjects = Subjects(view, context)
        self.parts = Parts(view)
        self._width_at = -_RECENT - 1  # sentence in which bytes per parameter were last spoken of
        self._memory_at = -_RECENT - 1
        self._all_in_gigabytes = signs.IN_GIGABYTES.search(view.low) is not None

    def quantity(self, number: Number) -> Quantity | None:
        """None when the number is no claim of this trade."""
        if is_width(self._view, number):
            return Quantity.BYTES_PER_PARAM
        return self._reader(number.unit)(number)

    def _reader(self, unit: Unit) -> Callable[[Number], Quantity | None]:
        if unit in _SIZE_UNITS:
            return self._of_size
        if unit in FACTOR_UNITS:
            return self._of_factor
        named = {
            Unit.FORMULA: self._of_formula,
            Unit.WIDTH: self._of_width,
            Unit.SUM: self._of_width,
            Unit.PARAMS: self._of_count,
            Unit.LETTER_B: self._of_count,
        }
        return named.get(unit, self._of_bare)

    def _of_formula(self, number: Number) -> Quantity | None:
        names = number.expr.names if number.expr else frozenset[str]()
        if names >= {"s", "h"}:
            is_sent = self._view.sentence_has("coll", number)
            has_figure = signs.FIGURE.search(self._view.text(number.start, number.end))
            return None if is_sent or not has_figure else Quantity.ACTIVATION
        if self._counts_elements(number) or self._is_of_compute(number):
            return None
        if names & {"N", "K"}:
            is_said = "ψ" in names or self.subjects.is_near(number)
            return Quantity.FORMULA if is_said else None
        if self._is_lone_symbol(number) and not self._is_alone(number):
            return None
        return Quantity.COMM_VOLUME if self._is_traffic(number) else Quantity.FORMULA

    def _is_of_compute(self, number: Number) -> bool:
        """6ψ operations per token are work, no bytes."""
        view = self._view
        if view.clause_has("compute", number):
            return True
        is_of_bytes = any(view.clause_has(k, number) for k in ("part", "scheme", "coll", "tune"))
        if is_of_bytes or view.clause_has("topic", number, "memory"):
            return False
        if view.clause_has("topic", number, "comm") or view.clause_has("per", number, "gpu"):
            return False
        earlier = view.before("compute", number.start)
        is_carried = earlier is not None and number.start - earlier.end < _FAR
        return is_carried or view.sentence_has("compute", number)

    def _counts_elements(self, number: Number) -> bool:
        """ψ/N and 2ψ elements are counts, not bytes; traffic is counted so."""
        view = self._view
        if self.topic(number) == "comm":
            return False
        text = view.text(number.start, number.end).lstrip("(（ ")
        if signs.SHARE_OF_PSI.match(text):
            return True
        is_traffic = view.sentence_has("coll", number)
        after = view.text(number.end, number.end + _NEAR)
        return not is_traffic and signs.ELEMENTS.match(after) is not None

    def _is_lone_symbol(self, number: Number) -> bool:
        """ψ without a figure: mostly the name of a quantity, "a reduce-scatter of ψ"."""
        text = self._view.text(number.start, number.end).strip()
        return len(text) <= _LONGEST_SYMBOL and " " not in text and not _NUMERALS & set(text)

    def _is_alone(self, number: Number) -> bool:
        """DDP communicates ψ: nothing else in the sentence says how much."""
        if self._view.clause_has("coll", number) and self.topic(number) == "comm":
            return self._view.text(number.end, number.end + 2).strip()[:1] not in {"+", "=", "加"}
        others = self._view.numbers_of_sentence(self._view.sentence(number.start))
        is_only = sum(n.unit in {Unit.FORMULA, *FACTOR_UNITS} for n in others) == 1
        return is_only and self.topic(number) == "comm" and self.subjects.is_near(number)

    def _is_traffic(self, number: Number) -> bool:
        view, topic = self._view, self.topic(number)
        if topic == "comm" or (view.clause_has("coll", number) and topic != "memory"):
            return True
        if view.clause_has("part", number) or topic in {"memory", "kv", "act"}:
            return False
        if view.sentence_has("coll", number):
            return True
        if view.sentence_has("topic", number, "comm") and self._conditions.value("k", number):
            return True
        value = number.expr.at({"ψ": 1, "k": 1}) if number.expr else None
        if value is None or view.clause_has("per", number):
            return False
        return value <= _SMALL and value % 1 == 0  # passes over the wire come whole

    def _of_width(self, number: Number) -> Quantity | None:
        view = self._view
        if is_rate(view, number) or is_elsewhere(view, number):
            return None
        if self.subjects.per(number) in {"token", "layer", "sequence"}:
            return None
        is_told = any(view.sentence_has(kind, number) for kind in ("part", "opt", "mix"))
        is_told = is_told or view.sentence_has("per", number, "param") or self._scales_model(number)
        is_carried = view.sentence(number.start) - self._width_at <= _RECENT
        if not (is_told or is_carried):
            return None
        self._width_at = view.sentence(number.start)
        return Quantity.BYTES_PER_PARAM

    def _scales_model(self, number: Number) -> bool:
        """7B × 16 字节."""
        before = self._view.text(number.start - _JUST_BEFORE, number.start).rstrip(" ")
        return before.endswith(_TIMES) and self._is_sized(number)

    def _is_sized(self, number: Number) -> bool:
        return self._conditions.model(number, 0, 1) is not None

    def _of_count(self, number: Number) -> Quantity | None:
        if self.is_largest(number):
            return Quantity.PARAM_COUNT
        model = self._conditions.named_model(number)
        if model is None or not 0 <= number.start - model.end <= _NEAR:
            return None
        between = self._view.text(model.end, number.start)
        is_free = not self._view.loud_between(model.end, number.start)
        return Quantity.PARAM_COUNT if is_free and signs.HAS_COUNT.search(between) else None

    def is_largest(self, number: Number) -> bool:
        """The largest model that a memory and a scheme allow."""
        view = self._view
        is_told = view.clause_has("most", number) and view.sentence_has("scheme", number)
        if signs.FITS_NOT.search(view.near(number, _NEAR)):
            return False
        return is_told and self.capacity(number) is not None

    def capacity(self, number: Number) -> float | None:
        """Bytes of the card that the sentence names."""
        home = self._view.sentence(number.start)
        sizes = [n for n in self._view.numbers_of_sentence(home) if n.unit is Unit.BYTES]
        return sizes[0].amount.low if sizes else None

    def _of_size(self, number: Number) -> Quantity | None:
        view = self._view
        if any(sign(view, number) for sign in (is_rate, is_hardware, is_elsewhere)):
            return None
        if number.unit is Unit.LETTER_M and view.sentence_has("scheme", number, "zeropp"):
            return Quantity.COMM_VOLUME
        quantity = self._topic_of_size(number)
        is_letter = number.unit in {Unit.LETTER_K, Unit.LETTER_M}
        if quantity or is_letter:
            return quantity if not is_letter or quantity is Quantity.KV_CACHE else None
        if not self._is_memory(number):
            return None
        self._memory_at = view.sentence(number.start)
        return Quantity.TOTAL_MEMORY if self._is_total(number) else Quantity.MEMORY_PER_GPU

    def may_fit(self, number: Number) -> bool:
        """A size that no word says what it is of, and none that it is of something else."""
        view = self._view
        is_size = number.unit is Unit.BYTES or (
            number.unit is Unit.NONE and not number.name and self._all_in_gigabytes
        )
        if not is_size or not self._is_sized(number):
            return False
        if any(sign(view, number) for sign in (is_rate, is_hardware, is_elsewhere, is_measured)):
            return False
        return self._topic_of_size(number) is None and not view.clause_has("storage", number)

    def _topic_of_size(self, number: Number) -> Quantity | None:
        topic = self.topic(number)
        if topic in {"kv", "act"} and self._is_of_weights(number):
            return None
        if self.subjects.per(number) == "token":
            return Quantity.KV_CACHE
        if topic == "act" and self.parts.tight(number):
            return None
        if topic != "memory" and self._view.clause_has("coll", number):
            return _SIZE_TOPICS.get(topic, Quantity.COMM_VOLUME)
        return _SIZE_TOPICS.get(topic)

    def _is_of_weights(self, number: Number) -> bool:
        """16 GB for the weights, and 128 KB of cache per token: a state is named nearer."""
        view = self._view
        part, home = view.in_clause("part", number), view.clause(number.start)
        if part is None or part.start < number.start <= part.end:
            return False
        around = (view.before("topic", number.start), view.after("topic", number.end))
        topics = [mark for mark in around if mark and view.clause(mark.start) == home]
        return all(_distance(part, number) < _distance(topic, number) for topic in topics)

    def _is_memory(self, number: Number) -> bool:
        view = self._view
        if number.sums_to is not None or self.subjects.is_near(number):
            return True
        if is_measured(view, number) or view.clause_has("per", number, "gpu"):
            return True
        if view.clause_has("topic", number, "memory"):
            return True
        is_told = self._stands_for(number) or any(view.clause_has(k, number) for k in _EVIDENCE)
        is_about_model = self._is_sized(number) or view.clause_has("part", number)
        is_carried = view.sentence(number.start) - self._memory_at < _RECENT
        return is_carried or (is_told and is_about_model)

    def _stands_for(self, number: Number) -> bool:
        """= 112 GB, so 112 GB, or 112 GB."""
        before = self._view.text(number.start - _JUST_BEFORE, number.start).rstrip(" ")
        return before.endswith(signs.STANDS_FOR)

    def _is_total(self, number: Number) -> bool:
        if self._view.clause_has("per", number, "total"):
            return True
        is_per_gpu = self.subjects.per(number) == "gpu"
        return not (is_per_gpu or self.subjects.is_near(number) or self._context.scheme)

    def _of_factor(self, number: Number) -> Quantity | None:
        view, topic = self._view, self.topic(number)
        is_multiple = signs.MULTIPLE_OF.match(view.low, number.end) is not None
        if is_multiple and view.sentence_has("part", number, "optimizer"):
            return Quantity.BYTES_PER_PARAM
        if topic in {"speed", "kv", "act"} or self._is_of_speed(number):
            return None
        if signs.OF_COUNT.match(view.low, number.end) or signs.AGAIN.search(
            view.text(number.start - _JUST_BEFORE, number.start)
        ):
            return None
        if is_elsewhere(view, number) or not self._has_scheme(number):
            return None
        if not self._is_change(number, topic):
            return None
        return Quantity.COMM_VOLUME if topic == "comm" else self._saving(number, topic)

    def _is_change(self, number: Number, topic: str) -> bool:
        """Of a score (30%) or of a buffer nothing is claimed; of more, less or a ratio it is."""
        view = self._view
        if topic not in {"comm", "memory"} and view.sentence_has("storage", number):
            return False
        if number.unit is Unit.FACTOR or self.subjects.reference(number):
            return True
        is_left = topic == "memory" or view.sentence_has("less", number)
        if number.unit is Unit.SHARE and is_left:
            return True
        return any(view.clause_has(kind, number) for kind in ("more", "less", "ref"))

    def _is_of_speed(self, number: Number) -> bool:
        view = self._view
        is_fast = view.clause_has("topic", number, "speed")
        return is_fast and not view.clause_has("topic", number, "comm")

    def _has_scheme(self, number: Number) -> bool:
        is_said = self.subjects.schemes(number, 0, 1) or self._context.scheme
        return bool(is_said) or self._view.sentence_has("stages", number)

    def _saving(self, number: Number, topic: str) -> Quantity | None:
        view = self._view
        is_less = view.sentence_has("less", number) or view.sentence_has("part", number, "states")
        if topic == "memory" or is_less:
            return Quantity.REDUCTION_FACTOR
        if number.unit is not Unit.FACTOR:
            return None
        most = _COMPARED_TRAFFIC if self.subjects.reference(number) else _TRAFFIC
        is_traffic = number.amount.low <= most
        return Quantity.COMM_VOLUME if is_traffic else Quantity.REDUCTION_FACTOR

    def _of_bare(self, number: Number) -> Quantity | None:
        """A number without a unit: K=12, 2+2+12=16, ratio 1.5, 12 for the optimizer."""
        if number.name:
            return Quantity.BYTES_PER_PARAM if number.name == "K" else None
        if number.sums_to is not None:
            return self._of_sum_result(number)
        before = self._view.text(number.start - _JUST_BEFORE, number.start)
        if signs.RATIO.search(before) and self.topic(number) == "comm":
            return Quantity.COMM_VOLUME if self.subjects.schemes(number, 0, 1) else None
        if before.rstrip(" 是为要占用约大概就=:").endswith(_PER_PARAM):
            return self._of_width(number)
        if self._is_bare_size(number):
            return Quantity.MEMORY_PER_GPU
        is_recent = self._view.sentence(number.start) - self._width_at < _RECENT
        is_state = bool(self.parts.tight(number)) or self._ends_clause_after_part(number)
        return Quantity.BYTES_PER_PARAM if is_state and is_recent else None

    def _is_bare_size(self, number: Number) -> bool:
        """7B 八卡 ZeRO-3 每卡 14: gigabytes, where all conditions are known."""
        view = self._view
        if number.unit is not Unit.NONE or not self.subjects.schemes(number, 0, 1):
            return False
        is_framed = signs.BARE_BEFORE.search(view.text(number.start - _NEAR, number.start))
        is_framed = is_framed or signs.PER_GPU_AFTER.match(view.low, number.end)
        is_last = signs.BARE_AFTER.match(view.low, number.end) is not None
        is_known = self._is_sized(number) and self._conditions.shards(number, 0, 1) is not None
        return bool(is_framed) and is_last and is_known

    def _ends_clause_after_part(self, number: Number) -> bool:
        """The optimizer adds 12."""
        view = self._view
        after = view.text(number.end, number.end + 3).lstrip(" ").removeprefix("个")[:1]
        left = view.before("part", number.start)
        if left is None or view.clause(left.start) != view.clause(number.start):
            return False
        return after in _CLAUSE_ENDS and not view.loud_between(left.end, number.start)

    def _of_sum_result(self, number: Number) -> Quantity | None:
        kinds = ("part", "opt", "mix", "per")
        is_told = any(self._view.sentence_has(kind, number) for kind in kinds)
        is_small = number.amount.low <= _LARGEST_WIDTH
        return Quantity.BYTES_PER_PARAM if is_told and is_small else None

    def topic(self, number: Number) -> str:
        """Nearest topic: of the clause, then of the sentence, then carried for a while."""
        view = self._view
        mark = view.in_clause("topic", number) or self._topic_of_sentence(number)
        if mark is not None:
            return mark.value
        earlier = view.before("topic", number.start)
        if earlier is None or number.start - earlier.end >= _FAR:
            return ""
        if number.unit is Unit.FACTOR and number.amount.low > _TRAFFIC:
            return ""  # a table's header speaks of other columns too
        if number.unit is Unit.BYTES and self._is_of_card(number):
            return ""
        is_recent = view.sentence(number.start) - view.sentence(earlier.start) <= _RECENT
        return earlier.value if is_recent else ""

    def _is_of_card(self, number: Number) -> bool:
        """A size that its own sentence puts on a GPU follows no topic of an earlier one."""
        view = self._view
        is_placed = view.clause_has("per", number, "gpu") or view.clause_has("part", number)
        return is_placed or is_measured(view, number)

    def _topic_of_sentence(self, number: Number) -> Mark | None:
        """What follows a size in another clause is about something else."""
        mark = self._view.in_sentence("topic", number)
        if mark is None or (number.unit in _NOT_AHEAD and mark.start > number.start):
            return None
        return mark


def _distance(mark: Mark, number: Number) -> int:
    """Characters between them."""
    return max(mark.start - number.end, number.start - mark.end)
