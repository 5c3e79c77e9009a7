"""Having a move worded: the domain chose what to ask, the engine finds the words."""

from service.domain.drawing.fill import as_planned
from service.domain.grading import RubricPoint
from service.domain.interview import Move, MoveKind, Session
from service.domain.knowledge import Question
from service.domain.language import Lang
from service.domain.tasks import EngineNote, PhraseMove
from service.errors import EngineError
from service.flows.parts import Parts


async def phrase(parts: Parts, session: Session, move: Move) -> tuple[str, EngineNote | None]:
    """The interviewer's words for `move`; a plan's first asking is the question's own text.

    A follow-up that no engine can word falls back to the bank's own follow-up question: a turn
    that has been graded must not be lost for want of words.
    """
    bank = as_planned(parts.knowledge.questions, session.plan.questions)
    question = bank.get(move.question_id or "")
    lang = session.plan.lang
    plain = about(parts, move, question, lang)
    if move.kind is MoveKind.ASK and not move.quote and len(session.turns) == 0:
        return plain, None
    task = _task(session, move, question, plain, lang)
    try:
        performed = await parts.engine.perform(task)
    except EngineError:
        return plain, None
    return performed.reading.text, performed.note


def _task(
    session: Session, move: Move, question: Question | None, plain: str, lang: Lang
) -> PhraseMove:
    last = session.current
    return PhraseMove(
        lang=lang,
        move=move.kind.value,
        question=question.text.in_(lang) if question else "",
        answer=(last.answer or "") if last else "",
        quote=move.quote,
        asks_about=plain,
        variant=len(session.turns),
    )


def about(parts: Parts, move: Move, question: Question | None, lang: Lang) -> str:
    """What must be asked, in plain words that give nothing away."""
    if question is None:
        return ""
    if move.kind is MoveKind.ASK:
        return question.text.in_(lang)
    if move.kind is MoveKind.CHALLENGE_MISCONCEPTION and move.about:
        known = parts.knowledge.misconceptions.get(move.about)
        return known.probe.in_(lang) if known and known.probe else question.text.in_(lang)
    if move.kind is MoveKind.CHALLENGE_NUMBER:
        return move.about or ""
    point = next((p for p in question.rubric.points if p.id == move.about), None)
    return _about_point(question, point, lang) if point else question.text.in_(lang)


def _about_point(question: Question, point: RubricPoint, lang: Lang) -> str:
    follow_up = question.follow_ups.get(point.id)
    return follow_up.in_(lang) if follow_up else question.text.in_(lang)
