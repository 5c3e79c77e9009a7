"""Résumés and postings: bring in, look at, compare, delete."""

from functools import partial
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import Form, Response, UploadFile

from service.domain.knowledge import skill_title
from service.domain.resume_writing.compose import other_notes, paper_notes, summary_notes
from service.errors import FileTooLarge, ShardwiseError
from service.flows import materials
from service.web.errors import told
from service.web.labels import NOTICE
from service.web.once import go_once
from service.web.page import Page, PageDep
from service.web.proofs import proofs
from service.web.route import Row

BYTES_PER_MEGABYTE: Final = 1_000_000


async def resumes(page: PageDep) -> Response:
    return await _resumes(page)


async def _resumes(page: Page, error: ShardwiseError | None = None, pasted: str = "") -> Response:
    """The page to bring one; after a failure with what to do and the text still there."""
    return page.show(
        "resumes.html",
        told(error).status if error else 200,
        once=page.parts.new_id(),
        resumes=await page.parts.store.list_resumes(page.owner),
        megabytes=page.parts.limits.upload_bytes / BYTES_PER_MEGABYTE,
        **_failure(page, error),
        pasted=pasted,
    )


def _failure(page: Page, error: ShardwiseError | None) -> dict[str, object]:
    if error is None:
        return {"problem": None, "detail": ""}
    return {"problem": told(error), "detail": page.site.wording.error(error, page.lang)}


async def upload_resume(
    page: PageDep, file: UploadFile, once: Annotated[str, Form()] = ""
) -> Response:
    try:
        data = await _read(file, page.parts.limits.upload_bytes)

        async def work() -> str:
            name = file.filename or ""
            stored = await materials.import_resume(page.parts, page.owner, data, name)
            return f"/resumes/{stored.id}"

        return await go_once(page, once, data, work)
    except ShardwiseError as error:
        return await _resumes(page, error)


async def _read(file: UploadFile, limit: int) -> bytes:
    data = await file.read(limit + 1)
    if len(data) > limit:
        raise FileTooLarge("The file has more than {limit} bytes.", limit=limit)
    return data


async def paste_resume(
    page: PageDep, text: Annotated[str, Form()] = "", once: Annotated[str, Form()] = ""
) -> Response:
    async def work() -> str:
        stored = await materials.paste_resume(page.parts, page.owner, text)
        return f"/resumes/{stored.id}"

    try:
        return await go_once(page, once, _sent(text), work)
    except ShardwiseError as error:
        return await _resumes(page, error, text)


def _sent(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


async def resume(page: PageDep, resume_id: str) -> Response:
    stored = await page.parts.store.get_resume(page.owner, resume_id)
    return page.show(
        "resume.html",
        stored=stored,
        notices=NOTICE,
        summary=summary_notes(stored.resume),
        papers=paper_notes(stored.resume),
        others=other_notes(stored.resume),
    )


async def delete_resume(page: PageDep, resume_id: str) -> Response:
    await page.parts.store.delete_resume(page.owner, resume_id)
    return page.go("/resumes")


async def postings(page: PageDep) -> Response:
    return await _postings(page)


async def _postings(page: Page, error: ShardwiseError | None = None, pasted: str = "") -> Response:
    return page.show(
        "postings.html",
        told(error).status if error else 200,
        once=page.parts.new_id(),
        postings=await page.parts.store.list_postings(page.owner),
        resumes=await page.parts.store.list_resumes(page.owner),
        **_failure(page, error),
        pasted=pasted,
    )


async def paste_posting(
    page: PageDep,
    text: Annotated[str, Form()] = "",
    resume: Annotated[str, Form()] = "",
    once: Annotated[str, Form()] = "",
) -> Response:
    async def work() -> str:
        stored = await materials.import_posting(page.parts, page.owner, text)
        compared = f"?resume={quote(resume)}" if resume else ""
        return f"/postings/{stored.id}{compared}"

    try:
        return await go_once(page, once, _sent(f"{resume}\n{text}"), work)
    except ShardwiseError as error:
        return await _postings(page, error, text)


async def posting(page: PageDep, posting_id: str, resume: str = "") -> Response:
    """The posting; with a résumé named, its requirements beside the evidence."""
    stored = await page.parts.store.get_posting(page.owner, posting_id)
    return page.show(
        "posting.html",
        stored=stored,
        resumes=await page.parts.store.list_resumes(page.owner),
        match=await _match(page, resume, posting_id) if resume else None,
        proofs=proofs,
        skill_title=partial(skill_title, page.parts.knowledge.skills),
    )


async def _match(page: Page, resume_id: str, posting_id: str) -> object:
    """The kept comparison of the two, made when it is not there yet."""
    kept = await page.parts.store.list_matches(page.owner)
    known = (m for m in kept if (m.resume_id, m.posting_id) == (resume_id, posting_id))
    return next(known, None) or await materials.align(page.parts, page.owner, resume_id, posting_id)


async def delete_posting(page: PageDep, posting_id: str) -> Response:
    await page.parts.store.delete_posting(page.owner, posting_id)
    return page.go("/postings")


ROWS: Final = (
    Row("GET", "/resumes", resumes),
    Row("POST", "/resumes", upload_resume),
    Row("POST", "/resumes/pasted", paste_resume),
    Row("GET", "/resumes/{resume_id}", resume),
    Row("POST", "/resumes/{resume_id}/delete", delete_resume),
    Row("GET", "/postings", postings),
    Row("POST", "/postings", paste_posting),
    Row("GET", "/postings/{posting_id}", posting),
    Row("POST", "/postings/{posting_id}/delete", delete_posting),
)
