"""An interview's life beside its answers: plan, start, skip, pause, resume, end, report."""

import asyncio
from dataclasses import replace
from functools import partial

from service.domain.alignment import Match, align
from service.domain.assertions.foreign import is_addressed_to_grader
from service.domain.bullet_defence import asks_of
from service.domain.drawing.fill import as_planned
from service.domain.grading import Level
from service.domain.hinting import give_hint
from service.domain.interview import (
    WARM_UP,
    Mode,
    Move,
    MoveKind,
    Plan,
    Session,
    ask,
    close,
    pause,
    resume,
    set_aside,
    skip,
)
from service.domain.language import Lang
from service.domain.plan_sources import Doubt, Sources
from service.domain.planning import PlanWish, make_plan
from service.domain.reporting import Report, make_report
from service.errors import InputInvalid, TurnOutOfOrder
from service.flows.answer import move_on
from service.flows.learning import mastery
from service.flows.parts import Parts
from service.flows.phrasing import phrase
from service.store.port import SessionSummary, StoredPosting, StoredResume


async def plan(parts: Parts, owner_id: str, wish: PlanWish) -> Plan:
    """Choose the questions; shown before the start.

    Raises:
        NotFound: the résumé or posting is not this owner's.
        InputInvalid: minutes out of range or an unknown question.
    """
    # Both ids are looked up, so that an unknown one is refused.
    stored = await parts.store.get_resume(owner_id, wish.resume_id) if wish.resume_id else None
    posting = await parts.store.get_posting(owner_id, wish.posting_id) if wish.posting_id else None
    match = await _match(parts, stored, posting)
    sources = Sources(
        resume=stored.resume if stored else None,
        requirements=posting.posting.requirements if posting else (),
        skills=parts.knowledge.skills,
        mastery=await mastery(parts, owner_id),
        doubts=await asyncio.to_thread(_doubts, parts, stored),
    )
    wish = wish if wish.seed else replace(wish, seed=parts.new_id())
    return make_plan(wish, parts.knowledge.questions, match, sources)


def _doubts(parts: Parts, stored: StoredResume | None) -> tuple[Doubt, ...]:
    """Figures of the résumé that the memory formulas do not bear out, each as a question."""
    bullets = stored.resume.bullets() if stored else ()
    asked = ((bullet, asks_of(bullet.text, parts.known_models)) for bullet in bullets)
    return tuple(Doubt(bullet, asks) for bullet, asks in asked if asks)


async def _match(
    parts: Parts, stored: StoredResume | None, posting: StoredPosting | None
) -> Match | None:
    """What the two have in common; None where one of them is missing."""
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
    move = _opening(chosen)
    words, note = await phrase(parts, session, move)
    session = ask(session, move, words, note, parts.clock())
    await parts.store.add_session(owner_id, session)
    return session


def _opening(chosen: Plan) -> Move:
    if chosen.warm_up:
        return Move(MoveKind.WARM_UP, WARM_UP)
    first = chosen.questions[0]
    return Move(MoveKind.ASK, first.question_id, quote=first.bullet or "")


async def hint_turn(parts: Parts, owner_id: str, session_id: str, seq: int) -> Session:
    """Give the next hint for the awaited turn; it is written down and lowers what can be earned.

    Raises:
        InputInvalid: exam mode, the warm-up, or nothing is left to hint at.
    """
    before = await parts.store.get_session(owner_id, session_id)
    turn = before.awaiting(seq)
    question = as_planned(parts.knowledge.questions, before.plan.questions).get(turn.question_id)
    if question is None:
        raise InputInvalid("There is nothing left to hint at here.")
    after = give_hint(before, seq, question, parts.clock())
    return await parts.store.update_session(owner_id, after, before.revision)


async def retry_question(parts: Parts, owner_id: str, session_id: str, question_id: str) -> Session:
    """Put a question once more; what awaited an answer comes again later.

    Raises:
        InputInvalid: exam mode, or a question that was not answered or skipped.
    """
    before = await parts.store.get_session(owner_id, session_id)
    session = set_aside(before, question_id, parts.clock())
    move = Move(MoveKind.RETRY, question_id)
    words, note = await phrase(parts, session, move)
    session = ask(session, move, words, note, parts.clock())
    return await parts.store.update_session(owner_id, session, before.revision)


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
    "hint_turn",
    "pause_session",
    "plan",
    "report",
    "resume_session",
    "retry_question",
    "skip_turn",
    "start",
]
