"""An interview's life beside its answers: plan, start, skip, pause, resume, end, report."""

import asyncio
from dataclasses import replace
from functools import partial

from service.domain.alignment import Match, align
from service.domain.assertions.foreign import is_addressed_to_grader
from service.domain.grading import Level
from service.domain.interview import (
    Mode,
    Move,
    MoveKind,
    Plan,
    Session,
    ask,
    close,
    pause,
    resume,
    skip,
)
from service.domain.language import Lang
from service.domain.planning import PlanWish, make_plan
from service.domain.reporting import Report, make_report
from service.errors import TurnOutOfOrder
from service.flows.answer import move_on
from service.flows.parts import Parts
from service.flows.phrasing import phrase
from service.store.port import SessionSummary


async def plan(parts: Parts, owner_id: str, wish: PlanWish) -> Plan:
    """Choose the questions; shown before the start.

    Raises:
        NotFound: the résumé or posting is not this owner's.
        InputInvalid: minutes out of range or an unknown question.
    """
    match = await _match(parts, owner_id, wish)
    wish = wish if wish.seed else replace(wish, seed=parts.new_id())
    return make_plan(wish, parts.knowledge.questions, match)


async def _match(parts: Parts, owner_id: str, wish: PlanWish) -> Match | None:
    """What the two have in common; both ids are looked up, so that an unknown one is refused."""
    stored = await parts.store.get_resume(owner_id, wish.resume_id) if wish.resume_id else None
    posting = await parts.store.get_posting(owner_id, wish.posting_id) if wish.posting_id else None
    if stored is None or posting is None:
        return None
    today = f"{parts.clock():%Y-%m}"
    skills = parts.knowledge.skills
    foreign = partial(is_addressed_to_grader, lexicon=parts.lexicon)
    return await asyncio.to_thread(align, stored.resume, posting.posting, skills, today, foreign)


async def start(parts: Parts, owner_id: str, wish: PlanWish) -> Session:
    """Begin an interview; its first question has been asked."""
    chosen = await plan(parts, owner_id, wish)
    now = parts.clock()
    session = Session(id=parts.new_id(), plan=chosen, created_at=now, updated_at=now)
    opening = chosen.questions[0]
    move = Move(MoveKind.ASK, opening.question_id, quote=opening.bullet or "")
    words, note = await phrase(parts, session, move)
    session = ask(session, move, words, note, parts.clock())
    await parts.store.add_session(owner_id, session)
    return session


async def skip_turn(parts: Parts, owner_id: str, session_id: str, seq: int) -> Session:
    """Leave the awaited question unanswered and go on; skipping is not a wrong answer."""
    before = await parts.store.get_session(owner_id, session_id)
    session = skip(before, seq, parts.clock())
    session, _ = await move_on(parts, session)
    return await parts.store.update_session(owner_id, session, before.revision)


async def pause_session(parts: Parts, owner_id: str, session_id: str) -> Session:
    before = await parts.store.get_session(owner_id, session_id)
    after = pause(before, parts.clock())
    return await parts.store.update_session(owner_id, after, before.revision)


async def resume_session(parts: Parts, owner_id: str, session_id: str) -> Session:
    before = await parts.store.get_session(owner_id, session_id)
    after = resume(before, parts.clock())
    return await parts.store.update_session(owner_id, after, before.revision)


async def end_session(parts: Parts, owner_id: str, session_id: str) -> Session:
    """End early or again; what was answered stays and is reported."""
    before = await parts.store.get_session(owner_id, session_id)
    after = close(before, parts.clock())
    if after is before:
        return before
    try:
        return await parts.store.update_session(owner_id, after, before.revision)
    except TurnOutOfOrder:
        # An answer was saved in between: end what it led to.
        latest = await parts.store.get_session(owner_id, session_id)
        closed = close(latest, parts.clock())
        return await parts.store.update_session(owner_id, closed, latest.revision)


async def report(parts: Parts, owner_id: str, session_id: str) -> Report:
    session = await parts.store.get_session(owner_id, session_id)
    return make_report(session, parts.knowledge)


__all__ = [
    "Lang",
    "Level",
    "Mode",
    "PlanWish",
    "SessionSummary",
    "end_session",
    "pause_session",
    "plan",
    "report",
    "resume_session",
    "skip_turn",
    "start",
]
