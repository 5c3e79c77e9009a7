"""Step three for bytes on one GPU and bytes of the whole model."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import (
    Choice,
    bytes_per_param,
    choices,
    memory_row,
    needs_shards,
    offloaded,
    state_formula,
    worked,
)
from service.domain.claims.gaps import DEGREE, FREE, SCHEME, SIZE, STATES
from service.domain.claims.judge import (
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
from service.domain.claims.slips import size_slip
from service.domain.claims.tokens import Limit, Number
from service.domain.language import msg
from service.domain.memory import Scheme, model_states, show_bytes

_BEFORE: Final = ("ddp", "zero1", "zero2")  # what a drop to a higher stage may start from
_TRAINED: Final = msg("how much is trained beside the frozen base")
_SPLITS_PARAMETERS: Final = 3  # below this stage an offload leaves the GPU a share without N


def judge_size(asked: Asked) -> Judgement:
    """GB on one GPU, or of the whole model."""
    if "measured" in asked.words:
        return _judge_measured(asked)
    if "from" in asked.words:
        return _judge_start(replace(asked, words=asked.words - {"from"}))
    if asked.psi is None:
        return missing(SIZE)
    return _judge_schemes(asked) if asked.schemes else _size_without_scheme(asked)


def _judge_start(asked: Asked) -> Judgement:
    """What a drop starts from belongs to a lower stage, and may be of all states."""
    parts = dict.fromkeys(((), asked.part))
    before = [replace(asked, schemes=(s,), part=p) for s in _BEFORE for p in parts]
    return best([judge_size(one) for one in (*before, asked)])


def _judge_schemes(asked: Asked) -> Judgement:
    if "tune" in asked.words and not asked.part:
        return best([_size_without_scheme(asked), missing(_TRAINED)])
    judged = worst([_size_under(asked, scheme) for scheme in asked.schemes])
    if "later" in asked.words and asked.per != "gpu":
        return best([judged, _size_without_scheme(asked)])
    return judged


def _size_under(asked: Asked, scheme: str) -> Judgement:
    row = memory_row(scheme)
    if row is None or asked.psi is None:
        return missing(SCHEME)
    if asked.per == "total" or (asked.per != "gpu" and asked.part):
        whole = _whole_options(asked)
        first = pick(asked.number, *_bytes(asked.number), whole, tolerance(asked.number))
        if first.verdict is not ClaimVerdict.WRONG or asked.per == "total":
            return first
    if "floor" in asked.words:
        return _judge_floor(asked, row)
    is_local = bool(asked.offload) and row.stage < _SPLITS_PARAMETERS and not asked.part
    if asked.shards is None and needs_shards(asked.part, row) and not is_local:
        return missing(DEGREE, row.fact_ids)
    options = list(_size_options(asked, row))
    judged = pick(asked.number, *_bytes(asked.number), options, tolerance(asked.number))
    return because(judged, lambda: size_slip(asked, row))


def _judge_floor(asked: Asked, row: Scheme) -> Judgement:
    """What no number of GPUs brings down: the states that are kept whole."""
    recipe = choices(asked, row)[0].recipe
    value = (asked.psi or 0.0) / (asked.tp * asked.pp) * bytes_per_param((), row, int(FREE), recipe)
    options = [
        Option(
            value, show_bytes(value), state_formula((), row, recipe), row.fact_ids, scheme=row.id
        )
    ]
    number = replace(asked.number, limit=Limit.VALUE)
    return pick(number, *_bytes(number), options, tolerance(number))


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
        options.append(Option(12 * psi, show_bytes(12 * psi), f"12×{psi:.6g}", STATES))
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
        choice.recipe.fact_ids or STATES,
        choice.is_default or only_part,
        choice.when,
    )


def _size_without_scheme(asked: Asked) -> Judgement:
    is_split = asked.per == "gpu" and (asked.shards or 1) > 1
    if is_split and not asked.part:
        return missing(SCHEME, ("F014", "F015", "F016"))
    options = list(_whole_options(asked))
    is_training = bool(asked.words & {"train"}) and "tune" not in asked.words
    if not asked.part:
        options.extend(_weight_options(asked, is_training=is_training))
    if "tune" in asked.words and not asked.part:
        options = list(_weight_options(asked, is_training=False))
    if not options:
        return missing(_TRAINED)
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
            "A measured total also holds activations, buffers and the allocator's cache, "
            "which no formula here gives."
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
        or "delta" in asked.words
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
