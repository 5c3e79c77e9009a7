"""Step three for communication: multiples of ψ, bytes through each GPU, and ratios."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.expected import DEEPSPEED, PAPER, family, traffic
from service.domain.claims.gaps import SCHEME, SIZE
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
from service.domain.claims.tokens import Number, Unit
from service.domain.language import Message, msg
from service.domain.memory import SCHEMES, communication, show_bytes, volume_formula, zeropp_volume
from service.errors import InputInvalid

_COLLECTIVES: Final[Mapping[str, float]] = {"ag": 1.0, "rs": 1.0, "ar": 2.0}
_MICRO_BATCHES: Final = (1, 4)
_WIRE: Final = 2  # bytes of a 16-bit element
_BASE: Final = msg("what it is compared with")
_EACH: Final = "ddp_every_micro_batch"
_UNNAMED: Final = msg(
    "The paper's reduce-scatter and all-gather make 2ψ; "
    "DeepSpeed's default all-reduces and then gathers, 3ψ. Say which."
)
_BACKWARD: Final = msg(
    "Stage 3 gathers the parameters twice, forward and backward, and reduce-scatters the "
    "gradients: 3ψ, 1.5 times plain data parallelism."
)
_ALWAYS: Final = msg(
    "Not always: 2ψ while the parameters stay live, up to 4ψ when recomputation gathers again, "
    "and k times that with k micro-batches."
)


def judge_traffic(asked: Asked) -> Judgement:
    """Dispatches on the form of the number."""
    if "from" in asked.words and asked.number.unit is not Unit.LETTER_M:
        rest = asked.words - {"from"}
        return best(
            [
                judge_traffic(replace(asked, words=rest, schemes=s))
                for s in (("ddp",), asked.schemes)
            ]
        )
    if asked.number.unit is Unit.LETTER_M:
        return _judge_zeropp(asked)
    if asked.number.unit is Unit.BYTES:
        return _judge_bytes(asked)
    if asked.number.unit is Unit.FORMULA:
        return _judge_multiple(asked)
    return _judge_ratio(asked)


def _rows(scheme: str, impl: str) -> Sequence[tuple[str, bool, Message | None]]:
    """Rows that may be meant, whether without further words, and what else to say."""
    kind = family(scheme)
    if scheme in SCHEMES and scheme not in {"ddp", kind}:
        return ((scheme, True, None),)
    if kind in {"zero1", "zero2"}:
        if impl in {"deepspeed", "estimator"}:
            return ((DEEPSPEED[kind], True, None),)
        if impl == "paper":
            return ((PAPER[kind], True, None),)
        return ((PAPER[kind], False, _UNNAMED), (DEEPSPEED[kind], False, _UNNAMED))
    if kind == "zero3":
        return ((PAPER[kind], True, None),)
    return ((kind, True, None),) if kind else ()


def _judge_multiple(asked: Asked) -> Judgement:
    if not asked.schemes and not asked.collective:
        return missing(SCHEME, ("F031", "F032", "F033"))
    if not asked.schemes:
        return _judge_collective(asked)
    judged = worst([_multiple_under(asked, scheme) for scheme in asked.schemes])
    if judged.verdict is ClaimVerdict.WRONG and asked.collective and "always" not in asked.words:
        alone = _judge_collective(asked)
        return alone if alone.verdict is ClaimVerdict.RIGHT else judged
    return judged


def _judge_collective(asked: Asked) -> Judgement:
    value = _said(asked, 1)
    multiple = _COLLECTIVES.get(asked.collective, 1.0)
    if value is None:
        return missing(SCHEME)
    options = [Option(multiple, f"{multiple:g}ψ", f"{multiple:g}ψ", ("F031",))]
    if asked.collective in {"ag", "rs"}:
        options.append(Option(2.0, "2ψ", "ψ+ψ", ("F032", "F033")))
    return pick(asked.number, value, value, options, EXACT)


def _said(asked: Asked, micro_batches: int) -> float | None:
    expr = asked.number.expr
    values = {"ψ": 1.0, "k": float(micro_batches), "K": float(micro_batches)}
    return expr.at(values) if expr else None


def _multiple_under(asked: Asked, scheme: str) -> Judgement:
    expr = asked.number.expr
    is_symbolic = expr is not None and bool(expr.names & {"k", "K"})
    counts = _MICRO_BATCHES if is_symbolic else (asked.micro_batches,)
    if family(scheme) == "zero3" and "always" in asked.words:
        return Judgement(
            ClaimVerdict.WRONG, _ALWAYS, "3ψ", "3kψ", ("F038", "F039", "F041"), "zero3_paper"
        )
    judged: list[Judgement] = []
    for count in counts:
        said, options = _said(asked, count) or 0.0, list(_multiples(asked, scheme, count))
        if options:
            judged.append(pick(asked.number, said, said, options, EXACT))
    if not judged:
        return missing(SCHEME)
    is_plain = family(scheme) == "zero3" and asked.micro_batches == 1
    return because(worst(judged), lambda: _BACKWARD if is_plain else None)


def _multiples(asked: Asked, scheme: str, micro_batches: int) -> Iterator[Option]:
    for name, is_default, when in _rows(scheme, asked.impl):
        value = traffic(name, micro_batches)
        if value is not None:
            facts = tuple(dict.fromkeys((*SCHEMES[name].fact_ids, *_facts(scheme))))
            yield Option(value, f"{value:g}ψ", _formula(name), facts, is_default, when, name)
    if scheme == "ddp" and micro_batches > 1:
        yield Option(2.0 * micro_batches, f"{2 * micro_batches}ψ", "2kψ", ("F037",), scheme=_EACH)
    if family(scheme) == "zero3" and "live" in asked.words:
        yield Option(2.0 * micro_batches, "2ψ", "2kψ", ("F041",), scheme="ds_zero3_live")
    if family(scheme) == "zero3" and "regather" in asked.words:
        yield Option(4.0 * micro_batches, "4ψ", "4kψ", ("F039",), scheme="zero3_recompute_regather")


@lru_cache(maxsize=64)
def _formula(scheme: str) -> str:
    return volume_formula(scheme)


def _facts(scheme: str) -> tuple[str, ...]:
    return ("F032", "F034") if family(scheme) in {"zero1", "zero2"} else ("F033",)


def _judge_bytes(asked: Asked) -> Judgement:
    if asked.psi is None:
        return missing(SIZE)
    if not asked.schemes:
        return _collective_bytes(asked) if asked.collective else missing(SCHEME)
    return worst([_bytes_under(asked, scheme) for scheme in asked.schemes])


def _collective_bytes(asked: Asked) -> Judgement:
    value = _COLLECTIVES[asked.collective] * (asked.psi or 0.0) * _WIRE
    options = [
        Option(v, show_bytes(v), f"{_COLLECTIVES[asked.collective]:g}ψ×2", ("F031",))
        for v in _with_ring(value, asked.shards)
    ]
    return pick(
        asked.number,
        asked.number.amount.low,
        asked.number.amount.high,
        options,
        tolerance(asked.number),
    )


def _with_ring(value: float, shards: int | None) -> Sequence[float]:
    return (value,) if not shards else (value, value * (shards - 1) / shards)


def _bytes_under(asked: Asked, scheme: str) -> Judgement:
    options: list[Option] = []
    for name, is_default, when in _rows(scheme, asked.impl):
        try:
            volume = communication(
                (asked.psi or 1.0) / (asked.tp * asked.pp),
                name,
                asked.shards,
                micro_batches=asked.micro_batches,
            )
        except InputInvalid:
            return missing(SCHEME)
        shown = show_bytes(volume.bytes)
        values = (volume.bytes, volume.exact_bytes)
        options.extend(
            Option(v, shown, volume.worked, volume.fact_ids, is_default, when, name) for v in values
        )
    if not options:
        return missing(SCHEME)
    low, high = asked.number.amount.low, asked.number.amount.high
    return pick(asked.number, low, high, options, tolerance(asked.number))


def _judge_ratio(asked: Asked) -> Judgement:
    if not asked.schemes:
        return missing(SCHEME)
    return worst([_ratio_under(asked, scheme) for scheme in asked.schemes])


def _ratio_under(asked: Asked, scheme: str) -> Judgement:
    if scheme == "zeropp":
        return _zeropp_ratio(asked)
    if scheme == "ddp" and asked.reference in {"", "ddp"} and asked.micro_batches == 1:
        return missing(_BASE)
    base = traffic(*_base(asked))
    options = [
        Option(
            value / base,
            f"{value / base:g}x",
            f"{value:g}ψ/{base:g}ψ",
            ("F033",) if family(scheme) == "zero3" else _facts(scheme),
            is_default,
            when,
            name,
        )
        for name, is_default, when in _rows(scheme, asked.impl)
        if base and (value := traffic(name, asked.micro_batches)) is not None
    ]
    if not options:
        return missing(SCHEME)
    if asked.micro_batches > 1 and not asked.reference:
        options.extend(_times_one_batch(asked, scheme))
        options.extend(_with_and_without_sync(asked.micro_batches))
    low, high = _ratio(asked)
    judged = pick(asked.number, low, high, options, tolerance(asked.number))
    if judged.verdict is ClaimVerdict.WRONG and "less" in asked.words and low:
        return pick(asked.number, 1 / high, 1 / low, options, tolerance(asked.number))
    return because(judged, lambda: _BACKWARD if family(scheme) == "zero3" else None)


def _with_and_without_sync(count: int) -> Iterator[Option]:
    """Reducing once a step is 1/k of reducing every micro-batch."""
    yield Option(count, f"{count}x", "2kψ/2ψ", ("F037",), scheme=_EACH)
    yield Option(1 / count, f"1/{count}", "2ψ/2kψ", ("F037",), scheme="ddp")


def _times_one_batch(asked: Asked, scheme: str) -> Iterator[Option]:
    """How many times the traffic of a step without accumulation."""
    for name, is_default, when in _rows(scheme, asked.impl):
        one, many = traffic(name, 1), traffic(name, asked.micro_batches)
        if one and many:
            shown = f"{many / one:g}x"
            yield Option(
                many / one, shown, f"{many:g}ψ/{one:g}ψ", ("F037",), is_default, when, name
            )


def _base(asked: Asked) -> tuple[str, int]:
    reference = asked.reference or "ddp"
    rows = _rows(reference, asked.impl or "paper")
    return (rows[0][0] if rows else "ddp"), asked.micro_batches


def _ratio(asked: Asked) -> tuple[float, float]:
    number: Number = asked.number
    low, high = float(number.amount.low), float(number.amount.high)
    if number.unit is Unit.PERCENT:
        low, high = low / 100, high / 100
    is_extra = "more" in asked.words and low < 1
    return (1 + low, 1 + high) if is_extra else (low, high)


def _zeropp_ratio(asked: Asked) -> Judgement:
    base, small = zeropp_volume(qwz=False, hpz=False, qgz=False).total, zeropp_volume().total
    exact = float(base / small)
    low, high = _ratio(asked)
    if low < 1:
        low, high = 1 / max(high, 1e-9), 1 / max(low, 1e-9)
    options = [
        Option(exact, f"{exact:g}x", f"{float(base):g}M/{float(small):g}M", ("F094", "F095"))
    ]
    return pick(asked.number, low, high, options, tolerance(asked.number))


def _judge_zeropp(asked: Asked) -> Judgement:
    """Cross-node volume in model sizes M: 3 before, 0.75 with all three parts."""
    value = float(asked.number.amount.low) / asked.number.scale
    total = float(zeropp_volume().total)
    base = float(zeropp_volume(qwz=False, hpz=False, qgz=False).total)
    options = [
        Option(total, f"{total:g}M", "0.5+0+0.25", ("F094",)),
        Option(base, f"{base:g}M", "1+1+1", ("F094",)),
    ]
    return pick(asked.number, value, value, options, EXACT)
