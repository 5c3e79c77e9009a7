"""The memory explorer: from the choices in an address to rows with bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.language import Bilingual, Message, msg
from service.domain.memory import (
    GB,
    ModelShape,
    Offload,
    Recompute,
    find_model,
    find_scheme,
    hybrid_groups,
    parse_count,
    shape_activation_bytes,
    show_bytes,
    show_count,
)
from service.errors import InputInvalid
from service.flows.parts import Parts
from service.flows.tools import Job, MemoryAnswer, MemoryWish, advice, estimate
from service.web.advice import AdviceView, advice_view

# The four stages of the paper stand beside whatever was chosen.
COMPARED: Final = ("ddp", "zero1_paper", "zero2_paper", "zero3_paper")
CARDS: Final = (24, 40, 48, 80, 96, 141, 180)
WIDTH: Final = 1000.0
# The card's limit stays in the picture, a little inside its right edge.
MARGIN: Final = 1.05
KEEP_NAMES: Final[Mapping[str, Message]] = {
    "": msg("Leave activations out"),
    Recompute.NONE.value: msg("All of them, fused attention"),
    Recompute.FULL.value: msg("Full recomputation"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What the address of the explorer says; `params` as people write it: 7.5B.

    `card` and `host` in GB, of a GPU and of a node; `link` and `net` in GB/s of one GPU, inside a
    node and between nodes. Hybrid schemes shard inside a node of `node` GPUs.
    """

    model: str
    params: str
    gpus: int
    scheme: str
    recipe: str
    offload: Offload
    tp: int
    pp: int
    micro: int
    seq: int
    batch: int
    keep: str
    card: int
    node: int = 8
    link: int = 300
    net: int = 25
    host: int = 2000


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in a picture 1000 units wide."""

    look: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class ExplorerRow:
    name: Bilingual
    formula: str
    chosen: bool
    total: str
    fits: bool
    pieces: tuple[Bar, ...]
    limit: float | None
    sent: str
    sent_width: float
    aria: str


@dataclass(frozen=True, slots=True)
class Explained:
    """The chosen scheme in words."""

    name: Bilingual
    worked: str
    host: str | None
    comm_worked: str
    extra: tuple[str, ...]
    notes: tuple[Message, ...]
    left_out: tuple[Message, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explored:
    rows: tuple[ExplorerRow, ...]
    chosen: Explained
    has_activations: bool
    advice: AdviceView


@dataclass(frozen=True, slots=True)
class _Estimate:
    answer: MemoryAnswer
    activations: float

    @property
    def total(self) -> float:
        return self.answer.states.total + self.activations


def explore(parts: Parts, choice: Choice) -> Explored:
    """Estimate the chosen scheme and the paper's stages beside it.

    Raises:
        InputInvalid, ModelUnknown: a value that no formula takes.
    """
    activations = _activations(parts, choice)
    chosen_id = find_scheme(choice.scheme).id
    ids = [*COMPARED, *([] if chosen_id in COMPARED else [chosen_id])]
    estimates = {i: _estimate(parts, choice, i, activations, i == chosen_id) for i in ids}
    return Explored(
        rows=_rows(tuple(estimates.values()), choice, chosen_id),
        chosen=_explained(estimates[chosen_id], choice),
        has_activations=activations > 0,
        advice=advice_view(advice(parts, _job(choice))),
    )


def _job(choice: Choice) -> Job:
    """The same choice as the adviser takes it; activations count where they are kept."""
    return Job(
        gpus=choice.gpus,
        memory=choice.card * GB,
        params=None if choice.model else parse_count(choice.params),
        model=choice.model or None,
        counts_activations=bool(choice.keep),
        gpus_per_node=choice.node,
        intra_node=choice.link * GB,
        inter_node=choice.net * GB,
        host_memory=choice.host * GB,
        seq=choice.seq,
        batch=choice.batch,
        micro_batches=choice.micro,
        tp=choice.tp,
        pp=choice.pp,
        recompute=Recompute(choice.keep or Recompute.NONE),
        recipe=choice.recipe or None,
    )


def _estimate(
    parts: Parts, choice: Choice, scheme: str, activations: float, is_chosen: bool
) -> _Estimate:
    """Rows beside the chosen one are shown without offload: the plain stages to compare with."""
    ranks = _ranks(choice)
    hybrid = find_scheme(scheme).has_replicas
    shards, replicas = hybrid_groups(ranks, choice.node) if hybrid else (ranks, 1)
    wish = MemoryWish(
        scheme=scheme,
        shards=shards,
        params=None if choice.model else parse_count(choice.params),
        model=choice.model or None,
        recipe=choice.recipe or None,
        tp=choice.tp,
        pp=choice.pp,
        offload=choice.offload if is_chosen else Offload.NONE,
        micro_batches=choice.micro,
        replicas=replicas,
    )
    return _Estimate(estimate(parts, wish), activations)


def _ranks(choice: Choice) -> int:
    """The data-parallel degree: GPUs / (t·p)."""
    split = choice.tp * choice.pp
    if split < 1 or choice.gpus < 1 or choice.gpus % split:
        raise InputInvalid(
            "{gpus} GPUs cannot be divided into groups of {tp} × {pp}.",
            gpus=choice.gpus,
            tp=choice.tp,
            pp=choice.pp,
        )
    return choice.gpus // split


def _activations(parts: Parts, choice: Choice) -> float:
    """Bytes of one micro-batch's activations; only where the configuration is known."""
    if not choice.keep:
        return 0.0
    if not choice.model:
        raise InputInvalid("Activations need a model from the list.")
    shape: ModelShape = find_model(parts.models, choice.model)
    kept = Recompute(choice.keep)
    return shape_activation_bytes(shape, choice.seq, choice.batch, kept, tp=choice.tp)


def _rows(
    estimates: Sequence[_Estimate], choice: Choice, chosen_id: str
) -> tuple[ExplorerRow, ...]:
    card = choice.card * GB
    most = max(card, *(e.total for e in estimates)) * MARGIN
    most_sent = max(e.answer.comm.bytes for e in estimates) or 1.0
    return tuple(_row(e, card, most, most_sent, chosen_id) for e in estimates)


def _row(one: _Estimate, card: float, most: float, most_sent: float, chosen_id: str) -> ExplorerRow:
    states, comm = one.answer.states, one.answer.comm
    sent = f"{comm.formula} · {show_count(comm.elements)} · {show_bytes(comm.bytes)}"
    return ExplorerRow(
        name=states.scheme.title,
        formula=states.formula,
        chosen=states.scheme.id == chosen_id,
        total=show_bytes(one.total),
        fits=one.total <= card,
        pieces=_bars(one, most),
        limit=round(card / most * WIDTH, 1),
        sent=sent,
        sent_width=round(comm.bytes / most_sent * WIDTH, 1),
        aria=f"{states.formula} = {show_bytes(one.total)}",
    )


def _bars(one: _Estimate, most: float) -> tuple[Bar, ...]:
    states = one.answer.states
    sizes = {
        "parameters": states.parameters,
        "gradients": states.gradients,
        "optimizer": states.optimizer,
        "activations": one.activations,
    }
    bars: list[Bar] = []
    at = 0.0
    for look, size in sizes.items():
        width = size / most * WIDTH
        bars.append(Bar(look, round(at, 2), round(width, 2)))
        at += width
    return tuple(bars)


def _explained(one: _Estimate, choice: Choice) -> Explained:
    states, comm = one.answer.states, one.answer.comm
    extra = (f"{choice.seq} × {choice.batch}: {show_bytes(one.activations)}",)
    return Explained(
        name=states.scheme.title,
        worked=states.worked,
        host=show_bytes(states.host_total) if states.host_total else None,
        comm_worked=comm.worked,
        extra=extra if one.activations else (),
        notes=states.notes,
        left_out=states.left_out[1:] if one.activations else states.left_out,
        sources=tuple(dict.fromkeys((*states.sources, *comm.sources))),
    )
