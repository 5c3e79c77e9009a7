"""What stands beside the interview: memory estimates, asking for facts."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from service.domain.knowledge import Fact
from service.domain.memory import (
    GB,
    TB,
    Advice,
    CommVolume,
    ModelShape,
    Offload,
    Recompute,
    Setting,
    StateBytes,
    advise,
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
    psi, shape = _named(parts, wish.params, wish.model)
    return psi, shape.id if shape else None


def _named(
    parts: Parts, params: float | None, model: str | None
) -> tuple[float, ModelShape | None]:
    if model is not None:
        shape = find_model(parts.models, model)
        return float(count_parameters(shape).total), shape
    if params is None:
        raise InputInvalid("Name a model or give its number of parameters.")
    return params, None


@dataclass(frozen=True, slots=True)
class Job:
    """What the adviser weighs; bytes, and bytes per second of one GPU."""

    gpus: int
    memory: float
    params: float | None = None
    model: str | None = None
    gpus_per_node: int = 8
    intra_node: float = 300 * GB
    inter_node: float = 25 * GB
    pcie: float = 25 * GB
    host_memory: float = 2 * TB
    seq: int = 4096
    batch: int = 1
    micro_batches: int = 1
    tp: int = 1
    pp: int = 1
    sequence_parallel: bool = False
    recompute: Recompute = Recompute.NONE
    recipe: str | None = None
    reserve: float = 0.1
    counts_activations: bool = True  # where the model, and so its shape, is known


def advice(parts: Parts, job: Job) -> Advice:
    """The schemes weighed for a job.

    Raises:
        InputInvalid: neither a size nor a model, or a value outside what the formulas allow.
        ModelUnknown: no model of that name.
    """
    psi, shape = _named(parts, job.params, job.model)
    known = {f.name: getattr(job, f.name) for f in fields(job)}
    own = _without(known, "params", "model", "counts_activations")
    return advise(Setting(psi=psi, shape=shape if job.counts_activations else None, **own))


def _without(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


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
