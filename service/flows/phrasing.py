"""Having a move worded: the domain chose what to ask, the engine finds the words."""

from typing import Final

from service.domain.drawing.fill import as_planned
from service.domain.grading import RubricPoint
from service.domain.interview import OPENINGS, Move, MoveKind, Session
from service.domain.knowledge import Question
from service.domain.language import Bilingual, Lang
from service.domain.tasks import EngineNote, PhraseMove
from service.domain.text import first_clauses
from service.errors import EngineError
from service.flows.parts import Parts

WARM_UP_TEXT: Final = Bilingual(
    zh="先热个身，这一问不计分：用一两分钟介绍一下你自己，以及你做过的、和大模型训练最相关的一件事。",
    en="To warm up, and without a mark: in a minute or two, who are you, and which work of yours "
    "comes closest to training large models?",
)
HOW_KNOWN: Final = Bilingual(
    zh="你是怎么确认原因就是它的？看了哪些数据，又排除了哪些别的可能？",
    en="How did you know that it was that? What did you look at, and what else did you rule out?",
)
WHICH: Final = Bilingual(
    zh="这两处以哪个为准，为什么？", en="Which of the two do you hold, and why?"
)
EARLIER: Final = Bilingual(zh="前面你说过“{earlier}”。", en="Earlier you said “{earlier}”. ")
LONGEST_EARLIER: Final = 80  # characters


async def phrase(parts: Parts, session: Session, move: Move) -> tuple[str, EngineNote | None]:
    """The interviewer's words for `move`; a plan's first asking is the question's own text.

    A follow-up that no engine can word falls back to the bank's own follow-up question: a turn
    that has been graded must not be lost for want of words.
    """
    if move.kind is MoveKind.WARM_UP:
        return WARM_UP_TEXT.in_(session.plan.lang), None
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
        return _after_earlier(move, plain, lang), None
    return _after_earlier(move, performed.reading.text, lang), performed.note


def _after_earlier(move: Move, words: str, lang: Lang) -> str:
    """What was said before is put in front here: no engine has to be trusted to repeat it."""
    if not move.earlier:
        return words
    said = first_clauses(move.earlier, LONGEST_EARLIER)
    return EARLIER.in_(lang).replace("{earlier}", said) + words


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
        variant=_variant(session, move),
    )


def _variant(session: Session, move: Move) -> int:
    """Each kind of move goes through its lines in turn; where it begins differs by interview."""
    used = sum(t.move.kind is move.kind for t in session.turns)
    return used + sum(session.id.encode())


def about(parts: Parts, move: Move, question: Question | None, lang: Lang) -> str:
    """What must be asked, in plain words that give nothing away."""
    if question is None:
        return ""
    if move.kind in OPENINGS:
        return question.text.in_(lang)
    if move.earlier or move.kind is MoveKind.EVIDENCE:
        return (WHICH if move.earlier else HOW_KNOWN).in_(lang)
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
