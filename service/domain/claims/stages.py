"""Sizes that stages explain: one told by what it splits, and what one takes off another."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import choices, memory_row
from service.domain.claims.judge import Judgement, tolerance
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.slips import TITLES
from service.domain.claims.tokens import Limit
from service.domain.language import msg
from service.domain.memory import model_states

STAGES: Final = ("zero1", "zero2", "zero3")
_CLOSE: Final = 0.02


def by_each_stage(asked: Asked) -> Iterator[Asked]:
    """The claim as one of each stage, on one GPU."""
    for stage in STAGES:
        yield replace(asked, schemes=(stage,), part=(), per="gpu")


def between_stages(asked: Asked) -> Judgement | None:
    """What one stage takes off another, or off plain data parallelism."""
    for (one, high), (other, low) in permutations(_totals(asked), 2):
        if abs(asked.number.amount.low - (high - low)) <= _CLOSE * abs(high - low):
            why = msg("Right: it is what {less} takes off {more}.", less=other, more=one)
            return Judgement(ClaimVerdict.RIGHT, why)
    return None


def _totals(asked: Asked) -> Sequence[tuple[str, float]]:
    if asked.psi is None or asked.shards is None:
        return ()
    rows = ((name, memory_row(name)) for name in ("ddp", *STAGES))
    recipe = choices(asked, None)[0].recipe
    return [
        (TITLES[name], model_states(asked.psi, row, asked.shards, recipe).total)
        for name, row in rows
        if row is not None
    ]


def is_saving_formula(asked: Asked) -> bool:
    """12ψ(1-1/N) is nothing for one GPU: what is saved, not what is held."""
    expr = asked.number.expr
    return expr is not None and "N" in expr.names and expr.at({"ψ": 1.0, "N": 1.0}) == 0


def is_below_states(asked: Asked) -> bool:
    """Whether a measured figure is less than the model states alone."""
    row = memory_row(asked.schemes[0]) if asked.schemes else None
    if row is None or asked.psi is None or (row.sharded and asked.shards is None) or asked.offload:
        return False
    if asked.number.limit is Limit.MORE or "delta" in asked.words:
        return False
    recipe = choices(asked, row)[0].recipe
    states = model_states(asked.psi, row, asked.shards or 1, recipe, tp=asked.tp, pp=asked.pp)
    return asked.number.amount.high * (1 + tolerance(asked.number)) < states.total
