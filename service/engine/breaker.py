"""Leaves a model that fails again and again alone for a while, then tries it with one exchange."""

from collections.abc import Callable, Sequence
from typing import Final

from service.engine.ask import Ask, Line, Reply
from service.engine.reasons import SICK, Reason, reason_of, unavailable
from service.errors import EngineUnavailable
from service.prompting.form import Form

FAILURES: Final = 5  # in a row
REST_SECONDS: Final = 30.0


class BreakerAsk:
    """Closed: everything passes. Open: refused at once. After the rest: one probe decides.

    `clock` gives seconds that never run backwards. Refusals that say nothing about the server's
    health (a filtered text, a wrong key) neither count nor clear the count.
    """

    def __init__(
        self,
        ask: Ask,
        clock: Callable[[], float],
        failures: int = FAILURES,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._limit = failures
        self._rest_seconds = rest_seconds
        self._failed = 0
        self._opened_at: float | None = None
        self._probing = False

    async def __call__(self, lines: Sequence[Line], form: Form) -> Reply:
        """Ask, unless the model is resting.

        Raises:
            EngineUnavailable: as the inner ask, or with Reason.RESTING and the seconds left.
        """
        probe = self._admit()
        try:
            reply = await self._ask(lines, form)
        except EngineUnavailable as error:
            self._count(error)
            raise
        else:
            self._failed, self._opened_at = 0, None
            return reply
        finally:
            # Also when the probe was cancelled: the next caller may try.
            self._probing = self._probing and not probe

    def _admit(self) -> bool:
        """Whether this exchange is the probe."""
        if self._opened_at is None:
            return False
        left = self._opened_at + self._rest_seconds - self._clock()
        if left > 0 or self._probing:
            raise unavailable(Reason.RESTING, max(left, 1.0))
        self._probing = True
        return True

    def _count(self, error: EngineUnavailable) -> None:
        if reason_of(error) not in SICK:
            return
        self._failed += 1
        if self._failed >= self._limit:
            self._opened_at = self._clock()
