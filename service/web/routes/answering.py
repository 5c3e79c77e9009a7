"""An answer in the room: sent once, and the next move watched as it comes."""

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Final

from fastapi import Form, Response
from fastapi.responses import StreamingResponse

from service.domain.interview import Session, SessionStatus, Turn, TurnStatus
from service.domain.language import Message, msg
from service.errors import (
    KeyReused,
    SessionClosed,
    SessionPaused,
    ShardwiseError,
    TurnOutOfOrder,
)
from service.flows.answer import AnswerCall, Done, Failed, Stage, Step, answer, answer_steps
from service.web.errors import told
from service.web.page import Page, PageDep
from service.web.route import Row
from service.web.routes.interviews import room_context

STAGES: Final[Mapping[Stage, Message]] = {
    Stage.STORED: msg("Your answer is safe."),
    Stage.READING: msg("Reading your answer…"),
    Stage.ASKING: msg("Thinking about what to ask next…"),
}
# Another tab was first.
OVERTAKEN: Final = (TurnOutOfOrder, KeyReused, SessionClosed, SessionPaused)
# A proxy that buffers would turn the stream into one late reply.
STREAM_HEADERS: Final = {"X-Accel-Buffering": "no"}


async def send(
    page: PageDep,
    session_id: str,
    seq: int,
    text: Annotated[str, Form()] = "",
    key: Annotated[str, Form()] = "",
) -> Response:
    call = AnswerCall(page.owner, session_id, seq, _lines(text), key or f"page-{session_id}-{seq}")
    return await _respond(page, call)


async def again(page: PageDep, session_id: str, seq: int) -> Response:
    """Read the stored answer once more after a failure."""
    return await _respond(page, AnswerCall(page.owner, session_id, seq, None, page.parts.new_id()))


def _lines(text: str) -> str:
    """Forms send CRLF; an answer has plain line ends, in the stream and without it."""
    return text.replace("\r\n", "\n")


async def _respond(page: Page, call: AnswerCall) -> Response:
    if page.is_partial:
        return StreamingResponse(
            _stream(page, call), media_type="text/event-stream", headers=STREAM_HEADERS
        )
    try:
        await answer(page.parts, call)
    except OVERTAKEN as error:
        return await _came_too_late(page, call, error)
    return page.go(f"/interviews/{call.session_id}")


async def _came_too_late(page: Page, call: AnswerCall, error: ShardwiseError) -> Response:
    """Another tab was first: the room as it stands, with the words of this one kept beside it."""
    session = await _session(page, call)
    if session is None:
        return page.fail(error)
    what = told(error)
    context = room_context(page, session) | {"late": call.answer or "", "told": what}
    return page.show("room.html", what.status, **context)


async def _stream(page: Page, call: AnswerCall) -> AsyncIterator[str]:
    """Server-sent events that htmx swaps in; the form goes last, it carries the stream."""
    async for step in answer_steps(page.parts, call):
        for part in await _parts(page, call, step):
            yield event(part)


async def _parts(page: Page, call: AnswerCall, step: Step) -> tuple[str, ...]:
    if isinstance(step, Stage):
        working = page.html("partials/working.html", stage=STAGES[step])
        return (partial("#status", "innerHTML", working),)
    session = await _session(page, call)
    if isinstance(step, Failed):
        return _failed(page, session, step.error)
    return _done(page, session, call.seq, step) if session else ()


async def _session(page: Page, call: AnswerCall) -> Session | None:
    try:
        return await page.parts.store.get_session(call.owner_id, call.session_id)
    except ShardwiseError:
        return None


def _failed(page: Page, session: Session | None, error: ShardwiseError) -> tuple[str, ...]:
    """What went wrong; the form stays as it is while the answer is not stored."""
    if isinstance(error, OVERTAKEN) and session is not None:
        return _overtaken(page, session, error)
    detail = page.site.wording.error(error, page.lang)
    notice = page.html("partials/problem.html", told=told(error), detail=detail)
    shown = partial("#status", "innerHTML", notice)
    if session is None or _still_awaits_words(session):
        return (shown,)
    return (shown, _answer_box(page, session))


def _overtaken(page: Page, session: Session, error: ShardwiseError) -> tuple[str, ...]:
    """The form keeps its words; the other tab's answer is seen after a reload."""
    notice = page.html(
        "partials/late.html", told=told(error), session=session, late="", reload=True
    )
    return (partial("#status", "innerHTML", notice),)


def _still_awaits_words(session: Session) -> bool:
    turn = session.current
    running = session.status is SessionStatus.OPEN
    return running and turn is not None and turn.status is TurnStatus.ASKED


def _done(page: Page, session: Session, seq: int, done: Done) -> tuple[str, ...]:
    context = room_context(page, session)
    answered = next(t for t in session.turns if t.seq == seq)
    parts = [
        partial(
            "#turns", "beforeend", page.html("partials/answered.html", **context, turn=answered)
        )
    ]
    following = _following(session, seq)
    if following:
        asked = page.html("partials/asked.html", **context, turn=following, fresh=True)
        parts.append(partial("#turns", "beforeend", asked))
    progress = page.html("partials/progress.html", **context)
    if session.status is SessionStatus.CLOSED:
        controls = page.html("partials/room_controls.html", **context)
        parts.append(partial("#controls", "innerHTML", controls))
    return (
        *parts,
        partial("#progress", "innerHTML", progress),
        partial("#status", "innerHTML", " "),
        _answer_box(page, session, done.answered.closing),
    )


def _following(session: Session, seq: int) -> Turn | None:
    return next((t for t in session.turns if t.seq == seq + 1), None)


def _answer_box(page: Page, session: Session, closing: str | None = None) -> str:
    context = {**room_context(page, session), "closing": closing}
    return partial("#answer", "innerHTML", page.html("partials/answer.html", **context))


def partial(target: str, swap: str, html: str) -> str:
    """A piece of the page and where it goes, as htmx reads it."""
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'


def event(data: str) -> str:
    """One unnamed server-sent event; a line of data for each line of text."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "".join(f"data: {line}\n" for line in lines) + "\n"


async def state(page: PageDep, session_id: str, seq: int) -> Response:
    """Asked now and then while an answer is being read elsewhere: reload when it is done."""
    session = await page.parts.store.get_session(page.owner, session_id)
    turn = next((t for t in session.turns if t.seq == seq), None)
    waits = turn is not None and turn.status is TurnStatus.STORED
    return Response(status_code=204, headers={} if waits else {"HX-Refresh": "true"})


ROWS: Final = (
    Row("POST", "/interviews/{session_id}/turns/{seq}", send),
    Row("POST", "/interviews/{session_id}/turns/{seq}/again", again),
    Row("GET", "/interviews/{session_id}/turns/{seq}", state),
)
