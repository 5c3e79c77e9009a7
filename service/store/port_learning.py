"""What may be kept of learning; part of `service.store.port`."""

from collections.abc import Sequence
from typing import Protocol

from service.domain.learning.model import Drill, Learned, SkillNote


class Learning(Protocol):
    async def list_learned(self, owner_id: str) -> Sequence[Learned]:
        """Of every interview, the oldest first."""
        ...

    async def put_learned(self, owner_id: str, learned: Learned) -> bool:
        """Replace what is kept of this interview; False when it was deleted meanwhile."""
        ...

    async def add_drill(self, owner_id: str, drill: Drill) -> None: ...

    async def get_drill(self, owner_id: str, drill_id: str) -> Drill:
        """Raises NotFound."""
        ...

    async def list_drills(self, owner_id: str) -> Sequence[Drill]:
        """Newest first, all of them: a schedule is made from every one."""
        ...

    async def save_drill(self, owner_id: str, drill: Drill, seen: int) -> Drill:
        """Raises NotFound, TurnOutOfOrder when somebody else changed it first."""
        ...

    async def delete_drill(self, owner_id: str, drill_id: str) -> None:
        """Raises NotFound."""
        ...

    async def list_skill_notes(self, owner_id: str) -> Sequence[SkillNote]: ...

    async def put_skill_note(self, owner_id: str, note: SkillNote, seen: int) -> SkillNote:
        """Keep a note; `seen` is 0 for the first one. Raises VersionOutdated."""
        ...

    async def delete_skill_note(self, owner_id: str, topic: str) -> None:
        """Doing it again is harmless."""
        ...
