"""Before a number is called wrong: other true readings of it, and whether it is claimed at all."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.conditions import Conditions
from service.domain.claims.expected import choices, memory_row
from service.domain.claims.experience import is_told_from_experience
from service.domain.claims.judge import Judgement, missing, tolerance
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.said import Said
from service.domain.claims.slips import TITLES
from service.domain.claims.tokens import Limit, Mark, Number, Unit
from service.domain.claims.view import View
from service.domain.language import msg
from service.domain.memory import model_states

Judge = Callable[[Asked], Judgement]
_SIZES: Final = frozenset({Quantity.MEMORY_PER_GPU, Quantity.TOTAL_MEMORY})
_MOST_VALUES: Final = 3  # of one condition tried
_RECENT: Final = 3  # sentences that a scheme is looked for in
_SUBJECTS: Final = ("scheme", "part", "train", "infer", "opt", "mix")
_STATES: Final = (
    ("parameters",), ("gradients",), ("optimizer",), ("moments",), ("master",),
    ("parameters", "gradients"), ("gradients", "optimizer"),
)  # fmt: skip
_MEASURED: Final = msg(
    "A figure from a run of one's own also holds activations, buffers and the allocator's cache, "
    "which no formula here gives."
)
_OTHERWISE: Final = msg(
    "It would be right for another condition of the same text; which one is meant is not said."
)
_PART_ONLY: Final = msg(
    "It is what one of the model states takes; whether that state or all of them is meant "
    "is not said."
)
_CARRIES_ON: Final = re.compile(
    r" *(?:(?:and|so|then|that|it|this|which|thus|hence|therefore|i\.e\.|or|now|each|= ?|≈ ?|→ ?|->"
    r"|that's|it's|gives|giving|makes|making|is|about|only|just|around|roughly|comes|down|to|takes"
    r"|needs|holds|becomes|would|will|be|from|at|per|gpu|card|memory) *)*[\d.~$]"
    "|.{0,2}(?:所以|就是|即|也就是|等于|降到|变成|变为|那就|也就|大概|约|大约|就|只要|只剩|只有"
    "|需要|要|占|它|这|=|≈|→|得|是|为|从|到|每卡){1,4} ?[\\d一二三四五六七八九十两几百]"
)
_TOKENS: Final = msg("the number of tokens")
_STAGES: Final = ("zero1", "zero2", "zero3")
_CLAUSE_REACH: Final = 40
_SENTENCE_REACH: Final = 110
_NEAR: Final = 12
_CLOSE: Final = 0.02
_STEPS: Final = (2.0, 0.5)
_MOST_GPUS: Final = 10_000
_TYPE_BYTES: Final = (2.0, 1.0, 0.5, 4.0)
_CARRIED: Final = frozenset({Quantity.COMM_VOLUME, Quantity.ACTIVATION, Quantity.KV_CACHE})
_OF_WHAT: Final = msg("What this number is of is not said.")


class Defence:
    """Hears the numbers of one view that were called wrong."""

    def __init__(self, view: View, conditions: Conditions, judge: Judge) -> None:
        self._view = view
        self._conditions = conditions
        self._judge = judge
        self._said = Said(view, conditions)

    def hear(
        self, asked: Asked, judged: Judgement, verdicts: Mapping[int, ClaimVerdict]
    ) -> Judgement | None:
        """The judgement that stands; None when the number is no claim.

        `verdicts` are those of the other numbers, by their start.
        """
        if asked.quantity in _SIZES and self._said.is_of_cards(asked.number):
            return None
        if judged.verdict is not ClaimVerdict.RIGHT:
            memory = self._as_memory(asked)
            judged = memory or judged
        if judged.verdict is not ClaimVerdict.WRONG or asked.number.sums_to is not None:
            return judged
        pleas = (
            lambda: self._arithmetic(asked, verdicts),
            lambda: self._experience(asked),
            lambda: self._other_condition(asked),
            lambda: self._implied_stage(asked),
            lambda: self._between_stages(asked),
            lambda: self._uncounted(asked),
            lambda: self._one_state(asked),
            lambda: self._unidentified(asked),
        )
        return next((plea for make in pleas if (plea := make()) is not None), judged)

    def _arithmetic(self, asked: Asked, verdicts: Mapping[int, ClaimVerdict]) -> Judgement | None:
        made = self._said.made_of(asked.number)
        if made is None:
            return None
        text, parts = made
        are_right = all(verdicts.get(p.start) is ClaimVerdict.RIGHT for p in parts)
        if are_right:
            return Judgement(ClaimVerdict.RIGHT, msg("Right: it is {sum}.", sum=text))
        return Judgement(
            ClaimVerdict.UNCHECKABLE,
            msg("It is {sum}; it is as right as the figures it was made of.", sum=text),
        )

    def _experience(self, asked: Asked) -> Judgement | None:
        """A figure of one's own run is only wrong below the model states."""
        if asked.quantity not in _SIZES or asked.part:
            return None
        if not is_told_from_experience(self._view, asked.number):
            return None
        if "from" not in asked.words and _is_below_states(asked):
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _MEASURED, fact_ids=("F004",))

    def _other_condition(self, asked: Asked) -> Judgement | None:
        """Conditions that its own clause does not say are tried as the text says them elsewhere."""
        for variant in self._variants(asked):
            judged = self._judge(variant)
            if judged.verdict in {ClaimVerdict.RIGHT, ClaimVerdict.CONDITIONAL}:
                return judged
        return None

    def _as_memory(self, asked: Asked) -> Judgement | None:
        """A topic that was only carried over from other words does not bind a size."""
        number = asked.number
        if asked.quantity not in _CARRIED or number.unit is not Unit.BYTES:
            return None
        if self._view.clause_has("topic", number) or self._view.clause_has("coll", number):
            return None
        judged = self._judge(replace(asked, quantity=Quantity.MEMORY_PER_GPU))
        return judged if judged.verdict is ClaimVerdict.RIGHT else None

    def _between_stages(self, asked: Asked) -> Judgement | None:
        """What one stage takes off another, where something is said to be saved."""
        near = self._view.text(self._view.clause_start(asked.number), asked.number.end + _NEAR)
        if asked.quantity not in _SIZES or not signs.TAKEN_OFF.search(near):
            return None
        totals = self._totals(asked)
        for (one, high), (other, low) in permutations(totals, 2):
            if abs(asked.number.amount.low - (high - low)) <= _CLOSE * abs(high - low):
                why = msg("Right: it is what {less} takes off {more}.", less=other, more=one)
                return Judgement(ClaimVerdict.RIGHT, why)
        return None

    def _totals(self, asked: Asked) -> Sequence[tuple[str, float]]:
        if asked.psi is None or asked.shards is None:
            return ()
        rows = ((name, memory_row(name)) for name in ("ddp", *_STAGES))
        recipe = choices(asked, None)[0].recipe
        return [
            (TITLES[name], model_states(asked.psi, row, asked.shards, recipe).total)
            for name, row in rows
            if row is not None
        ]

    def _implied_stage(self, asked: Asked) -> Judgement | None:
        """After the optimizer is split: a stage that is told by what it does, not named."""
        view, number = self._view, asked.number
        if asked.quantity not in {*_SIZES, Quantity.FORMULA} or view.clause_has("scheme", number):
            return None
        named = {mark.value for mark in view.marks_in_sentence("scheme", number)}
        is_formula = asked.quantity is Quantity.FORMULA and len(named) != 1
        before = view.text(number.start - _CLAUSE_REACH, number.start)
        if not is_formula and not signs.SPLITS.search(before):
            return None
        for stage in _STAGES:
            one = replace(asked, schemes=(stage,), part=(), per="gpu")
            judged = self._judge(one)
            if judged.verdict is ClaimVerdict.RIGHT:
                return judged
        return None

    def _uncounted(self, asked: Asked) -> Judgement | None:
        """A cache for tokens or sequences that its own clause does not count."""
        if asked.quantity is not Quantity.KV_CACHE or asked.per == "token":
            return None
        if self._has_setting("seq", asked.number):
            return None
        return missing(_TOKENS)

    def _variants(self, asked: Asked) -> Iterator[Asked]:
        if asked.quantity is Quantity.ACTIVATION:
            yield from self._activation_variants(asked)
            return
        number = asked.number
        if asked.recipe and not self._says(number, "opt", "mix", "dtype"):
            yield replace(asked, recipe="")
        if asked.micro_batches > 1 and not self._has_setting("k", number):
            yield replace(asked, micro_batches=1)
        if asked.batch > 1 and not self._has_setting("batch", number):
            yield replace(asked, batch=1)
        schemes = self._schemes(asked)
        sizes = self._values("model", number, asked.psi)
        degrees = self._degrees(asked)
        for scheme, psi, shards in product(schemes, sizes, degrees):
            if (scheme, psi, shards) != (asked.schemes, asked.psi, asked.shards):
                whole = "total" if not scheme else asked.per
                yield replace(asked, schemes=scheme, psi=psi, shards=shards, per=whole)

    def _activation_variants(self, asked: Asked) -> Iterator[Asked]:
        if "full" in asked.words and not self._view.clause_has("condition", asked.number, "full"):
            yield replace(asked, words=asked.words - {"full"})
        spread = {"flash", "nodropout", "sp"} & asked.words
        if spread and not self._view.clause_has("condition", asked.number):
            yield replace(asked, words=asked.words - spread)

    def _schemes(self, asked: Asked) -> Sequence[tuple[str, ...]]:
        """All schemes named near, unless its own clause names one."""
        view, number = self._view, asked.number
        if view.clause_has("scheme", number) or not asked.schemes:
            return (asked.schemes,)
        marks = [*reversed(view.last("scheme", number.start, _MOST_VALUES))]
        right = view.after("scheme", number.end)
        marks = [mark for mark in (*marks, right) if mark and self._is_near(mark.start, number)]
        named = dict.fromkeys((mark.value,) for mark in marks if not self._is_measure(mark))
        is_per_gpu = view.clause_has("per", number, "gpu")
        whole: tuple[tuple[str, ...], ...] = () if is_per_gpu else ((),)
        return tuple(dict.fromkeys((asked.schemes, *named, *whole)))

    def _is_measure(self, mark: Mark) -> bool:
        """和 DDP 一样: what something else is compared with."""
        return bool(signs.REFERENCE.search(self._view.text(mark.start - 24, mark.start)))

    def _is_near(self, at: int, number: Number) -> bool:
        return abs(self._view.sentence(at) - self._view.sentence(number.start)) <= _RECENT

    def _degrees(self, asked: Asked) -> Sequence[int | None]:
        number = asked.number
        if "from" in asked.words:
            values = (asked.shards, *self._conditions.around("gpus", number, _MOST_VALUES))
            return tuple(dict.fromkeys(None if v is None else int(v) for v in values))
        if self._has_setting("n", number):
            return (asked.shards,)
        values = [*self._values("gpus", number, asked.shards)]
        if len(values) > 1 or not self._has_setting("gpus", number):
            values.extend(self._plain_counts(number))
        start = number.start - _SENTENCE_REACH
        if signs.CHANGES_COUNT.search(self._view.text(start, number.end)):
            values.extend([v * f for v in values if v for f in _STEPS])
        return tuple(dict.fromkeys(None if v is None else int(v) for v in values))

    def _plain_counts(self, number: Number) -> Sequence[float]:
        """Whole numbers of its sentence that count nothing named: "at 64 we are at 1.75 GB"."""
        near = self._view.numbers_of_sentence(self._view.sentence(number.start))
        bare = [n.amount.low for n in near if n.unit is Unit.NONE and n is not number]
        return [v for v in bare if 1 < v <= _MOST_GPUS and v == int(v)][:_MOST_VALUES]

    def _has_setting(self, kind: str, number: Number) -> bool:
        found = self._conditions.nearest(kind, number)
        home = self._view.clause(number.start)
        return found is not None and found.start >= 0 and self._view.clause(found.start) == home

    def _values(self, kind: str, number: Number, known: float | None) -> Sequence[float | None]:
        """What is known, and the other values said, unless its own clause says one."""
        if self._has_setting(kind, number):
            return (known,)
        return tuple(dict.fromkeys((known, *self._conditions.around(kind, number, _MOST_VALUES))))

    def _one_state(self, asked: Asked) -> Judgement | None:
        """What one of the states takes, where the words do not claim all of them."""
        is_open = not asked.part or not self._view.clause_has("part", asked.number)
        if not is_open or self._claims_all(asked):
            return None
        if self._is_typed_weights(asked):
            return Judgement(ClaimVerdict.UNCHECKABLE, _PART_ONLY, fact_ids=("F001",))
        for part in _STATES:
            for recipe in dict.fromkeys((asked.recipe, "")):
                for schemes in dict.fromkeys((asked.schemes, ())):
                    per = asked.per if schemes else "total"
                    one = replace(asked, part=part, recipe=recipe, schemes=schemes, per=per)
                    if self._judge(one).verdict is ClaimVerdict.RIGHT:
                        return Judgement(ClaimVerdict.UNCHECKABLE, _PART_ONLY, fact_ids=("F001",))
        return None

    def _is_typed_weights(self, asked: Asked) -> bool:
        """The weights in another type: a byte, half a byte."""
        if asked.psi is None or asked.quantity not in _SIZES:
            return False
        said, width = asked.number.amount.low, tolerance(asked.number)
        exact = [asked.psi * each for each in _TYPE_BYTES]
        return any(abs(said - value) <= width * value for value in exact)

    def _claims_all(self, asked: Asked) -> bool:
        """Its clause says how it is sharded, or that all states or the training are meant."""
        if asked.quantity not in {*_SIZES, Quantity.BYTES_PER_PARAM, Quantity.FORMULA}:
            return True
        view, number = self._view, asked.number
        if view.clause_has("part", number, "states") or view.clause_has("per", number, "total"):
            return True
        if view.clause_has("per", number, "gpu") and self._follows_scheme(number):
            return True
        return any(self._governs(kind, number) for kind in ("scheme", "train", "opt", "mix"))

    def _governs(self, kind: str, number: Number) -> bool:
        """In its own clause and not behind an "and"."""
        home = self._view.clause(number.start)
        return any(
            self._view.clause(mark.start) == home and not self._view.is_behind_and(mark, number)
            for mark in self._view.governing(kind, number)
        )

    def _follows_scheme(self, number: Number) -> bool:
        """7B 八卡 ZeRO-2，每卡 14GB: the subject of a figure on one GPU is all it holds."""
        view = self._view
        scheme = view.before("scheme", number.start)
        if scheme is None or view.sentence(scheme.start) != view.sentence(number.start):
            return False
        return not view.loud_between(scheme.end, number.start)

    def _says(self, number: Number, *kinds: str) -> bool:
        return any(self._view.clause_has(kind, number) for kind in kinds)

    def _unidentified(self, asked: Asked) -> Judgement | None:
        """A size whose own clause says neither what it is of nor where."""
        if asked.quantity not in _SIZES:
            return None
        view, number = self._view, asked.number
        if self._says(number, *_SUBJECTS) or view.clause_has("topic", number, "memory"):
            return None
        if view.clause_has("per", number, "gpu") or view.clause_has("per", number, "total"):
            return None
        if self._has_setting("model", number) or self._has_setting("gpus", number):
            return None
        if number.unit is Unit.NONE or self._answers(number):
            return None
        return Judgement(ClaimVerdict.UNCHECKABLE, _OF_WHAT)

    def _answers(self, number: Number) -> bool:
        """It takes 20 GB, so 20 GB: the clause has no other subject."""
        start = self._view.clause_start(number)
        return _CARRIES_ON.match(self._view.low, start) is not None


def _is_below_states(asked: Asked) -> bool:
    row = memory_row(asked.schemes[0]) if asked.schemes else None
    if row is None or asked.psi is None or (row.sharded and asked.shards is None) or asked.offload:
        return False
    if asked.number.limit is Limit.MORE:
        return False
    recipe = choices(asked, row)[0].recipe
    states = model_states(asked.psi, row, asked.shards or 1, recipe, tp=asked.tp, pp=asked.pp)
    return asked.number.amount.high * (1 + tolerance(asked.number)) < states.total
