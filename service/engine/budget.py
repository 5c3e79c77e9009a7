"""Limits what one interview and one day may cost. Kept in memory: a restart begins a new count."""

from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from typing import Final

from service.engine.ask import Ask, Line, Reply
from service.engine.reasons import Reason, unavailable
from service.prompting.form import Form

SESSIONS_KEPT: Final = 10_000
# Where a server reports no usage: on the high side for both languages.
CHARACTERS_PER_TOKEN: Final = 2

_SESSION: Final[ContextVar[str | None]] = ContextVar("session", default=None)


@contextmanager
def spending(session_id: str) -> Generator[None]:
    """Within it, every exchange is on this interview's account."""
    token = _SESSION.set(session_id)
    try:
        yield
    finally:
        _SESSION.reset(token)


class BudgetAsk:
    """Counts exchanges per interview and tokens per day, and refuses beyond the limits.

    Tokens are known only afterwards, so exchanges under way can overrun the day's limit once.
    `today` gives the day on whose account the tokens go.
    """

    def __init__(
        self,
        ask: Ask,
        *,
        calls_per_session: int,
        tokens_per_day: int,
        today: Callable[[], date],
    ) -> None:
        self._ask = ask
        self._calls_per_session = calls_per_session
        self._tokens_per_day = tokens_per_day
        self._today = today
        self._calls: OrderedDict[str, int] = OrderedDict()
        self._day = today()
        self._tokens = 0

    async def __call__(self, lines: Sequence[Line], form: Form) -> Reply:
        """Ask, if there is something left to spend.

        Raises:
            EngineUnavailable: as the inner ask, or with Reason.SESSION_BUDGET or DAY_BUDGET.
        """
        self._admit()
        reply = await self._ask(lines, form)
        self._tokens += _tokens(lines, reply)
        return reply

    def _admit(self) -> None:
        if self._today() != self._day:
            self._day, self._tokens = self._today(), 0
        if self._tokens >= self._tokens_per_day:
            raise unavailable(Reason.DAY_BUDGET)
        session = _SESSION.get()
        if session is None:
            return
        calls = self._calls.pop(session, 0)
        self._calls[session] = calls + 1
        if len(self._calls) > SESSIONS_KEPT:
            self._calls.popitem(last=False)
        if calls >= self._calls_per_session:
            raise unavailable(Reason.SESSION_BUDGET)


def _tokens(lines: Sequence[Line], reply: Reply) -> int:
    if reply.input_tokens is not None and reply.output_tokens is not None:
        return reply.input_tokens + reply.output_tokens
    characters = sum(len(line.text) for line in lines) + len(reply.text)
    return characters // CHARACTERS_PER_TOKEN
