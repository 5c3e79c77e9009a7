"""The first page: one next step, and below it what is there."""

from typing import Final

from fastapi import Response

from service.domain.planning import FLAGSHIP
from service.web.next_step import next_step
from service.web.page import PageDep
from service.web.route import Row
from service.web.routes.tools import by_words

SHOWN: Final = 6


async def home(page: PageDep) -> Response:
    store = page.parts.store
    resumes = await store.list_resumes(page.owner)
    postings = await store.list_postings(page.owner)
    sessions = await store.list_sessions(page.owner)
    return page.show(
        "home.html",
        step=next_step(len(resumes), len(postings), sessions),
        resumes=resumes,
        postings=postings,
        sessions=sessions[:SHOWN],
        flagship=page.parts.knowledge.questions.get(FLAGSHIP),
        by_words=by_words(page),
    )


ROWS: Final = (Row("GET", "/", home),)
