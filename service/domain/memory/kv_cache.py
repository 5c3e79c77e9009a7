"""Key-value cache of a decoder: `2·L·kv_heads·head_dim·tokens·bytes` (keys and values)."""

from service.domain.memory.checks import degree, not_negative, positive
from service.domain.memory.parameters import ModelShape


def kv_cache_bytes(
    layers: int,
    kv_heads: int,
    head_dim: int,
    tokens: int = 1,
    batch: int = 1,
    bytes_per_value: float = 2,
) -> float:
    """Bytes of keys and values for `batch` sequences of `tokens` each.

    Raises:
        InputInvalid: a size below one.
    """
    for name, value in (
        ("layers", layers),
        ("kv_heads", kv_heads),
        ("head_dim", head_dim),
        ("tokens", tokens),
        ("batch", batch),
    ):
        degree(name, value)
    positive("bytes_per_value", bytes_per_value)
    return 2 * layers * kv_heads * head_dim * tokens * batch * bytes_per_value


def model_kv_bytes_per_token(shape: ModelShape, bytes_per_value: float = 2) -> float:
    """Bytes one token adds. Latent attention keeps one compressed vector and one rope key."""
    if shape.latent:
        return shape.layers * (shape.latent.kv_rank + shape.latent.rope_dim) * bytes_per_value
    return kv_cache_bytes(
        shape.layers, shape.kv_heads, shape.width, bytes_per_value=bytes_per_value
    )


def tokens_that_fit(free_bytes: float, bytes_per_token: float) -> int:
    """Tokens of all sequences together that `free_bytes` hold."""
    not_negative("free_bytes", free_bytes)
    positive("bytes_per_token", bytes_per_token)
    return int(free_bytes // bytes_per_token)
