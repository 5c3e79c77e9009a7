"""Step three for the rest: key-value caches, activations, parameter counts."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import bytes_per_param, choices, memory_row
from service.domain.claims.gaps import DEGREE, SCHEME
from service.domain.claims.judge import EXACT, Judgement, Option, missing, pick, tolerance
from service.domain.claims.known import KnownModels, size_of
from service.domain.claims.model import ClaimVerdict
from service.domain.claims.tokens import Limit, Number, Unit
from service.domain.language import Message, msg
from service.domain.memory import KIB, MIB, show_bytes
from service.domain.memory.activations import (
    ActivationSetup,
    Recompute,
    layer_activation_bytes,
    layer_activation_formula,
)
from service.domain.memory.kv_cache import model_kv_bytes_per_token

_BINARY: Final[Mapping[float, float]] = {10**3: KIB, 10**6: MIB}
_MODEL: Final = msg("a model whose configuration is known")
_TOKENS: Final = msg("the number of tokens")
_CONDITIONS: Final = msg(
    "34sbh holds with dropout and without attention scores (FlashAttention or selective "
    "recomputation); otherwise add 5as/h, and without dropout it is 32sbh."
)
_INPUT_ONLY: Final = msg("2sbh is what full recomputation keeps: the input of the layer.")
_REPLICATED: Final = msg(
    "10sbh is what tensor parallelism without sequence parallelism leaves on every GPU."
)
_SEQ, _BATCH, _HIDDEN, _HEADS, _TP = 2048, 2, 4096, 32, 8


def judge_kv(asked: Asked, known: KnownModels) -> Judgement:
    """Bytes of keys and values, per token or for the tokens said."""
    shape = known.shape(asked.model_name) if asked.model_name else None
    if shape is None:
        return missing(_MODEL)
    each = model_kv_bytes_per_token(shape, asked.weight_bytes or 2)
    tokens = 1.0 if asked.per == "token" else (asked.tokens or 0.0) * asked.batch
    if not tokens:
        return missing(_TOKENS)
    exact = each * tokens
    formula = f"2×{shape.layers}×{shape.kv_heads}×{shape.width}×{asked.weight_bytes or 2:g}" + (
        f"×{tokens:g}" if tokens > 1 else ""
    )
    low, high = _binary(asked)
    options = [Option(exact, _show_small(exact), formula, ())]
    return pick(asked.number, low, high, options, tolerance(asked.number))


def _binary(asked: Asked) -> tuple[float, float]:
    """KB and MB of a cache are read as KiB and MiB."""
    number = asked.number
    scale = _BINARY.get(number.scale, number.scale) / number.scale
    return number.amount.low * scale, number.amount.high * scale


def _show_small(value: float) -> str:
    return f"{value / KIB:g} KiB" if value < 8 * MIB else show_bytes(value)


def judge_activation(asked: Asked) -> Judgement:
    """A formula per layer; sizes in GB need more than texts say."""
    expr = asked.number.expr
    if asked.number.unit is not Unit.FORMULA or expr is None:
        return Judgement(
            ClaimVerdict.UNCHECKABLE,
            msg("Activations depend on sequence, batch, width, heads, layers and recomputation."),
            fact_ids=("F005", "F121"),
        )
    values = {
        "s": float(_SEQ),
        "b": float(_BATCH),
        "h": float(_HIDDEN),
        "a": float(_HEADS),
        "t": float(_TP),
        "L": 1.0,
        "l": 1.0,
    }
    said = expr.at(values)
    if said is None:
        return missing(msg("what its symbols stand for"))
    if not expr.names & {"b"}:
        said *= _SEQ * _BATCH * _HIDDEN
    options = [*_options(asked, is_split="t" in expr.names)]
    return pick(asked.number, said, said, options, EXACT)


def _options(asked: Asked, *, is_split: bool) -> list[Option]:
    words = asked.words
    tp = _TP if is_split else 1
    recompute = Recompute.FULL if "full" in words else Recompute.NONE
    sp = "sp" in words
    has_dropout, is_flash = "nodropout" not in words, "flash" in words
    named = _setup(tp, sp, recompute, has_dropout, is_flash)
    options = [_option(named, is_default=not _is_bare_34(words, recompute))]
    if recompute is Recompute.FULL:
        return options
    options.extend(_terms(words))
    for dropout in (True, False):
        for flash in (True, False):
            for parallel in {sp, is_split}:
                setup = _setup(tp, parallel, Recompute.NONE, dropout, flash)
                options.append(
                    _option(
                        setup,
                        is_default=dropout and not flash and not words & {"flash", "nodropout"},
                    )
                )
    scores = layer_activation_bytes(
        _setup(tp, sp, Recompute.NONE, True, False)
    ) - layer_activation_bytes(_setup(tp, sp, Recompute.NONE, True, True))
    options.append(Option(scores, "5as/h", "5as/h", ("F121", "F124")))
    return options


def _terms(words: frozenset[str]) -> Iterator[Option]:
    """What recomputation leaves, and what tensor parallelism leaves on every rank."""
    each = float(_SEQ * _BATCH * _HIDDEN)
    yield Option(2 * each, "2sbh", "2sbh", ("F124",), "input" in words, _INPUT_ONLY)
    is_parallel = bool(words & {"tensor", "sp", "repeated"})
    yield Option(10 * each, "10sbh", "10sbh", ("F123",), is_parallel, _REPLICATED)


def _is_bare_34(words: frozenset[str], recompute: Recompute) -> bool:
    return recompute is Recompute.NONE and not words & {"flash", "nodropout", "dropout"}


def _setup(tp: int, sp: bool, recompute: Recompute, dropout: bool, flash: bool) -> ActivationSetup:
    return ActivationSetup(_SEQ, _BATCH, _HIDDEN, _HEADS, tp, sp, recompute, dropout, flash)


def _option(setup: ActivationSetup, *, is_default: bool) -> Option:
    formula = layer_activation_formula(setup)
    when: Message | None = None if is_default else _CONDITIONS
    return Option(
        layer_activation_bytes(setup), formula, formula, ("F121", "F122", "F124"), is_default, when
    )


def judge_count(asked: Asked, known: KnownModels) -> Judgement:
    """Parameters of a known model, or of the largest model that a card holds."""
    if "most" in asked.words:
        return _judge_largest(asked)
    shape = known.shape(asked.model_name)
    if shape is None:
        return missing(_MODEL)
    exact = size_of(shape)
    options = [Option(exact, f"{exact / 1e9:.4g}B", shape.id, ())]
    return _pick_count(asked, options, asked.number)


def _judge_largest(asked: Asked) -> Judgement:
    row = memory_row(asked.schemes[0]) if asked.schemes else None
    if row is None or asked.capacity is None:
        return missing(SCHEME)
    if row.sharded and asked.shards is None:
        return missing(DEGREE)
    recipe = choices(asked, row)[0].recipe
    each = bytes_per_param((), row, asked.shards or 1, recipe)
    exact = asked.capacity / each * asked.tp * asked.pp
    options = [
        Option(
            exact,
            f"{exact / 1e9:.4g}B",
            f"{asked.capacity:.4g}/{each:.4g}",
            ("F024",),
            scheme=row.id,
        )
    ]
    # "up to 7.6B" names the largest itself, it does not bound it
    return _pick_count(asked, options, replace(asked.number, limit=Limit.VALUE))


def _pick_count(asked: Asked, options: list[Option], number: Number) -> Judgement:
    return pick(number, number.amount.low, number.amount.high, options, tolerance(asked.number))
