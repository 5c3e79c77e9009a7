"""Whole interviews with simulated candidates, through the same flows as people's."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from eval.grader import ENGINES
from eval.interviews.candidates import Candidate, Cast, Saying, in_threes, say
from service.assembly import Seams, open_parts
from service.corpus.denials import Denials, load_denials
from service.corpus.load import load_knowledge
from service.domain.drawing.fill import as_planned
from service.domain.grading import Level
from service.domain.interview import Mode, Session, SessionStatus
from service.domain.knowledge import Question
from service.domain.language import Lang
from service.domain.planning import PlanWish
from service.errors import InputInvalid
from service.flows import interviews
from service.flows.answer import AnswerCall, answer
from service.flows.parts import Parts
from service.retrieval.open import at_once, open_retriever
from service.settings import read_settings

MINUTES: Final = 60
BEGIN: Final = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SEED: Final = "simulated"  # of the drawn numbers: the same in every run


@dataclass(frozen=True, slots=True)
class Room:
    """Where simulated interviews are held: a store of its own, thrown away afterwards."""

    parts: Parts
    denials: Denials
    owner_id: str


@dataclass(frozen=True, slots=True)
class Held:
    """An interview that has ended, and its mark 0..100; None where too little was said."""

    candidate: str
    lang: Lang
    session: Session
    questions: Mapping[str, Question]  # with the numbers of this interview
    score: float | None


@asynccontextmanager
async def open_room(folder: Path, engine: str) -> AsyncGenerator[Room]:
    """`folder` takes the store; the clock is simulated, and a run again gives the same ids.

    Raises:
        InputInvalid: an unknown engine.
        SetupError: settings or knowledge are not usable.
    """
    if engine not in ENGINES:
        raise InputInvalid("The engine is builtin or llm, not {engine}.", engine=engine)
    changes = {"engine": engine, "data_dir": folder, "database_url": None}
    settings = read_settings().model_copy(update=changes)
    knowledge = load_knowledge(settings.knowledge_dir)
    # The built-in engine reads no found facts: the index need not be built for it.
    start = at_once if engine == "llm" else _never
    retriever = open_retriever(knowledge.facts, knowledge.digest, folder, start=start)
    ids = count(1)
    seams = Seams(retriever=retriever, clock=_Clock(), new_id=lambda: f"sim{next(ids):06d}")
    async with open_parts(settings, seams) as parts:
        owner = await parts.store.local_owner()
        yield Room(parts, load_denials(settings.knowledge_dir), owner.id)


def _never(job: object) -> None:
    del job


class _Clock:
    """One second later at each look, so that no run depends on how fast the machine is."""

    def __init__(self) -> None:
        self._looks = count()

    def __call__(self) -> datetime:
        return BEGIN + timedelta(seconds=next(self._looks))


async def hold_all(
    room: Room, cast: Cast, names: Sequence[str], level: Level, questions: Sequence[str]
) -> list[Held]:
    """Every candidate in both languages, one interview after the other.

    Raises:
        InputInvalid: a question is not in the bank.
    """
    return [
        await hold(room, cast, name, lang, level, plan)
        for name in names
        for lang in Lang
        for plan in in_threes(questions)
    ]


async def hold(
    room: Room, cast: Cast, name: str, lang: Lang, level: Level, questions: tuple[str, ...]
) -> Held:
    """One interview from its first question to its report."""
    wish = PlanWish(lang, level, Mode.EXAM, MINUTES, questions, seed=SEED)
    session = await interviews.start(room.parts, room.owner_id, wish)
    bank = as_planned(room.parts.knowledge.questions, session.plan.questions)
    who = cast.candidates[name]
    while session.status is SessionStatus.OPEN and session.current is not None:
        said = say(_saying(room, cast, who, session, bank))
        call = AnswerCall(room.owner_id, session.id, session.current.seq, said, room.parts.new_id())
        await answer(room.parts, call)
        session = await room.parts.store.get_session(room.owner_id, session.id)
    report = await interviews.report(room.parts, room.owner_id, session.id)
    return Held(name, lang, session, bank, report.score)


def _saying(
    room: Room, cast: Cast, who: Candidate, session: Session, bank: Mapping[str, Question]
) -> Saying:
    turn = session.turns[-1]
    nth = len(session.turns_of(turn.question_id)) - 1
    question = bank[turn.question_id]
    knowledge = room.parts.knowledge
    return Saying(who, cast, knowledge, room.denials, question, turn, session.plan.lang, nth)
