"""A route of the pages as a row of a table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    method: str
    path: str
    handler: Callable[..., Any]
