"""The composition root of the service: settings, parts, pages and API in one application."""

import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypedDict, cast

from fastapi import Depends, FastAPI, Request
from fastapi.responses import PlainTextResponse
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from service.api.description import describe
from service.api.errors import TITLES, install_errors, problem
from service.api.routes import account, exports, learning, materials, sessions, tools, versions
from service.assembly import Seams, new_id, open_parts, require_safe_address
from service.domain.language import Lang, Message, msg
from service.errors import NotSignedIn, SetupError
from service.flows import accounts, answer
from service.flows.parts import Parts
from service.observe.metrics import METRICS_TYPE, Metrics
from service.observe.requests import LastResort, Observing, PlainRefusals
from service.observe.telemetry import OFF, telemetry_config
from service.settings import Settings
from service.web.routes import create_open_web, create_web
from service.web.routes.account import PAGE_COOKIE
from service.web.security import WebSecurity
from service.wording.catalogue import Wording, load_wording

BEARER: Final = "bearer "
HOST_UNKNOWN: Final = msg(
    "Without keys only this machine's own names are answered: open it as 127.0.0.1 or localhost."
)
# What this machine is called by those who sit at it.
OWN_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
# Form fields and headers around the file itself.
UPLOAD_MARGIN: Final = 100_000
# Seconds that readings under way are given when the service stops.
DRAIN_SECONDS: Final = 3.0
DESCRIPTION: Final = """
Mock interviews for large-model training roles, résumé and posting matching, and the checks behind
them. Every number is recomputed, every mark rests on a quote, every fact has a source.

- **Errors** are problem documents (RFC 9457) with a stable `title`.
- **Language**: send `Accept-Language: zh` or `en`; sentences come back in it.
- **Repeats**: send an `Idempotency-Key` with a POST and it happens once.
- **Access**: none is needed on your own machine; where keys are set up, send
  `Authorization: Bearer sw_...`.
"""


class State(TypedDict):
    parts: Parts
    wording: Wording


def create_app(settings: Settings, seams: Seams | None = None) -> FastAPI:
    """The whole service. `seams` takes an engine, a store, a clock and an id source.

    Raises:
        SettingsInvalid: it would be reachable by others without any key.
    """
    require_safe_address(settings)
    chosen = seams or Seams()
    wording = load_wording()
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[Mapping[str, object]]:
        try:
            async with open_parts(settings, chosen) as parts:
                app.state.parts = parts
                yield State(parts=parts, wording=wording)
                await answer.settle(DRAIN_SECONDS)
        except SetupError as error:
            app.state.setup_error = error  # the server that runs us only says that it failed
            raise

    app = FastAPI(
        title="Shardwise",
        version="0.1.0",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page asks another host; service.web has one of its own
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
        telemetry=telemetry_config(chosen.spans) if settings.telemetry else OFF,
    )
    install_errors(app, wording)
    _add_routes(app, settings, wording, metrics)
    _add_layers(app, settings, wording, metrics)
    describe(app)
    return app


def _add_routes(app: FastAPI, settings: Settings, wording: Wording, metrics: Metrics) -> None:
    identified = [Depends(_identify_by_key if settings.access == "key" else _identify_locally)]
    for router in (
        materials.router,
        exports.router,
        versions.router,
        sessions.router,
        learning.router,
        tools.router,
        account.router,
    ):
        app.include_router(router, dependencies=identified)
    app.include_router(tools.open_router)

    @app.get("/metrics", include_in_schema=False, dependencies=identified)
    def metrics_page() -> PlainTextResponse:
        return PlainTextResponse(metrics.page(), media_type=METRICS_TYPE)

    app.include_router(create_web(wording, settings.access), dependencies=identified)
    app.include_router(create_open_web(wording, settings.access))


def _add_layers(app: FastAPI, settings: Settings, wording: Wording, metrics: Metrics) -> None:
    """The layer added last is the outermost.

    FastAPI's own body limit would answer outside of all of them, in plain words and uncounted.
    """
    largest = settings.max_upload_bytes + UPLOAD_MARGIN
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=largest)
    app.add_middleware(LastResort, body=_in_both(500, "internal_error", wording))
    if settings.access == "local":
        # A page of another name that resolves to this machine must not reach the silent user.
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*OWN_NAMES, settings.host])
    refusals = {
        400: _in_both(400, "host_unknown", wording, HOST_UNKNOWN),
        413: _in_both(413, "request_too_large", wording),
    }
    app.add_middleware(PlainRefusals, bodies=refusals)
    app.add_middleware(WebSecurity, refusal=_in_both(403, "http_403", wording))
    app.add_middleware(Observing, metrics=metrics, clock=time.monotonic, new_id=new_id)


async def _identify_locally(request: Request) -> None:
    parts = cast("Parts", request.state.parts)
    request.state.owner = (await accounts.local_owner(parts)).id


async def _identify_by_key(request: Request) -> None:
    """A key in the Authorization header, or the cookie of a page session.

    Raises:
        NotSignedIn: neither is there, or it is not known.
    """
    parts = cast("Parts", request.state.parts)
    header = request.headers.get("authorization", "")
    if header.lower().startswith(BEARER):
        owner = await accounts.owner_of_key(parts, header[len(BEARER) :].strip())
        request.state.owner = owner.id
        return
    token = request.cookies.get(PAGE_COOKIE)
    owner_of_page = await accounts.owner_of_page(parts, token) if token else None
    if owner_of_page is None:
        raise NotSignedIn("Sign in with an API key.")
    request.state.owner = owner_of_page.id


def _in_both(status: int, code: str, wording: Wording, said: Message | None = None) -> bytes:
    """In both languages: such a request is answered before its language could be looked at."""
    sentence = said or TITLES[status]
    detail = " ".join(wording.render(sentence, lang) for lang in (Lang.EN, Lang.ZH))
    return bytes(problem(status, code, detail, {}).body)
