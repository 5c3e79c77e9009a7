"""One status for every error, and the body of RFC 9457. There is no default on purpose."""

import json
from collections.abc import Mapping
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from service import errors
from service.api.faults import tell_faults
from service.domain.language import Lang, Message, msg
from service.errors import EngineUnavailable, FileUnreadable, ShardwiseError
from service.wording.catalogue import Wording
from service.wording.negotiation import LANG_COOKIE, negotiate

PROBLEM: Final = "application/problem+json"
STATUS: Final[Mapping[type[ShardwiseError], int]] = {
    errors.NotFound: 404,
    errors.SessionClosed: 409,
    errors.SessionPaused: 409,
    errors.TurnOutOfOrder: 409,
    errors.TurnInProgress: 409,
    errors.VersionOutdated: 409,
    errors.KeyReused: 422,
    errors.TextEmpty: 422,
    errors.TextTooLong: 413,
    errors.TextInvalid: 422,
    errors.FileTooLarge: 413,
    errors.FileUnsupported: 415,
    errors.FileUnreadable: 422,
    errors.InputInvalid: 422,
    errors.ModelUnknown: 422,
    errors.NotSignedIn: 401,
    errors.TooManyRequests: 429,
    errors.EngineUnavailable: 503,
    errors.ReadingInvalid: 502,
    errors.StoreBusy: 503,
    errors.StoreFull: 507,
    errors.StoreGone: 503,
    errors.SettingsInvalid: 500,
    errors.PromptInvalid: 500,
    errors.KnowledgeInvalid: 500,
    errors.StoreInvalid: 500,
}
# Seconds after which the same request is worth another try.
RETRY_AFTER: Final[Mapping[type[ShardwiseError], int]] = {
    errors.TurnInProgress: 2,
    errors.StoreBusy: 1,
    errors.EngineUnavailable: 10,
    errors.TooManyRequests: 10,
}
TITLES: Final[Mapping[int, Message]] = {
    400: msg("The request cannot be read."),
    401: msg("Sign in first."),
    403: msg("This is not allowed from another site."),
    404: msg("There is nothing here."),
    405: msg("This address does not take that method."),
    406: msg("That form of answer cannot be given."),
    409: msg("Not now: it is over, paused, being read, or somebody was faster."),
    413: msg("That is too large."),
    415: msg("That kind of content cannot be read."),
    422: msg("The request does not fit the form."),
    429: msg("Too many requests; slow down."),
    500: msg("Something went wrong on our side."),
    502: msg("The model answered, but not in a form that can be used."),
    503: msg("Busy, or the model cannot be reached; try again later."),
    507: msg("There is no room left on the disk; nothing was changed."),
}


def code_of(error: ShardwiseError) -> str:
    """session_closed for SessionClosed: stable, for programs."""
    name = type(error).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def language_of(request: Request) -> Lang:
    return negotiate(request.headers.get("accept-language"), request.cookies.get(LANG_COOKIE))


class ProblemResponse(JSONResponse):
    """ASCII with escapes: a problem may name a field that no UTF-8 can carry."""

    media_type = PROBLEM

    def render(self, content: object) -> bytes:
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


def problem(status: int, code: str, detail: str, headers: Mapping[str, str]) -> Response:
    body = {"type": f"urn:shardwise:{code}", "title": code, "status": status, "detail": detail}
    return ProblemResponse(body, status, dict(headers))


def shardwise_problem(request: Request, error: ShardwiseError, wording: Wording) -> Response:
    """The typed error as a problem, in the reader's language."""
    body: dict[str, object] = {
        "type": f"urn:shardwise:{code_of(error)}",
        "title": code_of(error),
        "status": STATUS[type(error)],
        "detail": wording.error(error, language_of(request)),
    }
    if isinstance(error, FileUnreadable):
        body["quality"] = error.quality
    return ProblemResponse(body, STATUS[type(error)], _retry(error))


def _retry(error: ShardwiseError) -> dict[str, str]:
    seconds = RETRY_AFTER.get(type(error))
    if isinstance(error, EngineUnavailable) and error.retry_after is not None:
        seconds = max(1, round(error.retry_after))
    return {} if seconds is None else {"Retry-After": str(seconds)}


def install_errors(app: FastAPI, wording: Wording) -> None:
    """Every way a request can fail, as a problem document."""

    def on_shardwise(request: Request, error: Exception) -> Response:
        if not isinstance(error, ShardwiseError):
            raise error
        return shardwise_problem(request, error, wording)

    def on_http(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            raise error
        text = wording.render(TITLES.get(error.status_code, TITLES[400]), language_of(request))
        return problem(error.status_code, f"http_{error.status_code}", text, error.headers or {})

    def on_invalid(request: Request, error: Exception) -> Response:
        if not isinstance(error, RequestValidationError):
            raise error
        return _invalid(request, error, wording)

    app.add_exception_handler(ShardwiseError, on_shardwise)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(RequestValidationError, on_invalid)


def _invalid(request: Request, error: RequestValidationError, wording: Wording) -> Response:
    """Says which field is off; never echoes the value, which may be somebody's résumé."""
    lang = language_of(request)
    body = {
        "type": "urn:shardwise:request_invalid",
        "title": "request_invalid",
        "status": 422,
        "detail": wording.render(TITLES[422], lang),
        "faults": tell_faults(error, wording, lang),
    }
    return ProblemResponse(body, 422)
