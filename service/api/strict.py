"""Request bodies read strictly: one value a key, no NaN. A body that says two things is refused.

Python's reader keeps the last of two equal keys, so one of two answers would be lost unseen.
"""

import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute


class StrictRequest(Request):
    async def json(self) -> Any:
        """The body.

        Raises:
            json.JSONDecodeError: no JSON, a key twice in one object, NaN or infinity.
        """
        return read_strictly(await self.body())


class StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def read_strictly(body: bytes) -> Any:
    """Raises json.JSONDecodeError; it holds nothing of the body, which may be somebody's text."""

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        read = dict(pairs)
        if len(read) < len(pairs):
            raise json.JSONDecodeError("a key stands twice in one object", "", 0)
        return read

    def refuse(name: str) -> NoReturn:
        raise json.JSONDecodeError(f"{name} is no JSON value", "", 0)

    return json.loads(body, object_pairs_hook=once, parse_constant=refuse)
