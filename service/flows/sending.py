"""What a model would be sent for one answer, shown before anything is sent."""

from dataclasses import replace
from typing import Any, cast

from service.domain.claims.model import ClaimContext
from service.domain.grading import Level
from service.domain.interview import Mode, Move, MoveKind, Session, ask, store_answer
from service.domain.knowledge import Question
from service.domain.language import Lang
from service.domain.planning import FLAGSHIP, LEAST_MINUTES, PlanWish, make_plan
from service.domain.tasks import AnswerReading, EngineNote, Phrase, ReadAnswer, Task
from service.engine.port import Performed, ReadingT
from service.flows.parts import ModelUse, Parts
from service.flows.phrasing import phrase
from service.flows.reading import Asked, Reader, read_answer
from service.prompting.prompt import Rendered


class _Listener:
    """An engine that sends nothing and keeps what it was asked."""

    def __init__(self) -> None:
        self.tasks: list[Task[Any]] = []

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        self.tasks.append(task)
        nothing = AnswerReading(points=()) if isinstance(task, ReadAnswer) else Phrase(text="-")
        return Performed(cast("ReadingT", nothing), EngineNote(engine="none"))


async def preview(parts: Parts, use: ModelUse, lang: Lang, answer: str) -> tuple[Rendered, ...]:
    """The two messages of one turn: to read `answer`, and to word the follow-up on it.

    Both are made on the way a real answer takes; only the sending is left out. Empty where the
    bank holds no question.
    """
    bank = parts.knowledge.questions
    question = bank.get(FLAGSHIP) or next(iter(bank.values()), None)
    if question is None:
        return ()
    listener = _Listener()
    reader = Reader(listener, parts.retriever, parts.knowledge, parts.lexicon, parts.known_models)
    said = question.text.in_(lang)
    await read_answer(Asked(question, said, lang, ClaimContext()), answer, reader)
    session, move = _answered(parts, question, lang, answer)
    await phrase(replace(parts, engine=listener), session, move)
    return tuple(use.prompts.render(task, parts.new_id()) for task in listener.tasks)


def _answered(parts: Parts, question: Question, lang: Lang, answer: str) -> tuple[Session, Move]:
    """An interview that nobody keeps, at the point where a follow-up is put into words."""
    wish = PlanWish(lang, Level.MID, Mode.COACHED, LEAST_MINUTES, (question.id,))
    now = parts.clock()
    session = Session("preview", make_plan(wish, parts.knowledge.questions, None), now, now)
    first = Move(MoveKind.ASK, question.id)
    session = ask(session, first, question.text.in_(lang), None, now)
    point = question.rubric.points[0]
    return (
        store_answer(session, 1, answer, now),
        Move(MoveKind.EXPAND, question.id, point.id, quote=answer),
    )
