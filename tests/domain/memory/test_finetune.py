"""Fine-tuning: what the adapters cost, how weights are stored, and roles in reinforcement."""

from pathlib import Path

import pytest

from service.corpus.models import load_models
from service.domain.memory import (
    ModelRole,
    adapter_states,
    grpo_states,
    lora_parameters,
    ppo_states,
    reinforcement_states,
    weight_bytes,
)
from service.errors import InputInvalid

MODELS = load_models(Path(__file__).parents[3] / "knowledge" / "models.yaml")
LLAMA_3_8B = MODELS["llama-3-8b"]


@pytest.mark.parametrize(
    ("targets", "per_layer"),
    [
        (("q", "v"), 8192 + 5120),
        (("q", "k", "v", "o"), 8192 + 5120 + 5120 + 8192),
        (("gate", "up", "down"), 3 * (4096 + 14336)),
        (("q", "q"), 8192),
    ],
)
def test_each_adapted_matrix_costs_its_two_sides(targets, per_layer):
    assert lora_parameters(LLAMA_3_8B, 8, targets) == 32 * 8 * per_layer


@pytest.mark.parametrize(
    ("model", "rank", "targets", "named"),
    [
        ("llama-3-8b", 0, ("q",), "rank"),
        ("llama-3-8b", 8, ("q", "router"), "router"),
        ("gpt2", 8, ("gate",), "gate"),
        ("deepseek-v3", 8, ("q",), "plain attention"),
    ],
)
def test_what_cannot_be_adapted_is_refused(model, rank, targets, named):
    with pytest.raises(InputInvalid, match=named):
        lora_parameters(MODELS[model], rank, targets)


def test_double_quantisation_saves_three_eighths_of_a_bit():
    saved = (weight_bytes(8e9, "nf4") - weight_bytes(8e9, "nf4_double")) * 8 / 8e9
    assert saved == pytest.approx(0.373, abs=5e-4)


@pytest.mark.parametrize(
    ("params", "storage", "kept", "named"),
    [(7e9, "int3", 0, "int3"), (7e9, "nf4", 8e9, "kept_bf16"), (0, "nf4", 0, "params")],
)
def test_weights_that_cannot_be_are_refused(params, storage, kept, named):
    with pytest.raises(InputInvalid, match=named):
        weight_bytes(params, storage, kept)


def test_adapters_pay_for_all_states_and_the_base_for_its_weights():
    states = adapter_states(8e9, 1e7, "nf4_double")
    assert states.adapters == 16e7
    assert states.total == states.base + states.adapters


def test_roles_of_different_size_add_up():
    found = reinforcement_states(
        [ModelRole("policy", 70e9, trained=True), ModelRole("reward", 7e9, trained=False)]
    )
    assert {r.role: r.bytes for r in found.roles} == {"policy": 1120e9, "reward": 14e9}
    assert found.total == 1134e9


def test_grpo_saves_the_critic():
    assert ppo_states(7e9).total - grpo_states(7e9, reward_params=7e9).total == 112e9
    assert any("rollout" in str(message) for message in ppo_states(7e9).left_out)
