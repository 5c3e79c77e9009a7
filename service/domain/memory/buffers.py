"""Temporary buffers beside the model states: reduction buckets and gathered layers."""

from collections.abc import Mapping
from typing import Final

from service.domain.memory.checks import degree, not_negative, positive

# DeepSpeed 0.19.8: reduce_bucket_size 5e8 elements (config.py:113), not bytes.
DEFAULT_BUCKET: Final = 500_000_000
# stage3_max_live_parameters (config.py:245).
DEFAULT_MAX_LIVE: Final = 1_000_000_000
# Overlapping reduction with the backward pass fills one bucket while the other is sent.
_BUFFERS: Final[Mapping[bool, int]] = {False: 1, True: 2}


def reduce_bucket_bytes(
    elements: float = DEFAULT_BUCKET, bytes_per_value: int = 2, *, overlap: bool = False
) -> float:
    """Contiguous gradient buckets of ZeRO-1/2; two of them with overlap_comm."""
    positive("bucket", elements)
    degree("bytes_per_value", bytes_per_value)
    return elements * bytes_per_value * _BUFFERS[overlap]


def fused_fp32_buffer_bytes(psi: float) -> float:
    """A fused fp32 gradient buffer without a constant size: 4ψ (arXiv:1910.02054v3 §6.2)."""
    positive("params", psi)
    return 4 * psi


def gathered_bytes(
    largest_layer: float, psi: float, *, max_live: float = DEFAULT_MAX_LIVE, width: int = 2
) -> tuple[float, float]:
    """Least and most bytes of parameters gathered at once under stage 3.

    At least the layer in use; at most the live limit or the whole model.
    """
    positive("params", psi)
    not_negative("largest_layer", largest_layer)
    return largest_layer * width, max(largest_layer, min(max_live, psi)) * width
