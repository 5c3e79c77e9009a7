"""Other things a figure may be of: a term of a formula, one side of two, a link's payload."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.bindings import SIZES, Bindings
from service.domain.claims.expected import (
    STATE_OF,
    choices,
    memory_row,
    state_formula,
    traffic,
    width,
)
from service.domain.claims.expression import Expr
from service.domain.claims.judge import EXACT, Judgement
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View
from service.domain.language import msg
from service.domain.memory import PrecisionRecipe, Scheme, zeropp_volume

_REACH: Final = 60
_MANY: Final = 1e12
_FAR: Final = 140
_STATES: Final = ("parameters", "gradients", "optimizer")
_TWO: Final = (1, 2)
_NEAR: Final = 12
_MORE: Final = re.compile("多|额外|(?<![a-z])(?:more|extra|additional|another|one more)(?![a-z])")
_SAVES_FROM: Final = 2.0  # factors above are no ratio of traffic anybody means
_PASSES: Final[Mapping[str, int]] = {"ag": 1, "rs": 1, "ar": 2}  # multiples of ψ
_LINK: Final = re.compile("pcie|主机|内存|(?<![a-z])(?:host|cpu|offload|to and from|cross(?:es)?)")
_ACROSS: Final = re.compile(
    "跨机|跨节点|节点间|机间|(?<![a-z])(?:cross|inter|across|between).nodes?"
)
_AGAINST: Final = re.compile(
    r" ?(?:对|比|而|,|\ue020"
    r"|(?<![a-z])(?:against|versus|vs\.?|rather than|not|over|than)(?![a-z])) ?"
)
_WHOLE: Final = re.compile(
    "除以|没切|不切|不变|留着|一直|都在|(?<![a-z])(?:kept|keeps|whole|stays?|untouched)(?![a-z])"
)
_TERM: Final = msg(
    "It is a part of the formula of this scheme; whether that part or the whole is meant "
    "is not said."
)
_SEVERAL: Final = msg("It is the sum of several collectives; which they are is not said.")
_OF_LINK: Final = msg("It may be what crosses a link; what the GPU holds is not said.")
_OF_WHICH: Final = msg("Which of the model states this width is of is not said.")
_OTHER_SIDE: Final = msg("It is one side of a comparison; what it is of is not said.")
_BETWEEN_NODES: Final = msg("Between nodes ZeRO++ sends {value}; whether it is meant is not said.")


def _is_term(expr: Expr, row: Scheme, recipe: PrecisionRecipe) -> bool:
    """Whether it is what a scheme splits, divided or not, or all that it keeps whole."""
    at_one, at_many = (expr.at({"ψ": 1.0, "N": n}) for n in (1.0, _MANY))
    if at_one is None or at_many is None:
        return False
    split = [width(s, recipe) for s in _STATES if row.shards(STATE_OF[s])]
    kept = sum(width(s, recipe) for s in _STATES) - sum(split)
    sums = {sum(some) for n in (1, 2, 3) for some in combinations(split, n)}
    is_of_split = at_one in sums and (at_one == at_many or at_many < EXACT)
    return kept > 0 and (is_of_split or at_one == at_many == kept)


class Readings:
    """What may be said for a figure of one view that was called wrong."""

    def __init__(self, view: View, bindings: Bindings, judge: Callable[[Asked], Judgement]) -> None:
        self._view = view
        self._bindings = bindings
        self._judge = judge

    def term(self, asked: Asked) -> Judgement | None:
        """只把 12ψ 除以 N: what a scheme splits, or what it keeps, beside its name."""
        number, view = asked.number, self._view
        is_sent = view.clause_has("topic", number, "comm") or view.clause_has("coll", number)
        is_open = asked.quantity is Quantity.FORMULA or (
            asked.quantity is Quantity.COMM_VOLUME and number.expr is not None and not is_sent
        )
        if not is_open or view.clause_has("per", number, "gpu"):
            return None
        named = view.last_values("scheme", number.start, len(_STATES))
        names = dict.fromkeys((*asked.schemes, *reversed(named)))
        return next((made for name in names if (made := self._term_of(asked, name))), None)

    def _term_of(self, asked: Asked, scheme: str) -> Judgement | None:
        expr, row = asked.number.expr, memory_row(scheme)
        if row is None or expr is None or not _is_term(expr, row, choices(asked, row)[0].recipe):
            return None
        near = self._view.near(asked.number, _REACH)
        if signs.SPLITS.search(near) or _WHOLE.search(near):
            shown = state_formula((), row, choices(asked, row)[0].recipe)
            why = msg("Right: it is a term of {formula}.", formula=shown)
            return Judgement(ClaimVerdict.RIGHT, why, shown, shown, row.fact_ids, row.id)
        return Judgement(ClaimVerdict.UNCHECKABLE, _TERM, fact_ids=row.fact_ids)

    def of_the_scheme(self, asked: Asked) -> Judgement | None:
        """It only touches the optimizer, so 4ψ+12ψ/N: the whole formula beside what is split."""
        expr = asked.number.expr
        if asked.quantity is not Quantity.FORMULA or expr is None or not asked.part:
            return None
        kept = expr.at({"ψ": 1.0, "N": _MANY})
        if "N" not in expr.names or kept is None or kept < 1:
            return None
        judged = self._judge(replace(asked, part=()))
        return judged if judged.verdict is ClaimVerdict.RIGHT else None

    def one_of_several(self, asked: Asked) -> Judgement | None:
        """Stage 2 and stage 3: 16.6 GB against 1.9 GB. Each figure is of one of them."""
        if asked.quantity not in SIZES or len(asked.schemes) < len(_TWO):
            return None
        home = self._view.sentence(asked.number.start)
        sizes = [n for n in self._view.numbers_of_sentence(home) if n.unit is asked.number.unit]
        if len(sizes) < len(asked.schemes):
            return None
        judged = (self._judge(replace(asked, schemes=(name,))) for name in asked.schemes)
        return next((one for one in judged if one.verdict is ClaimVerdict.RIGHT), None)

    def at_the_limit(self, asked: Asked) -> Judgement | None:
        """The curve flattens near 14 GB: what no number of GPUs brings down."""
        if asked.quantity not in SIZES or "limit" not in asked.words:
            return None
        judged = self._judge(replace(asked, words=asked.words | {"floor"}))
        return judged if judged.verdict is ClaimVerdict.RIGHT else None

    def more_traffic(self, asked: Asked) -> Judgement | None:
        """ZeRO-3 比 DDP 多传一个 ψ: what one scheme sends beyond another."""
        expr, number = asked.number.expr, asked.number
        if asked.quantity is not Quantity.COMM_VOLUME or expr is None or not asked.schemes:
            return None
        if not _MORE.search(self._view.text(number.start - _NEAR, number.start)):
            return None
        each, base = (traffic(f"{n}_paper", 1) for n in ("zero3", "zero2"))
        is_right = each and base and expr.at({"ψ": 1.0}) == each - base
        if not is_right or "zero3" not in asked.schemes:
            return None
        why = msg("Right: {formula} gives {value}.", formula="3ψ-2ψ", value="1ψ")
        return Judgement(ClaimVerdict.RIGHT, why, "1ψ", "3ψ-2ψ", ("F033",), "zero3_paper")

    def saving(self, asked: Asked) -> Judgement | None:
        """通信 2ψ（极限 4 倍）: too much for traffic, and what the memory shrinks by."""
        number = asked.number
        if asked.quantity is not Quantity.COMM_VOLUME or number.unit is not Unit.FACTOR:
            return None
        if number.amount.low <= _SAVES_FROM or "limit" not in asked.words:
            return None
        judged = self._judge(replace(asked, quantity=Quantity.REDUCTION_FACTOR))
        return None if judged.verdict is ClaimVerdict.WRONG else judged

    def payload(self, asked: Asked) -> Judgement | None:
        """28 GB that cross PCIe: no state of a GPU."""
        if asked.quantity not in SIZES or self._view.clause_has("per", asked.number, "gpu"):
            return None
        is_moved = self._view.sentence_has("topic", asked.number, "comm") or _LINK.search(
            self._before(asked.number)
        )
        is_link = is_moved and not self._bindings.names_scheme(asked.number)
        return Judgement(ClaimVerdict.UNCHECKABLE, _OF_LINK) if is_link else None

    def between_nodes(self, asked: Asked) -> Judgement | None:
        """跨机从 3ψ 降到 0.75ψ: the volumes of ZeRO++ between nodes."""
        expr = asked.number.expr
        if asked.quantity is not Quantity.COMM_VOLUME or expr is None:
            return None
        near = self._view.text(asked.number.start - _REACH, asked.number.end + _REACH)
        if not _ACROSS.search(near):
            return None
        value, exact = expr.at({"ψ": 1.0}), float(zeropp_volume().total)
        if value is None or abs(value - exact) > EXACT * exact:
            return None
        shown = f"{exact:g}ψ"
        is_named = self._view.before("scheme", asked.number.start) is not None and any(
            mark.value == "zeropp" for mark in self._view.by_kind.get("scheme", ())
        )
        if not is_named:
            why = msg(_BETWEEN_NODES.template, value=shown)
            return Judgement(ClaimVerdict.UNCHECKABLE, why, fact_ids=("F094",))
        why = msg("Right: {formula} gives {value}.", formula="0.5ψ+0+0.25ψ", value=shown)
        return Judgement(ClaimVerdict.RIGHT, why, shown, "0.5ψ+0+0.25ψ", ("F094",), "zeropp")

    def several_collectives(self, asked: Asked) -> Judgement | None:
        """An all-reduce and then an all-gather, 3ψ: what the collectives named come to."""
        expr, number = asked.number.expr, asked.number
        if asked.quantity is not Quantity.COMM_VOLUME or asked.schemes or expr is None:
            return None
        marks = self._view.marks_in_sentence("coll", number)
        values = [_PASSES[mark.value] for mark in marks if mark.start < number.start]
        if len(values) > 1 and expr.at({"ψ": 1.0}) == sum(values):
            parts = " + ".join(f"{value}ψ" for value in values)
            return Judgement(ClaimVerdict.RIGHT, msg("Right: it is {sum}.", sum=parts))
        is_sum = len(values) > 1 or self._view.clause_has("per", number, "total")
        return Judgement(ClaimVerdict.UNCHECKABLE, _SEVERAL) if is_sum else None

    def derived(self, asked: Asked) -> Judgement | None:
        """Reduce-scatter ψ and all-gather ψ, so 2ψ: the text says itself what it counts."""
        expr, number = asked.number.expr, asked.number
        if asked.quantity is not Quantity.COMM_VOLUME or expr is None:
            return None
        marks = self._view.marks_in_sentence("coll", number)
        named = {mark.value for mark in marks if mark.start < number.start}
        is_sum = {"rs", "ag"} <= named and expr.at({"ψ": 1.0}) == _PASSES["ar"]
        if not is_sum or asked.impl in {"deepspeed", "estimator"}:
            return None
        return Judgement(ClaimVerdict.RIGHT, msg("Right: it is {sum}.", sum="ψ + ψ"), "2ψ")

    def bare_width(self, asked: Asked) -> Judgement | None:
        """A 2 without a unit is no sum of all states."""
        number = asked.number
        if asked.quantity is not Quantity.BYTES_PER_PARAM or number.unit is not Unit.NONE:
            return None
        if number.sums_to is not None or asked.part:
            return None
        recipe = choices(asked, None)[0].recipe
        is_state = number.amount.low in {width(s, recipe) for s in _STATES}
        return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHICH) if is_state else None

    def other_side(self, asked: Asked) -> Judgement | None:
        """16 字节对 2 字节: the second figure of a comparison has a subject of its own."""
        number, view = asked.number, self._view
        if asked.quantity not in {Quantity.BYTES_PER_PARAM, Quantity.COMM_VOLUME}:
            return None
        earlier = [
            n
            for n in view.numbers_of_sentence(view.sentence(number.start))
            if n.end <= number.start
        ]
        if not earlier or earlier[-1].unit is not number.unit:
            return None
        is_pair = _AGAINST.fullmatch(view.text(earlier[-1].end, number.start)) is not None
        if not is_pair or asked.quantity is Quantity.BYTES_PER_PARAM:
            return Judgement(ClaimVerdict.UNCHECKABLE, _OTHER_SIDE) if is_pair else None
        if view.clause_has("scheme", number, "ddp") or "ddp" in self._named(number):
            judged = self._judge(replace(asked, schemes=("ddp",)))
            return judged if judged.verdict is ClaimVerdict.RIGHT else None
        return None

    def _named(self, number: Number) -> frozenset[str]:
        return frozenset(mark.value for mark in self._view.marks_in_sentence("scheme", number))

    def _before(self, number: Number) -> str:
        start = max(self._view.clause_start(number), number.start - _FAR)
        return self._view.text(start, number.start)
