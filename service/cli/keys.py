"""`shardwise key`: who may use a service that others can reach."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.store.port import Store

keys = typer.Typer(help="API keys. 接口密钥。", no_args_is_help=True)


async def _with_store(work: "Callable[[Store], Awaitable[None]]") -> None:
    from service.assembly import utc_now
    from service.settings import read_settings
    from service.store.open import open_store

    store = await open_store(read_settings().store_url, clock=utc_now)
    try:
        await work(store)
    finally:
        await store.close()


@keys.command()
def create(name: Annotated[str, typer.Argument(help="Whose key it is.")]) -> None:
    """Make a user with a key; the key is shown once. 创建用户与密钥，只显示一次。"""

    async def work(store: "Store") -> None:
        from service.assembly import new_secret
        from service.cli.language import reader_language
        from service.cli.sentences import KEY_SHOWN_ONCE
        from service.flows.accounts import create_owner_with_key
        from service.wording import load_wording

        made = await create_owner_with_key(store, name, new_secret())
        typer.echo(made.secret)
        once = load_wording().render(KEY_SHOWN_ONCE, reader_language(""))
        typer.echo(f"{made.key.id}  {name}  {once}", err=True)

    asyncio.run(_with_store(work))


@keys.command(name="list")
def list_keys() -> None:
    """Users and their keys, never the secrets. 列出用户与密钥。"""

    async def work(store: "Store") -> None:
        for owner in await store.list_owners():
            for key in await store.list_keys(owner.id):
                state = "revoked" if key.revoked_at else "active"
                typer.echo(f"{key.id}\t{owner.name}\t{key.name}\t{state}")

    asyncio.run(_with_store(work))


@keys.command()
def revoke(key_id: Annotated[str, typer.Argument(help="From `shardwise key list`.")]) -> None:
    """Revoke a key at once. 立即吊销密钥。"""

    async def work(store: "Store") -> None:
        from service.assembly import utc_now
        from service.errors import NotFound
        from service.flows.accounts import revoke_key

        for owner in await store.list_owners():
            if key_id in {k.id for k in await store.list_keys(owner.id)}:
                await revoke_key(store, owner.id, key_id, utc_now())
                return
        raise NotFound("There is no key {id}.", id=key_id)

    asyncio.run(_with_store(work))
