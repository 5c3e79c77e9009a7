"""ASGI layers around everything: one line and one count a request, and no bare failure."""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.observe.logs import failure
from service.observe.metrics import Metrics

REQUEST_ID: Final = "X-Request-ID"
LONGEST_REQUEST_ID: Final = 64
UNROUTED: Final = "unrouted"
# A caller may invent methods; each would be a series of its own.
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD: Final = "OTHER"
PROBLEM: Final = "application/problem+json"
SERVER_ERROR: Final = 500


class Observing:
    """The outermost layer. `clock` gives seconds that never run backwards."""

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
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self.app(scope, receive, send_seen)
            finally:
                self._note(scope, seen["status"], self.clock() - begun)

    def _request_id(self, scope: Scope) -> str:
        """The caller's own id if it is a plain word, else a new one."""
        given = Headers(scope=scope).get(REQUEST_ID.lower(), "")
        plain = given.isascii() and given.replace("-", "").isalnum()
        return given if plain and len(given) <= LONGEST_REQUEST_ID else self.new_id()

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope), method_of(scope)
        self.metrics.note(method, route, status, seconds)
        log = structlog.get_logger()
        tell = log.error if status >= SERVER_ERROR else log.info
        tell(
            "request",
            method=method,
            route=route,
            status=status,
            milliseconds=round(seconds * 1000, 1),
        )


def route_of(scope: MutableMapping[str, Any]) -> str:
    """The route's template (`/v1/sessions/{session_id}`), so that no id becomes a label."""
    return str(getattr(scope.get("route"), "path", UNROUTED))


def method_of(scope: MutableMapping[str, Any]) -> str:
    method = str(scope["method"])
    return method if method in METHODS else OTHER_METHOD


class LastResort:
    """What nobody foresaw becomes a problem document, and a line that says where it happened."""

    def __init__(self, app: ASGIApp, body: bytes) -> None:
        self.app = app
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_seen(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_seen)
        except Exception as error:
            structlog.get_logger().error("failed", route=route_of(scope), **failure(error))
            if started:
                raise
            await send_problem(send, SERVER_ERROR, self.body)


async def send_problem(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", PROBLEM.encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class PlainRefusals:
    """Turns the bare refusals of ready-made layers into problem documents, by status."""

    def __init__(self, app: ASGIApp, bodies: Mapping[int, bytes]) -> None:
        self.app = app
        self.bodies = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes | None = None

        async def send_rewritten(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start" and _is_bare(message):
                body = self.bodies.get(message["status"])
                if body is not None:
                    headers = MutableHeaders(scope=message)
                    headers["content-type"] = PROBLEM
                    headers["content-length"] = str(len(body))
            if message["type"] == "http.response.body" and body is not None:
                message = {"type": "http.response.body", "body": body}
            await send(message)

        await self.app(scope, receive, send_rewritten)


def _is_bare(message: Message) -> bool:
    return MutableHeaders(scope=message).get("content-type", "").startswith("text/plain")
