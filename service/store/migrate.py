"""Brings the tables up to the newest step, all steps in one transaction, or refuses."""

from pathlib import Path
from threading import Lock
from typing import Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from service.errors import StoreInvalid
from service.store.schema import HEAD, Base

# alembic keeps what it works on in module globals: one run at a time in a process.
_ALEMBIC: Final = Lock()
STEPS: Final = Path(__file__).parent / "migrations"
# Any number of processes may start at once on PostgreSQL; one migrates, the others wait for it.
_ADVISORY_LOCK: Final = 0x5348_4152


def upgrade(connection: Connection) -> None:
    """Apply what is missing, inside the caller's transaction.

    Raises:
        StoreInvalid: written by a newer Shardwise, or a step left a row that points nowhere.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": _ADVISORY_LOCK})
    step = current_step(connection)
    if step == HEAD:
        return
    _apply(connection, step)
    _refuse_dangling(connection)


def create_newest(connection: Connection) -> None:
    """All tables at once, for a database that begins empty and ends with the process."""
    Base.metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def current_step(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _apply(connection: Connection, step: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(STEPS).replace("%", "%%"))
    known = {s.revision for s in ScriptDirectory.from_config(config).walk_revisions()}
    if step is not None and step not in known:
        raise StoreInvalid(
            "The database was written by a newer Shardwise (step {step}, this one knows {head}); "
            "nothing was changed. Update Shardwise, or restore a backup from before the update.",
            step=step,
            head=HEAD,
        )
    with _ALEMBIC:
        command.upgrade(config, "head")


def _refuse_dangling(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    rows = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
    if rows:
        tables = sorted({str(row[0]) for row in rows})
        raise StoreInvalid("The database could not be updated; rows point nowhere in:", tables)
