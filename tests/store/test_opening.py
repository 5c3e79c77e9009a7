"""Opening: made whole, looked at first, brought up to date, refused when it must not be touched."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from service.errors import InputInvalid, StoreGone, StoreInvalid
from service.store.database import make_migrating_engine, read_url
from service.store.migrate import STEPS
from service.store.open import open_store
from service.store.schema import HEAD, Base

FOLDER_MODE, FILE_MODE = 0o700, 0o600


async def _filled(url: str, clock, a, resumes: int = 60) -> None:
    opened = await open_store(url, clock=clock)
    owner = await opened.local_owner()
    for number in range(resumes):
        await opened.add_resume(owner.id, a.resume(f"r{number}", words="words " * 400))
    await opened.close()


# A new file


async def test_folder_and_file_are_made_for_their_owner_alone(
    sqlite_url: str, sqlite_path: Path, clock
) -> None:
    opened = await open_store(sqlite_url, clock=clock)
    assert stat.S_IMODE(sqlite_path.parent.stat().st_mode) == FOLDER_MODE
    await opened.local_owner()
    for file in sqlite_path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == FILE_MODE, file
    await opened.close()
    assert [f.name for f in sqlite_path.parent.iterdir()] == [sqlite_path.name]


async def test_every_connection_is_careful(sqlite_store) -> None:
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "busy_timeout": 5000,
    }
    async with sqlite_store.database.read() as db:
        found = {name: (await db.execute(text(f"PRAGMA {name}"))).scalar() for name in wanted}
    assert found == wanted


async def test_a_short_url_gets_the_right_driver() -> None:
    assert read_url("sqlite:///x.db").drivername == "sqlite+aiosqlite"
    assert read_url("postgresql://u@h/x").drivername == "postgresql+psycopg"


@pytest.mark.parametrize("url", ["", "not a url", "mysql://u:secret@h/x"])
async def test_a_url_of_another_kind_is_refused(url: str, clock) -> None:
    with pytest.raises(StoreInvalid) as caught:
        await open_store(url, clock=clock)
    assert "secret" not in str(caught.value)


async def test_a_database_in_memory_works_like_a_file(clock, a) -> None:
    opened = await open_store("sqlite://", clock=clock)
    owner = await opened.local_owner()
    await opened.add_session(owner.id, a.session())
    assert (await opened.get_session(owner.id, "s1")).id == "s1"
    assert (await opened.health()).ok
    await opened.close()


async def test_drafts_of_the_dead_are_swept_and_those_of_the_living_stay(
    sqlite_url: str, sqlite_path: Path, clock
) -> None:
    dead, living = _drafts(sqlite_path, 7_200), _drafts(sqlite_path, 60)
    await (await open_store(sqlite_url, clock=clock)).close()
    assert _names(sqlite_path.parent) == {sqlite_path.name, living}
    assert dead != living


def _drafts(path: Path, seconds_old: int) -> str:
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f".{path.name}.{seconds_old}.new")
    draft.touch()
    then = draft.stat().st_mtime - seconds_old
    os.utime(draft, (then, then))
    return draft.name


def _names(folder: Path) -> set[str]:
    return {f.name for f in folder.iterdir()}


# Damage


def _overwrite(path: Path, at: int, with_: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(with_)


def _page(path: Path) -> int:
    """The offset of a page in the middle of the file."""
    return path.stat().st_size // 2 // 4096 * 4096


DAMAGES: dict[str, Callable[[Path], object]] = {
    "its first page is gone": lambda p: _overwrite(p, 0, b"\xa5" * 4096),
    "a page in the middle is gone": lambda p: _overwrite(p, _page(p), b"\xa5" * 4096),
    "it is cut short": lambda p: p.write_bytes(p.read_bytes()[: _page(p)]),
    "it is all zeros": lambda p: p.write_bytes(bytes(p.stat().st_size)),
    "it is empty": lambda p: p.write_bytes(b""),
    "it is a text": lambda p: p.write_text("Dear diary, today I was no database."),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_file_is_refused_by_name_and_left_alone(
    sqlite_url: str, sqlite_path: Path, clock, a, damage: str
) -> None:
    await _filled(sqlite_url, clock, a)
    DAMAGES[damage](sqlite_path)
    before = _content(sqlite_path)
    with pytest.raises(StoreInvalid) as caught:
        await open_store(sqlite_url, clock=clock)
    assert str(sqlite_path) in str(caught.value)
    assert "backup" in str(caught.value)
    assert _content(sqlite_path) == before


def _content(path: Path) -> bytes:
    return path.read_bytes()


def _make_other(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.commit()


async def test_another_programs_database_is_refused(
    sqlite_url: str, sqlite_path: Path, clock
) -> None:
    _make_other(sqlite_path)
    before = _content(sqlite_path)
    with pytest.raises(StoreInvalid, match="another program"):
        await open_store(sqlite_url, clock=clock)
    assert _content(sqlite_path) == before


def _write(path: Path, words: str) -> None:
    path.write_text(words)


def _make_folder(path: Path) -> None:
    path.mkdir(parents=True)


async def test_a_folder_in_the_files_place_is_refused(
    sqlite_url: str, sqlite_path: Path, clock
) -> None:
    _make_folder(sqlite_path)
    with pytest.raises(StoreInvalid, match="not a file"):
        await open_store(sqlite_url, clock=clock)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, clock) -> None:
    _write(tmp_path / "file", "no folder")
    with pytest.raises(StoreInvalid, match="file"):
        await open_store(f"sqlite:///{tmp_path}/file/x.sqlite", clock=clock)


async def test_an_unreachable_server_is_named_without_its_password(clock) -> None:
    with pytest.raises(StoreInvalid) as caught:
        await open_store("postgresql://u:secret@127.0.0.1:9/x?connect_timeout=2", clock=clock)
    assert "127.0.0.1:9" in str(caught.value)
    assert "secret" not in str(caught.value)


# Steps


async def test_a_newer_database_is_refused_and_left_alone(url: str, clock, a) -> None:
    await _filled(url, clock, a, resumes=1)
    engine = make_migrating_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreInvalid, match="newer"):
        await open_store(url, clock=clock)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": HEAD})
    opened = await open_store(url, clock=clock)
    assert len(await opened.list_resumes("local")) == 1
    await opened.close()


async def test_a_step_can_be_run_again_over_what_it_made(url: str, clock, a) -> None:
    await _filled(url, clock, a, resumes=2)
    engine = make_migrating_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
    opened = await open_store(url, clock=clock)
    assert len(await opened.list_resumes("local")) == 2
    assert (await opened.health()).ok
    await opened.close()
    with engine.begin() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        assert list(found) == [HEAD]


async def test_the_steps_build_the_tables_that_the_code_expects(url: str, clock) -> None:
    await (await open_store(url, clock=clock)).close()
    engine = make_migrating_engine(read_url(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_the_newest_step_is_the_one_the_code_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(STEPS))
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [HEAD]
    assert len(list(script.walk_revisions())) >= 1


async def test_rows_that_point_nowhere_stop_an_update(
    sqlite_url: str, sqlite_path: Path, clock, a
) -> None:
    await _filled(sqlite_url, clock, a, resumes=1)
    with closing(sqlite3.connect(sqlite_path)) as raw:
        raw.execute("UPDATE resumes SET owner_id = 'ghost'")
        raw.execute("DELETE FROM alembic_version")
        raw.commit()
    with pytest.raises(StoreInvalid, match="resumes"):
        await open_store(sqlite_url, clock=clock)


# Backup


async def test_a_backup_is_whole_and_opens_as_a_store(
    sqlite_store, sqlite_url: str, tmp_path: Path, clock, a
) -> None:
    owner = await sqlite_store.local_owner()

    async def write() -> None:
        for number in range(40):
            await sqlite_store.add_resume(owner.id, a.resume(f"r{number}"))

    await sqlite_store.add_resume(owner.id, a.resume("before"))
    writing = asyncio.create_task(write())
    copies = [tmp_path / f"{n}.sqlite" for n in range(3)]
    for copy in copies:
        await sqlite_store.backup(copy)
    await writing
    for copy in copies:
        assert stat.S_IMODE(copy.stat().st_mode) == FILE_MODE
        restored = await open_store(f"sqlite:///{copy}", clock=clock)
        assert (await restored.get_resume(owner.id, "before")) == a.resume("before")
        await restored.close()


async def test_a_backup_never_replaces_a_file(sqlite_store, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    _write(target, "keep me")
    with pytest.raises(InputInvalid, match="precious"):
        await sqlite_store.backup(target)
    assert _content(target) == b"keep me"


async def test_a_file_that_was_removed_while_serving_is_noticed(
    sqlite_url: str, sqlite_path: Path, clock
) -> None:
    opened = await open_store(sqlite_url, clock=clock)
    assert (await opened.health()).ok
    await asyncio.to_thread(sqlite_path.unlink)
    health = await opened.health()
    assert not health.ok
    assert "not there any more" in health.why
    with pytest.raises(StoreGone):
        await opened.create_owner("somebody")
    await opened.close()
