"""Who is alive: each worker and each run holds a lock of the database as long as it lives.

PostgreSQL frees a session's locks the moment its connection ends, however the process died, so no
clock has to guess. Needs a direct connection or pooling by session: by transaction frees too early.
"""

from types import TracebackType
from typing import Final, Self

from sqlalchemy import URL

from eval.workers.database import PATIENCE, reachable

# The first half of the lock's two numbers: what sort of holder it is.
WORKERS: Final = 0x5AAD_0001
RUNS: Final = 0x5AAD_0002
NUMBERS: Final = 2**31
# A machine that lost its power is gone after some 25 s, not after the system's two hours.
SETTINGS: Final = (
    "SET lock_timeout = '2s'",  # who was just killed may not be noticed yet
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
)
ALIVE: Final = (
    "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted"
    " AND classid = %s AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Presence:
    """One connection: holds numbers, and sees which others are held."""

    def __init__(self, url: URL) -> None:
        import psycopg

        with reachable(url):
            self._connection = psycopg.connect(
                url.render_as_string(hide_password=False),
                autocommit=True,
                connect_timeout=PATIENCE,
                application_name="shardwise-presence",
            )
            for setting in SETTINGS:
                self._connection.execute(setting.encode())

    def hold(self, sort: int, number: int) -> bool:
        """Until this closes or dies; False when another holds it, and a little later still does."""
        import psycopg

        try:
            self._connection.execute("SELECT pg_advisory_lock(%s, %s)", (sort, number))
        except psycopg.errors.LockNotAvailable:
            return False
        return True

    def alive(self, sort: int) -> frozenset[int]:
        rows = self._connection.execute(ALIVE, (sort,)).fetchall()
        return frozenset(int(number) for (number,) in rows)

    def beat(self) -> bool:
        """False when the connection, and with it everything held, is lost."""
        import psycopg

        try:
            self._connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
