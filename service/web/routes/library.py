"""The question bank."""

from typing import Final

from fastapi import Response

from service.domain.grading import Level
from service.domain.reporting_document import VERSION_NAMES
from service.errors import NotFound
from service.web.page import PageDep
from service.web.route import Row


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


ROWS: Final = (
    Row("GET", "/questions", questions),
    Row("GET", "/questions/{question_id}", question),
)
