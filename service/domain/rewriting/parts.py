"""A bullet taken apart."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parts:
    situation: str
    action: str
    results: tuple[str, ...]
