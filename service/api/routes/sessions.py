"""Interviews: plan, start, answer (whole or as a stream), skip, pause, end, report."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.responses import Response as HttpResponse

from service.api import bodies, forms
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
from service.api.errors import STATUS, code_of
from service.api.present import row
from service.api.report_bodies import ReportBody
from service.api.report_present import report_body
from service.api.strict import StrictRoute
from service.domain.interview import Session
from service.domain.planning import PlanWish
from service.errors import ShardwiseError
from service.flows import answer, interviews
from service.flows.report_files import ReportForm, report_file

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["interviews"], responses=EVERYWHERE)

MARKDOWN: Final = {"text/markdown": {"schema": {"type": "string"}}}
PDF: Final = {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}


def _wish(body: forms.PlanIn) -> PlanWish:
    return PlanWish(
        lang=body.lang,
        level=body.level,
        mode=body.mode,
        minutes=body.minutes,
        question_ids=tuple(body.question_ids),
        resume_id=body.resume_id,
        posting_id=body.posting_id,
        seed=body.seed,
        background=body.background,
        warm_up=body.warm_up,
    )


def _session(ask: Asker, session: Session) -> bodies.SessionBody:
    return ask.show.session(session, ask.parts.clock())


@router.post(
    "/plans",
    responses=problems(403, 404),
    summary="See which questions an interview would ask, and why",
)
async def preview_plan(ask: Asking, body: forms.PlanIn) -> bodies.PlanBody:
    return ask.show.plan(await interviews.plan(ask.parts, ask.owner_id, _wish(body)))


@router.post(
    "/sessions",
    status_code=201,
    responses=CREATING,
    response_model=bodies.SessionBody,
    summary="Start an interview; the first question comes back",
)
async def start_session(
    ask: Asking, body: forms.PlanIn, idempotency_key: IdempotencyKey = None
) -> HttpResponse:
    async def begun() -> bodies.SessionBody:
        return _session(ask, await interviews.start(ask.parts, ask.owner_id, _wish(body)))

    sent = body.model_dump_json().encode()
    return await create_once(ask, idempotency_key, "sessions", sent, begun)


@router.get("/sessions", summary="Your interviews, the last touched first")
async def list_sessions(ask: Asking) -> Sequence[bodies.SessionRow]:
    return [row(s) for s in await ask.parts.store.list_sessions(ask.owner_id)]


@router.get("/sessions/{session_id}", responses=READING, summary="One interview where it stands")
async def get_session(ask: Asking, session_id: str) -> bodies.SessionBody:
    return _session(ask, await ask.parts.store.get_session(ask.owner_id, session_id))


@router.delete(
    "/sessions/{session_id}",
    status_code=204,
    responses=DELETING,
    summary="Delete an interview with its answers",
)
async def delete_session(ask: Asking, session_id: str) -> None:
    await ask.parts.store.delete_session(ask.owner_id, session_id)


def _call(
    ask: Asker, session_id: str, seq: int, text: str | None, key: str | None
) -> answer.AnswerCall:
    """Without a key each request stands for itself."""
    return answer.AnswerCall(ask.owner_id, session_id, seq, text, key or ask.parts.new_id())


def _answered(ask: Asker, done: answer.Done) -> bodies.AnsweredBody:
    return ask.show.answered(done.answered)


@router.post(
    "/sessions/{session_id}/turns/{seq}/answer",
    responses=ANSWERING,
    summary="Answer the awaited turn; the grade and the next move come back",
)
async def answer_turn(
    ask: Asking,
    session_id: str,
    seq: int,
    body: forms.AnswerIn,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> bodies.AnsweredBody:
    """The answer is stored before it is read.

    When reading fails (503, 502) it stays stored: call `retry` on the same turn. Of several
    answers to one turn exactly one wins, the others get 409. The same Idempotency-Key with the
    same answer is replayed.
    """
    call = _call(ask, session_id, seq, body.answer, idempotency_key)
    done = await answer.answer(ask.parts, call)
    if done.replayed:
        response.headers["Idempotent-Replay"] = "true"
    return _answered(ask, done)


@router.post(
    "/sessions/{session_id}/turns/{seq}/retry",
    responses=ANSWERING,
    summary="Read a stored answer again after its reading failed",
)
async def retry_turn(ask: Asking, session_id: str, seq: int) -> bodies.AnsweredBody:
    done = await answer.answer(ask.parts, _call(ask, session_id, seq, None, None))
    return _answered(ask, done)


@router.post(
    "/sessions/{session_id}/turns/{seq}/answer/stream",
    response_class=EventSourceResponse,
    responses=problems(400, 403, 413),
    summary="Answer the awaited turn and watch it being read (server-sent events)",
)
async def answer_stream(
    ask: Asking,
    session_id: str,
    seq: int,
    body: forms.AnswerIn,
    idempotency_key: IdempotencyKey = None,
) -> AsyncIterator[ServerSentEvent]:
    """The stages of one answer as they happen.

    Events: `stage` (stored, reading, asking), then `done` with the body of `answer`, or `problem`
    with the fields of a problem document. A client that leaves loses nothing.
    """
    call = _call(ask, session_id, seq, body.answer, idempotency_key)
    async for step in answer.answer_steps(ask.parts, call):
        yield _event(ask, step)


def _event(ask: Asker, step: answer.Step) -> ServerSentEvent:
    match step:
        case answer.Done():
            return ServerSentEvent(event="done", data=_answered(ask, step).model_dump(mode="json"))
        case answer.Failed(error=error):
            return ServerSentEvent(event="problem", data=_problem(ask, error))
        case _:
            return ServerSentEvent(event="stage", data={"stage": step.value})


def _problem(ask: Asker, error: ShardwiseError) -> dict[str, object]:
    return {
        "type": f"urn:shardwise:{code_of(error)}",
        "title": code_of(error),
        "status": STATUS[type(error)],
        "detail": ask.show.wording.error(error, ask.show.lang),
    }


@router.post(
    "/sessions/{session_id}/turns/{seq}/skip",
    responses=CHANGING,
    summary="Leave the awaited question unanswered",
)
async def skip_turn(ask: Asking, session_id: str, seq: int) -> bodies.SessionBody:
    return _session(ask, await interviews.skip_turn(ask.parts, ask.owner_id, session_id, seq))


@router.post(
    "/sessions/{session_id}/turns/{seq}/hint",
    responses=CHANGING,
    summary="Coached mode: the next hint for the awaited turn",
)
async def hint_turn(ask: Asking, session_id: str, seq: int) -> bodies.SessionBody:
    """Three hints for a point, each telling more; each lowers what the point can earn."""
    return _session(ask, await interviews.hint_turn(ask.parts, ask.owner_id, session_id, seq))


@router.post(
    "/sessions/{session_id}/questions/{question_id}/retry",
    responses=CHANGING,
    summary="Coached mode: put a question once more",
)
async def retry_question(ask: Asking, session_id: str, question_id: str) -> bodies.SessionBody:
    """What awaited an answer is set aside and asked again later. The best attempt counts."""
    return _session(
        ask, await interviews.retry_question(ask.parts, ask.owner_id, session_id, question_id)
    )


@router.post("/sessions/{session_id}/pause", responses=CHANGING, summary="Pause")
async def pause_session(ask: Asking, session_id: str) -> bodies.SessionBody:
    return _session(ask, await interviews.pause_session(ask.parts, ask.owner_id, session_id))


@router.post("/sessions/{session_id}/resume", responses=CHANGING, summary="Go on after a pause")
async def resume_session(ask: Asking, session_id: str) -> bodies.SessionBody:
    return _session(ask, await interviews.resume_session(ask.parts, ask.owner_id, session_id))


@router.post(
    "/sessions/{session_id}/end",
    responses=CHANGING,
    summary="End early; what was answered is reported",
)
async def end_session(ask: Asking, session_id: str) -> bodies.SessionBody:
    return _session(ask, await interviews.end_session(ask.parts, ask.owner_id, session_id))


@router.get(
    "/sessions/{session_id}/report",
    responses=READING,
    summary="The report, also of a running interview",
)
async def get_report(ask: Asking, session_id: str) -> ReportBody:
    return report_body(ask.show, await interviews.report(ask.parts, ask.owner_id, session_id))


@router.get(
    "/sessions/{session_id}/report.md",
    response_class=Response,
    responses=READING | {200: {"content": MARKDOWN}},
    summary="The report as Markdown",
)
async def get_report_markdown(ask: Asking, session_id: str) -> HttpResponse:
    """All that the page shows, in the language asked for."""
    return await _report_file(ask, session_id, ReportForm.MARKDOWN)


@router.get(
    "/sessions/{session_id}/report.pdf",
    response_class=Response,
    responses=READING | {200: {"content": PDF}},
    summary="The report as PDF",
)
async def get_report_pdf(ask: Asking, session_id: str) -> HttpResponse:
    """Tagged (PDF/UA-1), its font embedded; in the language asked for."""
    return await _report_file(ask, session_id, ReportForm.PDF)


async def _report_file(ask: Asker, session_id: str, form: ReportForm) -> HttpResponse:
    show = ask.show
    made = await report_file(ask.parts, ask.owner_id, session_id, form, show.lang, show.say)
    return Response(made.data, media_type=made.media, headers=made.headers)
