"""Checking a text or a configuration: pasted or brought as a file, shown or taken along as JSON."""

import json
from typing import Annotated, Final

from fastapi import File, Form, Response, UploadFile

from service.domain.article import CheckedArticle
from service.errors import FileTooLarge, FileUnreadable, InputInvalid, ShardwiseError
from service.flows.article import desk_of
from service.flows.check_any import Brought, as_document, check_any
from service.flows.config_check import CheckedConfig
from service.web.checked import article_view, config_view
from service.web.errors import told
from service.web.page import Page, PageDep
from service.web.route import Row

UNNAMED: Final = "text"
LONGEST_FIELD: Final = 60
MOST_GPUS: Final = 10_000_000
ShortField = Annotated[str, Form(max_length=LONGEST_FIELD)]


async def check_page(page: PageDep) -> Response:
    return _show(page, Brought(""))


async def check(
    page: PageDep,
    text: Annotated[str, Form()] = "",
    params: ShortField = "",
    model: ShortField = "",
    gpus: ShortField = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """A file goes before pasted words."""
    brought = Brought(text.replace("\r\n", "\n"))
    try:
        name, text = await _given(page, file, brought.text)
        brought = Brought(text, name, params.strip(), model.strip(), _count(gpus))
        return _show(page, brought, await check_any(page.parts, brought))
    except ShardwiseError as error:
        if page.is_partial:
            raise
        return _show(page, brought, error=error)


async def check_document(
    page: PageDep,
    text: Annotated[str, Form()] = "",
    name: Annotated[str, Form(max_length=400)] = "",
    params: ShortField = "",
    model: ShortField = "",
    gpus: ShortField = "",
) -> Response:
    """What `shardwise check --json` prints, as a file."""
    text = text.replace("\r\n", "\n")
    brought = Brought(text, name, params.strip(), model.strip(), _count(gpus))
    checked = await check_any(page.parts, brought)
    desk = desk_of(page.parts, page.site.wording, page.lang)
    body = json.dumps(as_document(desk, brought, checked), ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": 'attachment; filename="check.json"'}
    return Response(body, media_type="application/json", headers=headers)


async def _given(page: Page, file: UploadFile | None, pasted: str) -> tuple[str, str]:
    """Name and text of the file, or no name and the pasted words."""
    if file is None or not (file.filename or file.size):
        return "", pasted
    limit = page.parts.limits.upload_bytes
    data = await file.read(limit + 1)
    name = (file.filename or UNNAMED)[-LONGEST_FIELD:]
    if len(data) > limit:
        raise FileTooLarge("The file has more than {limit} bytes.", limit=limit)
    try:
        return name, data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileUnreadable("{path} is not UTF-8 text.", "garbled", path=name) from error


def _count(typed: str) -> int:
    """GPUs as typed; none where nothing is."""
    typed = typed.strip()
    if not typed:
        return 0
    if not typed.isdecimal() or not 1 <= int(typed) <= MOST_GPUS:
        raise InputInvalid("{name} must be at least 1.", name="gpus")
    return int(typed)


def _show(
    page: Page,
    brought: Brought,
    checked: CheckedArticle | CheckedConfig | None = None,
    *,
    error: ShardwiseError | None = None,
) -> Response:
    is_config = isinstance(checked, CheckedConfig)
    is_article = isinstance(checked, CheckedArticle)
    template = "partials/checked.html" if page.is_partial else "check.html"
    return page.show(
        template,
        told(error).status if error else 200,
        brought=brought,
        models=sorted((m.id, m.title or m.id) for m in page.parts.models.values()),
        article=article_view(page.parts.knowledge, brought.text, checked) if is_article else None,
        config=config_view(checked) if is_config else None,
        problem=told(error) if error else None,
        detail=page.site.wording.error(error, page.lang) if error else "",
    )


ROWS: Final = (
    Row("GET", "/tools/check", check_page),
    Row("POST", "/tools/check", check),
    Row("POST", "/tools/check.json", check_document),
)
