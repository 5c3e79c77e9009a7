"""The HTTP client towards a model server: no redirects, no bottomless bodies, no surprises."""

import ipaddress
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

import httpx2

LARGEST_BODY: Final = 4_000_000  # bytes of one response
CONNECT_SECONDS: Final = 10.0


class BodyTooLarge(Exception):
    """More bytes than any chat completion has."""


class _Counted(httpx2.AsyncByteStream):
    """Passes a body on and stops at the limit."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for piece in self._body:
            seen += len(piece)
            if seen > LARGEST_BODY:
                raise BodyTooLarge
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


async def _limit(response: httpx2.Response) -> None:
    # A packed body would be counted before it is unpacked, so it is not read at all.
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise BodyTooLarge
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Counted(response.stream)


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def make_client(base_url: str, seconds: float) -> httpx2.AsyncClient:
    """A client for one server. The key goes to that server alone: redirects are not followed.

    `seconds` bounds each read only; the caller sets the deadline of the whole. A proxy named in
    the environment is used, except towards this machine.
    """
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        follow_redirects=False,
        trust_env=not is_loopback(base_url),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_limit]},
    )
