"""Models by name: how large they are, and their shape for key-value caches."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from service.domain.claims.tokens import Model
from service.domain.memory.parameters import Experts, ModelShape, count_parameters

_LONGEST_NAME: Final = 40
_SEPARATORS: Final = str.maketrans("", "", " -_")
# Enough for the texts people write when no table is given.
BUILT_IN: Final[Mapping[str, ModelShape]] = {
    shape.id: shape
    for shape in (
        ModelShape("gpt2-xl", 48, 1600, 50257, 25, 25, 6400, gated=False, tied=True,
                   positions=1024, qkv_bias=True, out_bias=True, mlp_bias=True, norm_bias=True,
                   aliases=("gpt2-1.5b",)),
        ModelShape("gpt3-175b", 96, 12288, 50257, 96, 96, 49152, gated=False, tied=True,
                   positions=2048, qkv_bias=True, out_bias=True, mlp_bias=True, norm_bias=True,
                   aliases=("gpt3",)),
        ModelShape("llama-2-7b", 32, 4096, 32000, 32, 32, 11008, aliases=("llama-7b",)),
        ModelShape("llama-2-13b", 40, 5120, 32000, 40, 40, 13824, aliases=("llama-13b",)),
        ModelShape("llama-2-70b", 80, 8192, 32000, 64, 8, 28672),
        ModelShape("llama-3-8b", 32, 4096, 128256, 32, 8, 14336,
                   aliases=("llama-3.1-8b", "llama-8b")),
        ModelShape("llama-3-70b", 80, 8192, 128256, 64, 8, 28672,
                   aliases=("llama-3.1-70b", "llama-3.3-70b", "llama-70b")),
        ModelShape("qwen2.5-7b", 28, 3584, 152064, 28, 4, 18944, qkv_bias=True,
                   aliases=("qwen2-7b", "qwen-7b")),
        ModelShape("qwen2.5-72b", 80, 8192, 152064, 64, 8, 29568, qkv_bias=True,
                   aliases=("qwen2-72b", "qwen-72b")),
        ModelShape("mixtral-8x7b", 32, 4096, 32000, 32, 8, 14336, experts=Experts(8, 2, 14336)),
    )
}  # fmt: skip
_NAME: Final = re.compile(
    r"(?<![a-z0-9.])[a-z]{2,16}[ _-]?(?:v?\d{1,2}(?:\.\d{1,2})?)?"
    r"(?:[ _-]?(?:\d{1,4}x)?\d{1,4}(?:\.\d{1,2})?b(?![a-z0-9])|[ _-]?(?:xl|large|medium))?"
)
_SIZE: Final = re.compile(r"-(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)\s?([bm])(?![a-z0-9])")
_SCALE: Final[Mapping[str, float]] = {"b": 1e9, "m": 1e6}


def squeeze(name: str) -> str:
    return name.lower().translate(_SEPARATORS)


class KnownModels:
    """Names and aliases of a table of shapes, compared without hyphens and spaces."""

    def __init__(self, shapes: Mapping[str, ModelShape]) -> None:
        self._shapes = {
            squeeze(name): shape
            for shape in shapes.values()
            for name in (shape.id, shape.title, *shape.aliases)
            if name
        }

    def shape(self, name: str) -> ModelShape | None:
        return self._shapes.get(squeeze(name))

    def find(self, low: str, taken: bytearray) -> list[Model]:
        """Known names first, then any `Name-13B`; marks what it takes."""
        models = [*self._named(low, taken), *_sized(low, taken)]
        return sorted(models, key=lambda model: model.start)

    def _named(self, low: str, taken: bytearray) -> Iterator[Model]:
        for match in _NAME.finditer(low):
            shape = self._longest(match.group())
            if shape is None:
                continue
            found, length = shape
            end = match.start() + length
            taken[match.start() : end] = b"\1" * (end - match.start())
            yield Model(match.start(), end, size_of(found), found.id, is_known=True)

    def _longest(self, name: str) -> tuple[ModelShape, int] | None:
        for length in (len(name), len(name.rstrip(" -_"))):
            shape = self._shapes.get(squeeze(name[:length]))
            if shape and not name[:length].endswith((" ", "-", "_")):
                return shape, length
        return None


@lru_cache(maxsize=512)
def size_of(shape: ModelShape) -> float:
    """Parameters of the configuration, exactly."""
    return float(count_parameters(shape).total)


def _sized(low: str, taken: bytearray) -> Iterator[Model]:
    for match in _SIZE.finditer(low):
        before = low[match.start() - 1 : match.start()]
        if taken[match.start()] or not before or not (before.isalnum() or before == "."):
            continue
        experts = float(match[1] or 1)
        start = match.start()
        while start and (
            low[start - 1].isascii() and (low[start - 1].isalnum() or low[start - 1] in ".-_")
        ):
            start -= 1
            if match.start() - start > _LONGEST_NAME:
                break
        taken[start : match.end()] = b"\1" * (match.end() - start)
        yield Model(
            start,
            match.end(),
            experts * float(match[2]) * _SCALE[match[3]],
            low[start : match.end()],
        )
