"""Versions of a résumé on the page: tailor, rewrite, accept or reject, compare, restore."""

from functools import partial
from typing import Annotated, Final

from fastapi import Form, Request, Response

from service.domain.knowledge import skill_title
from service.domain.language import Message, msg
from service.domain.rewriting import Proposal, State, Style
from service.domain.tailoring import Order
from service.domain.versions import Change, Version, word_diff
from service.errors import NotFound
from service.flows import versions
from service.flows.versions import VersionView
from service.web.page import Page, PageDep
from service.web.route import Row

STYLES: Final[dict[Style, Message]] = {
    Style.PLAIN: msg("Plainer words"),
    Style.STAR: msg("Situation, action, result"),
    Style.QUANTIFIED: msg("With your figures"),
    Style.RESULT_FIRST: msg("Result first"),
}
CHANGES: Final[dict[Change, Message]] = {
    Change.IMPORTED: msg("Read from the résumé"),
    Change.TAILORED: msg("Tailored from the master"),
    Change.ACCEPTED: msg("A proposal accepted"),
    Change.EDITED: msg("Your own words"),
    Change.RESTORED: msg("An older text restored"),
    Change.REORDERED: msg("Lines put in another order"),
}


async def overview(page: PageDep) -> Response:
    store = page.parts.store
    return page.show(
        "versions.html",
        versions=await store.list_versions(page.owner),
        resumes=await store.list_resumes(page.owner),
        postings=await store.list_postings(page.owner),
    )


async def make(
    page: PageDep, resume: Annotated[str, Form()] = "", posting: Annotated[str, Form()] = ""
) -> Response:
    version = (
        await versions.tailor(page.parts, page.owner, resume, posting)
        if posting
        else await versions.master_of(page.parts, page.owner, resume)
    )
    return page.go(f"/versions/{version.id}")


async def version(page: PageDep, version_id: str) -> Response:
    view = await versions.open_version(page.parts, page.owner, version_id)
    return page.show("version.html", **await _context(page, view))


async def _context(page: Page, view: VersionView) -> dict[str, object]:
    open_ones = [p for p in view.rewriting.proposals if p.state is State.OPEN]
    return {
        "view": view,
        "entries": [*view.resume.work, *view.resume.projects],
        "proposals": open_ones,
        "styles": STYLES,
        "apart": await versions.against_master(page.parts, page.owner, view),
        "answers": {a.question_id: a.text for a in view.rewriting.answers},
        "posting": await _posting(page, view.version),
        "pieces": word_diff,
        "asked_for": partial(_asked_for, page),
        "of_bullet": partial(_of_bullet, open_ones),
    }


def _asked_for(page: Page, order: Order) -> str:
    skills = page.parts.knowledge.skills
    return ", ".join(page.say(skill_title(skills, name)) for name in order.wanted)


def _of_bullet(proposals: list[Proposal], bullet_id: str) -> list[Proposal]:
    return [p for p in proposals if p.source.bullet_id == bullet_id]


async def _posting(page: Page, one: Version) -> object:
    """The posting's page is linked as long as the posting is there."""
    if one.posting_id is None:
        return None
    try:
        return await page.parts.store.get_posting(page.owner, one.posting_id)
    except NotFound:
        return None


async def _workshop(page: Page, view: VersionView) -> Response:
    """The piece with bullets, questions and proposals; without scripts the whole page again."""
    if not page.is_partial:
        return page.go(f"/versions/{view.version.id}")
    return page.show("partials/workshop.html", **await _context(page, view))


async def propose(page: PageDep, version_id: str) -> Response:
    view = await versions.rewrite(page.parts, page.owner, version_id)
    return await _workshop(page, view)


async def answers(page: PageDep, version_id: str, request: Request) -> Response:
    """The answers, and proposals made with them at once."""
    form = await request.form()
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    await versions.answer_questions(page.parts, page.owner, version_id, texts)
    view = await versions.rewrite(page.parts, page.owner, version_id)
    return await _workshop(page, view)


async def accept(page: PageDep, version_id: str, proposal_id: str) -> Response:
    view = await versions.accept(page.parts, page.owner, version_id, proposal_id)
    return await _workshop(page, view)


async def reject(page: PageDep, version_id: str, proposal_id: str) -> Response:
    view = await versions.reject(page.parts, page.owner, version_id, proposal_id)
    return await _workshop(page, view)


async def edit(
    page: PageDep,
    version_id: str,
    bullet_id: str,
    text: Annotated[str, Form()] = "",
    seen: Annotated[int, Form()] = 0,
) -> Response:
    view = await versions.edit(page.parts, page.owner, version_id, bullet_id, text, seen)
    return await _workshop(page, view)


async def take_order(
    page: PageDep, version_id: str, order_id: str, seen: Annotated[int, Form()] = 0
) -> Response:
    view = await versions.accept_order(page.parts, page.owner, version_id, order_id, seen)
    return await _workshop(page, view)


async def leave_order(page: PageDep, version_id: str, order_id: str) -> Response:
    view = await versions.reject_order(page.parts, page.owner, version_id, order_id)
    return await _workshop(page, view)


async def note(
    page: PageDep,
    version_id: str,
    title: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
) -> Response:
    await versions.note(page.parts, page.owner, version_id, title, text)
    return page.go(f"/versions/{version_id}")


async def history(page: PageDep, version_id: str, revision: int = 0) -> Response:
    """The revisions; one of them beside the newest."""
    found = await page.parts.store.get_version(page.owner, version_id)
    chosen = revision or max(1, found.revision - 1)
    return page.show(
        "history.html",
        version=found,
        revisions=await page.parts.store.list_revisions(page.owner, version_id),
        chosen=chosen,
        changes=CHANGES,
        differences=await versions.compare(
            page.parts, page.owner, version_id, chosen, found.revision
        ),
    )


async def restore(
    page: PageDep,
    version_id: str,
    revision: Annotated[int, Form()] = 0,
    seen: Annotated[int, Form()] = 0,
) -> Response:
    await versions.restore(page.parts, page.owner, version_id, revision, seen)
    return page.go(f"/versions/{version_id}")


async def delete(page: PageDep, version_id: str) -> Response:
    await page.parts.store.delete_version(page.owner, version_id)
    return page.go("/versions")


ROWS: Final = (
    Row("GET", "/versions", overview),
    Row("POST", "/versions", make),
    Row("GET", "/versions/{version_id}", version),
    Row("POST", "/versions/{version_id}/proposals", propose),
    Row("POST", "/versions/{version_id}/answers", answers),
    Row("POST", "/versions/{version_id}/proposals/{proposal_id}/accept", accept),
    Row("POST", "/versions/{version_id}/proposals/{proposal_id}/reject", reject),
    Row("POST", "/versions/{version_id}/bullets/{bullet_id}", edit),
    Row("POST", "/versions/{version_id}/orders/{order_id}/accept", take_order),
    Row("POST", "/versions/{version_id}/orders/{order_id}/reject", leave_order),
    Row("POST", "/versions/{version_id}/note", note),
    Row("GET", "/versions/{version_id}/history", history),
    Row("POST", "/versions/{version_id}/restore", restore),
    Row("POST", "/versions/{version_id}/delete", delete),
)
