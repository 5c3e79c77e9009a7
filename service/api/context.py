"""What every route is given: the parts, the owner, the reader's language."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Header, Request
from pydantic import BaseModel
from starlette.responses import Response as HttpResponse

from service.api.errors import language_of
from service.api.present import Presenter
from service.flows import requests
from service.flows.parts import Parts
from service.flows.requests import LONGEST_KEY, Response
from service.wording.catalogue import Wording


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, in which language, with which parts at hand."""

    parts: Parts
    owner_id: str
    show: Presenter


def parts_of(request: Request) -> Parts:
    return cast("Parts", request.state.parts)


def get_asker(request: Request) -> Asker:
    parts = parts_of(request)
    wording = cast("Wording", request.state.wording)
    owner_id = cast("str", request.state.owner)
    return Asker(parts, owner_id, Presenter(wording, parts.knowledge, language_of(request)))


Asking = Annotated[Asker, Depends(get_asker)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=LONGEST_KEY,
        description="Repeat a request safely: the same key and body are answered alike.",
    ),
]


def created(body: BaseModel, status: int = 201) -> Response:
    return Response(status, body.model_dump_json())


def to_http(response: Response) -> HttpResponse:
    headers = {"Idempotent-Replay": "true"} if response.replayed else {}
    return HttpResponse(response.text, response.status, headers, media_type="application/json")


async def create_once(
    ask: Asker, key: str | None, route: str, body: bytes, work: Callable[[], Awaitable[BaseModel]]
) -> HttpResponse:
    """What `work` makes, with 201; the same key and body are answered as before.

    Raises:
        KeyReused: the key came before with another request.
        TurnInProgress: the same request is being handled now.
    """

    async def run() -> Response:
        return created(await work())

    request = requests.Request(ask.owner_id, key, route, body)
    return to_http(await requests.once(ask.parts, request, run))
