"""Why a model could not be used. The sentences are ours: no server's words ever get through."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from service.domain.language import Message, msg
from service.errors import EngineUnavailable


class Reason(StrEnum):
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BUSY = "busy"
    SERVER_FAULT = "server_fault"
    GARBLED = "garbled"
    KEY_REFUSED = "key_refused"
    NO_CREDIT = "no_credit"
    NOT_FOUND = "not_found"
    TOO_LONG = "too_long"
    FILTERED = "filtered"
    REFUSED = "refused"
    REDIRECTED = "redirected"
    RESTING = "resting"
    SESSION_BUDGET = "session_budget"
    DAY_BUDGET = "day_budget"
    NOT_RECORDED = "not_recorded"


WHY: Final[Mapping[Reason, Message]] = {
    Reason.UNREACHABLE: msg("The model server cannot be reached."),
    Reason.TIMEOUT: msg("The model did not answer in time."),
    Reason.BUSY: msg("The model server is asking us to slow down."),
    Reason.SERVER_FAULT: msg("The model server reports a fault of its own."),
    Reason.GARBLED: msg("The model server sent something that is not a chat completion."),
    Reason.KEY_REFUSED: msg("The model server refuses the API key."),
    Reason.NO_CREDIT: msg("The model server says that the account has no credit left."),
    Reason.NOT_FOUND: msg("The model server does not know this address or model."),
    Reason.TOO_LONG: msg("The text is longer than the model can read."),
    Reason.FILTERED: msg("The model declined to read this text."),
    Reason.REFUSED: msg("The model server does not accept the request."),
    Reason.REDIRECTED: msg("The model server points to another address, which is not followed."),
    Reason.RESTING: msg("The model failed several times in a row and is left alone for a moment."),
    Reason.SESSION_BUDGET: msg("This interview has used up its calls to the model."),
    Reason.DAY_BUDGET: msg("Today's budget for the model is used up."),
    Reason.NOT_RECORDED: msg(
        "There is no recording of this act; record it with `python -m eval.record_engine`."
    ),
}

# Worth another try at once: the server may well answer a moment later.
PASSING: Final = frozenset({Reason.UNREACHABLE, Reason.BUSY, Reason.SERVER_FAULT})
# Signs that the server is not well; the others are about one request or about the set-up.
SICK: Final = PASSING | {Reason.TIMEOUT, Reason.GARBLED}


def unavailable(reason: Reason, retry_after: float | None = None) -> EngineUnavailable:
    """The error for `reason`; `retry_after` in seconds, when known."""
    return EngineUnavailable(WHY[reason].template, retry_after, reason=reason)


def reason_of(error: EngineUnavailable) -> Reason | None:
    reason = error.params.get("reason")
    return reason if isinstance(reason, Reason) else None
