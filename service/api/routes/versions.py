"""Versions of a résumé with their proposals, and the board of applications."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response as HttpResponse

from service.api import version_bodies as bodies
from service.api.context import Asker, Asking, IdempotencyKey, create_once
from service.api.description import CHANGING, CREATING, DELETING, EVERYWHERE, READING
from service.api.strict import StrictRoute
from service.domain.applications import Card
from service.domain.versions import Version
from service.flows import board, versions
from service.flows.board import CardWish
from service.flows.versions import VersionView

router = APIRouter(route_class=StrictRoute, prefix="/v1", responses=EVERYWHERE)
VERSIONS = "versions"
APPLICATIONS = "applications"


def _shown(ask: Asker, view: VersionView) -> bodies.VersionBody:
    return bodies.version_body(view, ask.show.wording, ask.show.lang)


@router.post(
    "/versions",
    status_code=201,
    responses=CREATING,
    response_model=bodies.VersionBody,
    tags=[VERSIONS],
    summary="Make the master of a résumé, or tailor a version for a posting",
)
async def add_version(
    ask: Asking, body: bodies.VersionIn, request: Request, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    """There is one version for each posting; tailoring also puts a card on the board.

    Asking again gives the version that is there.
    """

    async def work() -> BaseModel:
        version = await _made(ask, body)
        return _shown(ask, await versions.open_version(ask.parts, ask.owner_id, version.id))

    route, sent = request.url.path, await request.body()
    return await create_once(ask, idempotency_key, route, sent, work)


async def _made(ask: Asker, body: bodies.VersionIn) -> Version:
    if body.posting_id is None:
        return await versions.master_of(ask.parts, ask.owner_id, body.resume_id)
    return await versions.tailor(ask.parts, ask.owner_id, body.resume_id, body.posting_id)


@router.get("/versions", tags=[VERSIONS], summary="Your versions, last changed first")
async def list_versions(ask: Asking) -> Sequence[bodies.VersionRow]:
    return [bodies.version_row(v) for v in await ask.parts.store.list_versions(ask.owner_id)]


@router.get(
    "/versions/{version_id}",
    responses=READING,
    tags=[VERSIONS],
    summary="One version with its questions and proposals",
)
async def get_version(ask: Asking, version_id: str) -> bodies.VersionBody:
    return _shown(ask, await versions.open_version(ask.parts, ask.owner_id, version_id))


@router.put(
    "/versions/{version_id}/note",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Set the title and the note",
)
async def set_note(ask: Asking, version_id: str, body: bodies.NoteIn) -> bodies.VersionRow:
    noted = await versions.note(ask.parts, ask.owner_id, version_id, body.title, body.note)
    return bodies.version_row(noted)


@router.delete(
    "/versions/{version_id}",
    status_code=204,
    responses=DELETING,
    tags=[VERSIONS],
    summary="Delete a version with its history; its card stays",
)
async def delete_version(ask: Asking, version_id: str) -> None:
    await ask.parts.store.delete_version(ask.owner_id, version_id)


@router.post(
    "/versions/{version_id}/proposals",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Propose other wordings, and ask for what is missing",
)
async def propose_wordings(
    ask: Asking, version_id: str, body: bodies.RewriteIn
) -> bodies.VersionBody:
    """Nothing is changed in the résumé.

    Code compares each proposal with its bullet and your answers: a figure, name, skill, date,
    role or scale that is not there is refused, with the reason. At most six questions are asked.
    """
    found = await versions.rewrite(ask.parts, ask.owner_id, version_id, body.styles)
    return _shown(ask, found)


@router.post(
    "/versions/{version_id}/answers",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Answer questions; what you say may be used from now on",
)
async def answer_questions(
    ask: Asking, version_id: str, body: bodies.AnswersIn
) -> bodies.VersionBody:
    found = await versions.answer_questions(ask.parts, ask.owner_id, version_id, body.answers)
    return _shown(ask, found)


@router.post(
    "/versions/{version_id}/proposals/{proposal_id}/accept",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Put a proposal in its bullet's place",
)
async def accept_proposal(ask: Asking, version_id: str, proposal_id: str) -> bodies.VersionBody:
    found = await versions.accept(ask.parts, ask.owner_id, version_id, proposal_id)
    return _shown(ask, found)


@router.post(
    "/versions/{version_id}/proposals/{proposal_id}/reject",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Reject a proposal; it is not made again",
)
async def reject_proposal(ask: Asking, version_id: str, proposal_id: str) -> bodies.VersionBody:
    found = await versions.reject(ask.parts, ask.owner_id, version_id, proposal_id)
    return _shown(ask, found)


@router.post(
    "/versions/{version_id}/orders/{order_id}/accept",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Put what the posting asks for first",
)
async def accept_order(
    ask: Asking, version_id: str, order_id: str, body: bodies.OrderIn
) -> bodies.VersionBody:
    """The same lines in the order proposed: a new revision."""
    found = await versions.accept_order(ask.parts, ask.owner_id, version_id, order_id, body.seen)
    return _shown(ask, found)


@router.post(
    "/versions/{version_id}/orders/{order_id}/reject",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Leave lines in their order; it is not proposed again",
)
async def reject_order(ask: Asking, version_id: str, order_id: str) -> bodies.VersionBody:
    found = await versions.reject_order(ask.parts, ask.owner_id, version_id, order_id)
    return _shown(ask, found)


@router.put(
    "/versions/{version_id}/bullets/{bullet_id}",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Replace a bullet by words of yours",
)
async def edit_bullet(
    ask: Asking, version_id: str, bullet_id: str, body: bodies.EditIn
) -> bodies.VersionBody:
    found = await versions.edit(
        ask.parts, ask.owner_id, version_id, bullet_id, body.text, body.seen
    )
    return _shown(ask, found)


@router.get(
    "/versions/{version_id}/revisions",
    responses=READING,
    tags=[VERSIONS],
    summary="The history, newest first",
)
async def list_revisions(ask: Asking, version_id: str) -> Sequence[bodies.RevisionBody]:
    history = await ask.parts.store.list_revisions(ask.owner_id, version_id)
    return [bodies.revision_body(r) for r in history]


@router.get(
    "/versions/{version_id}/diff",
    responses=READING,
    tags=[VERSIONS],
    summary="What changed between two revisions",
)
async def compare_revisions(
    ask: Asking, version_id: str, older: int, newer: int
) -> Sequence[bodies.DifferenceBody]:
    found = await versions.compare(ask.parts, ask.owner_id, version_id, older, newer)
    return [bodies.difference_body(d) for d in found]


@router.post(
    "/versions/{version_id}/restore",
    responses=CHANGING,
    tags=[VERSIONS],
    summary="Bring an older revision back, as a new one",
)
async def restore_revision(
    ask: Asking, version_id: str, body: bodies.RestoreIn
) -> bodies.VersionBody:
    found = await versions.restore(ask.parts, ask.owner_id, version_id, body.revision, body.seen)
    return _shown(ask, found)


@router.post(
    "/applications",
    status_code=201,
    responses=CREATING,
    response_model=bodies.CardBody,
    tags=[APPLICATIONS],
    summary="Put a card on the board by hand",
)
async def add_card(
    ask: Asking, body: bodies.CardIn, request: Request, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    wish = CardWish(body.title, body.company, body.note, body.url, body.column)

    async def work() -> BaseModel:
        return bodies.card_body(await board.new_card(ask.parts, ask.owner_id, wish))

    route, sent = request.url.path, await request.body()
    return await create_once(ask, idempotency_key, route, sent, work)


@router.get("/applications", tags=[APPLICATIONS], summary="Your board, last changed first")
async def list_cards(ask: Asking) -> Sequence[bodies.CardBody]:
    return [bodies.card_body(c) for c in await ask.parts.store.list_cards(ask.owner_id)]


@router.get(
    "/applications/reminders", tags=[APPLICATIONS], summary="Dates and reminders that are ahead"
)
async def list_reminders(ask: Asking) -> Sequence[bodies.ReminderBody]:
    return [
        bodies.ReminderBody(
            card_id=card.id, title=card.title, date=bodies.date_body(card, card.dates.index(one))
        )
        for card, one in await board.reminders(ask.parts, ask.owner_id)
    ]


@router.get(
    "/applications/table.csv",
    tags=[APPLICATIONS],
    summary="The board as CSV",
    response_class=HttpResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def board_table(ask: Asking) -> HttpResponse:
    text = await board.board_table(ask.parts, ask.owner_id)
    return HttpResponse(text, media_type="text/csv")


@router.get(
    "/applications/dates.ics",
    tags=[APPLICATIONS],
    summary="The dates as iCalendar",
    response_class=HttpResponse,
    responses={200: {"content": {"text/calendar": {"schema": {"type": "string"}}}}},
)
async def board_calendar(ask: Asking) -> HttpResponse:
    data = await board.board_calendar(ask.parts, ask.owner_id)
    return HttpResponse(data, media_type="text/calendar")


@router.get("/applications/{card_id}", responses=READING, tags=[APPLICATIONS], summary="One card")
async def get_card(ask: Asking, card_id: str) -> bodies.CardBody:
    return bodies.card_body(await ask.parts.store.get_card(ask.owner_id, card_id))


@router.patch(
    "/applications/{card_id}",
    responses=CHANGING,
    tags=[APPLICATIONS],
    summary="Change or move a card",
)
async def change_card(ask: Asking, card_id: str, body: bodies.CardChangeIn) -> bodies.CardBody:
    wish = CardWish(body.title, body.company, body.note, body.url, body.column)
    card = await board.change_card(ask.parts, ask.owner_id, card_id, body.seen, wish)
    return bodies.card_body(card)


@router.post(
    "/applications/{card_id}/dates",
    responses=CHANGING,
    tags=[APPLICATIONS],
    summary="Add a date or a reminder",
)
async def add_date(ask: Asking, card_id: str, body: bodies.DateIn) -> bodies.CardBody:
    card: Card = await board.add_date(
        ask.parts, ask.owner_id, card_id, body.seen, body.kind, body.day, body.at, body.note
    )
    return bodies.card_body(card)


@router.delete(
    "/applications/{card_id}",
    status_code=204,
    responses=DELETING,
    tags=[APPLICATIONS],
    summary="Delete a card; its version stays",
)
async def delete_card(ask: Asking, card_id: str) -> None:
    await ask.parts.store.delete_card(ask.owner_id, card_id)
