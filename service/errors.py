"""Every error Shardwise raises on purpose, grouped by what the caller may do about it.

ShardwiseError
├─ UserError            the caller can put it right
│  ├─ NotFound          no such thing, or it belongs to somebody else
│  ├─ SessionClosed     the interview is over
│  ├─ SessionPaused     resume it first
│  ├─ TurnOutOfOrder    another answer was faster, or this is not the awaited turn
│  ├─ VersionOutdated   a version or card was changed meanwhile
│  ├─ TurnInProgress    the same answer is being read right now
│  ├─ KeyReused         the same Idempotency-Key came with another body
│  ├─ TextEmpty         nothing to read
│  ├─ TextTooLong       more than the stated limit of characters
│  ├─ TextInvalid       characters that are no text (lone surrogates, NUL)
│  ├─ FileTooLarge      more than the stated limit of bytes
│  ├─ FileUnsupported   not one of the formats that can be read
│  ├─ FileUnreadable    the format is right, the content cannot be read; carries its quality
│  ├─ InputInvalid      a value outside what the formula or the form allows
│  ├─ ModelUnknown      no model of that name is known
│  ├─ NotSignedIn       a key or a page session is needed
│  └─ TooManyRequests   slow down
├─ EngineError          nothing was stored
│  ├─ EngineUnavailable the model could not be reached, was too slow or refused; try later
│  └─ ReadingInvalid    the model answered, but not in the agreed form
├─ StoreError
│  ├─ StoreBusy         locked too long; try again
│  ├─ StoreFull         no room on the disk
│  └─ StoreGone         the file was removed while serving; nothing was written
└─ SetupError           start-up only
   ├─ SettingsInvalid
   ├─ PromptInvalid
   ├─ KnowledgeInvalid
   └─ StoreInvalid      damaged, newer than this code, or not migrated
"""

from collections.abc import Sequence


class ShardwiseError(Exception):
    """Carries an English sentence; `params` fill its translation at the edge."""

    def __init__(self, detail: str, **params: object) -> None:
        super().__init__(detail.format(**params) if params else detail)
        self.template = detail
        self.params = params


class UserError(ShardwiseError):
    """The caller can put it right."""


class NotFound(UserError):
    pass


class SessionClosed(UserError):
    pass


class SessionPaused(UserError):
    pass


class TurnOutOfOrder(UserError):
    pass


class VersionOutdated(UserError):
    pass


class TurnInProgress(UserError):
    pass


class KeyReused(UserError):
    pass


class TextEmpty(UserError):
    pass


class TextTooLong(UserError):
    pass


class TextInvalid(UserError):
    pass


class FileTooLarge(UserError):
    pass


class FileUnsupported(UserError):
    pass


class FileUnreadable(UserError):
    """`quality` says why: scan, garbled, protected, empty or unsupported."""

    def __init__(self, detail: str, quality: str, **params: object) -> None:
        super().__init__(detail, **params)
        self.quality = quality


class InputInvalid(UserError):
    pass


class ModelUnknown(UserError):
    pass


class NotSignedIn(UserError):
    pass


class TooManyRequests(UserError):
    pass


class EngineError(ShardwiseError):
    """Nothing was stored."""


class EngineUnavailable(EngineError):
    """`retry_after` is in seconds when the server named it."""

    def __init__(self, detail: str, retry_after: float | None = None, **params: object) -> None:
        super().__init__(detail, **params)
        self.retry_after = retry_after


class ReadingInvalid(EngineError):
    pass


class StoreError(ShardwiseError):
    pass


class StoreBusy(StoreError):
    pass


class StoreFull(StoreError):
    pass


class StoreGone(StoreError):
    pass


class SetupError(ShardwiseError):
    """Start-up only. `faults` lists every fault with its place, all at once."""

    def __init__(self, detail: str, faults: Sequence[str] = (), **params: object) -> None:
        super().__init__(detail, **params)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  {fault}" for fault in self.faults)])


class SettingsInvalid(SetupError):
    pass


class PromptInvalid(SetupError):
    pass


class KnowledgeInvalid(SetupError):
    pass


class StoreInvalid(SetupError):
    pass
