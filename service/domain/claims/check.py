"""find, resolve, verify: the numbers of a text with their verdicts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.comm_claims import judge_traffic
from service.domain.claims.defence import Defence
from service.domain.claims.find import find
from service.domain.claims.formula_claims import judge_formula
from service.domain.claims.judge import Judgement, best
from service.domain.claims.known import BUILT_IN, KnownModels
from service.domain.claims.model import ClaimContext, ClaimVerdict, NumericClaim, Quantity
from service.domain.claims.other_claims import judge_activation, judge_count, judge_kv
from service.domain.claims.reasons import told
from service.domain.claims.reduction_claims import judge_reduction
from service.domain.claims.resolve import Resolver
from service.domain.claims.size_claims import judge_size
from service.domain.claims.view import View
from service.domain.claims.width_claims import judge_width
from service.domain.memory.parameters import ModelShape

_NO_CONTEXT: Final = ClaimContext()
_Judge = Callable[[Asked, KnownModels], Judgement]


def _alone(judge: Callable[[Asked], Judgement]) -> _Judge:
    return lambda asked, _known: judge(asked)


_JUDGES: Final[Mapping[Quantity, _Judge]] = {
    Quantity.BYTES_PER_PARAM: _alone(judge_width),
    Quantity.FORMULA: _alone(judge_formula),
    Quantity.MEMORY_PER_GPU: _alone(judge_size),
    Quantity.TOTAL_MEMORY: _alone(judge_size),
    Quantity.REDUCTION_FACTOR: _alone(judge_reduction),
    Quantity.COMM_VOLUME: _alone(judge_traffic),
    Quantity.ACTIVATION: _alone(judge_activation),
    Quantity.KV_CACHE: judge_kv,
    Quantity.PARAM_COUNT: judge_count,
}


@lru_cache(maxsize=1)
def _built_in() -> KnownModels:
    return KnownModels(BUILT_IN)


def check(
    text: str,
    context: ClaimContext | None = None,
    *,
    models: Mapping[str, ModelShape] | KnownModels | None = None,
) -> tuple[NumericClaim, ...]:
    """Every numeric claim the text asserts, in reading order, with verdict and reason.

    `models` are the models known by name (`service.corpus.models.load_models`); a `KnownModels`
    made once saves building its index anew. Spans are code points of `text`.
    """
    known = (
        models
        if isinstance(models, KnownModels)
        else _built_in()
        if models is None
        else KnownModels(models)
    )
    view = View(find(text, known))
    resolver = Resolver(view, context or _NO_CONTEXT, known)
    asked = list(resolver.claims())
    judged = [_judge(one, known) for one in asked]
    defence = Defence(view, resolver.conditions, lambda one: _judge(one, known))
    verdicts = {
        one.number.start: judgement.verdict for one, judgement in zip(asked, judged, strict=True)
    }
    claims: list[NumericClaim] = []
    for one, judgement in zip(asked, judged, strict=True):
        kept = defence.hear(one, judgement, verdicts)
        if kept is not None:
            verdicts[one.number.start] = kept.verdict
            claims.append(_claim(text, view, one, told(one, kept)))
    return tuple(claims)


def _judge(asked: Asked, known: KnownModels) -> Judgement:
    """A state named in another clause may or may not be meant: both readings count."""
    judged = _JUDGES[asked.quantity](asked, known)
    if "weakpart" not in asked.words or not asked.part:
        return judged
    whole = _JUDGES[asked.quantity](replace(asked, part=()), known)
    return best([judged, whole])


def _claim(text: str, view: View, asked: Asked, judged: Judgement) -> NumericClaim:
    span = view.sheet.folded.span(asked.number.start, asked.number.end)
    return NumericClaim(
        span=span,
        text=span.of(text),
        quantity=asked.quantity,
        verdict=judged.verdict,
        expected=None if judged.verdict is ClaimVerdict.CONDITIONAL else judged.expected,
        why=judged.why,
        fact_ids=judged.fact_ids,
        scheme=judged.scheme,
        formula=judged.formula,
    )
