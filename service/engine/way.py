"""The way to a model server: is the address one, and does name, port and certificate work."""

import asyncio
import socket
import ssl
from collections.abc import Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

from pydantic import SecretStr

from service.domain.language import Message, msg
from service.engine.model import is_http_url
from service.engine.step import State, Step
from service.engine.transport import is_loopback

_OPERATIONS: Final = ("/completions", "/chat", "/models", "/responses", "/embeddings")
_PORTS: Final = {"http": 80, "https": 443}


def examine_address(url: str, api_key: SecretStr | None) -> Step:
    """The address as it is written; nothing is sent."""
    for wrong, found, advice in _address_faults(url):
        if wrong:
            return Step("address", State.FAILED, found, advice)
    if urlsplit(url).scheme == "http" and api_key and not is_loopback(url):
        found = msg("The key travels unencrypted over http.")
        advice = msg("Use https unless the whole network is yours.")
        return Step("address", State.WARNING, found, advice)
    return Step("address", State.OK, msg("The address is well formed."))


def _address_faults(url: str) -> Sequence[tuple[bool, Message, Message]]:
    if url.strip() != url or not is_http_url(url):
        return (
            (
                True,
                msg("OPENAI_BASE_URL is not an http or https address."),
                msg("It must look like http://127.0.0.1:8000/v1, without spaces or quotes."),
            ),
        )
    parts = urlsplit(url)
    return (
        (
            bool(parts.username or parts.password or parts.query or parts.fragment),
            msg("OPENAI_BASE_URL holds more than scheme, host, port and path."),
            msg("Put the key into OPENAI_API_KEY and leave out anything after ? or #."),
        ),
        (
            parts.path.rstrip("/").endswith(_OPERATIONS),
            msg("OPENAI_BASE_URL names one operation instead of the base address."),
            msg("Leave out everything after the version, as in https://host/v1."),
        ),
    )


async def examine_way(url: str, seconds: float) -> Step:
    """Name, port and certificate. Behind a proxy only the proxy can tell, so it is left out."""
    parts = urlsplit(url)
    if parts.scheme in getproxies() and not is_loopback(url):
        return Step("way", State.SKIPPED, msg("A proxy stands in between; it is used."))
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    try:
        await _connect(parts, port, seconds)
    except (OSError, UnicodeError) as error:
        found, advice = _obstacle(error)
        return Step("way", State.FAILED, _named(found, host, port), advice)
    return Step("way", State.OK, msg("{host} answers on port {port}.", host=host, port=port))


async def _connect(parts: SplitResult, port: int, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        _, writer = await asyncio.open_connection(parts.hostname, port)
    try:
        if parts.scheme == "https":
            await _shake_hands(writer, parts.hostname or "", seconds)
    finally:
        writer.close()


async def _shake_hands(writer: asyncio.StreamWriter, host: str, seconds: float) -> None:
    """A server without TLS often waits in silence for the rest of a request."""
    try:
        async with asyncio.timeout(seconds):
            await writer.start_tls(ssl.create_default_context(), server_hostname=host)
    except TimeoutError as error:
        raise ssl.SSLError("no handshake") from error


def _named(found: Message, host: str, port: int) -> Message:
    return Message(found.template, (("host", host), ("port", port)))


# In this order: a kind of error before the kind that includes it.
_OBSTACLES: Final[Sequence[tuple[type[Exception], Message, Message]]] = (
    (
        ssl.SSLCertVerificationError,
        msg("{host} shows a certificate that cannot be trusted."),
        msg("Correct the host name, the server's certificate or this machine's clock."),
    ),
    (
        ssl.SSLError,
        msg("{host} does not speak https on port {port}."),
        msg("If the server has no certificate, write http:// instead of https://."),
    ),
    (
        socket.gaierror,
        msg("No machine is known by the name {host}."),
        msg("Correct the host in OPENAI_BASE_URL, or check this machine's name service."),
    ),
    (
        UnicodeError,
        msg("No machine is known by the name {host}."),
        msg("Correct the host in OPENAI_BASE_URL, or check this machine's name service."),
    ),
    (
        TimeoutError,
        msg("{host} does not answer on port {port}; a firewall may be in between."),
        msg("Check host and port in OPENAI_BASE_URL and the network between."),
    ),
    (
        ConnectionRefusedError,
        msg("Nothing listens on port {port} of {host}."),
        msg("Start the model server, or correct the port in OPENAI_BASE_URL."),
    ),
    (
        OSError,
        msg("{host} cannot be reached on port {port}."),
        msg("Check host and port in OPENAI_BASE_URL and the network between."),
    ),
)


def _obstacle(error: Exception) -> tuple[Message, Message]:
    return next((f, advice) for kind, f, advice in _OBSTACLES if isinstance(error, kind))
