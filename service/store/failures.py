"""What a database says when it fails, in the words of service.errors."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.errors import (
    InputInvalid,
    NotFound,
    ShardwiseError,
    StoreBusy,
    StoreFull,
    StoreInvalid,
)


def busy() -> StoreBusy:
    return StoreBusy("The database is busy; nothing was changed. Try again in a moment.")


def _full() -> StoreFull:
    return StoreFull("There is no room left on the disk; nothing was changed.")


def _damaged() -> StoreInvalid:
    return StoreInvalid("The database is damaged; stop the service and restore a backup.")


def _unreachable() -> StoreBusy:
    return StoreBusy("The database cannot be reached; nothing was changed. Try again in a moment.")


def _foreign() -> NotFound:
    return NotFound("There is nothing with this id.")


def _taken() -> InputInvalid:
    return InputInvalid("This id is already taken.")


def _too_long() -> InputInvalid:
    return InputInvalid("A value does not fit into the database.")


# Primary result codes of https://sqlite.org/rescode.html; the write fault is an extended one: a
# file-size limit shows as that, a full disk as SQLITE_FULL.
_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: busy,
    sqlite3.SQLITE_LOCKED: busy,
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_IOERR_WRITE: _full,
    sqlite3.SQLITE_CORRUPT: _damaged,
    sqlite3.SQLITE_NOTADB: _damaged,
    sqlite3.SQLITE_IOERR: _unreachable,
    sqlite3.SQLITE_CANTOPEN: _unreachable,
    sqlite3.SQLITE_READONLY: _unreachable,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: _foreign,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: _taken,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: _taken,
}
# SQLSTATE codes of PostgreSQL's appendix A, whole or by their class.
_POSTGRES: Final = {
    "55P03": busy,
    "40001": busy,
    "40P01": busy,
    "57014": busy,
    "53100": _full,
    "53": _unreachable,
    "57": _unreachable,
    "08": _unreachable,
    "58": _unreachable,
    "XX001": _damaged,
    "XX002": _damaged,
    "22": _too_long,
    "23503": _foreign,
    "23505": _taken,
}
_PRIMARY: Final = 0xFF  # the low byte of an extended SQLite code


@contextmanager
def translated() -> Generator[None]:
    """Turn a database's failure into a typed one; an unknown failure passes as it is."""
    try:
        yield
    except PoolTimeout as error:
        raise busy() from error
    except DBAPIError as error:
        known = named(error)
        if known is None:
            raise
        raise known from error
    except StatementError as error:
        if isinstance(error.orig, ShardwiseError):
            raise error.orig from error
        raise


def named(error: DBAPIError) -> ShardwiseError | None:
    code = getattr(error.orig, "sqlite_errorcode", None)
    if isinstance(code, int):
        make = _SQLITE.get(code) or _SQLITE.get(code & _PRIMARY)
        return make() if make else None
    state: object = getattr(error.orig, "sqlstate", None)
    if isinstance(state, str):
        make = _POSTGRES.get(state) or _POSTGRES.get(state[:2])
        return make() if make else None
    return _unreachable() if error.connection_invalidated or _is_operational(error) else None


def _is_operational(error: DBAPIError) -> bool:
    """Psycopg gives no SQLSTATE when the line itself is down."""
    return type(error.orig).__name__ in {"OperationalError", "InterfaceError"}
