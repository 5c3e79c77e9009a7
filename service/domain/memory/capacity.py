"""The question turned round: what fits into a given memory."""

from collections.abc import Iterable
from math import ceil
from typing import Final

from service.domain.memory.checks import degree, positive
from service.domain.memory.parameters import ModelShape, count_parameters
from service.domain.memory.recipes import PrecisionRecipe
from service.domain.memory.schemes import find_scheme
from service.domain.memory.sharding import Scheme, State
from service.domain.memory.states import bytes_per_parameter, model_states

MOST_GPUS: Final = 10**9  # more than were ever made: no answer


def max_parameters(
    memory_bytes: float,
    scheme: str | Scheme,
    shards: int = 1,
    *,
    model_parallel: int = 1,
    recipe: str | PrecisionRecipe | None = None,
) -> float:
    """Most parameters whose model states fit: M / mem(1, N) · MP (paper, Table 2, left half).

    `model_parallel` is t·p. Activations and buffers are left out, so real limits lie below.

    Raises:
        InputInvalid: a size not above zero.
    """
    positive("memory_bytes", memory_bytes)
    degree("model_parallel", model_parallel)
    return memory_bytes / bytes_per_parameter(scheme, shards, recipe) * model_parallel


def largest_model_that_fits(
    models: Iterable[ModelShape],
    memory_bytes: float,
    scheme: str | Scheme,
    shards: int = 1,
    *,
    model_parallel: int = 1,
    recipe: str | PrecisionRecipe | None = None,
) -> ModelShape | None:
    """The known model with the most parameters that fits; None when none does."""
    limit = max_parameters(
        memory_bytes, scheme, shards, model_parallel=model_parallel, recipe=recipe
    )
    sized = ((count_parameters(shape).total, shape) for shape in models)
    fitting = [(total, shape) for total, shape in sized if total <= limit]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def fewest_gpus(
    psi: float,
    memory_bytes: float,
    scheme: str | Scheme,
    recipe: str | PrecisionRecipe | None = None,
) -> int | None:
    """Smallest sharding degree whose model states fit; None when no degree is enough."""
    positive("memory_bytes", memory_bytes)
    row = find_scheme(scheme)
    alone = model_states(psi, row, 1, recipe)
    parts = {
        State.PARAMETERS: alone.parameters,
        State.GRADIENTS: alone.gradients,
        State.OPTIMIZER: alone.optimizer,
    }
    split = sum(size for state, size in parts.items() if row.shards(state))
    room = memory_bytes - (alone.total - split)
    if split == 0:
        return 1 if room >= 0 else None
    # Beyond any count of GPUs the division leaves the range of floats.
    return max(1, ceil(split / room)) if room > split / MOST_GPUS else None
