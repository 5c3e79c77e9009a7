"""Tools beside the interview: memory explorer, checking a text, asking for facts."""

from typing import Annotated, Final

from fastapi import Depends, Form, Query, Response

from service.domain.claims.model import ClaimContext
from service.domain.memory import RECIPES, SCHEMES, Offload
from service.errors import ShardwiseError
from service.flows import tools
from service.web.errors import told
from service.web.explorer import CARDS, KEEP_NAMES, OFFLOAD_NAMES, Choice, explore
from service.web.highlight import belief_marks, number_marks, pieces
from service.web.page import Page, PageDep
from service.web.route import Row

FOUND: Final = 8
LONGEST_QUERY: Final = 400


async def index(page: PageDep) -> Response:
    return page.show("tools.html")


def choice_of_query(
    model: str = "",
    params: Annotated[str, Query(max_length=20)] = "7.5B",
    gpus: Annotated[int, Query(ge=1, le=100_000)] = 64,
    scheme: str = "zero3_paper",
    recipe: str = "",
    offload: Offload = Offload.NONE,
    tp: Annotated[int, Query(ge=1, le=1024)] = 1,
    pp: Annotated[int, Query(ge=1, le=1024)] = 1,
    micro: Annotated[int, Query(ge=1, le=100_000)] = 1,
    seq: Annotated[int, Query(ge=1, le=10_000_000)] = 4096,
    batch: Annotated[int, Query(ge=1, le=100_000)] = 1,
    keep: Annotated[str, Query(pattern="^(none|full|)$")] = "",
    card: Annotated[int, Query(ge=1, le=10_000)] = 80,
) -> Choice:
    return Choice(
        model, params, gpus, scheme, recipe, offload, tp, pp, micro, seq, batch, keep, card
    )


async def memory(page: PageDep, choice: Annotated[Choice, Depends(choice_of_query)]) -> Response:
    """The explorer; htmx asks for the result alone when a choice changes."""
    result = _explored(page, choice)
    if page.is_partial:
        return page.show("partials/explorer.html", wish=choice, **result)
    models = sorted(page.parts.models.values(), key=lambda m: (m.title or m.id).lower())
    return page.show(
        "memory.html",
        wish=choice,
        models=[(m.id, m.title or m.id) for m in models],
        schemes=[(s.id, s.title) for s in SCHEMES.values()],
        recipes=[(r.id, r.title) for r in RECIPES.values()],
        offloads=OFFLOAD_NAMES.items(),
        keeps=KEEP_NAMES.items(),
        cards=CARDS,
        **result,
    )


def _explored(page: Page, choice: Choice) -> dict[str, object]:
    """The rows, or in their place what is wrong with the choice; the form stays as it is."""
    try:
        result = explore(page.parts, choice)
    except ShardwiseError as error:
        detail = page.site.wording.error(error, page.lang)
        return {"problem": told(error), "detail": detail}
    return {
        "problem": None,
        "rows": result.rows,
        "chosen": result.chosen,
        "has_activations": result.has_activations,
    }


async def check_page(page: PageDep) -> Response:
    return page.show("check.html", text="", checked=None)


async def check(page: PageDep, text: Annotated[str, Form()] = "") -> Response:
    text = text.replace("\r\n", "\n")
    checked = await tools.check_text(page.parts, text, ClaimContext())
    beliefs = (m.asserted for m in checked.misconceptions)
    marks = (*number_marks(checked.claims), *belief_marks(beliefs))
    template = "partials/checked.html" if page.is_partial else "check.html"
    return page.show(template, text=text, checked=checked, segments=pieces(text, marks))


async def ask(page: PageDep, q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "") -> Response:
    found = await tools.find_facts(page.parts, q, FOUND) if q.strip() else None
    return page.show("ask.html", query=q, found=found)


ROWS: Final = (
    Row("GET", "/tools", index),
    Row("GET", "/tools/memory", memory),
    Row("GET", "/tools/check", check_page),
    Row("POST", "/tools/check", check),
    Row("GET", "/tools/ask", ask),
)
