"""Skill points by evidence, what is due, the history, and short questions."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response as HttpResponse

from service.api.context import Asker, Asking, IdempotencyKey, create_once
from service.api.description import (
    ANSWERING,
    CHANGING,
    CREATING,
    DELETING,
    EVERYWHERE,
    READING,
    problems,
)
from service.api.learning_bodies import (
    DrillAnswerIn,
    DrillBody,
    DrillIn,
    SkillNoteIn,
    SkillPointBody,
    SkillPointDetailBody,
    Topic,
    TrendRowBody,
)
from service.api.learning_present import drill_body, point_body, proof_body, trend_body
from service.api.strict import StrictRoute
from service.flows import learning, learning_drill

router = APIRouter(
    route_class=StrictRoute, prefix="/v1/learning", tags=["learning"], responses=EVERYWHERE
)
OfTopic = Annotated[Topic, Path(description="A topic, as `GET /v1/learning/points` lists them.")]


@router.get("/points", summary="Every skill point and where it stands by evidence")
async def list_skill_points(ask: Asking) -> Sequence[SkillPointBody]:
    """Those that interviews ask most often come first."""
    seen = await learning.practice(ask.parts, ask.owner_id)
    return [point_body(ask.show, p, seen.now) for p in seen.points]


@router.get("/due", summary="Skill points to practise now, the one that fades most first")
async def list_due(ask: Asking) -> Sequence[SkillPointBody]:
    seen = await learning.practice(ask.parts, ask.owner_id)
    return [point_body(ask.show, p, seen.now) for p in seen.due]


@router.get("/history", summary="The marks of each interview, the oldest first")
async def list_history(ask: Asking) -> Sequence[TrendRowBody]:
    """Per dimension, with what the level asks for. No rank among others and no forecast."""
    seen = await learning.practice(ask.parts, ask.owner_id)
    return [trend_body(row) for row in seen.trend]


@router.get(
    "/points/{topic}",
    responses=READING,
    summary="One skill point, your résumé's lines on it, your best answer, every review",
)
async def get_skill_point(ask: Asking, topic: OfTopic) -> SkillPointDetailBody:
    found = await learning.proof(ask.parts, ask.owner_id, topic)
    return proof_body(ask.show, found, ask.parts.clock())


@router.put(
    "/points/{topic}/note",
    responses=CHANGING,
    summary="Put the card where you see it; that is a note and never evidence",
)
async def put_skill_note(ask: Asking, topic: OfTopic, body: SkillNoteIn) -> SkillPointBody:
    await learning.put_note(ask.parts, ask.owner_id, topic, body.seen, body.column, body.text)
    return await _point(ask, topic)


@router.delete(
    "/points/{topic}/note",
    status_code=204,
    responses=DELETING,
    summary="Take your note away; the card lies where the evidence puts it",
)
async def delete_skill_note(ask: Asking, topic: OfTopic) -> None:
    await learning.delete_note(ask.parts, ask.owner_id, topic)


async def _point(ask: Asker, topic: str) -> SkillPointBody:
    seen = await learning.practice(ask.parts, ask.owner_id)
    return point_body(ask.show, seen.point(topic), seen.now)


@router.post(
    "/drills",
    status_code=201,
    responses=CREATING,
    response_model=DrillBody,
    summary="The next short question: due first, or of a topic you choose",
)
async def begin_drill(
    ask: Asking, body: DrillIn, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    """One that still awaits its answer comes back again; another topic puts it aside."""

    async def begun() -> DrillBody:
        drill = await learning_drill.begin(ask.parts, ask.owner_id, body.lang, body.topic or "")
        return await _drill(ask, drill.id)

    return await create_once(ask, idempotency_key, "drills", body.model_dump_json().encode(), begun)


async def _drill(ask: Asker, drill_id: str) -> DrillBody:
    return drill_body(ask.show, await learning_drill.view(ask.parts, ask.owner_id, drill_id))


@router.get("/drills/{drill_id}", responses=READING, summary="One short question")
async def get_drill(ask: Asking, drill_id: str) -> DrillBody:
    return await _drill(ask, drill_id)


@router.post(
    "/drills/{drill_id}/answer",
    responses=ANSWERING,
    summary="Answer a short question; verdict, rating and the next day come back",
)
async def answer_drill(ask: Asking, drill_id: str, body: DrillAnswerIn) -> DrillBody:
    """The answer is stored before it is read; null reads it again when that failed (503, 502)."""
    await learning_drill.answer(ask.parts, ask.owner_id, drill_id, body.answer)
    return await _drill(ask, drill_id)


@router.post(
    "/drills/{drill_id}/hint",
    responses=CHANGING,
    summary="One more hint; its answer can then no longer make the point stable",
)
async def hint_drill(ask: Asking, drill_id: str) -> DrillBody:
    await learning_drill.hint(ask.parts, ask.owner_id, drill_id)
    return await _drill(ask, drill_id)


@router.post(
    "/drills/{drill_id}/skip", responses=CHANGING, summary="Leave a short question unanswered"
)
async def skip_drill(ask: Asking, drill_id: str) -> DrillBody:
    await learning_drill.skip(ask.parts, ask.owner_id, drill_id)
    return await _drill(ask, drill_id)


@router.delete(
    "/drills/{drill_id}",
    status_code=204,
    responses=problems(403, 404),
    summary="Delete a short question with its answer and its review",
)
async def delete_drill(ask: Asking, drill_id: str) -> None:
    await learning_drill.delete(ask.parts, ask.owner_id, drill_id)
