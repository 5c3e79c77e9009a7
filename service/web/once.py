"""A form that is sent twice happens once: the second answer leads where the first one did."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final

from fastapi import Response

from service.errors import TurnInProgress
from service.flows import requests
from service.web.page import Page

# The browser drops the answer to the first of two clicks, so the second one waits for it.
_PAUSE: Final = 0.2  # seconds
_PATIENCE: Final = 50  # pauses
_TOKEN: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")


async def go_once(
    page: Page, token: str, sent: bytes, work: Callable[[], Awaitable[str]]
) -> Response:
    """Go on to the path that `work` gives.

    `token` came with the form; the same form with other content (`sent`) is another wish.

    Raises:
        TurnInProgress: the first of two clicks is still being handled after ten seconds.
    """
    key = f"page-{token}-{sha256(sent).hexdigest()}" if _TOKEN.fullmatch(token) else None
    wish = requests.Request(page.owner, key, page.request.url.path, sent)

    async def run() -> requests.Response:
        return requests.Response(303, await work())

    for _ in range(_PATIENCE):
        try:
            return page.go((await requests.once(page.parts, wish, run)).text)
        except TurnInProgress:
            await asyncio.sleep(_PAUSE)
    return page.go((await requests.once(page.parts, wish, run)).text)
