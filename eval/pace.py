"""How fast a run may go: so many at once, and a pause for all when the server asks for one.

Also how far it has come. Seconds come from the caller's clock; nothing here looks at one itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.engine.reasons import SICK, Reason, reason_of
from service.errors import EngineUnavailable

ATTEMPTS: Final = 3
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
# So many failures of transport in a row, retries included, and the server is left alone.
GIVE_UP_AFTER: Final = 5
# Worth another try after a pause: the server is busy, ill or resting.
WORTH_WAITING: Final = SICK | {Reason.RESTING}
_MINUTE: Final = 60
_HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Pace:
    """`at_once` items at a time; `clock` in seconds that never run backwards."""

    at_once: int
    clock: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    attempts: int = ATTEMPTS
    first_pause: float = FIRST_PAUSE


class Gate:
    """One pause for all: whoever is told to slow down slows everybody down."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._closed_until = 0.0
        self._failures = 0

    @property
    def gave_up(self) -> bool:
        return self._failures >= GIVE_UP_AFTER

    async def wait(self) -> None:
        while (left := self._closed_until - self._pace.clock()) > 0:
            await self._pace.sleep(left)

    def answered(self) -> None:
        self._failures = 0

    def failed(self, error: EngineUnavailable, attempt: int) -> bool:
        """Close the gate for a while; True when the item is worth another attempt (from 1)."""
        if reason_of(error) not in WORTH_WAITING:
            return False
        self._failures += 1
        pause = error.retry_after or self._pace.first_pause * 2 ** (attempt - 1)
        until = self._pace.clock() + min(pause, LONGEST_PAUSE)
        self._closed_until = max(self._closed_until, until)
        return attempt < self._pace.attempts and not self.gave_up


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` items, `here` of them in this go of `seconds`."""

    done: int
    total: int
    here: int
    seconds: float

    @property
    def rate(self) -> float:
        """Items a second in this go."""
        return self.here / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        return (self.total - self.done) / self.rate if self.rate else None

    @property
    def message(self) -> Message:
        left = msg("?") if self.seconds_left is None else span_of(self.seconds_left)
        rate = f"{self.rate:.1f}"
        return msg(
            "{done}/{total}  {rate}/s  {left} left",
            done=self.done,
            total=self.total,
            rate=rate,
            left=left,
        )

    def __str__(self) -> str:
        return str(self.message)


def span_of(seconds: float) -> Message:
    """Seconds as 42 s, 3 min 05 s or 2 h 10 min."""
    whole = round(seconds)
    if whole < _MINUTE:
        return msg("{seconds} s", seconds=whole)
    if whole < _HOUR:
        seconds_left = f"{whole % _MINUTE:02}"
        return msg("{minutes} min {seconds} s", minutes=whole // _MINUTE, seconds=seconds_left)
    minutes_left = f"{whole % _HOUR // _MINUTE:02}"
    return msg("{hours} h {minutes} min", hours=whole // _HOUR, minutes=minutes_left)
