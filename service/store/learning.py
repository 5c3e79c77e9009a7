"""What was learned of each interview, drills, and a person's notes on skill points."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import delete, select

from service.domain.learning.model import Drill, Learned, SkillNote
from service.errors import TurnOutOfOrder, VersionOutdated
from service.store.codec import Codec
from service.store.library import forget_responses_about
from service.store.rows import OnDatabase, insert_once, own_row, seen_row, whole
from service.store.schema import DrillRow, LearnedRow, SessionRow, SkillNoteRow
from service.store.scrubbing import empty_log

LEARNED: Final = Codec(Learned)
DRILL: Final = Codec(Drill)
SKILL_NOTE: Final = Codec(SkillNote)


class SqlLearning(OnDatabase):
    @whole
    async def list_learned(self, owner_id: str) -> Sequence[Learned]:
        row = LearnedRow
        query = select(row).where(row.owner_id == owner_id)
        async with self.database.read() as db:
            rows = (await db.scalars(query)).all()
        found = (LEARNED.decode(r.payload, r.schema_version) for r in rows)
        return tuple(sorted(found, key=lambda x: (x.began_at, x.session_id)))

    @whole
    async def put_learned(self, owner_id: str, learned: Learned) -> bool:
        async with self.database.write() as db:
            # Locked, so that it cannot be deleted in between.
            key = (owner_id, learned.session_id)
            if await db.get(SessionRow, key, with_for_update=True) is None:
                return False
            row = await db.get(LearnedRow, key)
            if row is None:
                row = LearnedRow(owner_id=owner_id, session_id=learned.session_id)
                db.add(row)
            row.seen_at = learned.seen_at
            row.rules = learned.rules
            row.schema_version = LEARNED.version
            row.payload = LEARNED.encode(learned)
        return True

    @whole
    async def add_drill(self, owner_id: str, drill: Drill) -> None:
        row = DrillRow(owner_id=owner_id, id=drill.id, created_at=drill.asked_at)
        _fill_drill(row, drill)
        async with self.database.write() as db:
            db.add(row)

    @whole
    async def get_drill(self, owner_id: str, drill_id: str) -> Drill:
        async with self.database.read() as db:
            return _drill(await seen_row(db, DrillRow, owner_id, drill_id))

    @whole
    async def list_drills(self, owner_id: str) -> Sequence[Drill]:
        row = DrillRow
        query = select(row).where(row.owner_id == owner_id)
        query = query.order_by(row.created_at.desc(), row.id.desc())
        async with self.database.read() as db:
            return tuple(_drill(r) for r in (await db.scalars(query)).all())

    @whole
    async def save_drill(self, owner_id: str, drill: Drill, seen: int) -> Drill:
        async with self.database.write() as db:
            row = await own_row(db, DrillRow, owner_id, drill.id)
            if row.revision != seen:
                raise TurnOutOfOrder("This is not the question that awaits an answer.")
            saved = replace(drill, revision=seen + 1)
            _fill_drill(row, saved)
            return saved

    @whole
    async def delete_drill(self, owner_id: str, drill_id: str) -> None:
        async with self.database.write() as db:
            await db.delete(await own_row(db, DrillRow, owner_id, drill_id))
            await forget_responses_about(db, owner_id, drill_id)
        await empty_log(self.database)

    @whole
    async def list_skill_notes(self, owner_id: str) -> Sequence[SkillNote]:
        row = SkillNoteRow
        query = select(row).where(row.owner_id == owner_id).order_by(row.topic)
        async with self.database.read() as db:
            return tuple(_note(r) for r in (await db.scalars(query)).all())

    @whole
    async def put_skill_note(self, owner_id: str, note: SkillNote, seen: int) -> SkillNote:
        saved = replace(note, revision=seen + 1)
        values = _note_values(saved)
        async with self.database.write() as db:
            row = await db.get(SkillNoteRow, (owner_id, note.topic), with_for_update=True)
            if row is None and seen == 0:
                key = {"owner_id": owner_id, "topic": note.topic}
                if await insert_once(db, SkillNoteRow, key | values):
                    return saved
            if row is None or row.revision != seen:
                raise VersionOutdated("It was changed meanwhile; look at it again.")
            for name, value in values.items():
                setattr(row, name, value)
        return saved

    @whole
    async def delete_skill_note(self, owner_id: str, topic: str) -> None:
        row = SkillNoteRow
        async with self.database.write() as db:
            await db.execute(delete(row).where(row.owner_id == owner_id, row.topic == topic))
        await empty_log(self.database)


def _fill_drill(row: DrillRow, drill: Drill) -> None:
    row.updated_at = drill.updated_at
    row.revision = drill.revision
    row.schema_version = DRILL.version
    row.payload = DRILL.encode(drill)


def _drill(row: DrillRow) -> Drill:
    return replace(DRILL.decode(row.payload, row.schema_version), revision=row.revision)


def _note_values(note: SkillNote) -> dict[str, object]:
    return {
        "updated_at": note.updated_at,
        "revision": note.revision,
        "schema_version": SKILL_NOTE.version,
        "payload": SKILL_NOTE.encode(note),
    }


def _note(row: SkillNoteRow) -> SkillNote:
    return replace(SKILL_NOTE.decode(row.payload, row.schema_version), revision=row.revision)
