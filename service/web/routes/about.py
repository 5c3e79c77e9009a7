"""Pages open to all: static files, help, and the components of the design."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from fastapi import FastAPI, HTTPException, Response

from service.domain.grading import Dimension, Verdict
from service.domain.interview import Mode
from service.domain.language import Message, msg
from service.errors import NotFound
from service.web.assets import serve
from service.web.labels import MODE, MODE_HINT
from service.web.page import PageDep
from service.web.passport import read_passport
from service.web.reference import read_reference
from service.web.route import Row

API: Final = "v1/"
LONGEST_SHOWN: Final = 120


@dataclass(frozen=True, slots=True)
class HelpPart:
    title: Message
    texts: tuple[Message, ...]


HELP: Final = (
    HelpPart(
        msg("From posting to report"),
        (
            msg("Bring a résumé and paste a posting: you see requirement, evidence and gap."),
            msg("Make an interview from both. You see its plan before the first question."),
            msg("Answer in your own words. Each answer is saved before it is read."),
            msg("The report names at most three gaps and one thing to do next."),
        ),
    ),
    HelpPart(
        msg("How a mark comes about"),
        (
            msg("A question has a rubric: points that a good answer says, each with its source."),
            msg("The reader may only say which point is covered and quote the words for it."),
            msg("Code looks the quote up in your answer; without the quote there is no credit."),
            msg("Numbers are recomputed by formula; a wrong number cannot earn its point."),
            msg("Too little to judge gives no mark. That is not a zero."),
        ),
    ),
    HelpPart(
        msg("Coached or exam"),
        (
            msg("Coached shows after each answer what was covered. Exam stays silent to the end."),
            msg("Skipping a question leaves no mark, neither good nor bad."),
        ),
    ),
    HelpPart(
        msg("Interrupted?"),
        (
            msg("Close the tab, restart, come back: the interview stands where it was."),
            msg("An unsent draft stays in this browser; a sent answer stays with the service."),
        ),
    ),
)
VERDICT_HELP: Final[Mapping[Verdict, Message]] = {
    Verdict.MET: msg("You said it, and your words are quoted."),
    Verdict.PARTIAL: msg("Half of the point is there."),
    Verdict.MISSED: msg("You did not speak of it. It counts as open, not as wrong."),
    Verdict.CONTRADICTED: msg("You said the opposite of what the sources say."),
    Verdict.UNSUPPORTED: msg("Credit was claimed, but the words are not yours."),
    Verdict.UNJUDGED: msg("It could not be decided; it lowers no mark."),
}
SAMPLE_DIMENSIONS: Final[Mapping[Dimension, float | None]] = {
    Dimension.MOTIVATION: 80.0,
    Dimension.STAGES: 62.5,
    Dimension.TRADEOFFS: 40.0,
    Dimension.EXPERIENCE: None,
}


async def static_file(page: PageDep, digest: str, name: str) -> Response:
    return serve(page.site.assets, digest, name)


async def show_help(page: PageDep) -> Response:
    return page.show("help.html", parts=HELP, verdict_help=VERDICT_HELP)


async def show_passport(page: PageDep) -> Response:
    return page.show("passport.html", passport=read_passport(page.lang))


async def design(page: PageDep) -> Response:
    modes = [(m, page.say(MODE[m]), page.say(MODE_HINT[m])) for m in (Mode.COACHED, Mode.EXAM)]
    return page.show("design.html", modes=modes, sample_dimensions=SAMPLE_DIMENSIONS)


async def api_reference(page: PageDep) -> Response:
    app = cast("FastAPI", page.request.app)
    return page.show(
        "reference.html", reference=read_reference(app.openapi()), openapi=app.openapi_url
    )


async def missing(page: PageDep, path: str) -> Response:
    """Anything that no other route knows; the API tells its own.

    Raises:
        NotFound: no page there.
    """
    if path.startswith(API):
        raise HTTPException(404)
    if path.endswith("/"):
        return page.go(f"/{path.strip('/')}")
    raise NotFound("There is no page at {path}.", path=f"/{path}"[:LONGEST_SHOWN])


ROWS: Final = (
    Row("GET", "/docs", api_reference),
    Row("GET", "/static/{digest}/{name:path}", static_file),
    Row("GET", "/help", show_help),
    Row("GET", "/passport", show_passport),
    Row("GET", "/design", design),
    # Last of all routes: it matches everything.
    Row("GET", "/{path:path}", missing),
)
