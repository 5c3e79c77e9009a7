"""The inputs of one reference vector, read by type; what nobody read is no supported input."""

from collections.abc import Mapping
from typing import Final


class Unsupported(Exception):
    """This vector is no formula of the memory module; says why."""


class Inputs:
    """Typed access that remembers which keys were used."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values: Final = values
        self._read: set[str] = set()

    def number(self, name: str, default: float | None = None) -> float:
        value = self._get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unsupported(f"input {name} is no number")
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        value = self.number(name, default)
        if value != int(value):
            raise Unsupported(f"input {name} is no whole number")
        return int(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self._get(name, default)
        if not isinstance(value, bool):
            raise Unsupported(f"input {name} is neither true nor false")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self._get(name, default)
        if not isinstance(value, str):
            raise Unsupported(f"input {name} is no text")
        return value

    def unread(self) -> tuple[str, ...]:
        """Keys that changed nothing: the answer does not take them into account."""
        return tuple(sorted(set(self._values) - self._read))

    def _get(self, name: str, default: object) -> object:
        self._read.add(name)
        value = self._values.get(name, default)
        if value is None:
            raise Unsupported(f"input {name} is missing")
        return value
