"""Preferences, signing in and out, and one's own data."""

from collections.abc import Mapping
from datetime import timedelta
from secrets import token_urlsafe
from typing import Annotated, Final

from fastapi import Form, Response
from fastapi.responses import JSONResponse

from service.domain.language import Lang, Message, msg
from service.domain.tasks import PhraseMove, ReadAnswer
from service.errors import NotSignedIn
from service.flows import accounts
from service.flows.sending import preview
from service.flows.status import readiness
from service.prompting.prompt import Rendered
from service.web.errors import told
from service.web.page import LANG_NAMES, THEME_COOKIE, THEME_NAMES, Page, PageDep, Theme
from service.web.route import Row
from service.wording import LANG_COOKIE

PAGE_COOKIE: Final = "shardwise_session"
TOKEN_BYTES: Final = 32
SAMPLE: Final = msg(
    "(This stands for your answer.) ZeRO-1 splits only the optimizer states, so that each GPU "
    "keeps 4ψ + 12ψ/N bytes."
)
SENT_NAMES: Final[Mapping[str, Message]] = {
    ReadAnswer.prompt: msg("To have an answer read"),
    PhraseMove.prompt: msg("To have a follow-up put into words"),
}
YEAR: Final = int(timedelta(days=365).total_seconds())


def local_path(back: str) -> str:
    """A path of this site to return to; anything else becomes the home page."""
    is_local = back.startswith("/") and not back.startswith(("//", "/\\"))
    return back if is_local and back.isprintable() else "/"


async def keep_preferences(
    page: PageDep,
    back: Annotated[str, Form()] = "/",
    lang: Annotated[Lang | None, Form()] = None,
    theme: Annotated[Theme | None, Form()] = None,
) -> Response:
    response = page.go(local_path(back))
    for name, value in ((LANG_COOKIE, lang), (THEME_COOKIE, theme)):
        if value:
            response.set_cookie(name, value, max_age=YEAR, samesite="lax", httponly=True)
    return response


async def settings(page: PageDep) -> Response:
    store = page.parts.store
    counts = {
        "resumes": len(await store.list_resumes(page.owner)),
        "postings": len(await store.list_postings(page.owner)),
        "sessions": len(await store.list_sessions(page.owner)),
    }
    return page.show(
        "settings.html",
        ready=await readiness(page.parts),
        counts=counts,
        langs=[(code, name, "") for code, name in LANG_NAMES.items()],
        themes=[(value, page.say(name), "") for value, name in THEME_NAMES.items()],
        can_sign_out=page.site.by_key,
        sent=await _sent(page),
        sent_names=SENT_NAMES,
    )


async def _sent(page: Page) -> tuple[Rendered, ...]:
    """An example of what a model would be sent; nothing where there is no model."""
    use = page.parts.model_use
    return await preview(page.parts, use, page.lang, page.say(SAMPLE)) if use else ()


async def export(page: PageDep) -> Response:
    data = await accounts.export_data(page.parts, page.owner)
    return JSONResponse(
        data, headers={"Content-Disposition": 'attachment; filename="shardwise.json"'}
    )


async def delete(page: PageDep) -> Response:
    await accounts.delete_data(page.parts, page.owner)
    return page.go("/")


async def sign_in_page(page: PageDep, back: str = "/") -> Response:
    return _sign_in_page(page, back)


def _sign_in_page(page: Page, back: str, error: NotSignedIn | None = None) -> Response:
    return page.show(
        "signin.html",
        told(error).status if error else 200,
        back=local_path(back),
        problem=told(error) if error else None,
        detail=page.site.wording.error(error, page.lang) if error else "",
    )


async def sign_in(
    page: PageDep, key: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "/"
) -> Response:
    try:
        token = await accounts.sign_in(page.parts, key.strip(), lambda: token_urlsafe(TOKEN_BYTES))
    except NotSignedIn as error:
        return _sign_in_page(page, back, error)
    response = page.go(local_path(back))
    response.set_cookie(
        PAGE_COOKIE,
        token,
        max_age=int(accounts.PAGE_SESSION.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=page.request.url.scheme == "https",
    )
    return response


async def sign_out(page: PageDep) -> Response:
    token = page.request.cookies.get(PAGE_COOKIE)
    if token:
        await accounts.sign_out(page.parts, token)
    response = page.go("/signin")
    response.delete_cookie(PAGE_COOKIE, samesite="strict")
    return response


PERSONAL_ROWS: Final = (
    Row("GET", "/settings", settings),
    Row("GET", "/settings/export", export),
    Row("POST", "/settings/delete", delete),
)
OPEN_ROWS: Final = (
    Row("POST", "/preferences", keep_preferences),
    Row("GET", "/signin", sign_in_page),
    Row("POST", "/signin", sign_in),
    Row("POST", "/signout", sign_out),
)
