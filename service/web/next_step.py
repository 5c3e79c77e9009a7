"""The one thing the home page suggests: what is begun comes first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from service.domain.interview import SessionStatus
from service.domain.language import Message, msg


class Begun(Protocol):
    """An interview as listed."""

    @property
    def id(self) -> str: ...

    @property
    def status(self) -> SessionStatus: ...


@dataclass(frozen=True, slots=True)
class Step:
    title: Message
    text: Message
    path: str
    button: Message


BRING_RESUME: Final = Step(
    msg("Bring your résumé"),
    msg("Two steps to a first interview: the résumé you would send, then the posting."),
    "/resumes",
    msg("Bring a résumé"),
)
BRING_POSTING: Final = Step(
    msg("Paste the job posting"),
    msg("Then you see requirement, evidence and gap side by side."),
    "/postings",
    msg("Paste a posting"),
)
FIRST_INTERVIEW: Final = Step(
    msg("Take your first interview"),
    msg("Its questions come from your résumé and the posting. Coached is the gentle way in."),
    "/interviews",
    msg("Set up an interview"),
)


def next_step(resumes: int, postings: int, sessions: Sequence[Begun]) -> Step:
    """`sessions` run from the one touched last."""
    begun = next((s for s in sessions if s.status is not SessionStatus.CLOSED), None)
    if begun:
        return Step(
            msg("Continue your interview"),
            msg("It waits at the question you left."),
            f"/interviews/{begun.id}",
            msg("Continue"),
        )
    if sessions:
        return Step(
            msg("Read your last report"),
            msg("It names at most three gaps and one thing to do next."),
            f"/interviews/{sessions[0].id}/report",
            msg("Read the report"),
        )
    if not resumes:
        return BRING_RESUME
    return FIRST_INTERVIEW if postings else BRING_POSTING
