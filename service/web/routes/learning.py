"""Learning: the board of skill points, what is due, one point with its proof, the history."""

from typing import Annotated, Final

from fastapi import Form, Response

from service.domain.learning.model import Standing
from service.domain.naming import LEVEL, MODE, RATING, RULE, STANDING
from service.errors import InputInvalid
from service.flows import learning, learning_drill
from service.flows.learning import Practice
from service.web.labels import Badge
from service.web.page import Page, PageDep
from service.web.route import Row
from service.web.trend_chart import HEIGHT, MARGIN, WIDTH, curves

LOOKS: Final = {
    Standing.NEW: Badge(STANDING[Standing.NEW], "unjudged"),
    Standing.SHAKY: Badge(STANDING[Standing.SHAKY], "gap"),
    Standing.GOOD: Badge(STANDING[Standing.GOOD], "partial"),
    Standing.STABLE: Badge(STANDING[Standing.STABLE], "met"),
}


async def show(page: PageDep) -> Response:
    seen = await learning.practice(page.parts, page.owner)
    waiting = next((d for d in seen.drills if d.is_open), None)
    return page.show("learning.html", waiting=waiting, **_board(seen))


def _board(seen: Practice, moved: str = "") -> dict[str, object]:
    return {
        "columns": {s: [p for p in seen.points if p.column is s] for s in Standing},
        "standings": LOOKS,
        "due": seen.due,
        "now": seen.now,
        "practised": any(p.reviews for p in seen.points),
        "moved": moved,
        "behind": seen.behind,
    }


async def move(
    page: PageDep,
    topic: str,
    column: Annotated[str, Form()] = "",
    seen: Annotated[int, Form()] = 0,
) -> Response:
    if column not in set(Standing):
        raise InputInvalid("There is no such column.")
    await learning.put_note(page.parts, page.owner, topic, seen, Standing(column), None)
    return await _moved(page, topic)


async def move_back(page: PageDep, topic: str) -> Response:
    await learning.delete_note(page.parts, page.owner, topic)
    return await _moved(page, topic)


async def _moved(page: Page, topic: str) -> Response:
    if not page.is_partial:
        return page.go("/learning")
    board = _board(await learning.practice(page.parts, page.owner), topic)
    return page.show("partials/skills.html", **board)


async def point(page: PageDep, topic: str) -> Response:
    found = await learning.proof(page.parts, page.owner, topic)
    return page.show(
        "skill.html",
        proof=found,
        point=found.point,
        standings=LOOKS,
        ratings=RATING,
        rules=RULE,
        questions=page.parts.knowledge.questions,
        drillable=topic in learning_drill.topics(page.parts),
        now=page.parts.clock(),
    )


async def note(
    page: PageDep,
    topic: str,
    seen: Annotated[int, Form()] = 0,
    column: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
) -> Response:
    standing = Standing(column) if column in set(Standing) else None
    await learning.put_note(page.parts, page.owner, topic, seen, standing, text)
    return page.go(f"/learning/points/{topic}")


async def forget_note(page: PageDep, topic: str) -> Response:
    await learning.delete_note(page.parts, page.owner, topic)
    return page.go(f"/learning/points/{topic}")


async def history(page: PageDep) -> Response:
    seen = await learning.practice(page.parts, page.owner)
    return page.show(
        "trend.html",
        rows=seen.trend,
        curves=curves(seen.trend),
        size=(WIDTH, HEIGHT, MARGIN),
        levels=LEVEL,
        modes=MODE,
    )


async def drill_start(page: PageDep) -> Response:
    waiting = await learning_drill.open_drill(page.parts, page.owner)
    if waiting:
        return page.go(f"/learning/drill/{waiting.id}")
    seen = await learning.practice(page.parts, page.owner)
    known = learning_drill.topics(page.parts)
    points = [p for p in seen.points if p.topic in known]
    return page.show("drill_start.html", due=seen.due, points=points)


async def begin(page: PageDep, topic: Annotated[str, Form()] = "") -> Response:
    drill = await learning_drill.begin(page.parts, page.owner, page.lang, topic)
    return page.go(f"/learning/drill/{drill.id}")


async def drill(page: PageDep, drill_id: str) -> Response:
    seen = await learning_drill.view(page.parts, page.owner, drill_id)
    return page.show("drill.html", seen=seen, drill=seen.drill, ratings=RATING, rules=RULE)


async def answer(page: PageDep, drill_id: str, text: Annotated[str, Form()] = "") -> Response:
    await learning_drill.answer(page.parts, page.owner, drill_id, text)
    return page.go(f"/learning/drill/{drill_id}")


async def again(page: PageDep, drill_id: str) -> Response:
    await learning_drill.answer(page.parts, page.owner, drill_id, None)
    return page.go(f"/learning/drill/{drill_id}")


async def hint(page: PageDep, drill_id: str) -> Response:
    await learning_drill.hint(page.parts, page.owner, drill_id)
    return page.go(f"/learning/drill/{drill_id}")


async def skip(page: PageDep, drill_id: str) -> Response:
    await learning_drill.skip(page.parts, page.owner, drill_id)
    return page.go("/learning/drill")


async def delete(page: PageDep, drill_id: str) -> Response:
    gone = await page.parts.store.get_drill(page.owner, drill_id)
    await learning_drill.delete(page.parts, page.owner, drill_id)
    return page.go(f"/learning/points/{gone.topic}")


ROWS: Final = (
    Row("GET", "/learning", show),
    Row("GET", "/learning/history", history),
    Row("GET", "/learning/points/{topic}", point),
    Row("POST", "/learning/points/{topic}/move", move),
    Row("POST", "/learning/points/{topic}/back", move_back),
    Row("POST", "/learning/points/{topic}/note", note),
    Row("POST", "/learning/points/{topic}/note/delete", forget_note),
    Row("GET", "/learning/drill", drill_start),
    Row("POST", "/learning/drill", begin),
    Row("GET", "/learning/drill/{drill_id}", drill),
    Row("POST", "/learning/drill/{drill_id}", answer),
    Row("POST", "/learning/drill/{drill_id}/again", again),
    Row("POST", "/learning/drill/{drill_id}/hint", hint),
    Row("POST", "/learning/drill/{drill_id}/skip", skip),
    Row("POST", "/learning/drill/{drill_id}/delete", delete),
)
