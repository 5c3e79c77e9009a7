"""What a person knows: the board, what is due, the history, and one skill point with its proof.

What an interview showed is made from the interview and kept beside it. It is made anew when the
interview or the rules have changed, so it can be lost without loss.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

from service.domain.grading import PointClaim, Verdict, ground
from service.domain.interview import Session, SessionStatus, Turn
from service.domain.learning.evidence import (
    RULES,
    is_read_by_rules,
    review_of_drill,
    reviews_of,
)
from service.domain.learning.mastery import (
    BestAnswer,
    SkillPoint,
    best_answer,
    due_points,
    mastery_by_topic,
    skill_points,
)
from service.domain.learning.model import Drill, Learned, SkillNote, Standing
from service.domain.learning.trend import TrendRow, trend
from service.domain.reporting import make_report
from service.domain.resume import Bullet
from service.domain.skills import skill_names
from service.domain.tasks import ReadAnswer
from service.errors import EngineError, NotFound
from service.flows.parts import Parts
from service.flows.texts import require_text
from service.store.port import SessionSummary, StoredResume

LONGEST_NOTE: Final = 1_000  # characters
MOST_BULLETS: Final = 5
# Answers of a model that are read again by rules before a page is shown; the rest next time.
MOST_READ_AGAIN: Final = 60


@dataclass(frozen=True, slots=True)
class Practice:
    """All that was practised, as it stands at `now`.

    `behind` counts interviews that were not looked at yet, or only by earlier rules.
    """

    now: datetime
    learned: tuple[Learned, ...]
    drills: tuple[Drill, ...]
    points: tuple[SkillPoint, ...]
    behind: int = 0

    @property
    def due(self) -> tuple[SkillPoint, ...]:
        return due_points(self.points, self.now)

    @property
    def trend(self) -> tuple[TrendRow, ...]:
        return trend(self.learned)

    def point(self, topic: str) -> SkillPoint:
        """Raises NotFound."""
        found = next((p for p in self.points if p.topic == topic), None)
        if found is None:
            raise NotFound("There is no such skill point.")
        return found


async def practice(parts: Parts, owner_id: str) -> Practice:
    """Bring what interviews showed up to date and look at everything."""
    learned, behind = await _learned(parts, owner_id)
    drills = await parts.store.list_drills(owner_id)
    notes = {n.topic: n for n in await parts.store.list_skill_notes(owner_id)}
    drilled = (r for d in drills if (r := review_of_drill(d)))
    reviews = tuple(chain(drilled, *(x.reviews for x in learned)))
    now = parts.clock()
    points = await asyncio.to_thread(skill_points, parts.knowledge.questions, reviews, notes, now)
    return Practice(now, learned, tuple(drills), points, behind)


async def mastery(parts: Parts, owner_id: str) -> Mapping[str, float]:
    """0..1 by topic, for planning; topics that were never practised are not in it."""
    return mastery_by_topic((await practice(parts, owner_id)).points)


async def _learned(parts: Parts, owner_id: str) -> tuple[tuple[Learned, ...], int]:
    """What is kept, brought up to date from the newest on, and how many must wait."""
    kept = {x.session_id: x for x in await parts.store.list_learned(owner_id)}
    summaries = await parts.store.list_sessions(owner_id)
    stale = [s.id for s in summaries if not _is_fresh(kept.get(s.id), s)]
    spent = done = 0
    for session_id in stale:
        if spent >= MOST_READ_AGAIN:
            break
        done += 1
        made = await _learn_anew(parts, owner_id, session_id)
        if made is not None:
            kept[session_id], cost = made
            spent += cost
    found = sorted(kept.values(), key=lambda x: (x.began_at, x.session_id))
    return tuple(found), len(stale) - done


async def _learn_anew(parts: Parts, owner_id: str, session_id: str) -> tuple[Learned, int] | None:
    """With the number of answers that rules read again; None when it was deleted meanwhile."""
    try:
        session = await parts.store.get_session(owner_id, session_id)
    except NotFound:
        return None
    made = await learn(parts, session)
    if not await parts.store.put_learned(owner_id, made):
        return None
    return made, sum(not is_read_by_rules(t.read_by) for t in session.turns if t.grade)


def _is_fresh(kept: Learned | None, summary: SessionSummary) -> bool:
    return kept is not None and (kept.seen_at, kept.rules) == (summary.updated_at, RULES)


async def learn(parts: Parts, session: Session) -> Learned:
    """What one interview shows, with the fixed rules as a second reader beside a model."""
    agreed = await agreed_points(parts, session.turns)
    report = make_report(session, parts.knowledge)
    knowledge = parts.knowledge
    return Learned(
        session_id=session.id,
        seen_at=session.updated_at,
        rules=RULES,
        began_at=session.created_at,
        level=session.plan.level,
        mode=session.plan.mode,
        finished=session.status is SessionStatus.CLOSED,
        score=report.score,
        dimensions=report.dimensions,
        asked=report.asked,
        reviews=reviews_of(session, knowledge.questions, knowledge.misconceptions, agreed),
    )


async def agreed_points(parts: Parts, turns: Sequence[Turn]) -> dict[int, frozenset[str]]:
    """Of each turn that a model read: the points that the fixed rules see as met as well."""
    return {
        turn.seq: await met_by_rules(parts, turn.snapshot)
        for turn in turns
        if turn.snapshot is not None and turn.grade and not is_read_by_rules(turn.read_by)
    }


async def met_by_rules(parts: Parts, task: ReadAnswer) -> frozenset[str]:
    """Ids of the points that the built-in reader sees as met, its quotes looked up as always."""
    question = parts.knowledge.questions.get(task.question_id)
    if parts.rules is None or question is None:
        return frozenset()
    try:
        reading = (await parts.rules.perform(task)).reading
    except EngineError:
        return frozenset()
    claims = [PointClaim(p.id, Verdict(p.verdict), p.quote) for p in reading.points]
    found = ground(claims, question.rubric, task.answer, ())
    return frozenset(f.point_id for f in found if f.verdict is Verdict.MET)


@dataclass(frozen=True, slots=True)
class Proof:
    """A skill point, the lines of a résumé that claim it, and the best that was said of it."""

    point: SkillPoint
    resume: StoredResume | None
    bullets: tuple[Bullet, ...]
    best: BestAnswer | None


async def proof(parts: Parts, owner_id: str, topic: str) -> Proof:
    """The chain from a skill point over the newest résumé to the best answer.

    Raises:
        NotFound: no such skill point.
    """
    point = (await practice(parts, owner_id)).point(topic)
    resumes = await parts.store.list_resumes(owner_id)
    resume = resumes[0] if resumes else None
    bullets = await asyncio.to_thread(_claims, parts, point, resume) if resume else ()
    return Proof(point, resume, bullets, best_answer(point.reviews))


def _claims(parts: Parts, point: SkillPoint, resume: StoredResume) -> tuple[Bullet, ...]:
    """Bullets that interviews quoted for it, then bullets that name one of its skills."""
    questions = parts.knowledge.questions
    wanted = {s for q in point.questions if q in questions for s in questions[q].skills}
    asked = {r.bullet for r in point.reviews if r.bullet}
    bullets = resume.resume.bullets()
    quoted = [b for b in bullets if b.text in asked]
    named = [
        b
        for b in bullets
        if b not in quoted and wanted.intersection(skill_names(b.text, parts.knowledge.skills))
    ]
    return tuple((quoted + named)[:MOST_BULLETS])


async def put_note(
    parts: Parts, owner_id: str, topic: str, seen: int, standing: Standing | None, text: str | None
) -> SkillNote:
    """Where the person puts the card, and why. It counts for nothing but the card's place.

    `seen` is the revision looked at, 0 for none; a `text` of None stays as it is.

    Raises:
        NotFound: no such skill point.
        VersionOutdated, TextTooLong, TextInvalid.
    """
    if topic not in {q.topic for q in parts.knowledge.questions.values()}:
        raise NotFound("There is no such skill point.")
    notes = {n.topic: n for n in await parts.store.list_skill_notes(owner_id)}
    before = notes.get(topic)
    said = before.text if text is None and before else _short(text or "")
    note = SkillNote(topic, parts.clock(), standing, said)
    return await parts.store.put_skill_note(owner_id, note, seen)


def _short(text: str) -> str:
    return require_text(text, LONGEST_NOTE).strip() if text.strip() else ""


async def delete_note(parts: Parts, owner_id: str, topic: str) -> None:
    """The card lies where the evidence puts it again."""
    await parts.store.delete_skill_note(owner_id, topic)


__all__ = [
    "Practice",
    "Proof",
    "delete_note",
    "learn",
    "mastery",
    "met_by_rules",
    "practice",
    "proof",
    "put_note",
]
