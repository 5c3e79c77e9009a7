"""One request's page: who reads it, in which language and light, and how it is rendered."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, cast
from urllib.parse import quote

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from typing_extensions import override

from service.domain.language import Bilingual, Lang, Message, msg
from service.errors import InputInvalid, NotSignedIn, ShardwiseError
from service.flows.parts import Parts
from service.web.assets import Assets
from service.web.errors import told
from service.web.labels import TABLES, topic_name
from service.web.misfit import field_name, misfit
from service.web.navigation import SITE, current
from service.wording import LANG_COOKIE, Wording, negotiate
from service.wording.catalogue import number

TEMPLATES: Final = Path(__file__).resolve().parent / "templates"
THEME_COOKIE: Final = "theme"
HTML_LANG: Final[Mapping[Lang, str]] = {Lang.ZH: "zh-Hans", Lang.EN: "en"}
LANG_NAMES: Final[Mapping[Lang, str]] = {Lang.ZH: "中文", Lang.EN: "English"}


class Theme(StrEnum):
    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


THEME_NAMES: Final[Mapping[Theme, Message]] = {
    Theme.AUTO: msg("As the system"),
    Theme.LIGHT: msg("Light"),
    Theme.DARK: msg("Dark"),
}


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share; made once. `by_key`: people sign in with a key."""

    wording: Wording
    assets: Assets
    templates: Environment
    by_key: bool


def make_templates() -> Environment:
    """Everything is escaped; a name a template does not get is an error."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["num"] = number
    env.filters["stamp"] = _stamp
    return env


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


class Page:
    """The page that answers one request."""

    def __init__(self, request: Request, site: Site) -> None:
        self.request = request
        self.site = site
        self.lang = negotiate(
            request.headers.get("accept-language"), request.cookies.get(LANG_COOKIE)
        )
        self.theme = _theme(request.cookies.get(THEME_COOKIE, ""))

    @property
    def parts(self) -> Parts:
        return cast("Parts", self.request.state.parts)

    @property
    def owner(self) -> str:
        """Raises NotSignedIn when nobody is known to be asking."""
        owner = cast("str | None", getattr(self.request.state, "owner", None))
        if not owner:
            raise NotSignedIn("Nobody is signed in here.")
        return owner

    @property
    def is_partial(self) -> bool:
        """Whether htmx asked for a piece of the page."""
        return self.request.headers.get("hx-request") == "true"

    def say(self, text: Message | Bilingual | str) -> str:
        """In the reader's language; a plain string is already as it is meant."""
        if isinstance(text, str):
            return text
        if isinstance(text, Bilingual):
            return text.in_(self.lang)
        return self.site.wording.render(text, self.lang)

    def html(self, template: str, /, **context: object) -> str:
        """The template with everything pages share."""
        return self.site.templates.get_template(template).render(**self._shared(), **context)

    def show(self, template: str, status: int = 200, /, **context: object) -> HTMLResponse:
        return HTMLResponse(self.html(template, **context), status_code=status)

    def go(self, path: str) -> Response:
        """On to another page after a change (303: the browser asks with GET)."""
        if self.is_partial:
            return Response(status_code=204, headers={"HX-Redirect": path})
        return RedirectResponse(path, status_code=303)

    def fail(self, error: ShardwiseError) -> HTMLResponse:
        """The failure as a page, or as a notice where only a piece was asked for."""
        what = told(error)
        template = "partials/problem.html" if self.is_partial else "problem.html"
        detail = self.site.wording.error(error, self.lang)
        return self.show(template, what.status, told=what, detail=detail)

    def _shared(self) -> dict[str, object]:
        return {
            "_": self._gettext,
            "say": self.say,
            "labels": TABLES,
            "topic_name": topic_name,
            "asset": self.site.assets.url,
            "areas": SITE,
            "here": current(self.request.url.path),
            "path": self.request.url.path,
            "address": self._address(),
            "lang": self.lang,
            "html_lang": HTML_LANG[self.lang],
            "lang_names": LANG_NAMES,
            "theme": self.theme,
            "theme_names": THEME_NAMES,
            "model_use": self.parts.model_use,
        }

    def _address(self) -> str:
        """Path and query, to come back to."""
        query = self.request.url.query
        return f"{self.request.url.path}?{query}" if query else self.request.url.path

    def _gettext(self, template: str, **params: object) -> str:
        return self.site.wording.text(template, self.lang, **params)


def _theme(value: str) -> Theme:
    return Theme(value) if value in set(Theme) else Theme.AUTO


def page_of(request: Request) -> Page:
    return Page(request, cast("Site", request.state.site))


PageDep = Annotated[Page, Depends(page_of)]
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def page_route(site: Site) -> type[APIRoute]:
    """Routes whose failures are pages: named, in the reader's language, with what to do."""

    class PageRoute(APIRoute):
        @override
        def get_route_handler(self) -> Handler:
            handle = super().get_route_handler()

            async def handle_or_tell(request: Request) -> Response:
                request.state.site = site
                try:
                    await _say_each_once(request)
                    return await handle(request)
                except ShardwiseError as error:
                    return _fail(request, error)
                except RequestValidationError as error:
                    return _fail(request, misfit([*error.errors()]))

            return handle_or_tell

    return PageRoute


_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


async def _say_each_once(request: Request) -> None:
    """Raises InputInvalid: a field of the form stands twice, so nobody knows which one is meant."""
    if request.method != "POST":
        return
    if not request.headers.get("content-type", "").lower().startswith(_FORMS):
        return
    names = [name for name, _ in (await request.form()).multi_items()]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputInvalid("{field} stands twice in the form.", field=field_name(twice))


def _fail(request: Request, error: ShardwiseError) -> Response:
    page = page_of(request)
    asks_for_page = request.method == "GET" and not page.is_partial
    if isinstance(error, NotSignedIn) and asks_for_page:
        return page.go(f"/signin?back={quote(request.url.path)}")
    return page.fail(error)
