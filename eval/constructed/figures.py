"""Numbers for the bank's slots, computed by the memory module. GB are 1e9 bytes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from eval.constructed.bank import Split
from service.corpus.models import load_models
from service.domain.memory import (
    GB,
    KIB,
    find_model,
    model_kv_bytes_per_token,
    model_states,
    parse_count,
)

MODELS: Final = Path(__file__).parents[2] / "knowledge" / "models.yaml"
# Model size and data-parallel degree; no split sees the other's.
SETTINGS: Final[Mapping[Split, tuple[tuple[str, int], ...]]] = {
    Split.DEV: (("7B", 8), ("13B", 16), ("3B", 8)),
    Split.TEST: (("7.5B", 64), ("14B", 32), ("8B", 16)),
}
CACHED: Final[Mapping[Split, tuple[tuple[str, str], ...]]] = {
    Split.DEV: (("Llama-2-7B", "llama-2-7b"), ("Llama-3-70B", "llama-3-70b")),
    Split.TEST: (("Llama-3-8B", "llama-3-8b"), ("Qwen2.5-7B", "qwen2.5-7b")),
}
# What a card holds beside model states in the bank's measured results.
BESIDE_STATES_GB: Final = 15.0


@dataclass(frozen=True, slots=True)
class Figures:
    slots: Mapping[str, str]

    def fill(self, wording: str) -> str:
        filled = wording
        for name, value in self.slots.items():
            filled = filled.replace(f"{{{name}}}", value)
        return filled


@cache
def figures(split: Split, number: int) -> Figures:
    """The `number`-th set of figures of a split; they repeat."""
    size, shards = SETTINGS[split][number % len(SETTINGS[split])]
    title, model_id = CACHED[split][number % len(CACHED[split])]
    stages = [_states_gb(size, f"zero{stage}_paper", shards) for stage in (1, 2, 3)]
    cached = model_kv_bytes_per_token(find_model(load_models(MODELS), model_id))
    slots = {"size": size, "n": str(shards), "ddp": _show(_states_gb(size, "ddp", shards))}
    slots |= {f"z{stage}": _show(gb) for stage, gb in enumerate(stages, start=1)}
    slots |= {
        f"seen{stage}": _show(gb + BESIDE_STATES_GB) for stage, gb in enumerate(stages, start=1)
    }
    return Figures(slots | {"model": title, "kib": f"{cached / KIB:g}"})


def _states_gb(size: str, scheme: str, shards: int) -> float:
    return model_states(parse_count(size), scheme, shards).total / GB


def _show(gb: float) -> str:
    return f"{gb:.1f}".removesuffix(".0")
