"""Step three for savings: how many times less than another scheme."""

from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import (
    bytes_per_param,
    choices,
    memory_row,
    state_formula,
)
from service.domain.claims.gaps import DEGREE, FREE, SCHEME
from service.domain.claims.judge import (
    Judgement,
    Option,
    best,
    missing,
    pick,
    tolerance,
    worst,
)
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.tokens import Limit, Unit
from service.domain.language import msg
from service.domain.memory import Scheme, reduction_factor

_UNBOUNDED: Final = 1e3  # a saving without a limit grows with N


def judge_reduction(asked: Asked) -> Judgement:
    """How many times less than plain data parallelism, or than another scheme."""
    return (
        worst([_reduction_under(asked, scheme) for scheme in asked.schemes])
        if asked.schemes
        else missing(SCHEME)
    )


def _reduction_under(asked: Asked, scheme: str) -> Judgement:
    """A state named beside the factor may be only what is split."""
    judged = _saving_of(asked, scheme)
    return best([judged, _saving_of(replace(asked, part=()), scheme)]) if asked.part else judged


def _saving_of(asked: Asked, scheme: str) -> Judgement:
    row, base = memory_row(scheme), memory_row(asked.reference or "ddp")
    if row is None or base is None or not row.sharded:
        return missing(SCHEME)
    low, high = _times_less(asked)
    if asked.shards:
        return _reduction_at(asked, row, base, low, high)
    recipe = choices(asked, row)[0].recipe
    limit = bytes_per_param(asked.part, base, int(FREE), recipe) / max(
        bytes_per_param(asked.part, row, int(FREE), recipe), 1e-9
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
    limit = below / max(bytes_per_param(asked.part, row, int(FREE), recipe), 1e-9)
    if "limit" in asked.words and limit < _UNBOUNDED:
        options.append(Option(limit, f"{limit:g}x", "N→∞", ("F018",), scheme=row.id))
    return pick(asked.number, low, high, options, tolerance(asked.number))


def _reduction_limit(asked: Asked, row: Scheme, said: float, limit: float) -> Judgement:
    facts = ("F018", *row.fact_ids)
    if limit > _UNBOUNDED:
        return missing(DEGREE, facts)
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
    return missing(DEGREE, facts)


def _times_less(asked: Asked) -> tuple[float, float]:
    """A share or a percentage as the factor it stands for."""
    number = asked.number
    low, high = float(number.amount.low), float(number.amount.high)
    if number.unit is Unit.FACTOR:
        return low, high
    share = low / 100 if number.unit is Unit.PERCENT else low
    remains = 1 - share if "by" in asked.words else share
    factor = 1 / max(remains, 1e-9)
    return factor, factor
