"""What a number measures: which quantity, of which scheme, of which state, per what."""

import re
from typing import Final

from service.domain.claims.conditions import Conditions
from service.domain.claims.model import ClaimContext, Quantity
from service.domain.claims.numbers import is_width
from service.domain.claims.tokens import Mark, Number, Unit
from service.domain.claims.view import Group, View

_CARD_AFTER: Final = re.compile(
    r" ?(?:\)|的)? ?(?:显存|vram|memory|hbm|hbm2e|hbm3)?(?:的)? ?(?:单卡|卡(?!上)|显卡|gpu(?:s)?(?![a-z])|cards?(?![a-z])|v100|a100|h100|版|机器|"
    r"devices?(?![a-z])|accelerators?|boards?(?![a-z])|nodes?(?![a-z])|servers?(?![a-z])|machines?(?![a-z])|显存卡|nvlink|pcie|sxm)"
)
_CAPACITY_BEFORE: Final = re.compile(
    r"(?:放进|放不进|塞进|塞不进|装进|装不进|放到|挤进|fits? (?:in|into|on|inside|within)|fit|into|squeezed? into|exceeds?|超过了|超出|out of|"
    r"limit of|limit is|capacity of|budget of|budget is|beyond|larger than|过了|上限|上限是|容量|容量是|of its|of the|with just|"
    r"both|留给|free|headroom of|room of|预算|预算是|余量|多达|stay under|keep under|"
    r"at most|每卡只有|every card has|each has|each with|gpus with|cards with|配|配备|配了) ?(?:一张|单张|a|an|the|single|one|about|around|约|大约|我们的|your|our|my|its)? ?$"
)
_OWNED_BEFORE: Final = re.compile(
    r"(?:只有|only has|only have|has|have|有|单卡|leaves|leaving|剩下|剩|还剩|余下|来自) ?(?:一张|单张|a|an|the|single|one|about|around|约|大约|only|just)? ?$"
)
_CAPACITY_AFTER: Final = re.compile(
    r" ?(?:的)?(?:显存|内存)?(?:的)? ?(?:放得下|放不下|装得下|装不下|塞得下|塞不下|够用|够了|不够|肯定不够|能放下|里放|里装|就不够|都放不下|也放不下|上限|容量|"
    r"is not enough|is enough|isn't enough|won't|will not|can't hold|cannot hold|can hold|of headroom|headroom|free|spare|left for|left over|of room|to spare|"
    r"limit|budget|ceiling|each available|available|空闲|余量|可用|留给|给激活|for activations|for everything else|is plenty|suffices)"
)
_RATE_AFTER: Final = re.compile(
    r" ?(?:/ ?(?:s|sec|秒)|ps(?![a-z])|每秒|per second|a second|的带宽|带宽)"
)
_MULTIPLE_OF: Final = re.compile(
    r" ?(?:的)? ?(?:参数量|模型参数|参数数量|the (?:number of )?parameters|the parameter count|parameters|the model size|the weights|权重|模型大小|参数大小)"
)
_FACTOR_UNITS: Final = frozenset({Unit.FACTOR, Unit.SHARE, Unit.PERCENT})
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
        self._width_at = -1  # where bytes per parameter were last spoken of
        self._memory_at = -1
        self._said_at = -1
        self._last_group = -1
        self.is_part_weak = False  # the last part was said in another clause
        self._said: tuple[str, ...] = ()

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
        if number.unit in _FACTOR_UNITS:
            return self._of_factor(number)
        return self._of_bare(number)

    # formulas

    def _of_formula(self, number: Number) -> Quantity | None:
        names = number.expr.names if number.expr else frozenset[str]()
        if names & {"s", "b", "h"} >= {"s", "h"}:
            return Quantity.ACTIVATION
        if "N" in names and "ψ" not in names:
            return Quantity.FORMULA if self._near_scheme(number) else None
        if "N" in names or "K" in names:
            return Quantity.FORMULA
        if self._is_lone_symbol(number):
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

    def _is_traffic(self, number: Number) -> bool:
        topic = self.topic(number)
        if topic == "comm" or self._view.clause_has("coll", number):
            return not self._view.clause_has("part", number) or topic == "comm"
        if topic in {"memory", "kv", "act"} or self._view.clause_has("part", number):
            return False
        if self._view.sentence_has("coll", number):
            return True
        value = number.expr.at({"ψ": 1, "k": 1}) if number.expr else None
        return value is not None and value <= _SMALL and not self._view.clause_has("per", number)

    # bytes of one parameter

    def _of_width(self, number: Number) -> Quantity | None:
        if self._is_rate(number) or self._is_elsewhere(number):
            return None
        if self.per(number) in {"token", "layer", "sequence"}:
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

    # parameter counts

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

    # sizes in memory

    def _of_size(self, number: Number) -> Quantity | None:
        if self._is_rate(number) or self._is_hardware(number) or self._is_elsewhere(number):
            return None
        topic = self.topic(number)
        if number.unit is Unit.LETTER_M and self._view.sentence_has("scheme", number, "zeropp"):
            return Quantity.COMM_VOLUME
        if number.unit in {Unit.LETTER_K, Unit.LETTER_M} and topic != "kv":
            return None
        if topic == "kv":
            return Quantity.KV_CACHE
        if topic == "act" and not self._tight_part(number):
            return Quantity.ACTIVATION
        if topic == "comm" or (self._view.clause_has("coll", number) and topic != "memory"):
            return Quantity.COMM_VOLUME
        if not self._is_memory(number):
            return None
        self._memory_at = self._view.sentence(number.start)
        return Quantity.TOTAL_MEMORY if self._is_total(number) else Quantity.MEMORY_PER_GPU

    def _is_memory(self, number: Number) -> bool:
        view = self._view
        if number.sums_to is not None or self._near_scheme(number) or self.is_measured(number):
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
        if self.per(number) == "gpu" or (
            self._near_scheme(number) and not self._view.clause_has("per", number, "total")
        ):
            return False
        return not self._context.scheme or self._view.clause_has("per", number, "total")

    def _is_rate(self, number: Number) -> bool:
        return bool(_RATE_AFTER.match(self._view.low, number.end))

    def _is_hardware(self, number: Number) -> bool:
        view, low = self._view, self._view.low
        if _CARD_AFTER.match(low, number.end) or _CAPACITY_AFTER.match(low, number.end):
            return True
        before = view.text(number.start - _REACH, number.start)
        gpu = view.before("gpu", number.start)
        if gpu and number.start - gpu.end <= 4:
            return True
        if (
            gpu
            and number.start - gpu.end <= 16
            and re.fullmatch(
                r"[ (,/-]*(?:each |with |has |的)?(?:显存|memory|with)?[ :是为]*",
                view.text(gpu.end, number.start),
            )
        ):
            return True
        if re.search(r"(?:\d|张|块|台|[x×*]) ?$", before) and re.search(
            r"\d ?(?:张|块|[x×*]|个) ?$", before
        ):
            return number.sums_to is None
        after_gpu = view.after("gpu", number.end)
        if after_gpu and after_gpu.start - number.end <= 2:
            return True
        if view.clause_has("part", number):
            return False
        is_owned = bool(_OWNED_BEFORE.search(before)) and not view.sentence_has("scheme", number)
        return bool(_CAPACITY_BEFORE.search(before)) or is_owned

    def _is_elsewhere(self, number: Number) -> bool:
        """Disks, files, hosts, buckets: bytes that are no model states on a GPU."""
        storage = self._view.in_clause("storage", number)
        if storage is None:
            return False
        part = self._view.in_clause("part", number)
        if part and 0 <= storage.start - part.end <= 1:
            return False
        return part is None or abs(storage.start - number.start) < abs(part.start - number.start)

    def is_measured(self, number: Number) -> bool:
        view = self._view
        if view.clause_has("measured", number):
            return True
        if view.clause_has("part", number):
            return False
        mark = view.before("measured", number.start)
        return (
            mark is not None
            and view.sentence(mark.start) == view.sentence(number.start)
            and not view.loud_between(mark.end, number.start)
        )

    # factors

    def _of_factor(self, number: Number) -> Quantity | None:
        view = self._view
        if _MULTIPLE_OF.match(view.low, number.end) and view.sentence_has(
            "part", number, "optimizer"
        ):
            return Quantity.BYTES_PER_PARAM
        if view.clause_has("topic", number, "speed") and not view.clause_has(
            "topic", number, "comm"
        ):
            return None
        if self._is_elsewhere(number):
            return None
        topic = self.topic(number)
        if topic == "speed" or topic in {"kv", "act"}:
            return None
        if not (
            self.schemes(number, 0, 1)
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
            number.amount.low <= 2 or self.reference(number) != "" and number.amount.low <= 3
        )
        return Quantity.COMM_VOLUME if is_traffic else Quantity.REDUCTION_FACTOR

    # bare numbers

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
            _RATIO.search(view.text(number.start - 12, number.start))
            and self.schemes(number, 0, 1)
            and self.topic(number) == "comm"
        ):
            return Quantity.COMM_VOLUME
        if before.endswith(("每个参数", "每参数", "per parameter", "per param", "一个参数")):
            return self._of_width(number)
        part = self._tight_part(number) or self._ends_clause_after_part(number)
        if part and self._width_at == view.sentence(number.start) and number.unit is Unit.NONE:
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

    # words around

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
        if number.unit in {Unit.SHARE, Unit.PERCENT} and not _DOWN_TO.search(
            view.text(number.start - 14, number.start)
        ):
            words.add("by")
        if view.sentence_has("part", number, "states"):
            words.add("states")
        if _STARTS_FROM.search(view.text(number.start - 16, number.start)):
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
            and not _TRAINS.search(view.text(number.start - _REACH, number.end + _REACH))
        )
        if is_adam and not (
            view.sentence_has("mix", number) or view.sentence_has("per", number, "total")
        ):
            words.add("adam")
        return words

    def _near_scheme(self, number: Number) -> bool:
        return self._view.sentence_has("scheme", number) or bool(self._context.scheme)

    def schemes(self, number: Number, index: int, size: int) -> tuple[str, ...]:
        """The schemes it is said of: one, or one of a list, or all of a list."""
        group = self._scheme_group(number)
        if (
            size == len(_STAGES)
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

    def _scheme_group(self, number: Number) -> Group | None:
        view = self._view
        tight = view.tight_after("scheme", number)
        left = self._subject_before(number)
        clause, sentence = view.clause(number.start), view.sentence(number.start)
        in_clause = left is not None and view.clause(left.start) == clause
        if tight and in_clause and left and not view.loud_between(left.end, number.start):
            tight = tight if _JOINS.search(view.text(number.end, tight.start)) else None
        if (
            tight
            and not self._is_reference(tight, number)
            and not (
                in_clause
                and not view.loud_between(left.end, number.start)
                and self._is_followed(tight)
            )
        ):
            return tight
        if in_clause:
            return left
        right = view.group_after("scheme", number.end)
        is_free = (
            right is not None
            and not view.loud_between(number.end, right.start)
            and not self._is_reference(right, number)
        )
        if right and is_free and view.clause(right.start) == clause:
            return right
        if left and view.sentence(left.start) == sentence:
            return left
        if right and is_free and view.sentence(right.start) == sentence:
            return right
        return left

    def _subject_before(self, number: Number) -> Group | None:
        """The nearest group before that is not only what the number is compared with."""
        group = self._view.group_before("scheme", number.start)
        steps = 0
        while (
            group
            and steps < 3
            and (self._is_reference(group, number) or self._is_aside(group, number))
        ):
            earlier = self._view.group_before("scheme", group.start)
            if earlier is None:
                return None
            group, steps = earlier, steps + 1
        return group

    def _is_aside(self, group: Group, number: Number) -> bool:
        """ "That is ZeRO-1. It should read ...": explains the figure before, not this one."""
        view = self._view
        explains = _ASIDE.search(view.text(group.start - 16, group.start)) is not None
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

    def _compares(self, group: Group) -> bool:
        """是 DDP 的 3 倍: a factor hangs on the group, and something stands before it to compare."""
        view = self._view
        number = view.number_after(group.end)
        if number is None or number.unit not in _FACTOR_UNITS or number.start - group.end > 16:
            return False
        between = view.text(group.end, number.start)
        is_joined = ("的" in between or "'s" in between) and bool(_OF_IT.fullmatch(between))
        return is_joined and (
            view.group_before("scheme", group.start) is not None or bool(self._context.scheme)
        )

    def _is_reference(self, group: Group, number: Number) -> bool:
        """1.5x of DDP, than ZeRO-2, 是 DDP 的 1.5 倍."""
        if number.unit not in _FACTOR_UNITS and number.unit is not Unit.FORMULA:
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
        if _REFERENCE.search(before):
            is_compared = _COMPARED.search(before) or _ALIKE.match(view.low, group.end)
            return number.unit in _FACTOR_UNITS or (
                group.start < number.start and bool(is_compared)
            )
        if number.unit not in _FACTOR_UNITS:
            return False
        if group.end <= number.start and self._compares(group):
            return True
        ahead = view.text(number.end, group.start)
        is_named = group.values == ("ddp",) or bool(_THAN.search(ahead))
        return (
            group.start >= number.end
            and len(ahead) < _NEAR
            and is_named
            and bool(_OF_THAT.fullmatch(ahead))
        )

    def reference(self, number: Number) -> str:
        """What a factor is relative to; empty for plain data parallelism or nothing named."""
        if number.unit not in _FACTOR_UNITS:
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

    def parts(self, number: Number, index: int, size: int) -> tuple[str, ...]:
        """Model states it is said of; empty for all of them."""
        self.is_part_weak = False
        if number.name == "K":
            return ("optimizer",)
        group = self._part_group(number)
        if group is None:
            said = self._restated(number)
            self._said_at, self._said = number.end, said
            self.is_part_weak = bool(said)
            return said
        self.is_part_weak = self._view.clause(group.end - 1) != self._view.clause(number.start)
        before = self._view.text(group.start - 20, group.start)
        if self._sums_up(group, number) or _OMITTED.search(before):
            return ()
        self.is_part_weak = self.is_part_weak or bool(_SHARDED.search(before))
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
        is_added = bool(_ADDED.search(view.text(group.start - 14, group.start)))
        return (
            is_added
            and group.end <= number.start
            and bool(_SUMS_UP.search(view.text(group.end, number.start)))
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
        return self._said if is_near and _RESTATES.search(between) else ()

    def _tight_part(self, number: Number) -> Group | None:
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
        if left and right:
            return right if self._reads_rightwards(number) else left
        return left or right

    def _from_clause_before(self, left: Group, number: Number) -> Group | None:
        """优化器状态呢，12 字节: the subject may stand one clause earlier."""
        view = self._view
        is_next = view.clause(number.start) - view.clause(max(left.start, left.end - 1)) == 1
        is_same_sentence = view.sentence(left.start) == view.sentence(number.start)
        is_short = number.start - left.end < _REACH and not view.loud_between(
            left.end, number.start
        )
        sums_up = view.clause_has("per", number, "total")
        return left if is_next and is_same_sentence and is_short and not sums_up else None

    def _reads_rightwards(self, number: Number) -> bool:
        """2 字节参数、2 字节梯度: the first number of the sentence stands before the first part."""
        view = self._view
        first_part = next(iter(view.marks_in_sentence("part", number)), None)
        first = next(
            (n for n in view.numbers_of_sentence(view.sentence(number.start)) if n.unit in _STATED),
            None,
        )
        return first_part is not None and first is not None and first.start < first_part.start

    def per(self, number: Number) -> str:
        view = self._view
        mark = view.in_clause("per", number)
        if mark:
            return mark.value
        earlier = view.before("per", number.start)
        if earlier and view.sentence(earlier.start) == view.sentence(number.start):
            return earlier.value
        later = view.after("per", number.end)
        is_near = later is not None and view.sentence(later.start) == view.sentence(number.start)
        return (
            later.value
            if later and is_near and not view.loud_between(number.end, later.start)
            else ""
        )


_IN_MOMENTS: Final = frozenset({"momentum", "variance"})
_IN_OPTIMIZER: Final = frozenset({"master", "moments"}) | _IN_MOMENTS


def _apart(values: tuple[str, ...]) -> tuple[str, ...]:
    """No state beside what it is made of: the optimizer state, that is master and moments."""
    inner = set(values)
    if "moments" in inner:
        inner -= _IN_MOMENTS
    if "optimizer" in inner and inner & _IN_OPTIMIZER:
        is_whole = "master" in inner and ("moments" in inner or inner >= _IN_MOMENTS)
        inner -= _IN_OPTIMIZER if is_whole else {"optimizer"}
    return tuple(value for value in values if value in inner)


_RATIO: Final = re.compile(r"(?:ratio(?: of| is)?|比值|比例|倍数)(?:是|为|:)? ?$")
_SUMS_UP: Final = re.compile(
    r"就|一共|总共|合计|共|变成|凑成|得|makes?|gives?|totals?|comes? to|is|are|="
)
_ADDED: Final = re.compile(
    r"(?:加上|再加上|再加|加|plus|adding|add|including|连同|算上|with) ?(?:the |fp16 |bf16 |its )?$"
)
_ASIDE: Final = re.compile(
    r"(?:that is|that's|that was|which is|那是|那个是|这是|那就是|那是对|那说的是|that would be|that one is) ?(?:for |the )?(?:zero|stage)?[ -]?$"
)
_NEAR: Final = 40
_THAN: Final = re.compile(
    r"(?<![a-z])(?:of|that|than|as|compared|relative|versus|vs|against|over|what)(?![a-z])|比|相对"
)
_JOINS: Final = re.compile(r"for|with|under|in|of|from|on|by|at|是|的|\(")
_STAGES: Final = ("zero1", "zero2", "zero3")
_SHARDED: Final = re.compile(
    r"(?:partition|shard|split|spread|adding|add)\w*(?: only)?(?: the| its| also)? ?$|(?:切分?|分片|切了|摊|拆|再切|只切|切掉|分摊|切分了)(?:了|掉)? ?$"
)
_OMITTED: Final = re.compile(
    r"(?:没算|漏了|漏掉|漏|没有算|不算|没包括|不含|忘了|没计|less|without|leaves? out|left out|omit\w*|forg[eo]t\w*|ignor\w*|exclud\w*|minus|missing)(?: the)? ?$"
)
_STATED: Final = frozenset({Unit.WIDTH, Unit.BYTES, Unit.FORMULA, Unit.NONE})
_RESTATES: Final = re.compile(
    r"(?<![a-z])but(?: rather)? ?$|而是|也就是|即|i\.e|that is|相当于|折合|换算|不对|不是|哦不|sorry|i mean|wait|scratch|correction|更正|说错|=|in other words|等于|or ?$|应该是|(?:降|掉|减|缩|压|落)(?:低|少|小)?(?:到|至|为|成)|(?<![a-z])(?:down )?to ?$|->|→|变成|变为"
)
_REFERENCE: Final = re.compile(
    r"(?:比|相比|相比于|相对|相对于|较|相较于|对比|(?<![a-z])than|(?<![a-z])versus|(?<![a-z])vs\.?|compared (?:with|to)|relative to|that of|as much as|as|against|over|on top of|beyond|和|与|跟|equal to|identical to|like|matches|equals)"
    r" ?(?:the|a|with|plain|ordinary|纯|普通|传统|的|vanilla|pure|标准)? ?(?:zero|stage|zero stage)? ?-?$"
)
_TRAINS: Final = re.compile(r"训练|微调|全参|(?<![a-z])(?:train|tun|fine)")
_STARTS_FROM: Final = re.compile(
    r"(?:从|由|原来的|原先的|原本的|原来|(?<![a-z])from)(?: ?(?:about|around|约|大约|原来的|每卡的|每卡|单卡|ddp 的))* ?$"
)
_DOWN_TO: Final = re.compile(
    r"(?:到|为|成|至|只剩|只有|只需|只要|剩|剩下|仅|是|(?<![a-z])(?:to|only|is|just|at|of|becomes|leaves|as|holds|keeps|uses|needs|stores))(?: ?(?:原来的|ddp 的|ddp|的|about|约|a|the|roughly|大约|只|原先的|数据并行的))* ?$"
)
_COMPARED: Final = re.compile(
    r"比|than|versus|vs|compared|relative|same as|equals?(?: to)?|like|identical to"
)
_ALIKE: Final = re.compile(
    r" ?(?:的)?(?:通信量|通信|显存)?(?:相同|一样|一致|持平|差不多|相当|相等|没区别|没有区别|一个量|同样)"
)
_OF_IT: Final = re.compile(
    r" ?(?:的|通信量的|通信的|显存的|流量的|通信|大概|约|大约|通信量|'s|training)* ?(?:约|大概|大约|差不多|近)? ?"
)
_OF_THAT: Final = re.compile(
    r"(?: ?(?:of|that|than|the|as|much|traffic|volume|bytes|communication|more|less|compared|with|to|relative|over|versus|vs|against|"
    r"plain|what|smaller|lower|reduction|saving|savings|memory|ordinary|vanilla|pure|wire|data|zero|-|stage|higher|larger|量|的|from))* ?-?"
)
