"""The question bank, and pages whose feature comes later and that say so."""

from dataclasses import dataclass
from typing import Final

from fastapi import Response

from service.domain.grading import Level
from service.domain.language import Message, msg
from service.errors import NotFound
from service.web.navigation import Place
from service.web.page import PageDep
from service.web.route import Row
from service.web.routes.interviews import VERSION_NAMES


async def questions(page: PageDep, topic: str = "", level: str = "") -> Response:
    bank = page.parts.knowledge.questions.values()
    wanted = Level(level) if level in set(Level) else None
    return page.show(
        "questions.html",
        questions=[
            q for q in bank if (not topic or q.topic == topic) and (not wanted or q.level is wanted)
        ],
        topics=sorted({q.topic for q in bank}),
        topic=topic,
        level=wanted,
    )


async def question(page: PageDep, question_id: str) -> Response:
    knowledge = page.parts.knowledge
    found = knowledge.questions.get(question_id)
    if found is None:
        raise NotFound("There is no question {id}.", id=question_id)
    facts = [knowledge.facts[i] for i in found.fact_ids if i in knowledge.facts]
    return page.show("question.html", question=found, facts=facts, version_names=VERSION_NAMES)


@dataclass(frozen=True, slots=True)
class LaterPage:
    """A place in the navigation whose feature is not there yet; `links` lead on from it."""

    title: Message
    purpose: Message
    until: Message
    links: tuple[Place, ...]


LEARNING: Final = LaterPage(
    msg("Learning"),
    msg("What you missed comes back on the day you are about to forget it."),
    msg("Until then: retry the first gap of your last report, or take a question from the bank."),
    (Place("/questions", msg("Question bank")), Place("/interviews", msg("Your interviews"))),
)


async def learning(page: PageDep) -> Response:
    return page.show("later.html", place=LEARNING)


ROWS: Final = (
    Row("GET", "/questions", questions),
    Row("GET", "/questions/{question_id}", question),
    Row("GET", "/learning", learning),
)
