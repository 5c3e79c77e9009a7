"""Headers on every response, and no change of state from another site's page."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
DIRECTIVES: Final[Mapping[str, str]] = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
POLICY: Final = "; ".join(f"{name} {sources}" for name, sources in DIRECTIVES.items())
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# Personal by default: only what says otherwise (static files) may be kept.
UNKEPT: Final = "no-store"


class WebSecurity:
    """ASGI middleware; wraps pages and API alike. `refusal` is a problem document."""

    def __init__(self, app: ASGIApp, refusal: bytes = b"{}") -> None:
        self.app = app
        self.refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _guard(MutableHeaders(scope=message))
            await send(message)

        if scope["method"] not in SAFE_METHODS and not is_same_origin(Headers(scope=scope)):
            refusal = Response(self.refusal, 403, media_type="application/problem+json")
            await refusal(scope, receive, send_guarded)
            return
        await self.app(scope, receive, send_guarded)


def _guard(headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", UNKEPT)


def is_same_origin(headers: Headers) -> bool:
    """Whether a request may change state: a browser says where it comes from, others say nothing.

    Sec-Fetch-Site is set by the browser and out of a page's reach; Origin is the older sign.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc == headers.get("host")
