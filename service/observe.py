"""Seeing what the service does: one structured line and one count per request, never its text."""

import logging
from collections.abc import Callable, MutableMapping
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
REQUEST_ID: Final = "X-Request-ID"
LONGEST_REQUEST_ID: Final = 64
# Seconds; a built-in turn is to stay below the third.
BUCKETS: Final = (0.01, 0.03, 0.12, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0)
UNROUTED: Final = "unrouted"
TOO_LARGE: Final = 413
SERVER_ERROR: Final = 500


def configure_logs(level: str) -> None:
    """One JSON object per line on standard error; line breaks inside values are escaped."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=structlog.PrintLoggerFactory(_standard_error()),
        cache_logger_on_first_use=False,
    )


def _standard_error() -> Any:
    import sys

    return sys.stderr


class Metrics:
    """Counts and durations by route template and status; ids and texts are never labels."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "shardwise_requests_total",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "shardwise_request_seconds",
            "Time to the end of the response.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )

    def page(self) -> bytes:
        return generate_latest(self.registry)


class Observing:
    """ASGI middleware. `clock` gives seconds that never run backwards."""

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        clock: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.clock = clock
        self.new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = self._request_id(scope)
        seen: dict[str, int] = {"status": SERVER_ERROR}

        async def send_seen(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen["status"] = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        begun = self.clock()
        try:
            await self.app(scope, receive, send_seen)
        finally:
            self._note(scope, request_id, seen["status"], self.clock() - begun)

    def _request_id(self, scope: Scope) -> str:
        """The caller's own id if it is a plain word, else a new one."""
        given = Headers(scope=scope).get(REQUEST_ID.lower(), "")
        plain = given.isascii() and given.replace("-", "").isalnum()
        return given if plain and len(given) <= LONGEST_REQUEST_ID else self.new_id()

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = route_of(scope)
        method = str(scope["method"])
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(method, route).observe(seconds)
        log = structlog.get_logger()
        tell = log.error if status >= SERVER_ERROR else log.info
        tell(
            "request",
            request_id=request_id,
            method=method,
            route=route,
            status=status,
            milliseconds=round(seconds * 1000, 1),
        )


def route_of(scope: MutableMapping[str, Any]) -> str:
    """The route's template (`/v1/sessions/{session_id}`), so that no id becomes a label."""
    return str(getattr(scope.get("route"), "path", UNROUTED))


class PlainTooLarge:
    """Turns the framework's bare 413 into a problem document: it bypasses error handlers."""

    def __init__(self, app: ASGIApp, body: bytes) -> None:
        self.app = app
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rewriting = False

        async def send_problem(message: Message) -> None:
            nonlocal rewriting
            if message["type"] == "http.response.start" and _is_bare(message):
                rewriting = True
                headers = MutableHeaders(scope=message)
                headers["content-type"] = "application/problem+json"
                headers["content-length"] = str(len(self.body))
            if message["type"] == "http.response.body" and rewriting:
                message = {"type": "http.response.body", "body": self.body}
            await send(message)

        await self.app(scope, receive, send_problem)


def _is_bare(message: Message) -> bool:
    kind = MutableHeaders(scope=message).get("content-type", "")
    return bool(message["status"] == TOO_LARGE) and kind.startswith("text/plain")
