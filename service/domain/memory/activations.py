"""Activation bytes kept for the backward pass, 16 bits a value.

Formulas of arXiv:2205.05198 (Table 2): MLP of 4h, full heads, softmax kept unless fused away.
s tokens, b sequences in a micro-batch, h hidden width, a heads, L layers, t tensor parallel.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from service.domain.language import Message, msg
from service.domain.memory.checks import degree
from service.domain.memory.parameters import ModelShape
from service.errors import InputInvalid


class Recompute(StrEnum):
    """SELECTIVE recomputes attention scores only; FULL keeps just each layer's input."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ActivationSetup:
    """How a layer is run. `flash` never materialises the s×s scores."""

    seq: int
    batch: int
    hidden: int
    heads: int
    tp: int = 1
    sequence_parallel: bool = False
    recompute: Recompute = Recompute.NONE
    dropout: bool = True
    flash: bool = False

    @property
    def tokens_times_width(self) -> int:
        """s·b·h."""
        return self.seq * self.batch * self.hidden


# Coefficients of s·b·h: (outside the tensor-parallel region, inside it, attention per a·s/h).
# Dropout keeps two byte masks outside; inside, its mask and its output beside the softmax.
_WITH_DROPOUT: Final = (10, 24, 5)
_WITHOUT_DROPOUT: Final = (8, 24, 2)
_COEFFICIENTS: Final[Mapping[bool, tuple[int, int, int]]] = {
    True: _WITH_DROPOUT,
    False: _WITHOUT_DROPOUT,
}
_LAYER_INPUT: Final = 2


def layer_activation_bytes(setup: ActivationSetup) -> float:
    """Bytes one layer keeps per GPU.

    Raises:
        InputInvalid: a size below one, or sequence parallelism without tensor parallelism's group.
    """
    check_setup(setup)
    sbh = setup.tokens_times_width
    if setup.recompute is Recompute.FULL:
        # Every rank keeps the whole input unless sequence parallelism shards it.
        return _LAYER_INPUT * sbh / (setup.tp if setup.sequence_parallel else 1)
    outside, inside, per_score = _COEFFICIENTS[setup.dropout]
    without_scores = setup.flash or setup.recompute is Recompute.SELECTIVE
    scores = 0.0 if without_scores else per_score * setup.heads * setup.seq / setup.hidden
    replicated = outside / (setup.tp if setup.sequence_parallel else 1)
    return sbh * (replicated + (inside + scores) / setup.tp)


def layer_activation_formula(setup: ActivationSetup) -> str:
    """The formula that `layer_activation_bytes` follows, in symbols."""
    if setup.recompute is Recompute.FULL:
        return "2sbh/t" if setup.sequence_parallel else "2sbh"
    outside, inside, per_score = _COEFFICIENTS[setup.dropout]
    without_scores = setup.flash or setup.recompute is Recompute.SELECTIVE
    scores = "" if without_scores else f"+{per_score}as/h"
    if setup.tp == 1:
        return f"sbh({outside + inside}{scores})"
    if setup.sequence_parallel:
        return f"(sbh/t)({outside + inside}{scores})"
    return f"sbh({outside}+{inside}/t{scores.replace('/h', '/(ht)')})"


def measured_layer_bytes(setup: ActivationSetup) -> float:
    """What torch kept for one layer in a run: the formula and the two norms' mean and rstd.

    8 bytes a token: two norms, two statistics, 16 bits each. torch 2.13.0, CPU.
    """
    return layer_activation_bytes(setup) + 8 * setup.seq * setup.batch


def model_activation_bytes(
    setup: ActivationSetup, layers: int, *, pp: int = 1, interleave: int = 1
) -> float:
    """Bytes of the first pipeline stage under 1F1B: L layers' worth, whatever p is.

    With m interleaved chunks the factor is 1 + (p-1)/(p·m). Left out: embedding dropout, and the
    logits (`logits_bytes`).
    """
    degree("layers", layers)
    return layers * layer_activation_bytes(setup) * interleaved_factor(pp, interleave)


def interleaved_factor(pp: int, chunks: int) -> float:
    """1 + (p-1)/(p·m); plain 1F1B (one chunk) and no pipeline give 1."""
    degree("pp", pp)
    degree("interleave", chunks)
    return 1 + (pp - 1) / (pp * chunks) if chunks > 1 else 1.0


def head_extra_bytes(setup: ActivationSetup, vocab: int) -> float:
    """4sbh(1+v/h)/t: final norm, head input and fp32 logits where there is no pipeline."""
    check_setup(setup)
    degree("vocab", vocab)
    return 4 * setup.tokens_times_width * (1 + vocab / setup.hidden) / setup.tp


def logits_bytes(seq: int, batch: int, vocab: int, bytes_per_value: int = 4, tp: int = 1) -> float:
    """Logits of a micro-batch; the gradient takes the same again."""
    for name, value in (("seq", seq), ("batch", batch), ("vocab", vocab), ("tp", tp)):
        degree(name, value)
    return seq * batch * vocab * bytes_per_value / tp


def score_term(setup: ActivationSetup) -> float:
    """5as/h: the attention term in units of sbh bytes."""
    return 5 * setup.heads * setup.seq / setup.hidden


def selective_saving(setup: ActivationSetup) -> float:
    """Share of a layer's activations that selective recompute removes."""
    term = score_term(setup)
    return term / (34 + term)


def share_of_tensor_parallel(setup: ActivationSetup) -> float:
    """Activations against plain tensor parallelism of the same degree."""
    plain = ActivationSetup(setup.seq, setup.batch, setup.hidden, setup.heads, setup.tp)
    return layer_activation_bytes(setup) / layer_activation_bytes(plain)


def selective_flops_ratio(seq: int, hidden: int) -> float:
    """Hardware to model FLOPs with selective recompute: 1 + s/(6h)."""
    degree("seq", seq)
    degree("hidden", hidden)
    return 1 + seq / (6 * hidden)


def zero_paper_activation_bytes(
    layers: int, hidden: int, batch: int, seq: int, factor: int = 12, bytes_per_value: int = 2
) -> float:
    """The ZeRO paper's rule of thumb: 12·h·b·s·L elements (§3.2)."""
    for name, value in (("layers", layers), ("hidden", hidden), ("batch", batch), ("seq", seq)):
        degree(name, value)
    return float(factor * hidden * batch * seq * layers * bytes_per_value)


def shape_layer_bytes(
    shape: ModelShape,
    seq: int,
    batch: int,
    recompute: Recompute,
    *,
    tp: int = 1,
    sequence_parallel: bool = False,
) -> float:
    """One layer of a real configuration on one GPU: gated MLP, grouped heads, fused attention.

    Own sum of the tensors that a bf16 layer without dropout keeps, per token: norm inputs and
    outputs 8h, queries and attention output 4·a·d, keys and values 4·kv·d, log-sum-exp 4a, and
    8·ffn (gated) or 4·ffn of the MLP. Tensor parallelism divides all but the 8h, which sequence
    parallelism divides too. Not measured: shown as a derivation.
    """
    for name, value in (("seq", seq), ("batch", batch), ("tp", tp)):
        degree(name, value)
    tokens = seq * batch
    around = tp if sequence_parallel else 1
    if recompute is Recompute.FULL:
        return _LAYER_INPUT * tokens * shape.hidden / around
    mixture = shape.experts
    ffn = mixture.ffn * mixture.top_k + mixture.shared_ffn if mixture else shape.ffn
    heads = 4 * shape.heads * shape.width + 4 * shape.heads
    # A rank keeps at least one group of keys and values, whatever the degree.
    grouped = 4 * shape.kv_heads * shape.width / min(tp, shape.kv_heads)
    mlp = (8 if shape.gated else 4) * ffn
    return tokens * (8 * shape.hidden / around + grouped + (heads + mlp) / tp)


def shape_activation_bytes(
    shape: ModelShape,
    seq: int,
    batch: int,
    recompute: Recompute = Recompute.NONE,
    *,
    tp: int = 1,
    sequence_parallel: bool = False,
) -> float:
    """All layers; with full recompute one layer is alive besides the kept inputs."""

    def layer(kept: Recompute) -> float:
        return shape_layer_bytes(
            shape, seq, batch, kept, tp=tp, sequence_parallel=sequence_parallel
        )

    whole = shape.layers * layer(recompute)
    return whole + layer(Recompute.NONE) if recompute is Recompute.FULL else whole


def activation_conditions(setup: ActivationSetup) -> tuple[Message, ...]:
    """Under what conditions the formula holds; said whenever it is shown."""
    scores = (
        msg("fused attention: the s×s scores are never stored")
        if setup.flash
        else msg("attention scores are materialised (no FlashAttention)")
    )
    dropout = msg("with dropout") if setup.dropout else msg("without dropout")
    return (msg("16 bits a value, MLP of 4h, every head with its own keys"), dropout, scores)


def check_setup(setup: ActivationSetup) -> None:
    """Raises InputInvalid for sizes below one or a width that the heads do not divide."""
    for name in ("seq", "batch", "hidden", "heads", "tp"):
        degree(name, getattr(setup, name))
    if setup.heads % setup.tp and setup.tp % setup.heads:
        raise InputInvalid(
            "tp = {tp} does not divide {heads} heads", tp=setup.tp, heads=setup.heads
        )
