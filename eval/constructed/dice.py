"""Choices that are the same on every machine: hashes of a seed, no generator state to share."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Dice:
    """`at` gives independent dice for a named purpose; every choice is named too."""

    seed: str

    def at(self, *names: object) -> "Dice":
        return Dice("/".join((self.seed, *map(str, names))))

    def below(self, limit: int, name: object = "") -> int:
        """A whole number from 0 to `limit` - 1."""
        digest = hashlib.sha256(f"{self.seed}/{name}".encode()).digest()
        return int.from_bytes(digest[:8]) % limit

    def pick(self, items: Sequence[Item], name: object = "") -> Item:
        return items[self.below(len(items), name)]

    def shuffled(self, items: Sequence[Item], name: object = "") -> list[Item]:
        order = sorted(range(len(items)), key=lambda i: self._key(f"{name}#{i}"))
        return [items[i] for i in order]

    def _key(self, name: str) -> bytes:
        return hashlib.sha256(f"{self.seed}/{name}".encode()).digest()
