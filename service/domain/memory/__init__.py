"""GPU memory and communication of large-model training. Bytes in, bytes out; no I/O.

`model_states(7e9, "zero3_paper", 8).total` is 14e9 bytes; `.formula`, `.worked`, `.sources` and
`.left_out` explain it. `communication(7e9, "ds_zero2_default", micro_batches=4)` counts traffic.
"""

from service.domain.memory.communication import (
    CommPart,
    CommVolume,
    ZeroPlusPlus,
    communication,
    hpz_extra_bytes,
    offload_traffic_bytes,
    qgz_volume,
    ring_bytes,
    volume_formula,
    zeropp_volume,
)
from service.domain.memory.kv_cache import (
    kv_cache_bytes,
    model_kv_bytes_per_token,
    tokens_that_fit,
)
from service.domain.memory.parameters import (
    Experts,
    LatentAttention,
    ModelShape,
    ParameterCount,
    count_parameters,
    find_model,
    largest_module_parameters,
    layer_parameters,
    quick_estimate,
)
from service.domain.memory.recipes import DEFAULT_RECIPE, RECIPES, PrecisionRecipe, find_recipe
from service.domain.memory.schemes import SCHEMES, find_scheme
from service.domain.memory.sharding import Collective, Offload, Scheme, State, Status
from service.domain.memory.states import (
    StateBytes,
    bytes_per_parameter,
    model_states,
    moe_model_states,
    reduction_factor,
)
from service.domain.memory.units import (
    GB,
    GIB,
    KIB,
    MIB,
    gb,
    gib,
    parse_bytes,
    parse_count,
    show_bytes,
    show_count,
)

__all__ = [
    "DEFAULT_RECIPE",
    "GB",
    "GIB",
    "KIB",
    "MIB",
    "RECIPES",
    "SCHEMES",
    "Collective",
    "CommPart",
    "CommVolume",
    "Experts",
    "LatentAttention",
    "ModelShape",
    "Offload",
    "ParameterCount",
    "PrecisionRecipe",
    "Scheme",
    "State",
    "StateBytes",
    "Status",
    "ZeroPlusPlus",
    "bytes_per_parameter",
    "communication",
    "count_parameters",
    "find_model",
    "find_recipe",
    "find_scheme",
    "gb",
    "gib",
    "hpz_extra_bytes",
    "kv_cache_bytes",
    "largest_module_parameters",
    "layer_parameters",
    "model_kv_bytes_per_token",
    "model_states",
    "moe_model_states",
    "offload_traffic_bytes",
    "parse_bytes",
    "parse_count",
    "qgz_volume",
    "quick_estimate",
    "reduction_factor",
    "ring_bytes",
    "show_bytes",
    "show_count",
    "tokens_that_fit",
    "volume_formula",
    "zeropp_volume",
]
