"""What a person is told when something fails: the status, a name, and what to do now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.errors import (
    EngineUnavailable,
    FileTooLarge,
    FileUnreadable,
    FileUnsupported,
    InputInvalid,
    KeyReused,
    KnowledgeInvalid,
    ModelUnknown,
    NotFound,
    NotSignedIn,
    PromptInvalid,
    ReadingInvalid,
    SessionClosed,
    SessionPaused,
    SettingsInvalid,
    ShardwiseError,
    StoreBusy,
    StoreFull,
    StoreGone,
    StoreInvalid,
    TextEmpty,
    TextInvalid,
    TextTooLong,
    TooManyRequests,
    TurnInProgress,
    TurnOutOfOrder,
    VersionOutdated,
)
from service.web.labels import FILE_QUALITY


@dataclass(frozen=True, slots=True)
class Told:
    """`remedy` is what the person can do now."""

    status: int
    name: Message
    remedy: Message


RELOAD: Final = msg("Reload the page: it shows where the interview stands.")
START_UP: Final = msg("Whoever runs this service must mend it and start it again.")
TOLD: Final[Mapping[type[ShardwiseError], Told]] = {
    NotFound: Told(404, msg("Not here"), msg("Go back, or begin again from the home page.")),
    SessionClosed: Told(409, msg("This interview is over"), msg("Open its report.")),
    SessionPaused: Told(409, msg("This interview is paused"), msg("Press Resume first.")),
    TurnOutOfOrder: Told(409, msg("The interview has moved on"), RELOAD),
    TurnInProgress: Told(
        409, msg("Still reading"), msg("Your answer is being read right now. Wait a moment.")
    ),
    VersionOutdated: Told(
        409, msg("Changed meanwhile"), msg("Reload the page: it shows how it stands now.")
    ),
    KeyReused: Told(409, msg("Already answered in other words"), RELOAD),
    TextEmpty: Told(422, msg("Nothing to read"), msg("Write or paste some text first.")),
    TextTooLong: Told(413, msg("Too long"), msg("Shorten the text and send it again.")),
    TextInvalid: Told(422, msg("Not plain text"), msg("Copy the text again as plain text.")),
    FileTooLarge: Told(
        413, msg("The file is too large"), msg("Choose a smaller file, or paste the text below.")
    ),
    FileUnsupported: Told(
        415, msg("This kind of file cannot be read"), FILE_QUALITY["unsupported"]
    ),
    FileUnreadable: Told(422, msg("The file cannot be read"), FILE_QUALITY["empty"]),
    InputInvalid: Told(422, msg("That value does not work"), msg("Change it and try again.")),
    ModelUnknown: Told(404, msg("Unknown model"), msg("Pick one from the list, or give its size.")),
    NotSignedIn: Told(401, msg("Please sign in"), msg("Sign in with your key, then come back.")),
    TooManyRequests: Told(429, msg("Too fast"), msg("Wait a moment, then try again.")),
    EngineUnavailable: Told(
        503,
        msg("The model did not answer"),
        msg("Your answer is safe. Try again, or come back later and go on from here."),
    ),
    ReadingInvalid: Told(
        502,
        msg("The model's reply could not be used"),
        msg("Your answer is safe. Try again, or come back later and go on from here."),
    ),
    StoreBusy: Told(503, msg("Busy"), msg("Wait a moment, then try again.")),
    StoreFull: Told(507, msg("No room left"), msg("Free some disk space, then try again.")),
    StoreGone: Told(503, msg("The database is gone"), msg("Put its file back and start again.")),
    SettingsInvalid: Told(500, msg("The service is not set up"), START_UP),
    PromptInvalid: Told(500, msg("The service is not set up"), START_UP),
    KnowledgeInvalid: Told(500, msg("The service is not set up"), START_UP),
    StoreInvalid: Told(500, msg("The service is not set up"), START_UP),
}


def told(error: ShardwiseError) -> Told:
    """How `error` is told; an unreadable file by what is wrong with it."""
    known = TOLD[type(error)]
    if isinstance(error, FileUnreadable) and error.quality in FILE_QUALITY:
        return Told(known.status, known.name, FILE_QUALITY[error.quality])
    return known
