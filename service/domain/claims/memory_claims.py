"""Step three for memory: bytes per parameter, formulas, bytes per GPU, totals, reductions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.expected import (
    Choice,
    bytes_per_param,
    choices,
    family,
    memory_row,
    needs_shards,
    offloaded,
    state_formula,
    width,
    worked,
)
from service.domain.claims.judge import (
    EXACT,
    Judgement,
    Option,
    because,
    best,
    missing,
    pick,
    tolerance,
    worst,
)
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.resolve import Asked
from service.domain.claims.slips import formula_slip, size_slip
from service.domain.claims.tokens import Limit, Number, Unit
from service.domain.language import Message, msg
from service.domain.memory import RECIPES, Scheme, model_states, reduction_factor, show_bytes

_SAMPLES: Final = (3.0, 64.0, 1000.0)
_BEFORE: Final = ("ddp", "zero1", "zero2")  # what a drop to a higher stage may start from
_SPLITS_PARAMETERS: Final = 3  # below this stage an offload leaves the GPU a share without N
_FREE: Final = 1e12  # N of "very large N"
_STATES: Final = ("F001", "F002")
_SIZES: Final = msg("the model size")
_DEGREE: Final = msg("the number of GPUs that share the states (N)")
_SCHEME: Final = msg("the sharding scheme")


def judge_width(asked: Asked) -> Judgement:
    """Bytes per parameter."""
    number = asked.number
    if _is_multiple(number):
        return _judge_multiple(asked)
    broken = _broken_sum(number)
    if broken:
        return broken
    low, high = _figure(number)
    options = list(_width_options(asked))
    if "from" in asked.words and asked.recipe:
        options.extend(_width_options(replace(asked, recipe="")))
    if "gradmix" in asked.words and asked.part == ("gradients",):
        options.extend(_width_options(replace(asked, part=())))
    judged = pick(number, low, high, options, EXACT)
    return because(judged, lambda: _width_slip(asked, low))


def _figure(number: Number) -> tuple[float, float]:
    scale = number.scale if number.unit is Unit.LETTER_B else 1.0
    return number.amount.low / scale, number.amount.high / scale


def _is_multiple(number: Number) -> bool:
    return number.unit in {Unit.FACTOR, Unit.SHARE, Unit.PERCENT}


def _judge_multiple(asked: Asked) -> Judgement:
    """Optimizer state as a multiple of the parameters: two values each, six times the 16-bit bytes."""
    note = msg(
        "fp32 moments are 2 values (8 bytes) per parameter; with the fp32 master copy 12 bytes, six times the 16-bit weights."
    )
    options = [
        Option(2, "2x", "m, v", _STATES),
        Option(6, "6x", "12/2", _STATES),
        Option(3, "3x", "12/4", _STATES, is_default=False, when=note),
    ]
    return because(pick(asked.number, *_figure(asked.number), options, EXACT), lambda: note)


def _broken_sum(number: Number) -> Judgement | None:
    """2+2+8=16 does not add up."""
    if number.sums_to is None or number.unit not in {Unit.NONE, Unit.WIDTH}:
        return None
    if abs(number.sums_to - number.amount.low) <= EXACT * number.sums_to:
        return None
    return Judgement(
        ClaimVerdict.WRONG,
        msg(
            "The parts add up to {sum}, not {said}.",
            sum=f"{number.sums_to:g}",
            said=f"{number.amount.low:g}",
        ),
        f"{number.sums_to:g}",
        fact_ids=_STATES,
    )


def _width_options(asked: Asked) -> Iterator[Option]:
    row = memory_row(asked.schemes[0]) if asked.schemes else None
    for choice in choices(asked, row):
        yield _width_option(asked, choice, None, 1)
        if row and asked.shards and row.sharded:
            yield _width_option(asked, choice, row, asked.shards)
    if not asked.part and "adam" in asked.words:
        yield Option(12, "12", "4+4+4", ("F001", "F002"))
    if asked.weight_bytes and _is_plain_tensor(asked):
        yield Option(
            asked.weight_bytes, f"{asked.weight_bytes:g}", msg_free("width of the type"), _STATES
        )
    if asked.recipe == "adam8bit" and asked.part == ("optimizer",):
        yield Option(2, "2", "1+1", ())
        yield Option(6, "6", "4+1+1", ())


def msg_free(text: str) -> str:
    return text


def _is_plain_tensor(asked: Asked) -> bool:
    """Weights and gradients are as wide as the type that is named for them."""
    if not asked.part:
        return "infer" in asked.words
    return set(asked.part) <= {"parameters", "gradients", "master"} and len(asked.part) == 1


def _width_option(asked: Asked, choice: Choice, row: Scheme | None, shards: int) -> Option:
    value = bytes_per_param(asked.part, row, shards, choice.recipe)
    names = asked.part or ("parameters", "gradients", "optimizer")
    formula = (
        "+".join(f"{width(n, choice.recipe):g}" for n in names)
        if row is None
        else state_formula(asked.part, row, choice.recipe)
    )
    return Option(
        value,
        f"{value:.6g}",
        formula,
        choice.recipe.fact_ids or _STATES,
        is_default=choice.is_default
        or len(asked.part) == 1
        and asked.part != ("gradients",)
        and choice.recipe.id != "adam_fp16_fp32gradcopy",
        when=choice.when,
        scheme=row.id if row else "",
    )


def _width_slip(asked: Asked, said: float) -> Message | None:
    if asked.part == ("optimizer",) and said == 16:
        return msg(
            "16 bytes are all model states; the optimizer's share is 12 (fp32 master, momentum and variance, 4 each)."
        )
    if asked.part == ("optimizer",) and said == 8:
        return msg(
            "8 bytes are momentum and variance only; with the fp32 master copy the optimizer state is 12."
        )
    if not asked.part and said == 14:
        return msg("14 bytes leave out the 2 bytes of gradients.")
    if not asked.part and said == 12:
        return msg("12 bytes are the optimizer states alone; parameters and gradients add 2 each.")
    return None


def judge_formula(asked: Asked) -> Judgement:
    """A formula in ψ and N, or bytes per parameter in N."""
    expr = asked.number.expr
    if expr is None:
        return missing(_SCHEME)
    if not asked.schemes:
        return _formula_without_scheme(asked)
    judged = worst([_formula_under(asked, scheme) for scheme in asked.schemes])
    if judged.verdict is ClaimVerdict.WRONG and "gradmix" in asked.words and asked.part:
        return judge_formula(replace(asked, part=()))
    return judged


def _formula_without_scheme(asked: Asked) -> Judgement:
    expr = asked.number.expr
    if expr is None or "N" in expr.names:
        return missing(_SCHEME, ("F014", "F015", "F016"))
    value = _at(asked, 1.0)
    if value is None:
        return missing(_SCHEME)
    options = [_psi_option(asked, choice, None, 1) for choice in choices(asked, None)]
    judged = pick(asked.number, value, value, options, EXACT)
    is_about_states = bool(asked.part) or bool(asked.words & {"train"}) or asked.per == "gpu"
    if judged.verdict is ClaimVerdict.WRONG and not is_about_states:
        return missing(_SCHEME)
    return because(judged, lambda: formula_slip(asked, value, 0.0, None))


def _psi_option(asked: Asked, choice: Choice, row: Scheme | None, shards: float) -> Option:
    value = bytes_per_param(asked.part, row, int(shards), choice.recipe)
    return Option(
        value,
        state_formula(asked.part, row, choice.recipe),
        state_formula(asked.part, row, choice.recipe),
        row.fact_ids if row else choice.recipe.fact_ids or _STATES,
        choice.is_default,
        choice.when,
        row.id if row else "",
    )


def _formula_under(asked: Asked, scheme: str) -> Judgement:
    row = memory_row(scheme)
    expr = asked.number.expr
    if row is None or expr is None:
        return missing(_SCHEME)
    whole = _said_of_whole(asked)
    if whole:
        return whole
    if "N" not in expr.names and needs_shards(asked.part, row):
        return _numeric_formula(asked, row)
    options = choices(asked, row)
    for choice in sorted(options, key=lambda c: not c.is_default):
        if all(_same_at(asked, choice, row, n) for n in _SAMPLES):
            return _formula_agreed(asked, choice, row)
    return _formula_wrong(asked, options[0], row)


def _said_of_whole(asked: Asked) -> Judgement | None:
    """ZeRO-1 spreads the 12ψ of optimizer states: a state before it is split."""
    expr, said = asked.number.expr, _at(asked, 1.0)
    if not asked.part or asked.per == "gpu" or expr is None or "N" in expr.names or said is None:
        return None
    options = [_psi_option(asked, c, None, 1) for c in choices(asked, None) if c.is_default]
    judged = pick(asked.number, said, said, options, EXACT)
    return judged if judged.verdict is ClaimVerdict.RIGHT else None


def _same_at(asked: Asked, choice: Choice, row: Scheme, shards: float) -> bool:
    said = _at(asked, shards)
    exact = bytes_per_param(asked.part, row, int(shards), choice.recipe)
    return said is not None and abs(said - exact) <= EXACT * exact


def _at(asked: Asked, shards: float) -> float | None:
    expr = asked.number.expr
    return (
        expr.at({"ψ": 1.0, "N": shards, "K": 12.0, "k": float(asked.micro_batches)})
        if expr
        else None
    )


def _formula_agreed(asked: Asked, choice: Choice, row: Scheme) -> Judgement:
    shown = state_formula(asked.part, row, choice.recipe)
    if choice.is_default or choice.when is None:
        why = msg("Right: {formula} gives {value}.", formula=row.id, value=shown)
        verdict = ClaimVerdict.RIGHT
    else:
        why, verdict = choice.when, ClaimVerdict.CONDITIONAL
        if family(row.id) == "zero2" and choice.recipe.id == "adam_fp16_fp32gradcopy":
            why = msg(
                "The paper counts 2ψ+14ψ/N; DeepSpeed's estimator counts 2ψ+18ψ/N with an fp32 gradient copy. Say which."
            )
    return Judgement(verdict, why, shown, shown, row.fact_ids, row.id)


def _formula_wrong(asked: Asked, choice: Choice, row: Scheme) -> Judgement:
    shown = state_formula(asked.part, row, choice.recipe)
    near, far = _at(asked, 1.0), _at(asked, _FREE)
    why = msg("{formula} gives {value}.", formula=row.id, value=shown)
    slip = formula_slip(asked, far or 0.0, (near or 0.0) - (far or 0.0), row)
    return Judgement(ClaimVerdict.WRONG, slip or why, shown, shown, row.fact_ids, row.id)


def _numeric_formula(asked: Asked, row: Scheme) -> Judgement:
    """ψ times a plain number: at the known N, or at its limit."""
    value = _at(asked, 1.0)
    options = choices(asked, row)
    if value is None:
        return missing(_DEGREE)
    if asked.shards:
        made = [_psi_option(asked, choice, row, asked.shards) for choice in options]
        return pick(asked.number, value, value, made, EXACT)
    limit = bytes_per_param(asked.part, row, int(_FREE), options[0].recipe)
    if limit >= 1 and abs(value - limit) <= EXACT * limit:
        verdict = ClaimVerdict.RIGHT if "limit" in asked.words else ClaimVerdict.CONDITIONAL
        shown = state_formula(asked.part, row, options[0].recipe)
        return Judgement(
            verdict,
            msg("That is the limit for very large N of {formula}.", formula=shown),
            shown,
            shown,
            row.fact_ids,
            row.id,
        )
    return _formula_wrong(asked, options[0], row)


def judge_size(asked: Asked) -> Judgement:
    """GB on one GPU, or of the whole model."""
    if "from" in asked.words and "measured" not in asked.words:
        before = [
            judge_size(replace(asked, words=asked.words - {"from"}, schemes=(s,), part=p))
            for s in _BEFORE
            for p in {(), asked.part}
        ]
        return best([*before, judge_size(replace(asked, words=asked.words - {"from"}))])
    if "measured" in asked.words:
        return _judge_measured(asked)
    if asked.psi is None:
        return missing(_SIZES)
    if not asked.schemes:
        return _size_without_scheme(asked)
    return worst([_size_under(asked, scheme) for scheme in asked.schemes])


def _size_under(asked: Asked, scheme: str) -> Judgement:
    row = memory_row(scheme)
    if row is None or asked.psi is None:
        return missing(_SCHEME)
    if asked.per == "total" or (asked.per != "gpu" and asked.part and not _says_gpu(asked)):
        whole = _whole_options(asked)
        first = pick(asked.number, *_bytes(asked.number), whole, tolerance(asked.number))
        if first.verdict is not ClaimVerdict.WRONG or asked.per == "total":
            return first
    is_local = bool(asked.offload) and row.stage < _SPLITS_PARAMETERS and not asked.part
    if asked.shards is None and needs_shards(asked.part, row) and not is_local:
        return missing(_DEGREE, row.fact_ids)
    options = list(_size_options(asked, row))
    judged = pick(asked.number, *_bytes(asked.number), options, tolerance(asked.number))
    return because(judged, lambda: size_slip(asked, row))


def _says_gpu(asked: Asked) -> bool:
    return asked.per == "gpu"


def _bytes(number: Number) -> tuple[float, float]:
    return float(number.amount.low), float(number.amount.high)


def _size_options(asked: Asked, row: Scheme) -> Iterator[Option]:
    shards, psi = asked.shards or 1, (asked.psi or 0.0) / (asked.tp * asked.pp)
    for choice in _firm(asked, row):
        kept = (
            offloaded(asked, row, shards, choice.recipe)
            if asked.offload and not asked.part
            else None
        )
        value = kept or psi * bytes_per_param(asked.part, row, shards, choice.recipe)
        yield Option(
            value,
            show_bytes(value),
            worked(asked.part, row, shards, choice.recipe, psi),
            row.fact_ids,
            choice.is_default,
            choice.when,
            row.id,
        )


def _firm(asked: Asked, row: Scheme | None) -> Sequence[Choice]:
    """Sizes are judged by the named or default recipe: a slip must not pass for another recipe."""
    return [choice for choice in choices(asked, row) if choice.is_default or asked.recipe]


def _whole_options(asked: Asked) -> Sequence[Option]:
    """All states, or the named ones, of the whole model."""
    psi = asked.psi or 0.0
    if asked.weight_bytes and "typed" in asked.words and asked.part == ("parameters",):
        named = psi * asked.weight_bytes
        return [Option(named, show_bytes(named), f"{asked.weight_bytes:g}×{psi:.6g}", ("F003",))]
    options = [
        _whole_option(asked, psi * bytes_per_param(asked.part, None, 1, c.recipe), c)
        for c in _firm(asked, None)
    ]
    if not asked.part and "adam" in asked.words:
        options.append(Option(12 * psi, show_bytes(12 * psi), f"12×{psi:.6g}", _STATES))
    if asked.weight_bytes and asked.part in {("parameters",), ("gradients",)}:
        named = psi * asked.weight_bytes
        options.append(
            Option(named, show_bytes(named), f"{asked.weight_bytes:g}×{psi:.6g}", ("F003",))
        )
    return options


def _whole_option(asked: Asked, value: float, choice: Choice) -> Option:
    text = worked(asked.part, None, 1, choice.recipe, asked.psi or 0.0)
    only_part = (
        bool(asked.part)
        and asked.part != ("gradients",)
        and choice.recipe.id != "adam_fp16_fp32gradcopy"
    )
    return Option(
        value,
        show_bytes(value),
        text,
        choice.recipe.fact_ids or _STATES,
        choice.is_default or only_part,
        choice.when,
    )


def _size_without_scheme(asked: Asked) -> Judgement:
    is_split = asked.per == "gpu" and (asked.shards or 1) > 1
    if is_split and not asked.part:
        return missing(_SCHEME, ("F014", "F015", "F016"))
    options = list(_whole_options(asked))
    is_training = bool(asked.words & {"train"}) and "tune" not in asked.words
    if not asked.part:
        options.extend(_weight_options(asked, is_training=is_training))
    if "tune" in asked.words and not asked.part:
        options = list(_weight_options(asked, is_training=False))
    judged = pick(asked.number, *_bytes(asked.number), options, tolerance(asked.number))
    is_open = (
        not asked.part and not is_training and "infer" not in asked.words and asked.per != "states"
    )
    if judged.verdict is ClaimVerdict.WRONG and is_open and not _names_states(asked):
        return missing(msg("what the memory holds: weights only or all model states"))
    return judged


def _names_states(asked: Asked) -> bool:
    return "states" in asked.words


def _weight_options(asked: Asked, *, is_training: bool) -> Iterator[Option]:
    """Weights alone count where nothing says training."""
    if is_training or _names_states(asked):
        return
    value = (asked.psi or 0.0) * (asked.weight_bytes or 2.0)
    yield Option(
        value, show_bytes(value), f"{asked.weight_bytes or 2:g}×{asked.psi:.6g}", ("F003",)
    )


def _judge_measured(asked: Asked) -> Judgement:
    """A measured total holds more than the states; only one below them is wrong."""
    note = Judgement(
        ClaimVerdict.UNCHECKABLE,
        msg(
            "A measured total also holds activations, buffers and the allocator's cache, which no formula here gives."
        ),
        fact_ids=("F004",),
    )
    rows = [memory_row(scheme) for scheme in asked.schemes]
    row = rows[0] if rows else None
    if row is None or asked.psi is None or (asked.shards is None and row.sharded) or asked.offload:
        return note
    recipe = choices(asked, row)[0].recipe
    floor = model_states(asked.psi, row, asked.shards or 1, recipe, tp=asked.tp, pp=asked.pp).total
    if (
        asked.part
        or asked.number.limit is Limit.MORE
        or _bytes(asked.number)[1] * (1 + tolerance(asked.number)) >= floor
    ):
        return note
    return Judgement(
        ClaimVerdict.WRONG,
        msg(
            "Model states alone need {floor} ({formula}); no measurement can be below that.",
            floor=show_bytes(floor),
            formula=worked((), row, asked.shards or 1, recipe, asked.psi),
        ),
        show_bytes(floor),
        state_formula((), row, recipe),
        ("F004", *row.fact_ids),
        row.id,
    )


def judge_reduction(asked: Asked) -> Judgement:
    """How many times less than plain data parallelism, or than another scheme."""
    return (
        worst([_reduction_under(asked, scheme) for scheme in asked.schemes])
        if asked.schemes
        else missing(_SCHEME)
    )


def _reduction_under(asked: Asked, scheme: str) -> Judgement:
    row, base = memory_row(scheme), memory_row(asked.reference or "ddp")
    if row is None or base is None or not row.sharded:
        return missing(_SCHEME)
    low, high = _times_less(asked)
    if asked.shards:
        return _reduction_at(asked, row, base, low, high)
    recipe = choices(asked, row)[0].recipe
    limit = bytes_per_param(asked.part, base, int(_FREE), recipe) / max(
        bytes_per_param(asked.part, row, int(_FREE), recipe), 1e-9
    )
    return _reduction_limit(asked, row, low, limit)


def _reduction_at(asked: Asked, row: Scheme, base: Scheme, low: float, high: float) -> Judgement:
    shards = asked.shards or 1
    recipe = choices(asked, row)[0].recipe
    below, above = (
        bytes_per_param(asked.part, base, shards, recipe),
        bytes_per_param(asked.part, row, shards, recipe),
    )
    if not asked.part and base.id == "ddp":
        exact = reduction_factor(row, shards, recipe)
    else:
        exact = below / above
    options = [
        Option(
            exact,
            f"{exact:.3g}x",
            f"{below:g}/({state_formula(asked.part, row, recipe)})".replace("ψ", "").replace(
                "N", str(shards)
            ),
            ("F018", *row.fact_ids),
            scheme=row.id,
        )
    ]
    limit = below / max(bytes_per_param(asked.part, row, int(_FREE), recipe), 1e-9)
    if "limit" in asked.words and limit < 1e3:
        options.append(Option(limit, f"{limit:g}x", "N→∞", ("F018",), scheme=row.id))
    return pick(asked.number, low, high, options, tolerance(asked.number))


def _reduction_limit(asked: Asked, row: Scheme, said: float, limit: float) -> Judgement:
    facts = ("F018", *row.fact_ids)
    if limit > 1e3:
        return missing(_DEGREE, facts)
    shown = f"{limit:g}x"
    if abs(said - limit) <= tolerance(asked.number) * limit:
        if "always" in asked.words:
            why = msg(
                "{value} is only the limit for very large N; at N = 8 it is {small}.",
                value=shown,
                small=f"{reduction_factor(row, 8):.2g}x",
            )
            return Judgement(ClaimVerdict.WRONG, why, shown, None, facts, row.id)
        is_limit = "limit" in asked.words or asked.number.limit is Limit.LESS
        why = msg("{value} is the limit for very large N; with few GPUs it is less.", value=shown)
        return Judgement(
            ClaimVerdict.RIGHT if is_limit else ClaimVerdict.CONDITIONAL,
            why,
            shown,
            None,
            facts,
            row.id,
        )
    if said > limit:
        why = msg("It cannot exceed {value}, the limit for very large N.", value=shown)
        return Judgement(ClaimVerdict.WRONG, why, shown, None, facts, row.id)
    return missing(_DEGREE, facts)


def _times_less(asked: Asked) -> tuple[float, float]:
    """A share or a percentage as the factor it stands for."""
    number = asked.number
    low, high = _bytes(number)
    if number.unit is Unit.FACTOR:
        return low, high
    share = low / 100 if number.unit is Unit.PERCENT else low
    remains = 1 - share if "by" in asked.words else share
    factor = 1 / max(remains, 1e-9)
    return factor, factor


_ = RECIPES
