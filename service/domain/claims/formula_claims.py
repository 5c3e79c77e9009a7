"""Step three for formulas in ψ and N."""

from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import (
    Choice,
    bytes_per_param,
    choices,
    family,
    memory_row,
    needs_shards,
    state_formula,
)
from service.domain.claims.expression import divisors
from service.domain.claims.gaps import DEGREE, FREE, SCHEME, STATES
from service.domain.claims.judge import (
    EXACT,
    Judgement,
    Option,
    because,
    best,
    missing,
    pick,
    worst,
)
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.slips import formula_slip
from service.domain.language import msg
from service.domain.memory import Scheme

_SAMPLES: Final = (3.0, 64.0, 1000.0)


def judge_formula(asked: Asked) -> Judgement:
    """A formula in ψ and N, or bytes per parameter in N."""
    expr = asked.number.expr
    if expr is None:
        return missing(SCHEME)
    if "from" in asked.words:
        rest = replace(asked, words=asked.words - {"from"})
        return best([judge_formula(replace(rest, schemes=("ddp",))), judge_formula(rest)])
    if not asked.schemes:
        return _formula_without_scheme(asked)
    judged = worst([_formula_under(asked, scheme) for scheme in asked.schemes])
    if judged.verdict is ClaimVerdict.WRONG and "adam" in asked.words and not asked.part:
        return best([judged, judge_formula(replace(asked, part=("optimizer",)))])
    if judged.verdict is ClaimVerdict.WRONG and "gradmix" in asked.words and asked.part:
        return judge_formula(replace(asked, part=()))
    return judged


def _formula_without_scheme(asked: Asked) -> Judgement:
    expr = asked.number.expr
    if expr is None or "N" in expr.names:
        return missing(SCHEME, ("F014", "F015", "F016"))
    value = _at(asked, 1.0)
    if value is None:
        return missing(SCHEME)
    options = [_psi_option(asked, choice, None, 1) for choice in choices(asked, None)]
    judged = pick(asked.number, value, value, options, EXACT)
    is_about_states = bool(asked.part) or bool(asked.words & {"train"}) or asked.per == "gpu"
    if judged.verdict is ClaimVerdict.WRONG and not is_about_states:
        return missing(SCHEME)
    return because(judged, lambda: formula_slip(asked, value, 0.0, None))


def _psi_option(asked: Asked, choice: Choice, row: Scheme | None, shards: float) -> Option:
    value = bytes_per_param(asked.part, row, int(shards), choice.recipe)
    return Option(
        value,
        state_formula(asked.part, row, choice.recipe),
        state_formula(asked.part, row, choice.recipe),
        row.fact_ids if row else choice.recipe.fact_ids or STATES,
        choice.is_default,
        choice.when,
        row.id if row else "",
    )


def _formula_under(asked: Asked, scheme: str) -> Judgement:
    row = memory_row(scheme)
    expr = asked.number.expr
    if row is None or expr is None:
        return missing(SCHEME)
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
        why = msg("Right: {formula} gives {value}.", formula=row.title, value=shown)
        verdict = ClaimVerdict.RIGHT
    else:
        why, verdict = choice.when, ClaimVerdict.CONDITIONAL
        if family(row.id) == "zero2" and choice.recipe.id == "adam_fp16_fp32gradcopy":
            why = msg(
                "The paper counts 2ψ+14ψ/N; DeepSpeed's estimator counts 2ψ+18ψ/N "
                "with an fp32 gradient copy. Say which."
            )
    return Judgement(verdict, why, shown, shown, row.fact_ids, row.id)


def _formula_wrong(asked: Asked, choice: Choice, row: Scheme) -> Judgement:
    shown = state_formula(asked.part, row, choice.recipe)
    near, far = _at(asked, 1.0), _at(asked, FREE)
    why = msg("{formula} gives {value}.", formula=row.title, value=shown)
    slip = formula_slip(asked, far or 0.0, (near or 0.0) - (far or 0.0), row)
    return Judgement(ClaimVerdict.WRONG, slip or why, shown, shown, row.fact_ids, row.id)


def _numeric_formula(asked: Asked, row: Scheme) -> Judgement:
    """ψ times a plain number: at the known N, or at its limit."""
    value = _at(asked, 1.0)
    options = choices(asked, row)
    if value is None:
        return missing(DEGREE)
    if asked.shards:
        made = [_psi_option(asked, choice, row, asked.shards) for choice in options]
        return pick(asked.number, value, value, made, EXACT)
    for degree in divisors(asked.number.expr):
        made = [_psi_option(asked, choice, row, degree) for choice in options]
        judged = pick(asked.number, value, value, made, EXACT)
        if judged.verdict is ClaimVerdict.RIGHT:
            return judged
    limit = bytes_per_param(asked.part, row, int(FREE), options[0].recipe)
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
