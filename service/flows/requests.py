"""A POST with an Idempotency-Key happens once; its repeat is answered with the same words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final

from service.flows.parts import Parts

# Longer than any single use case takes; after it a crashed request may be tried again.
LEASE: Final = timedelta(seconds=60)
LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class Request:
    """`key` None means: no idempotency was asked for. `body` is what the request is about."""

    owner_id: str
    key: str | None
    route: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    text: str
    replayed: bool = False


async def once(parts: Parts, request: Request, work: Callable[[], Awaitable[Response]]) -> Response:
    """Do `work`, or give back what it answered before.

    Raises:
        KeyReused: the key came before with another route or body.
        TurnInProgress: the same request is being handled now.
    """
    if request.key is None:
        return await work()
    body_hash = sha256(request.body).hexdigest()
    now = parts.clock()
    known = await parts.store.claim(
        request.owner_id,
        request.key,
        request.route,
        body_hash,
        now=now,
        lease_until=now + LEASE,
    )
    if known is not None:
        return Response(known.status, known.response, replayed=True)
    return await _remembered(parts, request, request.key, body_hash, work)


async def _remembered(
    parts: Parts,
    request: Request,
    key: str,
    body_hash: str,
    work: Callable[[], Awaitable[Response]],
) -> Response:
    try:
        done = await work()
    except BaseException:
        await parts.store.forget(request.owner_id, key)
        raise
    kept = await parts.store.remember(
        request.owner_id, key, request.route, body_hash, done.status, done.text
    )
    return Response(kept.status, kept.response)
