"""How many parameters a transformer of a given configuration has, and where they sit.

`L·(attention + mlp + norms) + final norm + V·h·(1 if tied else 2) + positions·h`; experts
multiply the MLP. Multi-head latent attention (DeepSeek) has its own projections.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from service.domain.memory.checks import degree, divides, not_negative
from service.errors import InputInvalid, ModelUnknown


class QkNorm(StrEnum):
    """Norms on queries and keys: one vector per head width, or one over all heads."""

    NONE = "none"
    HEAD = "head"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class LatentAttention:
    """Widths of multi-head latent attention; `q_rank` 0 means queries are not compressed."""

    kv_rank: int
    rope_dim: int
    nope_dim: int
    v_dim: int
    q_rank: int = 0


@dataclass(frozen=True, slots=True)
class Experts:
    """`ffn` is the width of one expert, `shared_ffn` that of all shared experts together."""

    count: int
    top_k: int
    ffn: int
    shared_ffn: int = 0
    dense_layers: int = 0  # layers that keep a plain MLP
    router_bias: bool = False
    bias: bool = False
    shared_gate: bool = False


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A decoder's configuration. Zero for `head_dim` means hidden / heads."""

    id: str
    layers: int
    hidden: int
    vocab: int
    heads: int
    kv_heads: int
    ffn: int
    head_dim: int = 0
    gated: bool = True
    tied: bool = False
    positions: int = 0  # learned position vectors
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    norm_bias: bool = False
    norms_per_layer: int = 2
    final_norm: bool = True
    embedding_norm: bool = False
    qk_norm: QkNorm = QkNorm.NONE
    attention_sinks: bool = False
    alibi: bool = False  # positions by attention bias: no rotary frequencies
    latent: LatentAttention | None = None
    experts: Experts | None = None
    title: str = ""
    context: int = 0  # longest sequence it was released for, tokens
    aliases: tuple[str, ...] = ()
    source: str = ""

    @property
    def width(self) -> int:
        """Width of one attention head."""
        return self.head_dim or self.hidden // self.heads

    @property
    def rotary_width(self) -> int:
        """Width that rotary positions turn; 0 where positions are learned or ALiBi."""
        if self.positions or self.alibi:
            return 0
        return self.latent.rope_dim if self.latent else self.width

    @property
    def moe_layers(self) -> int:
        return self.layers - self.experts.dense_layers if self.experts else 0


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """`experts` are the routed experts of all layers; `active` is what one token passes."""

    embedding: int
    head: int
    attention: int
    mlp: int
    experts: int
    routers: int
    norms: int
    idle_experts: int

    @property
    def total(self) -> int:
        return (
            self.embedding
            + self.head
            + self.attention
            + self.mlp
            + self.experts
            + self.routers
            + self.norms
        )

    @property
    def active(self) -> int:
        return self.total - self.idle_experts

    @property
    def dense(self) -> int:
        """Everything outside the routed experts."""
        return self.total - self.experts


def count_parameters(shape: ModelShape) -> ParameterCount:
    """Exact count by part.

    Raises:
        InputInvalid: a configuration that cannot be built (a width of zero, key-value heads that
            do not divide the heads, more experts per token than there are).
    """
    check_shape(shape)
    mixture = shape.experts
    expert = _mlp(shape, mixture.ffn, bias=mixture.bias) if mixture else 0
    count = shape.moe_layers * mixture.count if mixture else 0
    idle = shape.moe_layers * (mixture.count - mixture.top_k) if mixture else 0
    return ParameterCount(
        embedding=(shape.vocab + shape.positions) * shape.hidden,
        head=(0 if shape.tied else shape.vocab * shape.hidden) + shape.vocab * shape.head_bias,
        attention=shape.layers * attention_parameters(shape),
        mlp=_dense_mlps(shape),
        experts=count * expert,
        routers=_routers(shape),
        norms=_norms(shape),
        idle_experts=idle * expert,
    )


def attention_parameters(shape: ModelShape) -> int:
    """One layer's projections with their biases, query-key norms and sinks."""
    if shape.latent:
        return _latent(shape, shape.latent)
    h, a, kv, d = shape.hidden, shape.heads, shape.kv_heads, shape.width
    weights = 2 * h * a * d + 2 * h * kv * d
    biases = shape.qkv_bias * (a + 2 * kv) * d + shape.out_bias * h
    norms = {QkNorm.NONE: 0, QkNorm.HEAD: 2 * d, QkNorm.ALL: (a + kv) * d}[shape.qk_norm]
    return weights + biases + norms + shape.attention_sinks * a


def _latent(shape: ModelShape, latent: LatentAttention) -> int:
    h, a = shape.hidden, shape.heads
    query_width = a * (latent.nope_dim + latent.rope_dim)
    rank = latent.q_rank
    query = h * rank + rank + rank * query_width if rank else h * query_width
    down = h * (latent.kv_rank + latent.rope_dim) + latent.kv_rank
    up = latent.kv_rank * a * (latent.nope_dim + latent.v_dim)
    return query + down + up + a * latent.v_dim * h


def _mlp(shape: ModelShape, ffn: int, *, bias: bool) -> int:
    inward = 2 if shape.gated else 1
    return (inward + 1) * shape.hidden * ffn + bias * (inward * ffn + shape.hidden)


def _dense_mlps(shape: ModelShape) -> int:
    """Plain MLPs, and the shared experts that every token passes."""
    plain = _mlp(shape, shape.ffn, bias=shape.mlp_bias)
    mixture = shape.experts
    if mixture is None:
        return shape.layers * plain
    shared = _mlp(shape, mixture.shared_ffn, bias=False) if mixture.shared_ffn else 0
    return mixture.dense_layers * plain + shape.moe_layers * shared


def _routers(shape: ModelShape) -> int:
    mixture = shape.experts
    if mixture is None:
        return 0
    router = shape.hidden * mixture.count + mixture.router_bias * mixture.count
    return shape.moe_layers * (router + mixture.shared_gate * shape.hidden)


def _norms(shape: ModelShape) -> int:
    vectors = shape.layers * shape.norms_per_layer + shape.final_norm + shape.embedding_norm
    return vectors * shape.hidden * (2 if shape.norm_bias else 1)


def layer_parameters(shape: ModelShape) -> int:
    """The largest decoder layer: what a gathered block holds."""
    counts = count_parameters(shape)
    norms = shape.norms_per_layer * shape.hidden * (2 if shape.norm_bias else 1)
    plain = _mlp(shape, shape.ffn, bias=shape.mlp_bias)
    if shape.experts and shape.moe_layers:
        shared = _mlp(shape, shape.experts.shared_ffn, bias=False)
        plain = (counts.experts + counts.routers) // shape.moe_layers + shared
    return attention_parameters(shape) + plain + norms


def largest_module_parameters(shape: ModelShape) -> int:
    """Most parameters that one module owns directly, as DeepSpeed's `model_to_params` looks.

    A block owns nothing itself, so this is usually the embedding. The experts of a layer are one
    module with stacked weights in current transformers.
    """
    check_shape(shape)
    mixture = shape.experts
    stacked = mixture.count * _mlp(shape, mixture.ffn, bias=mixture.bias) if mixture else 0
    inner = max(shape.ffn, shape.heads * shape.width)
    return max(shape.vocab * shape.hidden, stacked, shape.hidden * inner)


def quick_estimate(layers: int, hidden: int) -> int:
    """12·L·h²: ungated MLP of 4h and full heads only, without embeddings."""
    degree("layers", layers)
    degree("hidden", hidden)
    return 12 * layers * hidden**2


def check_shape(shape: ModelShape) -> None:
    """Raises InputInvalid for a configuration that cannot be built."""
    for name in ("layers", "hidden", "vocab", "heads", "kv_heads"):
        degree(name, getattr(shape, name))
    for name in ("ffn", "positions", "head_dim", "norms_per_layer"):
        not_negative(name, getattr(shape, name))
    divides("kv_heads", shape.kv_heads, "heads", shape.heads)
    if not shape.head_dim:
        divides("heads", shape.heads, "hidden", shape.hidden)
    if shape.experts:
        _check_experts(shape, shape.experts)


def _check_experts(shape: ModelShape, mixture: Experts) -> None:
    degree("experts", mixture.count)
    degree("top_k", mixture.top_k)
    degree("expert_ffn", mixture.ffn)
    if mixture.top_k > mixture.count or not 0 <= mixture.dense_layers <= shape.layers:
        raise InputInvalid(
            "{top_k} of {count} experts in {layers} layers, {dense} of them dense, cannot be built",
            top_k=mixture.top_k,
            count=mixture.count,
            layers=shape.layers,
            dense=mixture.dense_layers,
        )


def find_model(models: Mapping[str, ModelShape], name: str) -> ModelShape:
    """The model of that id or alias; case, blanks, `_` and suffixes such as -Instruct are free.

    Raises:
        ModelUnknown: none of that name; names the nearest.
    """
    wanted = model_key(name)
    by_key = {model_key(n): m for m in models.values() for n in (*m.aliases, m.id)}
    if wanted in by_key:
        return by_key[wanted]
    near = get_close_matches(wanted, by_key, n=3, cutoff=0.4)
    raise ModelUnknown(
        "no model called {name} is known; nearest: {near}",
        name=repr(name[:60]),
        near=", ".join(dict.fromkeys(by_key[key].id for key in near)) or "none",
    )


# Variants of one configuration: training on instructions changes no shape.
_VARIANT: Final = re.compile(
    r"-(?:instruct|chat|base|hf|it|pt|v0\.\d|2407|2501|1124|preview)(?=-|$)"
)
_WORD: Final = re.compile(r"[^\W\d]+|\d+(?:\.\d+)?")


def model_key(name: str) -> str:
    """A name as compared: `meta-llama/Llama3 8B-Instruct` and `llama-3-8b` are the same."""
    plain = name.strip().lower().rsplit("/", 1)[-1].replace("_", "-").replace(" ", "-")
    return "-".join(_WORD.findall(_VARIANT.sub("", plain)))
