"""From what the client libraries raise to one of our reasons; the server's words end here."""

import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2
import openai

from service.engine.reasons import Reason, unavailable
from service.engine.transport import BodyTooLarge
from service.errors import EngineUnavailable

MOST_TEXT: Final = 4_000  # characters of a server's error that are looked at

_BY_STATUS: Final[Mapping[int, Reason]] = {
    401: Reason.KEY_REFUSED,
    402: Reason.NO_CREDIT,
    403: Reason.KEY_REFUSED,
    404: Reason.NOT_FOUND,
    408: Reason.TIMEOUT,
    413: Reason.TOO_LONG,
    429: Reason.BUSY,
}
# Statuses that mean several things; the server's text decides.
_BY_TEXT: Final[tuple[tuple[frozenset[int], re.Pattern[str], Reason], ...]] = (
    (
        frozenset({400, 413, 422}),
        re.compile(r"(?i)context.{0,3}(?:length|window|size)|too (?:long|many tokens)"),
        Reason.TOO_LONG,
    ),
    (
        frozenset({400, 403}),
        re.compile(r"(?i)content.?filter|content.?policy|inappropriate|sensitive|moderation"),
        Reason.FILTERED,
    ),
    (
        frozenset({400, 403, 429}),
        re.compile(r"(?i)insufficient.?(?:quota|balance)|billing|arrear"),
        Reason.NO_CREDIT,
    ),
    (
        frozenset({400}),
        re.compile(r"(?i)(?:invalid|incorrect|missing).{0,12}api.?key"),
        Reason.KEY_REFUSED,
    ),
    (
        frozenset({400, 422}),
        re.compile(r"(?i)model.{0,80}(?:not (?:exist|found)|unknown|does not exist)"),
        Reason.NOT_FOUND,
    ),
)


def status_reason(status: int, text: str) -> Reason:
    """The reason behind an HTTP status; `text` is looked at and never passed on."""
    for statuses, pattern, reason in _BY_TEXT:
        if status in statuses and pattern.search(text):
            return reason
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:  # noqa: PLR2004 - the server's own faults begin here
        return Reason.SERVER_FAULT
    return Reason.REFUSED if status >= 400 else Reason.REDIRECTED  # noqa: PLR2004


def refusal_of(error: Exception) -> EngineUnavailable:
    """The typed error for anything that a call to a model server raises."""
    if isinstance(error, openai.APIStatusError):
        reason = status_reason(error.status_code, body_text(error))
        return unavailable(reason, pause_of(error.response.headers))
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError):
        return unavailable(Reason.SERVER_FAULT)
    return unavailable(connection_reason(_origin(error)))


def body_text(error: openai.APIStatusError) -> str:
    """The body of an error, for looking at."""
    try:
        return json.dumps(error.body, ensure_ascii=False)[:MOST_TEXT]
    except (TypeError, ValueError, RecursionError):
        return ""


def pause_of(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, given as a number or as a date beside the response's own Date."""
    wanted = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", wanted):
        return float(wanted)
    try:
        pause = parsedate_to_datetime(wanted) - parsedate_to_datetime(headers.get("date", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, pause.total_seconds())


def _origin(error: BaseException) -> BaseException:
    """The first error of the chain that the HTTP client itself raised; both libraries wrap it."""
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, BodyTooLarge | httpx2.HTTPError | OSError):
            return link
        link = link.__cause__
    return error


def connection_reason(error: BaseException) -> Reason:
    """The reason behind an error of the HTTP client, or behind bytes it could not make out."""
    if isinstance(error, BodyTooLarge):
        return Reason.GARBLED
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return Reason.TIMEOUT
    if isinstance(error, httpx2.HTTPError | OSError):
        return Reason.UNREACHABLE
    return Reason.GARBLED
