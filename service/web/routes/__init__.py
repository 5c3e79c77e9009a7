"""The routers of the pages: those that need a person, and those that are open to all."""

from collections.abc import Iterable
from typing import Literal

from fastapi import APIRouter

from service.web.assets import load_assets
from service.web.page import Site, make_templates, page_route
from service.web.route import Row
from service.web.routes import (
    about,
    account,
    answering,
    board,
    checking,
    exports,
    home,
    interviews,
    learning,
    library,
    materials,
    tools,
    versions,
)
from service.wording.catalogue import Wording

PERSONAL: tuple[tuple[Row, ...], ...] = (
    home.ROWS,
    materials.ROWS,
    versions.ROWS,
    board.ROWS,
    exports.ROWS,
    interviews.ROWS,
    answering.ROWS,
    learning.ROWS,
    library.ROWS,
    tools.ROWS,
    checking.ROWS,
    account.PERSONAL_ROWS,
)
# `about` ends with the route that matches everything.
OPEN: tuple[tuple[Row, ...], ...] = (account.OPEN_ROWS, about.ROWS)


def create_web(wording: Wording, access: Literal["local", "key"]) -> APIRouter:
    """The pages of one person; `request.state.owner` says whose."""
    return _router(make_site(wording, access), PERSONAL)


def create_open_web(wording: Wording, access: Literal["local", "key"]) -> APIRouter:
    """Static files, preferences, sign-in and help: nothing of anybody."""
    return _router(make_site(wording, access), OPEN)


def make_site(wording: Wording, access: Literal["local", "key"]) -> Site:
    return Site(wording, load_assets(), make_templates(), by_key=access == "key")


def _router(site: Site, tables: Iterable[Iterable[Row]]) -> APIRouter:
    router = APIRouter(route_class=page_route(site), include_in_schema=False)
    for row in (row for table in tables for row in table):
        router.add_api_route(row.path, row.handler, methods=[row.method])
    return router
