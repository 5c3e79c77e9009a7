"""Tools beside the interview: memory explorer, asking for facts."""

from typing import Annotated, Final

from fastapi import Query, Response

from service.domain.memory import OFFLOAD_TITLES, RECIPES, SCHEMES
from service.errors import InputInvalid, ShardwiseError
from service.flows import tools
from service.flows.status import searches_by_words
from service.web.errors import TOLD, told
from service.web.explorer import CARDS, KEEP_NAMES, explore
from service.web.explorer_form import NUMBERS, Typed, read_choice
from service.web.page import Page, PageDep
from service.web.route import Row

FOUND: Final = 8
LONGEST_QUERY: Final = 400


async def index(page: PageDep) -> Response:
    return page.show("tools.html", by_words=searches_by_words(page.parts))


async def memory(page: PageDep) -> Response:
    """The explorer; htmx asks for the result alone when a choice changes."""
    typed = read_choice(page.request.query_params)
    result = _explored(page, typed)
    if page.is_partial:
        return page.show("partials/explorer.html", wish=typed.choice, **result)
    models = sorted(page.parts.models.values(), key=lambda m: (m.title or m.id).lower())
    return page.show(
        "memory.html",
        wish=typed.choice,
        typed=typed.values,
        numbers=NUMBERS,
        models=[(m.id, m.title or m.id) for m in models],
        schemes=[(s.id, s.title) for s in SCHEMES.values()],
        recipes=[(r.id, r.title) for r in RECIPES.values()],
        offloads=OFFLOAD_TITLES.items(),
        keeps=KEEP_NAMES.items(),
        card_options=[(size, f"{size} GB") for size in _cards(typed)],
        **result,
    )


def _cards(typed: Typed) -> tuple[int, ...]:
    """The usual cards, and the one that the address names when it is another."""
    named = (typed.choice.card,) if typed.choice else ()
    return tuple(sorted({*CARDS, *named}))


def _explored(page: Page, typed: Typed) -> dict[str, object]:
    """The rows, or in their place what is wrong with the choice; the form stays as it is."""
    if typed.choice is None:
        return {"faults": typed.faults, "problem": TOLD[InputInvalid], "detail": ""}
    try:
        result = explore(page.parts, typed.choice)
    except ShardwiseError as error:
        detail = page.site.wording.error(error, page.lang)
        return {"faults": {}, "problem": told(error), "detail": detail}
    return {
        "faults": {},
        "problem": None,
        "rows": result.rows,
        "chosen": result.chosen,
        "has_activations": result.has_activations,
        "advice": result.advice,
        "offload_names": OFFLOAD_TITLES,
    }


async def ask(page: PageDep, q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "") -> Response:
    found = await tools.find_facts(page.parts, q, FOUND) if q.strip() else None
    return page.show("ask.html", query=q, found=found, by_words=searches_by_words(page.parts))


ROWS: Final = (
    Row("GET", "/tools", index),
    Row("GET", "/tools/memory", memory),
    Row("GET", "/tools/ask", ask),
)
