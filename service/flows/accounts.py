"""Who is asking: the silent local user, an API key or a page session; and personal data.

Keys and page tokens are 32 random bytes; only their SHA-256 is kept. They are long and random, so
a plain hash is enough: there is nothing to guess.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from service.errors import NotSignedIn
from service.flows.parts import Parts
from service.store.port import ApiKey, Owner, Store

PAGE_SESSION: Final = timedelta(days=14)
KEY_PREFIX: Final = "sw_"


@dataclass(frozen=True, slots=True)
class NewKey:
    """`secret` is shown once and kept nowhere."""

    key: ApiKey
    secret: str


def hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


async def local_owner(parts: Parts) -> Owner:
    return await parts.store.local_owner()


async def owner_of_key(parts: Parts, secret: str) -> Owner:
    """Raises NotSignedIn for an unknown or revoked key."""
    owner = await parts.store.owner_of_key(hash_secret(secret))
    if owner is None:
        raise NotSignedIn("This API key is not known or has been revoked.")
    return owner


async def owner_of_page(parts: Parts, token: str) -> Owner | None:
    return await parts.store.owner_of_page_session(hash_secret(token), parts.clock())


async def sign_in(parts: Parts, secret: str, new_token: Callable[[], str]) -> str:
    """Exchange an API key for a page session; the token goes into a cookie.

    Raises:
        NotSignedIn: the key is not known.
    """
    owner = await owner_of_key(parts, secret)
    token = new_token()
    expires = parts.clock() + PAGE_SESSION
    await parts.store.add_page_session(owner.id, hash_secret(token), expires)
    return token


async def sign_out(parts: Parts, token: str) -> None:
    await parts.store.end_page_session(hash_secret(token))


async def create_owner_with_key(store: Store, name: str, secret: str) -> NewKey:
    """A new user with a first key; used by `shardwise key create`."""
    owner = await store.create_owner(name)
    key = await store.add_key(owner.id, name, hash_secret(secret), owner.created_at)
    return NewKey(key, secret)


async def revoke_key(store: Store, owner_id: str, key_id: str, now: datetime) -> None:
    """Refuse the key from now on, and every page that was opened with one of this owner's keys.

    Raises:
        NotFound: no such key of this owner.
    """
    await store.revoke_key(owner_id, key_id, now)
    await store.end_all_page_sessions(owner_id)


async def export_data(parts: Parts, owner_id: str) -> Mapping[str, object]:
    """All that is kept of one owner."""
    return await parts.store.export_owner(owner_id)


async def delete_data(parts: Parts, owner_id: str) -> None:
    """Everything of one owner, without residue."""
    await parts.store.delete_owner_data(owner_id)


__all__ = [
    "ApiKey",
    "NewKey",
    "Owner",
    "create_owner_with_key",
    "delete_data",
    "export_data",
    "hash_secret",
    "local_owner",
    "owner_of_key",
    "owner_of_page",
    "revoke_key",
    "sign_in",
    "sign_out",
]
