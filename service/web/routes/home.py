"""The first page: one next step, and below it what is there."""

from typing import Final

from fastapi import Response

from service.domain.planning import FLAGSHIP
from service.flows.status import searches_by_words
from service.web.next_step import next_step
from service.web.page import PageDep
from service.web.route import Row

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
        by_words=searches_by_words(page.parts),
    )


ROWS: Final = (Row("GET", "/", home),)
