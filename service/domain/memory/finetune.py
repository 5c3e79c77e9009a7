"""Memory of fine-tuning: LoRA, QLoRA, and the models that PPO and GRPO keep side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.domain.memory.checks import degree, not_negative, positive
from service.domain.memory.parameters import ModelShape, check_shape
from service.domain.memory.recipes import DEFAULT_RECIPE, PrecisionRecipe, find_recipe
from service.errors import InputInvalid

LORA_TARGETS: Final = ("q", "k", "v", "o", "gate", "up", "down")
ATTENTION_TARGETS: Final = ("q", "k", "v", "o")


def lora_parameters(
    shape: ModelShape, rank: int, targets: Sequence[str] = ATTENTION_TARGETS
) -> int:
    """Trainable parameters: r·(in + out) for each adapted matrix of each layer.

    Raises:
        InputInvalid: a rank below one, an unknown target, latent attention or experts (their
            matrices go by other names).
    """
    degree("rank", rank)
    check_shape(shape)
    if shape.latent or shape.experts:
        raise InputInvalid("LoRA sizes are known for dense models with plain attention only")
    sides = _matrix_sides(shape)
    unknown = [target for target in targets if target not in sides]
    if unknown:
        raise InputInvalid(
            "no matrix {unknown}; there are {known}",
            unknown=", ".join(unknown)[:60],
            known=", ".join(sides),
        )
    return shape.layers * rank * sum(sides[target] for target in dict.fromkeys(targets))


def _matrix_sides(shape: ModelShape) -> Mapping[str, int]:
    """Inputs plus outputs of each matrix in a layer."""
    h, queries, grouped = shape.hidden, shape.heads * shape.width, shape.kv_heads * shape.width
    mlp = h + shape.ffn
    sides = {"q": h + queries, "k": h + grouped, "v": h + grouped, "o": queries + h}
    gate = {"gate": mlp} if shape.gated else {}
    return {**sides, **gate, "up": mlp, "down": mlp}


@dataclass(frozen=True, slots=True)
class AdapterBytes:
    """Bytes on one GPU without sharding: the frozen base, and all states of the adapters."""

    base: float
    adapters: float

    @property
    def total(self) -> float:
        return self.base + self.adapters


# NF4: 4 bits a weight and one 8-bit scale per 64 weights (double quantisation: one fp32 constant
# per 256 scales); without it one fp32 scale per 64 weights. arXiv:2305.14314 §3.
NF4_DOUBLE_BITS: Final = 4 + 8 / 64 + 32 / (64 * 256)
NF4_BITS: Final = 4 + 32 / 64
BF16_BITS: Final = 16.0
_BITS: Final[Mapping[str, float]] = {
    "bf16": BF16_BITS,
    "int8": 8.0,
    "nf4": NF4_BITS,
    "nf4_double": NF4_DOUBLE_BITS,
    "int4": 4.0,
}


def weight_bytes(params: float, storage: str = "bf16", kept_bf16: float = 0) -> float:
    """Bytes of frozen weights; `kept_bf16` of them (embedding, head) are not quantised.

    Raises:
        InputInvalid: an unknown storage, or more kept than there are.
    """
    positive("params", params)
    not_negative("kept_bf16", kept_bf16)
    bits = _BITS.get(storage)
    if bits is None:
        raise InputInvalid(
            "{storage} is none of {known}", storage=repr(storage[:40]), known=", ".join(_BITS)
        )
    not_negative("params - kept_bf16", params - kept_bf16)
    return ((params - kept_bf16) * bits + kept_bf16 * BF16_BITS) / 8


def adapter_states(
    params: float,
    trainable: float,
    storage: str = "bf16",
    recipe: str | PrecisionRecipe = DEFAULT_RECIPE,
    kept_bf16: float = 0,
) -> AdapterBytes:
    """LoRA (`bf16` base) or QLoRA (`nf4_double` base): only the adapters have training states."""
    positive("trainable", trainable)
    base = weight_bytes(params, storage, kept_bf16)
    return AdapterBytes(base, trainable * find_recipe(recipe).total)


@dataclass(frozen=True, slots=True)
class ModelRole:
    """One model of a reinforcement-learning run."""

    role: str
    params: float
    trained: bool


@dataclass(frozen=True, slots=True)
class RoleBytes:
    role: str
    bytes: float


@dataclass(frozen=True, slots=True)
class ReinforcementBytes:
    """Model states of all roles together, before sharding."""

    roles: tuple[RoleBytes, ...]
    left_out: tuple[Message, ...] = (
        msg("a second copy of the policy for rollouts unless weights are shared"),
        msg("the rollout's key-value cache"),
        msg("activations"),
    )

    @property
    def total(self) -> float:
        return sum(role.bytes for role in self.roles)


def reinforcement_states(
    roles: Sequence[ModelRole], recipe: str | PrecisionRecipe = DEFAULT_RECIPE
) -> ReinforcementBytes:
    """Trained roles pay the whole recipe, frozen ones their weights only."""
    mix = find_recipe(recipe)
    for role in roles:
        positive(role.role, role.params)
    return ReinforcementBytes(
        tuple(
            RoleBytes(role.role, role.params * (mix.total if role.trained else mix.parameters))
            for role in roles
        )
    )


def ppo_states(params: float, recipe: str | PrecisionRecipe = DEFAULT_RECIPE) -> ReinforcementBytes:
    """PPO with four models of one size: policy and critic trained, reference and reward frozen."""
    return reinforcement_states(
        (
            ModelRole("policy", params, trained=True),
            ModelRole("critic", params, trained=True),
            ModelRole("reference", params, trained=False),
            ModelRole("reward", params, trained=False),
        ),
        recipe,
    )


def grpo_states(
    params: float, reward_params: float = 0, recipe: str | PrecisionRecipe = DEFAULT_RECIPE
) -> ReinforcementBytes:
    """GRPO needs no critic; a reward model is optional (rules may score instead)."""
    not_negative("reward_params", reward_params)
    reward = (ModelRole("reward", reward_params, trained=False),) if reward_params else ()
    policy = ModelRole("policy", params, trained=True)
    reference = ModelRole("reference", params, trained=False)
    return reinforcement_states((policy, reference, *reward), recipe)
