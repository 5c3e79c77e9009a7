"""`shardwise backup`: the settings' database goes into a new file, and nowhere else."""

import asyncio
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from service.assembly import utc_now
from service.cli.backup import backup
from service.errors import InputInvalid
from service.store.open import open_store

app = typer.Typer()
app.command()(backup)


def run(data: Path, target: Path) -> None:
    result = CliRunner().invoke(app, [str(target)], env={"SHARDWISE_DATA_DIR": str(data)})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output


async def _owners(path: Path, new: str | None = None) -> list[str]:
    store = await open_store(f"sqlite:///{path}", clock=utc_now)
    if new is not None:
        await store.create_owner(new)
    names = [owner.name for owner in await store.list_owners()]
    await store.close()
    return names


def test_the_copy_holds_what_the_database_holds(tmp_path: Path) -> None:
    asyncio.run(_owners(tmp_path / "shardwise.sqlite", "Ada"))
    run(tmp_path, tmp_path / "copy.sqlite")
    assert asyncio.run(_owners(tmp_path / "copy.sqlite")) == ["Ada"]


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("keep me")
    with pytest.raises(InputInvalid, match="precious"):
        run(tmp_path, tmp_path / "precious")
    assert (tmp_path / "precious").read_text() == "keep me"
