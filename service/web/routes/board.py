"""The board of applications: columns, cards moved by hand, key or list, dates, files."""

from typing import Annotated, Final

from fastapi import Form, Response

from service.domain.applications import Column, DateKind
from service.domain.language import Message, msg
from service.errors import InputInvalid
from service.flows import board
from service.flows.board import CardWish
from service.web.once import go_once
from service.web.page import Page, PageDep
from service.web.route import Row

COLUMNS: Final[dict[Column, Message]] = {
    Column.SAVED: msg("Saved"),
    Column.APPLIED: msg("Applied"),
    Column.INTERVIEW: msg("Interviews"),
    Column.OFFER: msg("Offer"),
    Column.CLOSED: msg("Closed"),
}
DATES: Final[dict[DateKind, Message]] = {
    DateKind.DEADLINE: msg("Deadline"),
    DateKind.APPLIED: msg("Applied on"),
    DateKind.INTERVIEW: msg("Interview on"),
    DateKind.REMINDER: msg("Reminder"),
    DateKind.OFFER: msg("Answer the offer by"),
}


async def show(page: PageDep) -> Response:
    return page.show("board.html", once=page.parts.new_id(), **await _context(page))


async def _context(page: Page, moved: str = "") -> dict[str, object]:
    cards = await page.parts.store.list_cards(page.owner)
    today = page.parts.clock().date()
    return {
        "columns": {c: [x for x in cards if x.column is c] for c in Column},
        "column_names": COLUMNS,
        "date_names": DATES,
        "due": await board.reminders(page.parts, page.owner),
        "today": today,
        "moved": moved,
    }


async def add(
    page: PageDep,
    title: Annotated[str, Form()] = "",
    company: Annotated[str, Form()] = "",
    once: Annotated[str, Form()] = "",
) -> Response:
    async def work() -> str:
        await board.new_card(page.parts, page.owner, CardWish(title=title, company=company))
        return "/board"

    sent = f"{title}\n{company}".encode("utf-8", "surrogatepass")
    return await go_once(page, once, sent, work)


async def move(
    page: PageDep,
    card_id: str,
    column: Annotated[str, Form()] = "",
    seen: Annotated[int, Form()] = 0,
) -> Response:
    if column not in set(Column):
        raise InputInvalid("There is no such column.")
    wish = CardWish(column=Column(column))
    await board.change_card(page.parts, page.owner, card_id, seen, wish)
    if not page.is_partial:
        return page.go("/board")
    return page.show("partials/columns.html", **await _context(page, card_id))


async def card(page: PageDep, card_id: str) -> Response:
    found = await page.parts.store.get_card(page.owner, card_id)
    return page.show("card.html", card=found, column_names=COLUMNS, date_names=DATES)


async def change(
    page: PageDep,
    card_id: str,
    seen: Annotated[int, Form()] = 0,
    title: Annotated[str, Form()] = "",
    company: Annotated[str, Form()] = "",
    url: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
) -> Response:
    wish = CardWish(title=title, company=company, url=url, note=text)
    await board.change_card(page.parts, page.owner, card_id, seen, wish)
    return page.go(f"/board/{card_id}")


async def add_date(
    page: PageDep,
    card_id: str,
    seen: Annotated[int, Form()] = 0,
    kind: Annotated[str, Form()] = "",
    day: Annotated[str, Form()] = "",
    at: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
) -> Response:
    if kind not in set(DateKind):
        raise InputInvalid("There is no such kind of date.")
    await board.add_date(page.parts, page.owner, card_id, seen, DateKind(kind), day, at, text)
    return page.go(f"/board/{card_id}")


async def remove_date(
    page: PageDep, card_id: str, date_id: str, seen: Annotated[int, Form()] = 0
) -> Response:
    await board.remove_date(page.parts, page.owner, card_id, seen, date_id)
    return page.go(f"/board/{card_id}")


async def delete(page: PageDep, card_id: str) -> Response:
    await page.parts.store.delete_card(page.owner, card_id)
    return page.go("/board")


async def table(page: PageDep) -> Response:
    text = await board.board_table(page.parts, page.owner)
    return _file(text.encode("utf-8-sig"), "text/csv; charset=utf-8", "applications.csv")


async def calendar(page: PageDep) -> Response:
    data = await board.board_calendar(page.parts, page.owner)
    return _file(data, "text/calendar; charset=utf-8", "applications.ics")


def _file(data: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


ROWS: Final = (
    Row("GET", "/board", show),
    Row("POST", "/board", add),
    Row("GET", "/board/applications.csv", table),
    Row("GET", "/board/applications.ics", calendar),
    Row("GET", "/board/{card_id}", card),
    Row("POST", "/board/{card_id}", change),
    Row("POST", "/board/{card_id}/move", move),
    Row("POST", "/board/{card_id}/dates", add_date),
    Row("POST", "/board/{card_id}/dates/{date_id}/delete", remove_date),
    Row("POST", "/board/{card_id}/delete", delete),
)
