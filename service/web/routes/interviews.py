"""Interviews: set up, plan, start, the room and what steers it, the report."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import Depends, Form, Query, Response

from service.domain.drawing.fill import as_planned
from service.domain.grading import Level
from service.domain.interview import Mode, Plan, Session, Turn, may_retry
from service.domain.knowledge import Background, Question
from service.domain.language import Lang, Message, msg
from service.domain.planning import LEAST_MINUTES, PlanWish, edited
from service.domain.reporting import QuestionReport, Report
from service.domain.reporting_document import VERSION_NAMES
from service.domain.tasks import EngineNote
from service.errors import SessionClosed
from service.flows import interviews
from service.flows.report_files import ReportForm, report_file
from service.web import room
from service.web.highlight import Piece
from service.web.labels import BACKGROUND, BASIS, LEVEL, MODE, MODE_HINT
from service.web.once import go_once
from service.web.page import HTML_LANG, LANG_NAMES, Page, PageDep
from service.web.route import Row

MINUTES: Final = (10, 25, 45, 60)
USUAL_MINUTES: Final = 25
BUILTIN: Final = frozenset({"builtin", "none"})
READ_BY_RULES: Final = msg("Read by rules")
READ_BY_MODEL: Final = msg("Model's view")


def wish_of_query(
    page: PageDep,
    lang: Lang | None = None,
    level: Level = Level.MID,
    mode: Mode = Mode.COACHED,
    minutes: int = USUAL_MINUTES,
    resume: str = "",
    posting: str = "",
    question: Annotated[tuple[str, ...], Query()] = (),
    seed: Annotated[str, Query(max_length=64)] = "",
    background: str = "",
    warm_up: bool = False,
) -> PlanWish:
    """What the address asks for; the page's own language when it names none."""
    return PlanWish(
        lang=lang or page.lang,
        level=level,
        mode=mode,
        minutes=minutes,
        question_ids=question,
        resume_id=resume or None,
        posting_id=posting or None,
        seed=seed,
        background=Background(background) if background in set(Background) else None,
        warm_up=warm_up,
    )


def wish_of_form(
    lang: Annotated[Lang, Form()],
    level: Annotated[Level, Form()],
    mode: Annotated[Mode, Form()],
    minutes: Annotated[int, Form()],
    resume: Annotated[str, Form()] = "",
    posting: Annotated[str, Form()] = "",
    question: Annotated[str, Form()] = "",
    seed: Annotated[str, Form(max_length=64)] = "",
    background: Annotated[str, Form()] = "",
    warm_up: Annotated[bool, Form()] = False,
) -> PlanWish:
    """The questions stand in one field with blanks between: a form says each field once."""
    return PlanWish(
        lang=lang,
        level=level,
        mode=mode,
        minutes=minutes,
        question_ids=tuple(question.split()),
        resume_id=resume or None,
        posting_id=posting or None,
        seed=seed,
        background=Background(background) if background in set(Background) else None,
        warm_up=warm_up,
    )


AskedWish = Annotated[PlanWish, Depends(wish_of_query)]
SentWish = Annotated[PlanWish, Depends(wish_of_form)]


async def setup(page: PageDep, wish: AskedWish) -> Response:
    store = page.parts.store
    return page.show(
        "interviews.html",
        wish=wish,
        modes=[(m, page.say(MODE[m]), page.say(MODE_HINT[m])) for m in (Mode.COACHED, Mode.EXAM)],
        levels=[(value, page.say(name), "") for value, name in LEVEL.items()],
        minutes=[(m, str(m), "") for m in sorted({*MINUTES, wish.minutes})],
        langs=[(code, name, "") for code, name in LANG_NAMES.items()],
        backgrounds=[(code.value, page.say(name)) for code, name in BACKGROUND.items()],
        resumes=await store.list_resumes(page.owner),
        postings=await store.list_postings(page.owner),
        sessions=await store.list_sessions(page.owner),
    )


async def plan(page: PageDep, wish: AskedWish, edit: str = "", other: str = "") -> Response:
    """The plan; `edit` is one change to its questions, after which they are the person's own."""
    edit = f"{edit}:{other}" if edit and other else edit
    chosen = await interviews.plan(page.parts, page.owner, wish)
    if edit:
        ids = edited([q.question_id for q in chosen.questions], edit)
        wish = replace(wish, question_ids=ids, seed=chosen.seed)
        return page.go(f"/interviews/plan?{query_of(wish)}")
    questions = as_planned(page.parts.knowledge.questions, chosen.questions)
    return page.show("plan.html", **_plan_context(page, wish, chosen, questions))


def _plan_context(
    page: Page, wish: PlanWish, chosen: Plan, questions: Mapping[str, Question]
) -> dict[str, object]:
    planned = {q.question_id for q in chosen.questions}
    wish = replace(wish, seed=chosen.seed)
    return {
        "plan": chosen,
        "wish": wish,
        "questions": questions,
        "basis": BASIS,
        "others": [q for q in questions.values() if q.id not in planned],
        "taken": sum(q.minutes for q in chosen.questions),
        "anew": query_of(replace(wish, question_ids=())),
        "setup": query_of(wish),
        "once": page.parts.new_id(),
    }


def query_of(wish: PlanWish) -> str:
    """The wish as the query of an address; `wish_of_query` reads it back."""
    pairs = [
        ("lang", wish.lang.value),
        ("level", wish.level.value),
        ("mode", wish.mode.value),
        ("minutes", str(wish.minutes)),
        ("resume", wish.resume_id or ""),
        ("posting", wish.posting_id or ""),
        ("seed", wish.seed),
        ("background", wish.background or ""),
        ("warm_up", "true" if wish.warm_up else ""),
        *(("question", i) for i in wish.question_ids),
    ]
    return urlencode([pair for pair in pairs if pair[1]])


async def start(page: PageDep, wish: SentWish, once: Annotated[str, Form()] = "") -> Response:
    """A form that is sent twice begins one interview."""

    async def work() -> str:
        session = await interviews.start(page.parts, page.owner, wish)
        return f"/interviews/{session.id}"

    return await go_once(page, once, query_of(wish).encode(), work)


async def show_room(page: PageDep, session_id: str) -> Response:
    session = await page.parts.store.get_session(page.owner, session_id)
    return page.show("room.html", **room_context(page, session))


def room_context(page: Page, session: Session) -> dict[str, object]:
    """What every piece of the room is made from."""
    coached = room.is_coached(session)
    questions = as_planned(page.parts.knowledge.questions, session.plan.questions)

    def coached_points(turn: Turn) -> tuple[room.CoachedPoint, ...]:
        return room.coaching(turn, questions.get(turn.question_id))

    def given(turn: Turn) -> list[dict[str, object]]:
        hints = room.hints(turn, questions.get(turn.question_id))
        render = page.site.wording.render
        return [{"text": render(h.text, session.plan.lang), "percent": h.percent} for h in hints]

    return {
        "session": session,
        "progress": room.progress(session, page.parts.clock()),
        "clock": room.clock,
        "given_hints": given,
        "typed": "",
        "may_retry": may_retry,
        "question_number": _numbers(session).__getitem__,
        "plan_lang": HTML_LANG[session.plan.lang],
        "coached": coached,
        "closing": None,
        "highlight": room.highlight,
        "pieces": room.sentences,
        "coaching": coached_points,
        "turn_key": room.turn_key,
    }


def _numbers(session: Session) -> dict[str, int]:
    return {q.question_id: n for n, q in enumerate(session.plan.questions, 1)}


async def pause(page: PageDep, session_id: str) -> Response:
    await interviews.pause_session(page.parts, page.owner, session_id)
    return page.go(f"/interviews/{session_id}")


async def resume(page: PageDep, session_id: str) -> Response:
    await interviews.resume_session(page.parts, page.owner, session_id)
    return page.go(f"/interviews/{session_id}")


async def end(page: PageDep, session_id: str) -> Response:
    await interviews.end_session(page.parts, page.owner, session_id)
    return page.go(f"/interviews/{session_id}/report")


async def skip(page: PageDep, session_id: str, seq: int) -> Response:
    try:
        session = await interviews.skip_turn(page.parts, page.owner, session_id, seq)
    except SessionClosed:
        return page.go(f"/interviews/{session_id}/report")
    return page.go(f"/interviews/{session.id}")


async def hint(page: PageDep, session_id: str, seq: int) -> Response:
    await interviews.hint_turn(page.parts, page.owner, session_id, seq)
    return page.go(f"/interviews/{session_id}#answer")


async def retry(page: PageDep, session_id: str, question_id: str) -> Response:
    await interviews.retry_question(page.parts, page.owner, session_id, question_id)
    return page.go(f"/interviews/{session_id}#answer")


async def delete(page: PageDep, session_id: str) -> Response:
    await page.parts.store.delete_session(page.owner, session_id)
    return page.go("/interviews")


async def report(page: PageDep, session_id: str) -> Response:
    made = await interviews.report(page.parts, page.owner, session_id)
    context = room_context(page, made.session)

    def reader_of(one: QuestionReport) -> str:
        return page.say(_reader_of(one))

    return page.show(
        "report.html",
        **{**context, "coached": False, "highlight": _highlight_all},
        report=made,
        next_action=made.next_action,
        readers=_readers(page, made.read_by),
        retry=_retry(made, page),
        next_query=_next_query(made),
        reader_of=reader_of,
        version_names=VERSION_NAMES,
    )


def _highlight_all(turn: Turn, _shows_evidence: bool) -> tuple[Piece, ...]:
    return room.highlight(turn, shows_evidence=True)


def _readers(page: Page, notes: tuple[EngineNote, ...]) -> str:
    names = (note.model or page.say(msg("the built-in engine")) for note in notes)
    return ", ".join(dict.fromkeys(names)) or page.say(msg("nobody yet"))


def _reader_of(one: QuestionReport) -> Message:
    """Who judged the points of a question: fixed rules, or a model whose view it is."""
    engines = {t.read_by.engine for t in one.turns if t.read_by}
    return READ_BY_RULES if engines <= BUILTIN else READ_BY_MODEL


def _retry(made: Report, page: Page) -> Question | None:
    return page.parts.knowledge.questions.get(made.gaps[0].question_id) if made.gaps else None


def _next_query(made: Report) -> str:
    """The plan page with the questions of the next session chosen."""
    plan, following = made.session.plan, made.next_session
    query = {
        "lang": plan.lang.value,
        "level": plan.level.value,
        "mode": plan.mode.value,
        "minutes": max(LEAST_MINUTES, following.minutes),
        "question": [n.question.id for n in following.questions],
    }
    return urlencode(query, doseq=True)


async def report_as_markdown(page: PageDep, session_id: str) -> Response:
    return await _report_file(page, session_id, ReportForm.MARKDOWN)


async def report_as_pdf(page: PageDep, session_id: str) -> Response:
    return await _report_file(page, session_id, ReportForm.PDF)


async def _report_file(page: Page, session_id: str, form: ReportForm) -> Response:
    made = await report_file(page.parts, page.owner, session_id, form, page.lang, page.say)
    return Response(made.data, media_type=made.media, headers=made.headers)


ROWS: Final = (
    Row("GET", "/interviews", setup),
    Row("POST", "/interviews", start),
    Row("GET", "/interviews/plan", plan),
    Row("GET", "/interviews/{session_id}", show_room),
    Row("POST", "/interviews/{session_id}/pause", pause),
    Row("POST", "/interviews/{session_id}/resume", resume),
    Row("POST", "/interviews/{session_id}/end", end),
    Row("POST", "/interviews/{session_id}/delete", delete),
    Row("POST", "/interviews/{session_id}/turns/{seq}/skip", skip),
    Row("POST", "/interviews/{session_id}/turns/{seq}/hint", hint),
    Row("POST", "/interviews/{session_id}/questions/{question_id}/retry", retry),
    Row("GET", "/interviews/{session_id}/report", report),
    Row("GET", "/interviews/{session_id}/report.md", report_as_markdown),
    Row("GET", "/interviews/{session_id}/report.pdf", report_as_pdf),
)
