"""One step of an examination: what was looked at, what was found, what to do about it."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.language import Message


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    state: State
    found: Message
    advice: Message | None = None
