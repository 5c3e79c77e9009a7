"""`--offline`: from here on this process opens no connection, whatever a library tries."""

import sys
from typing import Final

from service.errors import InputInvalid

CALLS: Final = frozenset(
    {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "socket.sendmsg"}
)


def refuse_sockets(engine: str, workers: str | None = None) -> None:
    """Cannot be undone within the process.

    Raises:
        InputInvalid: the engine, or the workers asked for, need a server.
    """
    if workers:
        raise InputInvalid("--offline grades in this process: leave --workers out.")
    if engine != "builtin":
        raise InputInvalid("--offline works with the built-in engine only.")
    sys.addaudithook(_refuse)


def _refuse(event: str, _: object) -> None:
    if event in CALLS:
        raise PermissionError(f"--offline: {event} refused")
