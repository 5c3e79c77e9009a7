"""What a claim rests on: model size, sharding degree, micro-batches, sequence, said or known."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.claims import signs
from service.domain.claims.figures import says_params
from service.domain.claims.known import KnownModels, size_of
from service.domain.claims.model import ClaimContext
from service.domain.claims.numbers import is_width
from service.domain.claims.tokens import Model, Number, Unit
from service.domain.claims.view import View

_SYMBOLS: Final[Mapping[str, str]] = {
    "N": "n",
    "ψ": "model",
    "k": "k",
    "dp": "n",
    "tp": "tp",
    "pp": "pp",
}
_REACH: Final = 14
_GROUPED: Final = ("一组", "为一组", "组成一组", "a group", "per group", "为单位")
_MOST_WAYS: Final = 10_000  # no degree or accumulation is larger
_AROUND: Final = 8  # settings looked at for the rest of a list
_FACTORS: Final = 2
_EACH_OF: Final = frozenset({"on each of", "in each of", "per node on", "×", "x"})
_BY_UNIT: Final[Mapping[Unit, str]] = {
    Unit.NODES: "nodes",
    Unit.MICRO: "k",
    Unit.SEQUENCES: "batch",
    Unit.PARAMS: "model",
    Unit.LETTER_B: "model",
}
_LETTERS: Final = frozenset({Unit.LETTER_M, Unit.LETTER_T})
_LENGTHS: Final = frozenset({Unit.LETTER_K, Unit.TOKENS})
_ON: Final = 10
_OF_NODE: Final = 8  # GPUs of one machine; more stand for all of them
_BESIDE: Final = 3
_BILLIONS: Final = 1e4  # a model size below is said in billions
_FILLERS: Final = frozenset(" =:of is为是到设成to取(的了,就上值等于度=")
_PER_NODE: Final = (
    "每台",
    "每个节点",
    "每节点",
    "每机",
    "each",
    "per node",
    "nodes of",
    "of",
    "×",
    "x",
    "每台机器",
    "每服务器",
    "with",
    "*",
)
_SETTING_UNITS: Final = frozenset({Unit.NONE, Unit.GPUS, Unit.OTHER, Unit.FACTOR, Unit.MICRO})


@dataclass(frozen=True, slots=True)
class Setting:
    """One condition said in the text; `group` links settings of one list."""

    kind: str
    value: float
    start: int
    end: int
    name: str = ""
    group: int = -1


_WIDTHS: Final = frozenset({2.0, 4.0, 8.0, 12.0, 14.0, 16.0, 18.0, 20.0})


def _from_product(number: Number) -> Iterator[Setting]:
    """16 × 7.5 = 120 GB says that the model has 7.5e9 parameters."""
    if number.unit is not Unit.BYTES or len(number.factors) != _FACTORS:
        return
    sizes = [f for f in number.factors if f not in _WIDTHS]
    if len(sizes) == 1 and sizes[0] > 0:
        size = sizes[0] * 1e9 if sizes[0] < _BILLIONS else sizes[0]
        yield Setting("model", size, number.start, number.start)


def _size(number: Number) -> float:
    """ψ = 7 is said in billions."""
    is_short = number.name == "ψ" and number.amount.low < _BILLIONS
    return number.amount.low * (1e9 if is_short else 1)


class Conditions:
    """All settings of a text, and the context known before it."""

    def __init__(self, view: View, context: ClaimContext, known: KnownModels) -> None:
        self._view = view
        self._context = context
        self._known = known
        self.used: set[int] = set()  # starts of numbers that are settings
        found = sorted(self._read(), key=lambda s: s.start)
        table: defaultdict[str, list[Setting]] = defaultdict(list)
        for setting in found:
            table[setting.kind].append(setting)
        self._table: Mapping[str, Sequence[Setting]] = _with_nodes(view, table)
        self._starts = {kind: [s.start for s in rows] for kind, rows in self._table.items()}

    def _read(self) -> Iterator[Setting]:
        for model in self._view.sheet.models:
            yield Setting("model", self._size_of(model), model.start, model.end, model.name)
        for number in self._view.sheet.numbers:
            yield from _from_product(number)
            kind = self._kind(number)
            if kind:
                self.used.add(number.start)
                yield Setting(kind, _size(number), number.start, number.end, group=number.group)

    def _size_of(self, model: Model) -> float:
        """A size said beside a name counts: the 1.5B GPT-2 is not the smallest one."""
        sizes = self._view.numbers_of_sentence(self._view.sentence(model.start))
        for number in sizes:
            is_size = number.unit in {Unit.PARAMS, Unit.LETTER_B}
            if is_size and 0 <= model.start - number.end <= _BESIDE:
                return number.amount.low
        return model.params

    def _kind(self, number: Number) -> str | None:
        if number.amount.is_vague or number.amount.low <= 0:
            return None
        if number.name in _SYMBOLS:
            return _SYMBOLS[number.name]
        if number.unit in _BY_UNIT:
            return None if is_width(self._view, number) else _BY_UNIT[number.unit]
        if number.unit in _LETTERS:
            return "model" if says_params(self._view.low, number.end) else None
        return self._kind_around(number)

    def _kind_around(self, number: Number) -> str | None:
        if number.unit is Unit.OTHER and self._counts_sequences(number):
            return "batch"
        if number.unit is Unit.GPUS:
            return self._gpu_kind(number)
        if number.unit in _LENGTHS:
            return self._sequence_kind(number)
        if number.unit is Unit.NONE and self._counts_cards(number):
            return "gpus"
        return self._labelled(number)

    def _gpu_kind(self, number: Number) -> str | None:
        labelled = self._labelled(number)
        if labelled in {"tp", "pp"}:
            return labelled
        after = self._view.low[number.end : number.end + 20].lstrip("- ")
        unit = self._view.text(number.start, number.end)
        if "data" in unit or "dp" in unit or after.startswith(("dp", "数据并行", "data par")):
            return "n"
        before = self._view.text(number.start - _REACH, number.start)
        if after.startswith(_GROUPED) or before.endswith(("groups of ", "group of ")):
            return "group"
        if after.startswith(("tensor", "tp", "张量")):
            return "tp"
        if after.startswith(("pipeline", "pp", "流水")):
            return "pp"
        return "gpus" if number.amount.low > 1 or self._is_alone(number) else None

    def _counts_cards(self, number: Number) -> bool:
        """Eight 80 GB cards; the 8 of "from 8 to 16 GPUs"; the 16 of "on 8 GPUs and on 16"."""
        size = self._view.number_after(number.end)
        if size is not None and size.unit is Unit.GPUS:
            between = self._view.text(number.end, size.start)
            if signs.REACHES.fullmatch(between):
                return True
        is_again = signs.ON_AGAIN.search(self._view.text(number.start - _ON, number.start))
        if is_again and self._follows_cards(number):
            return True
        if size is None or size.unit is not Unit.BYTES or size.start - number.end > 1:
            return False
        return signs.CARD_AFTER.match(self._view.low, size.end) is not None

    def _follows_cards(self, number: Number) -> bool:
        """Whether GPUs were counted just before, and nothing is counted by this number."""
        after = self._view.text(number.end, number.end + _BESIDE + 1)
        earlier = [
            n
            for n in self._view.numbers_of_sentence(self._view.sentence(number.start))
            if n.unit is Unit.GPUS and n.start < number.start
        ]
        return bool(earlier) and signs.COUNT_ENDS.match(after) is not None

    def _counts_sequences(self, number: Number) -> bool:
        """32 条 8K 序列."""
        low = self._view.low
        near = low[max(0, number.start - _REACH) : number.end + _REACH]
        is_of_cache = any(word in near for word in ("序列", "对话", "请求", "kv", "上下文"))
        return low.endswith("条", 0, number.end) and is_of_cache

    def _is_alone(self, number: Number) -> bool:
        """Whether it sets N=1, as "on one GPU" does; 一张卡 mostly means per GPU."""
        before = self._view.text(number.start - 8, number.start)
        return before.endswith(("only ", "只有", "on ", "仅", "just ", "只用"))

    def _sequence_kind(self, number: Number) -> str | None:
        low = self._view.low
        near = low[max(0, number.start - _REACH) : number.end + _REACH]
        words = ("上下文", "context", "seq", "token", "长度", "length", "序列")
        return "seq" if any(word in near for word in words) else None

    def _is_spoken_factor(self, number: Number) -> bool:
        """卡数翻倍: twice as many, not two."""
        return number.unit is Unit.FACTOR and not self._view.low[number.start].isdigit()

    def _labelled(self, number: Number) -> str | None:
        """A plain number right behind the word it sets: "dp degree of 64"."""
        if number.unit not in _SETTING_UNITS or self._is_spoken_factor(number):
            return None
        label = self._view.before("gpulabel", number.start)
        if label and number.start - label.end <= _REACH:
            between = self._view.low[label.end : number.start].strip(" ")
            if between in {":", "=", "：", "is"}:
                return "gpus"
        for kind in ("tp", "pp", "n", "k", "seq", "batch"):
            mark = self._view.before(kind, number.start)
            if mark is None or number.start - mark.end > _REACH:
                continue
            between = self._view.low[mark.end : number.start]
            if all(char in _FILLERS for char in between):
                return kind
        return None

    def model(self, number: Number, index: int, size: int) -> Setting | None:
        setting = self.nearest("model", number, index, size)
        if setting:
            return setting
        context = self._context
        if context.model_params:
            return Setting("model", context.model_params, -1, -1, context.model_name or "")
        shape = self._known.shape(context.model_name) if context.model_name else None
        return Setting("model", size_of(shape), -1, -1, context.model_name or "") if shape else None

    def named_model(self, number: Number) -> Setting | None:
        """The model of the table that a parameter count is said of."""
        rows, starts = self._table.get("model", ()), self._starts.get("model", ())
        at = bisect_left(starts, number.start)
        for row in (*rows[max(0, at - 2) : at][::-1], *rows[at : at + 2]):
            is_near = self._view.sentence(row.start) == self._view.sentence(number.start)
            if row.name and is_near and self._known.shape(row.name):
                return row
        return None

    def value(self, kind: str, number: Number, index: int = 0, size: int = 1) -> float | None:
        setting = self.nearest(kind, number, index, size)
        return setting.value if setting else None

    def shards(self, number: Number, index: int, size: int) -> int | None:
        """N: said, or GPUs / (tp·pp), or known from the context."""
        group = self.nearest("group", number, index, size)
        if group:
            return int(group.value)
        n = self.nearest("n", number, index, size)
        gpus = self.nearest("gpus", number, index, size)
        if n and (gpus is None or not self._is_nearer(gpus, n, number)):
            return int(n.value)
        split = self.degree("tp", number) * self.degree("pp", number)
        if gpus:
            return max(1, int(gpus.value) // split)
        if self._context.dp_degree:
            return self._context.dp_degree
        return max(1, self._context.gpus // split) if self._context.gpus else None

    def _is_nearer(self, one: Setting, other: Setting, number: Number) -> bool:
        return abs(one.start - number.start) < abs(other.start - number.start)

    def degree(self, kind: str, number: Number) -> int:
        if kind not in self._table:
            return 1
        value = self.value(kind, number)
        return max(1, int(value)) if value and value < _MOST_WAYS else 1

    def micro_batches(self, number: Number) -> int:
        value = self.value("k", number)
        if value and 1 <= value < _MOST_WAYS:
            return int(value)
        return self._context.micro_batches or 1

    def nearest(self, kind: str, number: Number, index: int = 0, size: int = 1) -> Setting | None:
        """Clause first, then sentence, then what was said earlier."""
        rows = self._table.get(kind)
        if not rows:
            return None
        at = bisect_left(self._starts[kind], number.start)
        left = rows[at - 1] if at else None
        right = rows[at] if at < len(rows) else None
        chosen = self._choose(left, right, number)
        return self._of_list(chosen, rows, index, size) if chosen else None

    def around(self, kind: str, number: Number, most: int) -> Sequence[float]:
        """Values of the last settings before a number, nearest first, and of the next one."""
        rows = self._table.get(kind, ())
        at = bisect_left(self._starts.get(kind, ()), number.start)
        return [row.value for row in (*reversed(rows[max(0, at - most) : at]), *rows[at : at + 1])]

    def _choose(
        self, left: Setting | None, right: Setting | None, number: Number
    ) -> Setting | None:
        view = self._view
        owner = None if left and self._belongs_left(left) else left
        is_free = right is not None and not view.loud_between(number.end, right.start)
        if right and view.introduces(right, number):
            right = None  # it leads to a figure of its own
        for place, before in ((view.clause, owner), (view.sentence, left)):
            home = place(number.start)
            if before and place(before.start) == home:
                return before
            if right and (is_free or left is None) and place(right.start) == home:
                return right
        return left

    def _belongs_left(self, left: Setting) -> bool:
        """In "14 GB on 8 GPUs and 7 GB on 16" the 8 is taken by the 14."""
        before = self._view.text(left.start - _REACH, left.start)
        is_taken = self._view.loud_between(max(0, left.start - 2 * _REACH), left.start)
        return is_taken and before.endswith((" on ", " for "))

    def _of_list(self, chosen: Setting, rows: Sequence[Setting], index: int, size: int) -> Setting:
        if chosen.group < 0 or size <= 1:
            return chosen
        listed = [row for row in _around(rows, chosen) if row.group == chosen.group]
        return listed[index] if len(listed) == size else chosen


def _around(rows: Sequence[Setting], chosen: Setting) -> Sequence[Setting]:
    at = bisect_left(rows, chosen.start, key=lambda row: row.start)
    return rows[max(0, at - _AROUND) : at + _AROUND]


def _with_nodes(view: View, table: Mapping[str, list[Setting]]) -> Mapping[str, Sequence[Setting]]:
    """8 nodes of 8 GPUs are 64; a bare 8 机 64 卡 already counts all."""
    gpus = table.get("gpus", [])
    result: dict[str, Sequence[Setting]] = dict(table)
    result["gpus"] = [_total(view, setting, table.get("nodes", [])) for setting in gpus]
    return result


def _total(view: View, gpus: Setting, nodes: Sequence[Setting]) -> Setting:
    first = bisect_left(nodes, gpus.start - 2 * _REACH, key=lambda node: node.start)
    for node in nodes[first : first + 4]:
        between = view.text(node.end, gpus.start).strip(" ,、\ue020的")
        is_near = 0 <= gpus.start - node.end <= _REACH
        is_each = not between and 1 < gpus.value <= _OF_NODE  # 4 台 8 卡
        if is_near and (is_each or between.startswith(_PER_NODE)):
            return Setting("gpus", node.value * gpus.value, node.start, gpus.end, group=gpus.group)
        after = view.text(gpus.end, node.start).strip(" ,、\ue020")
        if 0 <= node.start - gpus.end <= _REACH and after in _EACH_OF:
            return Setting("gpus", node.value * gpus.value, gpus.start, node.end, group=gpus.group)
    return gpus
