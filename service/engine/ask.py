"""One exchange with a chat model: lines go in, a reply comes out, and no vendor's type with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from service.prompting.form import Form


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


# The only sign that a reply is whole. A cut stream ends without it and raises nothing.
FINISHED: Final = "stop"


@dataclass(frozen=True, slots=True)
class Line:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """`finish` is as the server said, None when it did not; tokens are None when not reported."""

    text: str
    finish: str | None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class Ask(Protocol):
    """Puts lines to a model."""

    async def __call__(self, lines: Sequence[Line], form: Form) -> Reply:
        """Ask once, `form` being what the reply should look like.

        Raises:
            EngineUnavailable: no usable reply came; `params["reason"]` is a Reason.
        """
        ...
