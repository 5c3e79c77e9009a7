"""Short questions: asked one at a time, answered, hinted at, skipped, deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.claims.model import ClaimContext
from service.domain.drawing.fill import filled
from service.domain.drawing.values import context_of
from service.domain.grading import Finding, RubricPoint, grade, ground
from service.domain.knowledge import Fact, Misconception, Question
from service.domain.language import Lang, Message
from service.domain.learning import drilling
from service.domain.learning.evidence import is_read_by_rules, review_of_drill
from service.domain.learning.mastery import SkillPoint, point_key
from service.domain.learning.model import Drill, DrillStatus, Review
from service.domain.policy import says_dont_know
from service.engine.budget import spending
from service.errors import NotFound, TurnOutOfOrder
from service.flows.learning import met_by_rules, practice
from service.flows.parts import Parts
from service.flows.reading import NOT_READ, Asked, Reader, read_answer
from service.flows.texts import require_text

RECENT: Final = 200  # drills looked back on when the next point is picked


@dataclass(frozen=True, slots=True)
class DrillView:
    """A drill with what belongs to it.

    `question` and `point` are None when the knowledge base has them no more; `facts` and
    `misconceptions` are empty while it is open.
    """

    drill: Drill
    question: Question | None
    point: RubricPoint | None
    hints: tuple[Message, ...]
    finding: Finding | None = None
    review: Review | None = None
    facts: tuple[Fact, ...] = ()
    misconceptions: tuple[tuple[Misconception, str], ...] = ()  # with the words that held it
    skill: SkillPoint | None = None


async def begin(parts: Parts, owner_id: str, lang: Lang, topic: str = "") -> Drill:
    """The open short question, or the next one: due first. Another topic puts the open one aside.

    Raises:
        InputInvalid: no such topic, or it has no short questions.
    """
    seen = await practice(parts, owner_id)
    waiting = next((d for d in seen.drills if d.is_open), None)
    if waiting and topic in ("", waiting.topic):
        return waiting
    recent = [point_key(d.question_id, d.point_id) for d in seen.drills[:RECENT]]
    questions = parts.knowledge.questions
    short = drilling.next_short(seen.points, questions, recent, seen.now, topic)
    if waiting:
        await skip(parts, owner_id, waiting.id)
    drill = drilling.new_drill(short, parts.new_id(), lang, parts.clock())
    await parts.store.add_drill(owner_id, drill)
    return drill


def topics(parts: Parts) -> frozenset[str]:
    """Topics that have short questions."""
    questions = parts.knowledge.questions.values()
    return frozenset(q.topic for q in questions if drilling.shorts_of(questions, q.topic))


async def open_drill(parts: Parts, owner_id: str) -> Drill | None:
    """The short question that awaits its answer."""
    drills = await parts.store.list_drills(owner_id)
    return next((d for d in drills if d.is_open), None)


async def answer(parts: Parts, owner_id: str, drill_id: str, text: str | None) -> Drill:
    """Store the answer, read it and rate it. `text` is None to read stored words again.

    Raises:
        NotFound, TurnOutOfOrder, TextEmpty, TextTooLong, TextInvalid: nothing was stored.
        EngineError: the answer is stored, its reading failed; come back with None.
    """
    drill = await parts.store.get_drill(owner_id, drill_id)
    question = _question(parts, drill)
    if text is not None:
        said = require_text(text, parts.limits.answer_chars)
        kept = drilling.stored(drill, said, parts.clock())
        drill = await parts.store.save_drill(owner_id, kept, drill.revision)
    if drill.status is not DrillStatus.STORED or drill.answer is None:
        raise TurnOutOfOrder("This is not the question that awaits an answer.")
    with spending(drill.id):
        done = await _read(parts, drill, question, drill.answer)
    return await parts.store.save_drill(owner_id, done, drill.revision)


def _question(parts: Parts, drill: Drill) -> Question:
    found = _whole(parts, drill)
    if found is None:
        raise NotFound("This point is not in the knowledge base any more; take another one.")
    return drilling.short_question(found, drill.point_id)


def _whole(parts: Parts, drill: Drill) -> Question | None:
    """The question behind a drill, with the numbers that the drill drew."""
    found = parts.knowledge.questions.get(drill.question_id)
    return filled(found, drill.drawn) if found else None


async def _read(parts: Parts, drill: Drill, question: Question, words: str) -> Drill:
    if says_dont_know(words):
        total = grade(question.rubric, ground((), question.rubric, "", ()))
        return drilling.answered(drill, total, NOT_READ, frozenset(), parts.clock())
    context = context_of(question.drawing, drill.drawn) if question.drawing else ClaimContext()
    asked = Asked(question, drill.text, drill.lang, context, drill.drawn)
    reader = Reader(
        parts.engine, parts.retriever, parts.knowledge, parts.lexicon, parts.known_models
    )
    read = await read_answer(asked, words, reader)
    by_rules = is_read_by_rules(read.note)
    confirmed = frozenset[str]() if by_rules else await met_by_rules(parts, read.snapshot)
    return drilling.answered(drill, read.grade, read.note, confirmed, parts.clock())


async def hint(parts: Parts, owner_id: str, drill_id: str) -> Drill:
    """Show one more hint. Raises NotFound, TurnOutOfOrder."""
    drill = await parts.store.get_drill(owner_id, drill_id)
    helped = drilling.hinted(drill, parts.clock())
    return await parts.store.save_drill(owner_id, helped, drill.revision)


async def skip(parts: Parts, owner_id: str, drill_id: str) -> Drill:
    """Leave it; that is no review. Raises NotFound, TurnOutOfOrder."""
    drill = await parts.store.get_drill(owner_id, drill_id)
    left = drilling.skipped(drill, parts.clock())
    return await parts.store.save_drill(owner_id, left, drill.revision)


async def delete(parts: Parts, owner_id: str, drill_id: str) -> None:
    """Its review goes with it. Raises NotFound."""
    await parts.store.delete_drill(owner_id, drill_id)


async def view(parts: Parts, owner_id: str, drill_id: str) -> DrillView:
    """Raises NotFound."""
    drill = await parts.store.get_drill(owner_id, drill_id)
    question = _whole(parts, drill)
    points = question.rubric.points if question else ()
    point = next((p for p in points if p.id == drill.point_id), None)
    hints = drilling.hints_shown(drill, question) if question else ()
    if drill.status is not DrillStatus.ANSWERED or drill.grade is None:
        return DrillView(drill, question, point, hints)
    skills = (await practice(parts, owner_id)).points
    return DrillView(
        drill,
        question,
        point,
        hints,
        finding=next((f for f in drill.grade.findings if f.point_id == drill.point_id), None),
        review=review_of_drill(drill),
        facts=_facts(parts, point.fact_ids if point else ()),
        misconceptions=_held(parts, drill),
        skill=next((s for s in skills if s.topic == drill.topic), None),
    )


def _facts(parts: Parts, ids: Sequence[str]) -> tuple[Fact, ...]:
    return tuple(parts.knowledge.facts[i] for i in ids if i in parts.knowledge.facts)


def _held(parts: Parts, drill: Drill) -> tuple[tuple[Misconception, str], ...]:
    atlas = parts.knowledge.misconceptions
    return tuple(
        (known, held.evidence.quote)
        for held in (drill.grade.misconceptions if drill.grade else ())
        if (known := atlas.get(held.misconception_id))
    )


__all__ = [
    "Drill",
    "DrillView",
    "answer",
    "begin",
    "delete",
    "hint",
    "open_drill",
    "skip",
    "topics",
    "view",
]
