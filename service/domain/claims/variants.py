"""One claim under the other conditions its text says, where its own clause leaves them open."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.bindings import SIZES, Bindings
from service.domain.claims.conditions import Conditions
from service.domain.claims.model import Quantity
from service.domain.claims.tokens import Mark, Number, Unit
from service.domain.claims.view import View

_MOST_VALUES: Final = 3  # of one condition tried
_RECENT: Final = 3  # sentences that a scheme is looked for in
_REACH: Final = 110
_NEAR: Final = 24
_MOMENTS: Final = frozenset({"momentum", "variance", "moments"})
_STEPS: Final = (2.0, 0.5)
_MOST_GPUS: Final = 10_000
_BEFORE_A_DROP: Final = ("ddp", "zero1", "zero2")


class Variants:
    """Makes variants of the claims of one view; few, and only for those called wrong."""

    def __init__(self, view: View, conditions: Conditions, bindings: Bindings) -> None:
        self._view = view
        self._conditions = conditions
        self._bindings = bindings

    def of(self, asked: Asked) -> Iterator[Asked]:
        """The likeliest first."""
        if asked.offload and not self._bindings.says(asked.number, "offload"):
            asked = replace(asked, offload="")  # a way out that another clause names
            yield asked
        if asked.quantity is Quantity.ACTIVATION:
            yield from self._of_activation(asked)
            return
        yield from self._of_counts(asked)
        yield from self._of_splits(asked)
        if asked.quantity is Quantity.REDUCTION_FACTOR and self._is_degree_from_before(asked):
            yield replace(asked, shards=None)
        schemes = self._schemes(asked)
        sizes = self._values("model", asked.number, asked.psi)
        for scheme, psi, shards in product(schemes, sizes, self._degrees(asked)):
            if (scheme, psi, shards) != (asked.schemes, asked.psi, asked.shards):
                whole = "total" if not scheme else "gpu" if asked.per == "total" else asked.per
                yield replace(asked, schemes=scheme, psi=psi, shards=shards, per=whole)

    def _of_activation(self, asked: Asked) -> Iterator[Asked]:
        if "full" in asked.words and not self._is_right_behind(asked.number):
            yield replace(asked, words=asked.words - {"full"})
        mark = self._view.before("condition", asked.number.start)
        is_recent = mark is not None and self._is_near(mark.start, asked.number)
        if is_recent and mark is not None and mark.value in {"full", "flash"}:
            yield replace(asked, words=asked.words | {mark.value})
        spread = {"flash", "nodropout", "sp"} & asked.words
        if spread and not self._view.clause_has("condition", asked.number):
            yield replace(asked, words=asked.words - spread)

    def _is_right_behind(self, number: Number) -> bool:
        """全量重计算后每层只剩 34sbh: the clause says it is recomputed and denies it nowhere."""
        mark = self._view.in_clause("condition", number)
        near = self._view.near(number, _REACH)
        return mark is not None and mark.value == "full" and not signs.DENIES.search(near)

    def _of_counts(self, asked: Asked) -> Iterator[Asked]:
        number, bindings = asked.number, self._bindings
        if asked.recipe and not bindings.says(number, "opt", "mix", "dtype"):
            yield replace(asked, recipe="")
        if asked.micro_batches > 1 and not bindings.sets("k", number):
            yield replace(asked, micro_batches=1)
        if asked.quantity is Quantity.COMM_VOLUME and not bindings.sets("k", number):
            counts = [int(v) for v in self._plain_counts(number)]
            yield from (replace(asked, micro_batches=count) for count in counts)
        if asked.batch > 1 and not bindings.sets("batch", number):
            yield replace(asked, batch=1)
        if asked.recipe and asked.part and set(asked.part) <= _MOMENTS:
            yield replace(asked, part=())  # momentum may name the optimizer
        if asked.part and signs.OUT_OF.search(self._view.text(number.start - _NEAR, number.start)):
            yield replace(asked, part=())

    def _is_degree_from_before(self, asked: Asked) -> bool:
        """N was said in another clause: a factor may be meant for any N."""
        found = self._conditions.nearest("gpus", asked.number)
        is_said = found is not None and found.start >= 0
        return is_said and not self._bindings.sets("gpus", asked.number)

    def _of_splits(self, asked: Asked) -> Iterator[Asked]:
        """The slice of one GPU: of a total said beside a scheme, or by tensor parallelism."""
        if asked.quantity is Quantity.FORMULA and "from" in asked.words:
            rest = replace(asked, words=asked.words - {"from"})
            yield from (replace(rest, schemes=(name,)) for name in _BEFORE_A_DROP)
        if asked.quantity not in SIZES:
            return
        ways = asked.tp * asked.pp
        if asked.psi and ways > 1 and not asked.schemes:
            yield replace(asked, psi=asked.psi / ways, tp=1, pp=1, per="total")
        if asked.per == "total" and asked.schemes:
            yield replace(asked, per="gpu")

    def _schemes(self, asked: Asked) -> Sequence[tuple[str, ...]]:
        """All schemes named near, unless its own clause names one."""
        view, number = self._view, asked.number
        if not asked.schemes:
            later = view.after("scheme", number.end)
            is_same = later and view.sentence(later.start) == view.sentence(number.start)
            return ((), (later.value,)) if later and is_same else ((),)
        if view.clause_has("scheme", number):
            return (asked.schemes,)
        marks = [*reversed(view.last("scheme", number.start, _MOST_VALUES))]
        right = view.after("scheme", number.end)
        marks = [mark for mark in (*marks, right) if mark and self._is_near(mark.start, number)]
        named = dict.fromkeys((mark.value,) for mark in marks if not self._is_measure(mark))
        is_copy = signs.WHOLE_COPY.search(view.near(number, _NEAR))
        is_per_gpu = view.clause_has("per", number, "gpu") and not is_copy
        whole: tuple[tuple[str, ...], ...] = () if is_per_gpu else ((),)
        return tuple(dict.fromkeys((asked.schemes, *named, *whole)))

    def _is_measure(self, mark: Mark) -> bool:
        """和 DDP 一样: what something else is compared with."""
        return bool(signs.REFERENCE.search(self._view.text(mark.start - _NEAR, mark.start)))

    def _is_near(self, at: int, number: Number) -> bool:
        return abs(self._view.sentence(at) - self._view.sentence(number.start)) <= _RECENT

    def _degrees(self, asked: Asked) -> Sequence[int | None]:
        number = asked.number
        if "from" in asked.words:
            values = [asked.shards, *self._conditions.around("gpus", number, _MOST_VALUES)]
        elif self._bindings.sets("n", number):
            values = [asked.shards]
        else:
            values = self._counted(number, asked.shards)
        return tuple(dict.fromkeys(None if v is None else int(v) for v in values))

    def _counted(self, number: Number, known: int | None) -> list[float | None]:
        """GPUs counted elsewhere, whole numbers that may count them, and twice or half as many."""
        values = [*self._values("gpus", number, known)]
        if len(values) > 1 or not self._bindings.sets("gpus", number):
            values.extend(self._plain_counts(number))
        if signs.CHANGES_COUNT.search(self._view.text(number.start - _REACH, number.end)):
            values.extend([v * f for v in values if v for f in _STEPS])
        return values

    def _plain_counts(self, number: Number) -> Sequence[float]:
        """Whole numbers of its sentence that count nothing named: "at 64 we are at 1.75 GB"."""
        home = self._view.sentence(number.start)
        near = [*self._view.numbers_of_sentence(home)]
        if home and not self._bindings.sets("gpus", number):
            for earlier in range(max(0, home - 2), home):
                near.extend(self._view.numbers_of_sentence(earlier))
        bare = [n.amount.low for n in near if n.unit is Unit.NONE and n is not number]
        return [v for v in bare if 1 < v <= _MOST_GPUS and v == int(v)][:_MOST_VALUES]

    def _values(self, kind: str, number: Number, known: float | None) -> Sequence[float | None]:
        """What is known, and the other values said, unless its own clause says one."""
        if self._bindings.sets(kind, number):
            return (known,)
        return tuple(dict.fromkeys((known, *self._conditions.around(kind, number, _MOST_VALUES))))
