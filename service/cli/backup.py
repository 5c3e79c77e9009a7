"""`shardwise backup`: a whole copy of the database while the service goes on."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer


def backup(target: Annotated[Path, typer.Argument(help="A file that is not there yet.")]) -> None:
    """Copy the SQLite database, also while the service runs. 备份数据库，无需停机。"""
    asyncio.run(_backup(target))


async def _backup(target: Path) -> None:
    from service.assembly import utc_now
    from service.settings import read_settings
    from service.store.open import open_store

    store = await open_store(read_settings().store_url, clock=utc_now)
    try:
        await store.backup(target)
    finally:
        await store.close()
