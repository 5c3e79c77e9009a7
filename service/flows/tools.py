"""What stands beside the interview: memory estimates, checking any text, asking for facts."""

import asyncio
from dataclasses import dataclass

from service.domain import claims
from service.domain.assertions import find_misconceptions
from service.domain.claims.model import ClaimContext, NumericClaim
from service.domain.grading import AssertedMisconception, ground_misconceptions
from service.domain.knowledge import Fact, Misconception
from service.domain.memory import (
    CommVolume,
    Offload,
    StateBytes,
    communication,
    count_parameters,
    find_model,
    model_states,
)
from service.errors import InputInvalid, NotFound
from service.flows.parts import Parts
from service.flows.texts import require_text
from service.retrieval.port import Found


@dataclass(frozen=True, slots=True)
class MemoryWish:
    """`params` counts parameters; a known model's name may stand instead."""

    scheme: str
    shards: int
    params: float | None = None
    model: str | None = None
    recipe: str | None = None
    tp: int = 1
    pp: int = 1
    offload: Offload = Offload.NONE
    micro_batches: int = 1
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    states: StateBytes
    comm: CommVolume
    model: str | None


def estimate(parts: Parts, wish: MemoryWish) -> MemoryAnswer:
    """Model states per GPU and traffic per step.

    Raises:
        InputInvalid: neither a size nor a model, or a value outside what the formula allows.
        ModelUnknown: no model of that name.
    """
    psi, name = _size(parts, wish)
    states = model_states(
        psi,
        wish.scheme,
        wish.shards,
        wish.recipe,
        tp=wish.tp,
        pp=wish.pp,
        offload=wish.offload,
    )
    comm = communication(
        states.local_psi,
        wish.scheme,
        shards=wish.shards,
        replicas=wish.replicas,
        micro_batches=wish.micro_batches,
        recipe=wish.recipe,
    )
    return MemoryAnswer(states, comm, name)


def _size(parts: Parts, wish: MemoryWish) -> tuple[float, str | None]:
    if wish.model is not None:
        shape = find_model(parts.models, wish.model)
        return float(count_parameters(shape).total), shape.id
    if wish.params is None:
        raise InputInvalid("Name a model or give its number of parameters.")
    return wish.params, None


@dataclass(frozen=True, slots=True)
class FoundMisconception:
    misconception: Misconception
    asserted: AssertedMisconception
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class CheckedText:
    claims: tuple[NumericClaim, ...]
    misconceptions: tuple[FoundMisconception, ...]


async def check_text(parts: Parts, text: str, context: ClaimContext) -> CheckedText:
    """Every number recomputed, every known misconception named.

    Raises:
        TextEmpty, TextTooLong, TextInvalid.
    """
    require_text(text, parts.limits.answer_chars)
    return await asyncio.to_thread(_check, parts, text, context)


def _check(parts: Parts, text: str, context: ClaimContext) -> CheckedText:
    numbers = claims.check(text, context, models=parts.known_models)
    known = parts.knowledge.misconceptions
    accused = find_misconceptions(text, tuple(known.values()), parts.lexicon)
    held = ground_misconceptions(accused, text)
    return CheckedText(
        numbers,
        tuple(
            FoundMisconception(known[m.misconception_id], m, _facts(parts, m.misconception_id))
            for m in held
        ),
    )


def _facts(parts: Parts, misconception_id: str) -> tuple[Fact, ...]:
    ids = parts.knowledge.misconceptions[misconception_id].fact_ids
    return tuple(parts.knowledge.facts[i] for i in ids if i in parts.knowledge.facts)


async def find_facts(parts: Parts, query: str, limit: int) -> Found:
    """The facts that answer `query`; `confident` is false when none does."""
    require_text(query, parts.limits.answer_chars)
    return await asyncio.to_thread(parts.retriever.find, query, limit)


def get_fact(parts: Parts, fact_id: str) -> Fact:
    """Raises NotFound."""
    fact = parts.knowledge.facts.get(fact_id)
    if fact is None:
        raise NotFound("There is no fact {id}.", id=fact_id)
    return fact
