"""What may be kept of versions of résumés and of the board; part of `service.store.port`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from service.domain.applications import Card
from service.domain.resume import Resume
from service.domain.rewriting import Rewriting
from service.domain.versions import Revision, Version


@dataclass(frozen=True, slots=True)
class StoredRewriting:
    """`revision` is that of the reading; 0 where nothing is stored yet."""

    rewriting: Rewriting
    revision: int


class Versions(Protocol):
    """Every change names the revision its caller has seen: VersionOutdated when that is past."""

    async def add_version(
        self, owner_id: str, version: Version, resume: Resume, card: Card | None = None
    ) -> Version:
        """Keep a version with its first revision and its card, all or nothing.

        Gives back the version that is there already for the same résumé and posting; then nothing
        is added. Raises NotFound when the résumé or the posting is not this owner's.
        """
        ...

    async def get_version(self, owner_id: str, version_id: str) -> Version:
        """Raises NotFound."""
        ...

    async def list_versions(self, owner_id: str) -> Sequence[Version]:
        """From the one changed last; `LONGEST_LIST` entries at most."""
        ...

    async def save_version(
        self,
        owner_id: str,
        version_id: str,
        seen: int,
        revision: Revision,
        rewriting: StoredRewriting | None = None,
    ) -> Version:
        """Add a revision, and the state of the rewriting with it: all or nothing.

        Raises:
            NotFound: no such version.
            VersionOutdated: somebody else changed one of the two first.
        """
        ...

    async def set_note(self, owner_id: str, version_id: str, title: str, note: str) -> Version:
        """Raises NotFound."""
        ...

    async def list_revisions(self, owner_id: str, version_id: str) -> Sequence[Revision]:
        """Newest first. Raises NotFound."""
        ...

    async def get_revision(self, owner_id: str, version_id: str, seq: int) -> Revision:
        """Raises NotFound."""
        ...

    async def delete_version(self, owner_id: str, version_id: str) -> None:
        """With its revisions and rewriting; its card stays without it. Raises NotFound."""
        ...

    async def get_rewriting(self, owner_id: str, version_id: str) -> StoredRewriting:
        """An empty one where nothing is stored yet. Raises NotFound."""
        ...

    async def put_rewriting(
        self, owner_id: str, version_id: str, rewriting: StoredRewriting, now: datetime
    ) -> None:
        """Raises NotFound, VersionOutdated."""
        ...


class Applications(Protocol):
    async def add_card(self, owner_id: str, card: Card) -> None: ...

    async def get_card(self, owner_id: str, card_id: str) -> Card:
        """Raises NotFound."""
        ...

    async def list_cards(self, owner_id: str) -> Sequence[Card]:
        """From the one changed last; `LONGEST_LIST` entries at most."""
        ...

    async def save_card(self, owner_id: str, card: Card, seen: int) -> Card:
        """Raises NotFound, VersionOutdated."""
        ...

    async def delete_card(self, owner_id: str, card_id: str) -> None:
        """Raises NotFound."""
        ...
