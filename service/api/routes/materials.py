"""Résumés, postings and matches."""

from collections.abc import Awaitable, Callable, Sequence

from fastapi import APIRouter, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import Response as HttpResponse

from service.api import bodies, forms
from service.api.context import Asker, Asking, IdempotencyKey, create_once
from service.api.description import CREATING, DELETING, EVERYWHERE, READING, UPLOADING
from service.api.strict import StrictRoute
from service.flows import materials
from service.flows.materials import StoredMatch, StoredPosting, StoredResume

router = APIRouter(route_class=StrictRoute, prefix="/v1", responses=EVERYWHERE)


async def _once(
    ask: Asker, key: str | None, route: str, body: bytes, work: Callable[[], Awaitable[object]]
) -> HttpResponse:
    async def shown() -> BaseModel:
        return _shown(ask, await work())

    return await create_once(ask, key, route, body, shown)


def _shown(ask: Asker, stored: object) -> bodies.ResumeBody | bodies.PostingBody | bodies.MatchBody:
    match stored:
        case StoredResume():
            return ask.show.resume(stored)
        case StoredPosting():
            return ask.show.posting(stored)
        case StoredMatch():
            return ask.show.match(stored)
        case _:
            raise AssertionError(f"no body for {type(stored).__name__}")


@router.post(
    "/resumes",
    status_code=201,
    responses=UPLOADING,
    response_model=bodies.ResumeBody,
    tags=["résumés"],
    summary="Upload a résumé (PDF, DOCX, Markdown, text or JSON Resume)",
)
async def upload_resume(
    ask: Asking, file: UploadFile, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    """The file is read in a limited child process and not kept; what was read is.

    A file that cannot be read is refused with its `quality`: scan, garbled, protected, empty or
    unsupported. Hidden text is removed and counted in `warnings`.
    """
    data = await file.read(ask.parts.limits.upload_bytes + 1)
    name = file.filename or "resume"
    return await _once(
        ask,
        idempotency_key,
        "resumes",
        data,
        lambda: materials.import_resume(ask.parts, ask.owner_id, data, name),
    )


@router.post(
    "/resumes/text",
    status_code=201,
    responses=UPLOADING,
    response_model=bodies.ResumeBody,
    tags=["résumés"],
    summary="Paste a résumé as text",
)
async def paste_resume(
    ask: Asking, body: forms.ResumeTextIn, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    return await _once(
        ask,
        idempotency_key,
        "resumes/text",
        body.text.encode(errors="replace"),
        lambda: materials.paste_resume(ask.parts, ask.owner_id, body.text),
    )


@router.get("/resumes", tags=["résumés"], summary="Your résumés, newest first")
async def list_resumes(ask: Asking) -> Sequence[bodies.ResumeBody]:
    return [ask.show.resume(r) for r in await ask.parts.store.list_resumes(ask.owner_id)]


@router.get(
    "/resumes/{resume_id}", responses=READING, tags=["résumés"], summary="One résumé as read"
)
async def get_resume(ask: Asking, resume_id: str) -> bodies.ResumeBody:
    return ask.show.resume(await ask.parts.store.get_resume(ask.owner_id, resume_id))


@router.delete(
    "/resumes/{resume_id}",
    status_code=204,
    responses=DELETING,
    tags=["résumés"],
    summary="Delete a résumé and its matches",
)
async def delete_resume(ask: Asking, resume_id: str) -> None:
    await ask.parts.store.delete_resume(ask.owner_id, resume_id)


@router.post(
    "/postings",
    status_code=201,
    responses=CREATING,
    response_model=bodies.PostingBody,
    tags=["postings"],
    summary="Paste a job posting",
)
async def add_posting(
    ask: Asking, body: forms.PostingIn, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    """Requirements come back in the ad's own words with their place, must or nice."""
    return await _once(
        ask,
        idempotency_key,
        "postings",
        body.text.encode(errors="replace"),
        lambda: materials.import_posting(ask.parts, ask.owner_id, body.text),
    )


@router.get("/postings", tags=["postings"], summary="Your postings, newest first")
async def list_postings(ask: Asking) -> Sequence[bodies.PostingBody]:
    return [ask.show.posting(p) for p in await ask.parts.store.list_postings(ask.owner_id)]


@router.get(
    "/postings/{posting_id}", responses=READING, tags=["postings"], summary="One posting as read"
)
async def get_posting(ask: Asking, posting_id: str) -> bodies.PostingBody:
    return ask.show.posting(await ask.parts.store.get_posting(ask.owner_id, posting_id))


@router.delete(
    "/postings/{posting_id}",
    status_code=204,
    responses=DELETING,
    tags=["postings"],
    summary="Delete a posting and its matches",
)
async def delete_posting(ask: Asking, posting_id: str) -> None:
    await ask.parts.store.delete_posting(ask.owner_id, posting_id)


@router.post(
    "/matches",
    status_code=201,
    responses=CREATING,
    response_model=bodies.MatchBody,
    tags=["matches"],
    summary="Set a posting's requirements beside a résumé's evidence",
)
async def add_match(
    ask: Asking, body: forms.MatchIn, request: Request, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    """The score comes from the table alone: the same input always gives the same score."""
    return await _once(
        ask,
        idempotency_key,
        "matches",
        await request.body(),
        lambda: materials.align(ask.parts, ask.owner_id, body.resume_id, body.posting_id),
    )


@router.get("/matches", tags=["matches"], summary="Your matches, newest first")
async def list_matches(ask: Asking) -> Sequence[bodies.MatchBody]:
    return [ask.show.match(m) for m in await ask.parts.store.list_matches(ask.owner_id)]


@router.get("/matches/{match_id}", responses=READING, tags=["matches"], summary="One match")
async def get_match(ask: Asking, match_id: str) -> bodies.MatchBody:
    return ask.show.match(await ask.parts.store.get_match(ask.owner_id, match_id))


@router.delete(
    "/matches/{match_id}",
    status_code=204,
    responses=DELETING,
    tags=["matches"],
    summary="Delete a match",
)
async def delete_match(ask: Asking, match_id: str) -> None:
    await ask.parts.store.delete_match(ask.owner_id, match_id)
