"""Other true readings of traffic and caches: one pass of several, a ring of N, heads, sharers."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.bindings import Bindings
from service.domain.claims.gaps import DEGREE
from service.domain.claims.judge import Judgement, missing
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.tokens import Unit
from service.domain.claims.view import View
from service.domain.language import msg

_REACH: Final = 40
_FAR: Final = 80
_TERMS: Final = frozenset({1.0, 2.0})
_RINGS: Final = (2, 4, 8, 16)
_HEADS: Final = re.compile("gqa|mha|mqa|multi.head|grouped|多头|分组|kv 头|kv head")
_TOKENS: Final = msg("the number of tokens")
_KV_HEADS: Final = msg("how many key-value heads are meant")
_SHARERS: Final = msg("how many GPUs share the cache")
_ONE_PASS: Final = msg("It may be one pass of several; what the whole step sends is not said.")
_PASSES: Final = re.compile(
    "前向|反向|再|又|一次|一遍|梯度|(?<![a-z])(?:forward|backward|again|another|once|pass(?:es)?"
    "|gradients?|last|first|each)(?![a-z])"
)


class TrafficPleas:
    """What may be said for a volume or a cache of one view that was called wrong."""

    def __init__(self, view: View, bindings: Bindings, judge: Callable[[Asked], Judgement]) -> None:
        self._view = view
        self._bindings = bindings
        self._judge = judge

    def as_traffic(self, asked: Asked) -> Judgement | None:
        """3ψ of stage 3: what is sent, where no word says that it is held."""
        expr, number = asked.number.expr, asked.number
        if asked.quantity is not Quantity.FORMULA or expr is None or "N" in expr.names:
            return None
        held = (self._view.clause_has("per", number, per) for per in ("gpu", "param"))
        if any(held) or self._view.clause_has("topic", number, "memory"):
            return None
        whole = self._judge(replace(asked, quantity=Quantity.COMM_VOLUME, part=()))
        if whole.verdict in {ClaimVerdict.RIGHT, ClaimVerdict.CONDITIONAL}:
            return whole
        is_term = expr.at({"ψ": 1.0}) in _TERMS and asked.part
        return Judgement(ClaimVerdict.UNCHECKABLE, _ONE_PASS) if is_term else None

    def one_pass(self, asked: Asked) -> Judgement | None:
        """ψ forward and ψ again backward: the terms of a volume, not the volume."""
        number = asked.number
        if asked.quantity is not Quantity.COMM_VOLUME or number.unit is not Unit.FORMULA:
            return None
        if self._view.clause_has("per", number, "total") or self._bindings.says(number, "scheme"):
            return None
        is_pass = _PASSES.search(self._view.near(number, _REACH))
        return Judgement(ClaimVerdict.UNCHECKABLE, _ONE_PASS) if is_pass else None

    def on_a_ring(self, asked: Asked) -> Judgement | None:
        """24.5 of 28 GB: a ring of N sends (N-1)/N of it; N is not said."""
        if asked.quantity is not Quantity.COMM_VOLUME or asked.shards is not None:
            return None
        rings = (self._judge(replace(asked, shards=n)) for n in _RINGS)
        is_right = any(j.verdict is ClaimVerdict.RIGHT for j in rings)
        return missing(DEGREE) if is_right else None

    def uncounted(self, asked: Asked) -> Judgement | None:
        """A cache for tokens or sequences that its own clause does not count."""
        if asked.quantity is not Quantity.KV_CACHE:
            return None
        if _HEADS.search(self._view.near(asked.number, _FAR)):
            return missing(_KV_HEADS)
        if self._bindings.sets("gpus", asked.number) or self._view.clause_has(
            "per", asked.number, "gpu"
        ):
            return missing(_SHARERS)
        if asked.per == "token" and self._view.clause_has("per", asked.number, "token"):
            return None
        return None if self._bindings.sets("seq", asked.number) else missing(_TOKENS)
