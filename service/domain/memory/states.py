"""Model states on one GPU: parameters, gradients and optimizer states under a sharding scheme.

`mem = ψ·[P/(N if P is split) + G/(N if G is split) + O/(N if O is split)]` (arXiv:1910.02054v3 §5).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.domain.memory.checks import MOST, MOST_DEGREE, degree, divides, positive
from service.domain.memory.recipes import PrecisionRecipe, find_recipe
from service.domain.memory.schemes import find_scheme
from service.domain.memory.sharding import Offload, Scheme, State
from service.domain.memory.units import show_bytes, show_number
from service.errors import InputInvalid

# Which states leave the GPU. Gradients follow the optimizer only where they are split: the
# update on the host then needs just the owned slice.
_MOVED: Final[Mapping[Offload, frozenset[State]]] = {
    Offload.NONE: frozenset(),
    Offload.OPTIMIZER: frozenset({State.OPTIMIZER, State.GRADIENTS}),
    Offload.NVME_OPTIMIZER: frozenset({State.OPTIMIZER, State.GRADIENTS}),
    Offload.ALL: frozenset(State),
    Offload.NVME_ALL: frozenset(State),
}
_LEFT_OUT: Final = (
    msg("activations"),
    msg("temporary buffers and communication buckets"),
    msg("fragmentation, the CUDA context and the allocator's cache"),
)


@dataclass(frozen=True, slots=True)
class StateBytes:
    """Bytes per GPU; `host_*` are the bytes the same rank keeps on CPU or NVMe instead."""

    psi: float
    scheme: Scheme
    recipe: PrecisionRecipe
    shards: int
    tp: int
    pp: int
    offload: Offload
    parameters: float
    gradients: float
    optimizer: float
    host_parameters: float = 0.0
    host_gradients: float = 0.0
    host_optimizer: float = 0.0

    @property
    def total(self) -> float:
        return self.parameters + self.gradients + self.optimizer

    @property
    def host_total(self) -> float:
        return self.host_parameters + self.host_gradients + self.host_optimizer

    @property
    def local_psi(self) -> float:
        """Parameters of this GPU's tensor and pipeline slice."""
        return self.psi / (self.tp * self.pp)

    @property
    def gathered(self) -> float:
        """Bytes of parameters held whole for a while, where the scheme gathers all of them."""
        return self.local_psi * self.recipe.wire_parameters * self.scheme.gathers_whole_model

    @property
    def formula(self) -> str:
        """Symbols: `2ψ+14ψ/N`; over (t·p) where tensor or pipeline parallelism splits ψ."""
        text = _terms(self.scheme, self.recipe, self.offload, "ψ", "N")
        return f"({text})/(t·p)" if self.tp * self.pp > 1 else text

    @property
    def worked(self) -> str:
        """The formula with the numbers put in, and the result in both units."""
        psi = show_number(self.psi)
        text = _terms(self.scheme, self.recipe, self.offload, f"×{psi}", str(self.shards))
        split = f"({text})/({self.tp}×{self.pp})" if self.tp * self.pp > 1 else text
        return f"{split} = {show_bytes(self.total)}"

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.scheme.source, self.recipe.source)))

    @property
    def fact_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.scheme.fact_ids, *self.recipe.fact_ids)))

    @property
    def left_out(self) -> tuple[Message, ...]:
        """What the figure does not hold."""
        return (*_LEFT_OUT, *self._gathered_note())

    @property
    def notes(self) -> tuple[Message, ...]:
        """What to know about the scheme and the way it was counted."""
        firm = self.scheme.firm and self.recipe.firm
        doubt = () if firm else (msg("this row rests on memory, not on a checked source"),)
        alone = (msg("with one GPU in the group nothing is split"),) if self._is_alone else ()
        return (*self.scheme.notes, *alone, *doubt)

    @property
    def _is_alone(self) -> bool:
        return self.shards == 1 and bool(self.scheme.sharded)

    def _gathered_note(self) -> tuple[Message, ...]:
        if not self.scheme.shards(State.PARAMETERS):
            return ()
        if not self.gathered:
            return (msg("the layers gathered for the pass under way (the working set)"),)
        return (
            msg(
                "the whole gathered parameters while a step runs: {size}",
                size=show_bytes(self.gathered),
            ),
        )


def model_states(
    psi: float,
    scheme: str | Scheme,
    shards: int = 1,
    recipe: str | PrecisionRecipe | None = None,
    *,
    tp: int = 1,
    pp: int = 1,
    offload: Offload = Offload.NONE,
) -> StateBytes:
    """Bytes of model states per GPU.

    `psi` counts parameters of the whole model; `shards` is N, the sharding degree, which is
    GPUs / (tp·pp), or the size of the shard group in hybrid schemes. Without `recipe` the
    scheme's own default counts.

    Raises:
        InputInvalid: unknown scheme or recipe, a degree below one, ψ not above zero, or an
            offload that the scheme does not have.
    """
    row = find_scheme(scheme)
    mix = find_recipe(recipe or row.recipe)
    if not (0 < psi <= MOST and 1 <= shards <= MOST_DEGREE and 1 <= tp <= MOST_DEGREE and pp >= 1):
        _refuse(psi, shards, tp, pp)
    local = psi / (tp * pp)
    split = local / shards
    parameters = mix.parameters * (split if State.PARAMETERS in row.sharded else local)
    gradients = mix.gradients * (split if State.GRADIENTS in row.sharded else local)
    optimizer = mix.optimizer * (split if State.OPTIMIZER in row.sharded else local)
    if offload is Offload.NONE:
        return StateBytes(psi, row, mix, shards, tp, pp, offload, parameters, gradients, optimizer)
    moved = moved_states(row, offload)
    p, g, o = (state in moved for state in State)
    return StateBytes(
        psi, row, mix, shards, tp, pp, offload,
        parameters * (not p), gradients * (not g), optimizer * (not o),
        parameters * p, gradients * g, optimizer * o,
    )  # fmt: skip


def moved_states(scheme: Scheme, offload: Offload) -> frozenset[State]:
    """States that leave the GPU.

    Raises:
        InputInvalid: this scheme cannot offload so.
    """
    if offload is Offload.NONE:
        return frozenset()
    if offload not in scheme.offloads:
        possible = ", ".join(sorted(scheme.offloads)) or "none"
        raise InputInvalid(
            "{scheme} cannot offload as {offload}; possible: {possible}",
            scheme=scheme.id,
            offload=str(offload),
            possible=possible,
        )
    keeps_gradients = not scheme.shards(State.GRADIENTS)
    return _MOVED[offload] - ({State.GRADIENTS} if keeps_gradients else frozenset())


def bytes_per_parameter(
    scheme: str | Scheme, shards: int = 1, recipe: str | PrecisionRecipe | None = None
) -> float:
    """Bytes of model states per GPU for one parameter of the model."""
    return model_states(1.0, scheme, shards, recipe).total


def reduction_factor(
    scheme: str | Scheme, shards: int, recipe: str | PrecisionRecipe | None = None
) -> float:
    """How many times less than plain data parallelism with the same recipe."""
    split = model_states(1.0, scheme, shards, recipe)
    return split.recipe.total / split.total


def moe_model_states(
    dense: float,
    experts: float,
    scheme: str | Scheme,
    shards: int,
    expert_parallel: int = 1,
    recipe: str | PrecisionRecipe | None = None,
) -> tuple[StateBytes, StateBytes]:
    """Dense part split over N, expert part over the N/EP ranks that hold the same experts.

    `dense` and `experts` count all parameters outside and inside experts. The GPU holds the sum.

    Raises:
        InputInvalid: EP does not divide N, or as `model_states` does.
    """
    degree("expert_parallel", expert_parallel)
    degree("shards", shards)
    divides("expert_parallel", expert_parallel, "shards", shards)
    positive("experts", experts)
    inner = shards // expert_parallel
    return (
        model_states(dense, scheme, shards, recipe),
        model_states(experts / expert_parallel, scheme, inner, recipe),
    )


def _refuse(psi: float, shards: int, tp: int, pp: int) -> None:
    positive("params", psi)
    degree("shards", shards)
    degree("tp", tp)
    degree("pp", pp)


def _terms(scheme: Scheme, recipe: PrecisionRecipe, offload: Offload, psi: str, n: str) -> str:
    """Whole bytes first, then the bytes that are split."""
    moved = moved_states(scheme, offload)
    cost = {
        State.PARAMETERS: recipe.parameters,
        State.GRADIENTS: recipe.gradients,
        State.OPTIMIZER: recipe.optimizer,
    }
    kept = [(state, width) for state, width in cost.items() if state not in moved]
    whole = sum(width for state, width in kept if not scheme.shards(state))
    split = sum(width for state, width in kept if scheme.shards(state))
    parts = (f"{whole:g}{psi}" if whole else "", f"{split:g}{psi}/{n}" if split else "")
    return "+".join(part for part in parts if part) or "0"
