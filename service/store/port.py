"""What may be kept and found again. Every call names the owner; a foreign id is an unknown id.

Ids, tokens and moments come in as arguments where the caller must know them; all moments are
aware. Any call may raise StoreBusy (locked too long; nothing was changed) or StoreFull.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final, Protocol

from service.domain.alignment import Match
from service.domain.grading import Level
from service.domain.interview import Mode, Session, SessionStatus
from service.domain.language import Lang
from service.domain.posting import Posting
from service.domain.resume import Quality, Resume
from service.store.port_learning import Learning
from service.store.port_versions import Applications, Versions

LONGEST_LIST: Final = 500


@dataclass(frozen=True, slots=True)
class Owner:
    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as listed; the key itself is known to nobody but its holder."""

    id: str
    name: str
    created_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredResume:
    """`content_hash` names the bytes of the file that was read."""

    id: str
    created_at: datetime
    filename: str
    quality: Quality
    resume: Resume
    content_hash: str


@dataclass(frozen=True, slots=True)
class StoredPosting:
    id: str
    created_at: datetime
    posting: Posting


@dataclass(frozen=True, slots=True)
class StoredMatch:
    id: str
    created_at: datetime
    resume_id: str
    posting_id: str
    match: Match


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """An interview without its turns. `turns` counts what was asked so far."""

    id: str
    title: str
    lang: Lang
    level: Level
    mode: Mode
    status: SessionStatus
    created_at: datetime
    updated_at: datetime
    turns: int


@dataclass(frozen=True, slots=True)
class Reserved:
    """The turn is this caller's until the lease ends; its answer is safe in `session`."""

    session: Session


@dataclass(frozen=True, slots=True)
class Replay:
    """The same request was answered before: the same status and the same characters."""

    response: str
    status: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model was asked: calls, and tokens in and out together."""

    calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Health:
    """`why` is empty when all is well."""

    ok: bool
    why: str = ""


class Owners(Protocol):
    async def local_owner(self) -> Owner:
        """The one silent user of a local installation, made at the first call."""
        ...

    async def create_owner(self, name: str) -> Owner: ...

    async def list_owners(self) -> Sequence[Owner]: ...

    async def add_key(self, owner_id: str, name: str, key_hash: str, now: datetime) -> ApiKey:
        """Raises NotFound for an unknown owner, InputInvalid for a hash that is taken."""
        ...

    async def list_keys(self, owner_id: str) -> Sequence[ApiKey]: ...

    async def revoke_key(self, owner_id: str, key_id: str, now: datetime) -> None:
        """Revoking twice changes nothing. Raises NotFound."""
        ...

    async def owner_of_key(self, key_hash: str) -> Owner | None:
        """None for an unknown or a revoked key."""
        ...

    async def add_page_session(
        self, owner_id: str, token_hash: str, expires_at: datetime
    ) -> None: ...

    async def owner_of_page_session(self, token_hash: str, now: datetime) -> Owner | None: ...

    async def end_page_session(self, token_hash: str) -> None: ...

    async def end_all_page_sessions(self, owner_id: str) -> None: ...


class Library(Protocol):
    """Lists run from the newest to the oldest, `LONGEST_LIST` entries at most."""

    async def add_resume(self, owner_id: str, stored: StoredResume) -> None: ...

    async def get_resume(self, owner_id: str, resume_id: str) -> StoredResume:
        """Raises NotFound."""
        ...

    async def replace_resume(self, owner_id: str, resume_id: str, resume: Resume) -> None:
        """What was read, put right; the rest of the entry stays. Raises NotFound."""
        ...

    async def list_resumes(self, owner_id: str) -> Sequence[StoredResume]: ...

    async def delete_resume(self, owner_id: str, resume_id: str) -> None:
        """Its matches and the stored responses about it go with it. Raises NotFound."""
        ...

    async def add_posting(self, owner_id: str, stored: StoredPosting) -> None: ...

    async def get_posting(self, owner_id: str, posting_id: str) -> StoredPosting:
        """Raises NotFound."""
        ...

    async def list_postings(self, owner_id: str) -> Sequence[StoredPosting]: ...

    async def delete_posting(self, owner_id: str, posting_id: str) -> None:
        """Its matches and the stored responses about it go with it. Raises NotFound."""
        ...

    async def add_match(self, owner_id: str, stored: StoredMatch) -> None:
        """Raises NotFound when the résumé or the posting is not this owner's."""
        ...

    async def get_match(self, owner_id: str, match_id: str) -> StoredMatch:
        """Raises NotFound."""
        ...

    async def list_matches(self, owner_id: str) -> Sequence[StoredMatch]: ...

    async def delete_match(self, owner_id: str, match_id: str) -> None:
        """Raises NotFound."""
        ...


class Interviews(Protocol):
    async def add_session(self, owner_id: str, session: Session, *, title: str = "") -> Session:
        """Keep a new interview with its turns; the result carries its first revision."""
        ...

    async def get_session(self, owner_id: str, session_id: str) -> Session:
        """Raises NotFound."""
        ...

    async def list_sessions(self, owner_id: str) -> Sequence[SessionSummary]:
        """From the one touched last; `LONGEST_LIST` entries at most."""
        ...

    async def update_session(
        self, owner_id: str, session: Session, expected_revision: int
    ) -> Session:
        """Compare and set, for everything but an answer: skip, pause, close, a new question.

        Raises:
            NotFound: no such interview.
            TurnOutOfOrder: somebody else changed it first.
        """
        ...

    async def delete_session(self, owner_id: str, session_id: str) -> None:
        """With its turns, stored responses and usage. Raises NotFound."""
        ...


class Turns(Protocol):
    async def reserve_turn(
        self,
        owner_id: str,
        session_id: str,
        seq: int,
        *,
        answer: str | None,
        key: str,
        body_hash: str,
        token: str,
        now: datetime,
        lease_until: datetime,
    ) -> Reserved | Replay:
        """Make the answer safe and take the turn, before any engine is asked.

        `answer` is None to go on with the words that are stored already. `token` is new for each
        attempt. An ended lease is taken over by the same key or by a call that brings no other
        words; stored words never change.

        Raises:
            NotFound: no such interview.
            KeyReused: the key came before with another body or for another turn.
            TurnInProgress: somebody is reading this turn now.
            TurnOutOfOrder: not the awaited turn, or another answer to it is stored.
            SessionClosed, SessionPaused: the interview is not running.
            TextEmpty: there are no words, neither here nor stored.
        """
        ...

    async def finish_turn(
        self,
        owner_id: str,
        session: Session,
        *,
        token: str,
        response: str,
        now: datetime,
        status: int = 200,
    ) -> Session:
        """Save the graded turn, what follows, and the response for replay: all or nothing.

        Raises:
            NotFound: the interview was deleted meanwhile; nothing is written.
            TurnOutOfOrder: the reservation was taken over, or the interview changed meanwhile.
        """
        ...

    async def renew_turn(
        self, owner_id: str, session_id: str, seq: int, token: str, lease_until: datetime
    ) -> None:
        """The reading goes on: its lease ends later. Nothing, when `token` holds no turn."""
        ...

    async def release_turn(self, owner_id: str, session_id: str, seq: int, token: str) -> None:
        """The engine failed: the answer stays, the lease ends. Never raises NotFound."""
        ...


class Requests(Protocol):
    """Idempotency-Key for every other POST. One key names one request of one owner."""

    async def recall(self, owner_id: str, key: str, route: str, body_hash: str) -> Replay | None:
        """What was answered before. Raises KeyReused for another route or body."""
        ...

    async def claim(
        self,
        owner_id: str,
        key: str,
        route: str,
        body_hash: str,
        *,
        now: datetime,
        lease_until: datetime,
    ) -> Replay | None:
        """As `recall`, and None means: it is yours; end with `remember` or `forget`.

        Raises:
            KeyReused: another route or body.
            TurnInProgress: the same request is being handled now.
        """
        ...

    async def remember(
        self, owner_id: str, key: str, route: str, body_hash: str, status: int, response: str
    ) -> Replay:
        """Keep the response; gives back what is kept, which is the first one. Raises KeyReused."""
        ...

    async def forget(self, owner_id: str, key: str) -> None:
        """The claimed request failed: the key is free again. A kept response stays."""
        ...


class Privacy(Protocol):
    async def export_owner(self, owner_id: str) -> Mapping[str, object]:
        """All that is kept of one owner, as values JSON can hold. Raises NotFound."""
        ...

    async def delete_owner_data(self, owner_id: str) -> None:
        """Everything of one owner, down to the bytes of the file; doing it again is harmless.

        Raises:
            StoreBusy: the rows are gone, but another process keeps the log open; do it again.
        """
        ...


class Metering(Protocol):
    async def add_usage(
        self, day: date, owner_id: str, session_id: str | None, calls: int, tokens: int
    ) -> None:
        """Count; for a deleted interview only the day's total grows."""
        ...

    async def usage_of_day(self, day: date) -> Usage:
        """Of all owners together; deleting an owner's data does not lower it."""
        ...

    async def usage_of_session(self, owner_id: str, session_id: str) -> Usage: ...


class Store(
    Owners,
    Library,
    Versions,
    Applications,
    Interviews,
    Learning,
    Turns,
    Requests,
    Privacy,
    Metering,
    Protocol,
):
    async def health(self) -> Health: ...

    async def backup(self, target: Path) -> None:
        """A whole copy while others go on writing (SQLite only).

        Raises:
            InputInvalid: the target exists, or this is a PostgreSQL database.
        """
        ...

    async def close(self) -> None: ...
