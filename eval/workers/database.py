"""The PostgreSQL that a run and its workers meet on: addresses, tables, and a client.

Texts wait there only until their results are in the run's folder; then the rows are deleted.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from service.errors import InputInvalid, SettingsInvalid, StoreInvalid

if TYPE_CHECKING:
    from dbos import DBOSClient

APPLICATION: Final = "shardwise-eval"
SCHEMA: Final = "shardwise_workers"
QUEUE: Final = "answers"
WORKFLOW: Final = "grade_answer"
POLL_SECONDS: Final = 0.1
# Seconds until a server that does not answer counts as away.
PATIENCE: Final = 10
MISSING: Final = "pip install 'shardwise[workers]', or start it with: python3 go.py eval ..."


def read_workers_url(address: str) -> URL:
    """The address of a PostgreSQL database, whichever driver it names.

    Raises:
        InputInvalid: it is none; the address is not repeated, for it may hold a password.
        SettingsInvalid: the libraries are not installed.
    """
    if find_spec("dbos") is None or find_spec("psycopg") is None:
        raise SettingsInvalid("Workers need libraries that are not installed:", [MISSING])
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise InputInvalid("Workers meet on postgresql://USER@HOST/DATABASE.") from error
    if not url.drivername.startswith("postgres") or not url.database:
        raise InputInvalid("Workers meet on postgresql://USER@HOST/DATABASE.")
    return url.set(drivername="postgresql")


def dbos_address(url: URL) -> str:
    return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


@contextmanager
def reachable(url: URL) -> Generator[None]:
    """Turn a server that is away into a sentence.

    Raises:
        StoreInvalid: the server does not answer, or refuses the user.
    """
    import psycopg

    try:
        yield
    except (psycopg.OperationalError, SQLAlchemyError) as error:
        why = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise StoreInvalid(
            "The workers' database {url} cannot be used: {why}", url=shown(url), why=why
        ) from error


def quieten() -> None:
    """DBOS tells much; only what goes wrong is for people, and on standard error."""
    logging.getLogger("dbos").setLevel(logging.ERROR)


def prepare(url: URL) -> None:
    """Make or update the tables; any number of processes may do so at once."""
    from dbos import DBOS

    quieten()
    with reachable(url):
        DBOS.migrate(dbos_address(url.update_query_dict(_timeout(url))), schema=SCHEMA)


def _timeout(url: URL) -> dict[str, str]:
    return {} if "connect_timeout" in url.query else {"connect_timeout": str(PATIENCE)}


@contextmanager
def open_client(url: URL) -> "Generator[DBOSClient]":
    """Raises StoreInvalid: the server does not answer."""
    from dbos import DBOSClient, DBOSPortableJSONSerializer

    prepare(url)
    with reachable(url):
        client = DBOSClient(
            system_database_url=dbos_address(url),
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),  # JSON: what is read is data, never code
            application_name=APPLICATION,
        )
    try:
        yield client
    finally:
        client.destroy()
