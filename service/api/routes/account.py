"""One's own data and keys."""

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from service.api import bodies
from service.api.context import Asking
from service.api.description import DELETING, EVERYWHERE, READING, problems
from service.api.strict import StrictRoute
from service.flows import accounts

router = APIRouter(
    route_class=StrictRoute, prefix="/v1/me", tags=["your data"], responses=EVERYWHERE
)


@router.get(
    "/export",
    response_model=bodies.ExportBody,
    responses=READING,
    summary="All that is kept of you, as JSON",
)
async def export_data(ask: Asking) -> JSONResponse:
    data = await accounts.export_data(ask.parts, ask.owner_id)
    headers = {"Content-Disposition": 'attachment; filename="shardwise-export.json"'}
    return JSONResponse(dict(data), headers=headers)


@router.delete(
    "",
    status_code=204,
    responses=problems(403),
    summary="Delete everything that is kept of you",
)
async def delete_data(ask: Asking) -> None:
    """Résumés, postings, matches, interviews, answers, grades; nothing is left in the file."""
    await accounts.delete_data(ask.parts, ask.owner_id)


@router.get("/keys", summary="Your API keys (never the secret itself)")
async def list_keys(ask: Asking) -> Sequence[bodies.KeyBody]:
    return [_key(k) for k in await ask.parts.store.list_keys(ask.owner_id)]


@router.delete(
    "/keys/{key_id}", status_code=204, responses=DELETING, summary="Revoke a key at once"
)
async def revoke_key(ask: Asking, key_id: str) -> None:
    """Pages that were opened with one of your keys are signed out, too."""
    await accounts.revoke_key(ask.parts.store, ask.owner_id, key_id, ask.parts.clock())


def _key(key: accounts.ApiKey) -> bodies.KeyBody:
    return bodies.KeyBody(
        id=key.id, name=key.name, created_at=key.created_at, revoked_at=key.revoked_at
    )
