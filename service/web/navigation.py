"""The page map: every page has its place in the navigation from the start."""

from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    name: Message


@dataclass(frozen=True, slots=True)
class Area:
    name: Message | None
    places: tuple[Place, ...]


SITE: Final = (
    Area(None, (Place("/", msg("Home")),)),
    Area(
        msg("Prepare"),
        (
            Place("/resumes", msg("Résumé")),
            Place("/postings", msg("Job and gaps")),
            Place("/versions", msg("Versions")),
            Place("/board", msg("Board")),
        ),
    ),
    Area(
        msg("Practise"),
        (
            Place("/interviews", msg("Interview")),
            Place("/questions", msg("Question bank")),
            Place("/learning", msg("Learning")),
            Place("/tools", msg("Tools")),
        ),
    ),
    Area(
        msg("More"),
        (
            Place("/settings", msg("Settings and privacy")),
            Place("/help", msg("Help")),
            Place("/passport", msg("How good the grader is")),
        ),
    ),
)


def current(path: str) -> str:
    """The place a page belongs to; empty for a page that belongs to none."""
    places = [p.path for area in SITE for p in area.places]
    inside = (p for p in places if path == p or (p != "/" and path.startswith(f"{p}/")))
    return next(inside, "")
