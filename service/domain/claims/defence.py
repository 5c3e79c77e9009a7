"""Before a number is called wrong: other true readings of it, and whether it is claimed at all."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import log
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.bindings import SIZES, Bindings
from service.domain.claims.conditions import Conditions
from service.domain.claims.experience import is_told_from_experience
from service.domain.claims.judge import EXACT, Judgement, missing, tolerance
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.promotion import Promotion
from service.domain.claims.readings import Readings
from service.domain.claims.recipes import WEIGHT_BYTES
from service.domain.claims.said import Said
from service.domain.claims.stages import (
    between_stages,
    by_each_stage,
    is_below_states,
    is_saving_formula,
)
from service.domain.claims.tokens import Unit
from service.domain.claims.traffic_pleas import TrafficPleas
from service.domain.claims.variants import Variants
from service.domain.claims.view import View
from service.domain.language import msg

Judge = Callable[[Asked], Judgement]
_STATES: Final = (
    ("parameters",), ("gradients",), ("optimizer",), ("moments",), ("master",),
    ("parameters", "gradients"), ("gradients", "optimizer"),
)  # fmt: skip
_CARRIED: Final = frozenset({Quantity.COMM_VOLUME, Quantity.ACTIVATION, Quantity.KV_CACHE})
_OF_OPTIMIZER: Final = frozenset({*SIZES, Quantity.BYTES_PER_PARAM, Quantity.FORMULA})
_HOLDS: Final = frozenset({ClaimVerdict.RIGHT, ClaimVerdict.CONDITIONAL})
_REACH: Final = 40
_BESIDE: Final = 12
_LETTERS: Final = frozenset({Unit.LETTER_K, Unit.LETTER_M, Unit.LETTER_T})
_HALF: Final = 0.5  # of the last digit said
_KEPT: Final[Mapping[str, tuple[int, ...]]] = {  # values for each parameter
    "momentum": (1,),
    "variance": (1,),
    "moments": (2,),
    "optimizer": (1, 2, 3),
}
_BASE: Final = re.compile("底座|基座|(?<![a-z])(?:base|frozen|backbone)")
_ADAPTERS: Final = msg("how many parameters the adapters have")
_MEASURED: Final = msg(
    "A figure from a run of one's own also holds activations, buffers and the allocator's cache, "
    "which no formula here gives."
)
_PART_ONLY: Final = msg(
    "It is what one of the model states takes; whether that state or all of them is meant "
    "is not said."
)
_OPTIMIZER: Final = msg("what this optimizer keeps for each parameter")
_WHICH: Final = msg("which parameters are counted")
_WHICH_CONDITION: Final = msg(
    "The text has several model sizes, numbers of GPUs or schemes; which are meant is not said."
)
_OF_WHAT: Final = msg("What this number is of is not said.")
_PART_OF_MODEL: Final = re.compile(
    "激活|专家|词表|嵌入|每层|一层|层|可训|头|注意力"
    "|(?<![a-z])(?:embed|activ|expert|trainable|layers?|head|vocab|attention|mlp|ffn|adapter|lora)"
)


class Defence:
    """Hears the numbers of one view that were called wrong."""

    def __init__(self, view: View, conditions: Conditions, judge: Judge) -> None:
        self._view = view
        self._judge = judge
        self._said = Said(view, conditions)
        self._bindings = Bindings(view, conditions)
        self._variants = Variants(view, conditions, self._bindings)
        self._traffic = TrafficPleas(view, self._bindings, judge)
        self._promotion = Promotion(view, self._variants, judge)
        self._readings = Readings(view, self._bindings, judge)

    def hear(
        self, asked: Asked, judged: Judgement, verdicts: Mapping[int, ClaimVerdict]
    ) -> Judgement | None:
        """The judgement that stands; None when the number is no claim.

        `verdicts` are those of the other numbers, by their start.
        """
        if "byfit" in asked.words:
            return self._fitting(asked, verdicts)
        stands = self._weigh(asked, judged, verdicts)
        if stands is not None and stands.verdict is ClaimVerdict.CONDITIONAL:
            return self._readings.derived(asked) or stands
        if stands is None or stands.verdict is not ClaimVerdict.UNCHECKABLE:
            return stands
        return self._promotion.of(asked) or (None if _is_silent(asked) else stands)

    def _fitting(self, asked: Asked, verdicts: Mapping[int, ClaimVerdict]) -> Judgement | None:
        """A size no word explains is only ever right: no verdict else."""
        if self._said.is_of_cards(asked.number):
            return None
        made = self._arithmetic(asked, verdicts) or self._saving(asked)
        if made is not None:
            return made if made.verdict is ClaimVerdict.RIGHT else None
        return self._promotion.fit(asked)

    def _weigh(
        self, asked: Asked, judged: Judgement, verdicts: Mapping[int, ClaimVerdict]
    ) -> Judgement | None:
        if asked.quantity in SIZES and self._said.is_of_cards(asked.number):
            return None
        if asked.quantity in SIZES and _is_broken(asked):
            return _broken(asked)
        if judged.verdict is not ClaimVerdict.RIGHT and self._is_carried(asked):
            memory = self._heard(replace(asked, quantity=Quantity.MEMORY_PER_GPU), verdicts)
            if memory.verdict is ClaimVerdict.RIGHT:
                return memory
            is_wrong = judged.verdict is ClaimVerdict.WRONG
            return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHAT) if is_wrong else judged
        if judged.verdict is not ClaimVerdict.WRONG:
            return judged
        return self._plead(asked, judged, verdicts)

    def _heard(self, asked: Asked, verdicts: Mapping[int, ClaimVerdict]) -> Judgement:
        judged = self._judge(asked)
        if judged.verdict is not ClaimVerdict.WRONG:
            return judged
        return self._plead(asked, judged, verdicts)

    def _plead(
        self, asked: Asked, judged: Judgement, verdicts: Mapping[int, ClaimVerdict]
    ) -> Judgement:
        if _is_broken(asked):
            return judged
        made = None if asked.number.sums_to else self._arithmetic(asked, verdicts)
        if made is not None:
            return made
        return next((plea for make in self._pleas() if (plea := make(asked)) is not None), judged)

    def _pleas(self) -> tuple[Callable[[Asked], Judgement | None], ...]:
        return (
            self._experience,
            self._other_condition,
            self._implied_stage,
            self._saving,
            self._readings.term,
            self._readings.of_the_scheme,
            self._readings.saving,
            self._readings.one_of_several,
            self._readings.at_the_limit,
            self._readings.more_traffic,
            self._readings.between_nodes,
            self._readings.several_collectives,
            self._readings.bare_width,
            self._readings.other_side,
            self._traffic.uncounted,
            self._other_optimizer,
            self._part_of_model,
            self._of_adapters,
            self._traffic.as_traffic,
            self._traffic.one_pass,
            self._traffic.on_a_ring,
            self._state_before,
            self._one_state,
            self._stored,
            self._readings.payload,
            self._contested,
            self._unidentified,
        )

    def _arithmetic(self, asked: Asked, verdicts: Mapping[int, ClaimVerdict]) -> Judgement | None:
        made = self._said.made_of(asked.number)
        if made is None:
            return None
        text, parts = made
        if all(verdicts.get(p.start) is ClaimVerdict.RIGHT for p in parts):
            return Judgement(ClaimVerdict.RIGHT, msg("Right: it is {sum}.", sum=text))
        return Judgement(
            ClaimVerdict.UNCHECKABLE,
            msg("It is {sum}; it is as right as the figures it was made of.", sum=text),
        )

    def _is_carried(self, asked: Asked) -> bool:
        """A topic that was only carried over from other words does not bind a size."""
        if asked.quantity not in _CARRIED or asked.number.unit is not Unit.BYTES:
            return False
        return not self._bindings.says(asked.number, "topic", "coll")

    def _experience(self, asked: Asked) -> Judgement | None:
        """A figure of one's own run is only wrong below the model states."""
        if asked.quantity not in SIZES or (asked.part and self._is_beside_state(asked)):
            return None
        if not is_told_from_experience(self._view, asked.number):
            return None
        if "from" not in asked.words and is_below_states(asked):
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _MEASURED, fact_ids=("F004",))

    def _is_beside_state(self, asked: Asked) -> bool:
        """Whether the state stands right at the figure: 14 GB of weights."""
        mark = self._view.in_clause("part", asked.number)
        if mark is None:
            return True
        number = asked.number
        return max(mark.start - number.end, number.start - mark.end) <= _BESIDE

    def _other_condition(self, asked: Asked) -> Judgement | None:
        """Conditions that its own clause does not say are tried as the text says them elsewhere."""
        for variant in self._variants.of(asked):
            judged = self._judge(variant)
            if judged.verdict in {ClaimVerdict.RIGHT, ClaimVerdict.CONDITIONAL}:
                return judged
        return None

    def _implied_stage(self, asked: Asked) -> Judgement | None:
        """After the optimizer is split: a stage that is told by what it does, not named."""
        view, number = self._view, asked.number
        if asked.quantity not in {*SIZES, Quantity.FORMULA} or self._bindings.names_scheme(number):
            return None
        marks = view.marks_in_sentence("scheme", number)
        named = {mark.value for mark in marks}
        is_formula = asked.quantity is Quantity.FORMULA and len(named) != 1
        if not is_formula and any(self._bindings.is_name(mark) for mark in marks):
            return None
        is_split = signs.SPLITS.search(view.text(number.start - _REACH, number.start))
        if not is_formula and not is_split:
            return None
        judged = (self._judge(one) for one in by_each_stage(asked))
        return next((j for j in judged if j.verdict is ClaimVerdict.RIGHT), None)

    def _saving(self, asked: Asked) -> Judgement | None:
        if is_saving_formula(asked):
            return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHAT)
        near = self._view.near(asked.number, 2 * _REACH)
        is_saved = asked.quantity in SIZES and signs.TAKEN_OFF.search(near)
        return between_stages(asked) if is_saved else None

    def _other_optimizer(self, asked: Asked) -> Judgement | None:
        """Of an optimizer no recipe is known of, or with its state in a type that is named."""
        if asked.quantity not in _OF_OPTIMIZER:
            return None
        mark = self._view.before("otheropt", asked.number.start)
        is_near = mark is not None and self._is_close(mark.start, asked.number.start)
        return missing(_OPTIMIZER) if is_near or self._is_typed_state(asked) else None

    def _is_close(self, at: int, number_at: int) -> bool:
        return self._view.sentence(number_at) - self._view.sentence(at) <= 1

    def _is_typed_state(self, asked: Asked) -> bool:
        if asked.quantity is not Quantity.BYTES_PER_PARAM or not asked.part:
            return False
        if not self._view.sentence_has("dtype", asked.number) or {"parameters", "gradients"} & {
            *asked.part
        }:
            return False
        types = self._view.marks_in_sentence("dtype", asked.number)
        counts = _KEPT.get(asked.part[0], ()) if len(asked.part) == 1 else ()
        widths = {WEIGHT_BYTES[mark.value] * n for mark in types for n in counts}
        return asked.number.amount.low in widths

    def _part_of_model(self, asked: Asked) -> Judgement | None:
        """Parameters of the embeddings, of a layer, of the experts that are active."""
        if asked.quantity is not Quantity.PARAM_COUNT:
            return None
        is_part = _PART_OF_MODEL.search(self._view.near(asked.number, _REACH))
        return missing(_WHICH) if is_part else None

    def _of_adapters(self, asked: Asked) -> Judgement | None:
        """States of the adapters: nobody says how many parameters they have."""
        if asked.quantity not in SIZES or not self._bindings.says(asked.number, "tune"):
            return None
        is_base = _BASE.search(self._view.near(asked.number, _REACH))
        return None if is_base else missing(_ADAPTERS)

    def _state_before(self, asked: Asked) -> Judgement | None:
        """优化器从 84GB 降到 42GB。再叠 ZeRO-1，每卡 5.25GB: still of the optimizer."""
        number, view = asked.number, self._view
        mark = view.before("part", number.start)
        if asked.part or mark is None or view.sentence_has("part", number):
            return None
        if view.sentence(number.start) - view.sentence(mark.start) != 1 or mark.value == "states":
            return None
        ways = (replace(asked, part=(mark.value,), recipe=r) for r in {asked.recipe, ""})
        is_right = any(self._judge(one).verdict in _HOLDS for one in ways)
        return Judgement(ClaimVerdict.UNCHECKABLE, _PART_ONLY) if is_right else None

    def _one_state(self, asked: Asked) -> Judgement | None:
        """What one of the states takes, where the words do not claim all of them."""
        is_open = not asked.part or not self._view.clause_has("part", asked.number)
        if not is_open or self._bindings.claims_all(asked):
            return None
        is_right = _is_typed_weights(asked) or any(
            self._judge(one).verdict is ClaimVerdict.RIGHT for one in _single_states(asked)
        )
        if not is_right:
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _PART_ONLY, fact_ids=("F001",))

    def _stored(self, asked: Asked) -> Judgement | None:
        """Bytes of a file may hold any of the states."""
        is_stored = asked.quantity in SIZES and self._bindings.says(asked.number, "storage")
        return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHAT) if is_stored else None

    def _contested(self, asked: Asked) -> Judgement | None:
        """Conditions from other sentences, of which the text has several."""
        if asked.quantity not in _OF_OPTIMIZER or not self._bindings.is_contested(asked):
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _WHICH_CONDITION)

    def _unidentified(self, asked: Asked) -> Judgement | None:
        """A size whose own clause says neither what it is of nor where."""
        if asked.quantity not in SIZES or self._bindings.identifies(asked.number):
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHAT)


def _is_silent(asked: Asked) -> bool:
    """A length told in thousands (4K, 1T) that says nothing checkable is no claim at all."""
    return asked.number.unit in _LETTERS and asked.quantity is Quantity.KV_CACHE


def _is_broken(asked: Asked) -> bool:
    """Written-out arithmetic that does not come to the figure behind it, in any unit."""
    made, number = asked.number.sums_to, asked.number
    if made is None or made <= 0:
        return False
    said = number.amount.low / number.scale
    width = tolerance(number) if number.unit is Unit.BYTES else EXACT
    is_rounded = said == int(said) and abs(made - said) <= _HALF
    return not is_rounded and all(abs(said - way) > width * way for way in _ways(made))


def _ways(made: float) -> list[float]:
    """The same bytes in units next to the one said, thousands or 1,024s."""
    return [made, *(made / base**power for base in (1_000, 1_024) for power in (-1, 1, 2, 3))]


def _broken(asked: Asked) -> Judgement:
    """Told in the unit of the figure: of all units, the one the parts come nearest to it in."""
    made, said = asked.number.sums_to or 0.0, asked.number.amount.low / asked.number.scale
    nearest = min(_ways(made), key=lambda way: abs(log(way / said))) if said > 0 else made
    why = msg("The parts come to {sum}, not {said}.", sum=f"{nearest:.4g}", said=f"{said:g}")
    return Judgement(ClaimVerdict.WRONG, why, f"{nearest:.4g}")


def _single_states(asked: Asked) -> list[Asked]:
    """The claim as one of each state, sharded or whole."""
    return [
        replace(
            asked,
            part=part,
            recipe=recipe,
            schemes=schemes,
            per=asked.per if schemes else "total",
        )
        for part in _STATES
        for recipe in dict.fromkeys((asked.recipe, ""))
        for schemes in dict.fromkeys((asked.schemes, ()))
    ]


def _is_typed_weights(asked: Asked) -> bool:
    """The weights in another type: a byte, half a byte."""
    said, types = asked.number.amount.low, sorted(WEIGHT_BYTES.values())
    if asked.quantity is Quantity.BYTES_PER_PARAM:
        return any(abs(said - each) <= EXACT * each for each in types)
    if asked.psi is None or asked.quantity not in SIZES:
        return False
    width = tolerance(asked.number)
    return any(abs(said - asked.psi * each) <= width * asked.psi * each for each in types)
