"""The SQLite file itself: made whole or not at all, looked at before use, never replaced."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from service.domain.language import msg
from service.errors import StoreInvalid

APPLICATION_ID: Final = 0x53_48_52_44  # "SHRD", in the header of every file that is ours
_DRAFT_SECONDS: Final = 3600
_HEADER: Final = b"SQLite format 3\x00"
_LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_RESTORE: Final = msg("Nothing was changed. Move the file away and put a backup in its place.")


def make_room(path: Path) -> None:
    """The folder, for its owner alone when it is new.

    Raises:
        StoreInvalid: it cannot be made, or not be written to.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreInvalid(
            "The folder of the database cannot be made: {path} ({why}).",
            path=path.parent,
            why=error.strerror,
        ) from error
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreInvalid(
            "The folder of the database cannot be written to: {path}.", path=path.parent
        )


def new_file(path: Path) -> Path:
    """An empty file beside `path` to build the database in; readable by its owner alone."""
    draft = path.with_name(f".{path.name}.{uuid4().hex}.new")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(draft)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _sweep(draft, path)
    return draft


def _sweep(draft: Path, path: Path) -> None:
    """Remove drafts of processes that died while building; a living one needs seconds."""
    now = draft.stat().st_mtime
    for other in path.parent.glob(f".{path.name}.*.new*"):
        with suppress(FileNotFoundError):
            if other.stat().st_mtime < now - _DRAFT_SECONDS:
                other.unlink()


def put_in_place(draft: Path, path: Path) -> None:
    """Give the finished file its name; a file that another process put there first stays."""
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            draft.rename(path)


def inspect_file(path: Path) -> None:
    """Look, change nothing.

    Raises:
        StoreInvalid: no SQLite file, damaged, unreadable, or another program's.
    """
    if not path.is_file():
        raise StoreInvalid("The database is not a file: {path}.", path=path)
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except OSError as error:
        raise StoreInvalid(
            "The database cannot be opened: {path} ({why}).", path=path, why=error.strerror
        ) from error
    if header != _HEADER:
        raise StoreInvalid(
            "This is no database, or its beginning is damaged: {path}. {restore}",
            path=path,
            restore=_RESTORE,
        )
    if not os.access(path, os.W_OK):
        raise StoreInvalid("The database cannot be written to: {path}.", path=path)
    _inspect_content(path)


def _inspect_content(path: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            faults = [str(row[0]) for row in database.execute("PRAGMA quick_check(20)")]
            marks = {int(row[0]) for row in database.execute("PRAGMA application_id")}
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) in _LOCKED:
            return  # somebody is writing to it: it is alive, and he looked at his start
        raise StoreInvalid(
            "The database is damaged: {path}. {restore}",
            [str(error)],
            path=path,
            restore=_RESTORE,
        ) from error
    if faults != ["ok"]:
        raise StoreInvalid(
            "The database is damaged: {path}. {restore}", faults, path=path, restore=_RESTORE
        )
    if marks != {APPLICATION_ID}:
        raise StoreInvalid("This database belongs to another program: {path}.", path=path)
