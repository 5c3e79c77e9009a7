"""Interviews: the plan in one row, each turn in its own, changed by compare and set."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.grading import Level
from service.domain.interview import Mode, Session, SessionStatus, Turn
from service.domain.language import Lang
from service.errors import TurnOutOfOrder
from service.store.codec import SESSION, TURN
from service.store.library import forget_responses_about
from service.store.port import LONGEST_LIST, SessionSummary
from service.store.rows import OnDatabase, own_row, seen_row, whole
from service.store.schema import SessionRow, TurnRow, UsageRow
from service.store.scrubbing import empty_log

_FIRST_REVISION: Final = 1


class SqlInterviews(OnDatabase):
    @whole
    async def add_session(self, owner_id: str, session: Session, *, title: str = "") -> Session:
        new = replace(session, revision=_FIRST_REVISION)
        async with self.database.write() as db:
            row = SessionRow(owner_id=owner_id, id=session.id, title=title)
            fill(row, new)
            db.add(row)
            await db.flush()
            save_turns(db, (), owner_id, new)
        return new

    @whole
    async def get_session(self, owner_id: str, session_id: str) -> Session:
        async with self.database.read() as db:
            return await assembled(db, await seen_row(db, SessionRow, owner_id, session_id))

    @whole
    async def list_sessions(self, owner_id: str) -> Sequence[SessionSummary]:
        query = select(*_SUMMARY).where(SessionRow.owner_id == owner_id)
        query = query.order_by(SessionRow.updated_at.desc(), SessionRow.id.desc())
        async with self.database.read() as db:
            rows = await db.execute(query.limit(LONGEST_LIST))
            return tuple(
                SessionSummary(
                    own_id,
                    title,
                    Lang(lang),
                    Level(level),
                    Mode(mode),
                    SessionStatus(status),
                    created,
                    updated,
                    turns,
                )
                for own_id, title, lang, level, mode, status, created, updated, turns in rows
            )

    @whole
    async def update_session(
        self, owner_id: str, session: Session, expected_revision: int
    ) -> Session:
        async with self.database.write() as db:
            row = await own_row(db, SessionRow, owner_id, session.id)
            if row.revision != expected_revision:
                raise changed_meanwhile()
            turns = await turn_rows(db, owner_id, session.id)
            return save(db, row, turns, session)

    @whole
    async def delete_session(self, owner_id: str, session_id: str) -> None:
        async with self.database.write() as db:
            row = await own_row(db, SessionRow, owner_id, session_id)
            # Turns and the requests that belong to them go by the foreign key.
            await db.delete(row)
            await db.execute(
                delete(UsageRow).where(
                    UsageRow.owner_id == owner_id, UsageRow.session_id == session_id
                )
            )
            await forget_responses_about(db, owner_id, session_id)
        await empty_log(self.database)


_SUMMARY: Final = (
    SessionRow.id,
    SessionRow.title,
    SessionRow.lang,
    SessionRow.level,
    SessionRow.mode,
    SessionRow.status,
    SessionRow.created_at,
    SessionRow.updated_at,
    SessionRow.turn_count,
)


def changed_meanwhile() -> TurnOutOfOrder:
    return TurnOutOfOrder("The interview was changed meanwhile; load it again.")


async def assembled(db: AsyncSession, row: SessionRow) -> Session:
    """The interview with its turns and its revision."""
    return as_session(row, await turn_rows(db, row.owner_id, row.id))


async def turn_rows(db: AsyncSession, owner_id: str, session_id: str) -> Sequence[TurnRow]:
    query = select(TurnRow).where(TurnRow.owner_id == owner_id, TurnRow.session_id == session_id)
    return (await db.scalars(query.order_by(TurnRow.seq))).all()


def as_session(row: SessionRow, turns: Sequence[TurnRow]) -> Session:
    return replace(
        SESSION.decode(row.payload, row.schema_version),
        turns=tuple(TURN.decode(turn.payload, turn.schema_version) for turn in turns),
        revision=row.revision,
    )


def save(db: AsyncSession, row: SessionRow, turns: Sequence[TurnRow], session: Session) -> Session:
    """Write what changed and raise the revision. The row must be locked, `turns` all it has."""
    new = replace(session, revision=row.revision + 1)
    fill(row, new)
    save_turns(db, turns, row.owner_id, new)
    return new


def fill(row: SessionRow, session: Session) -> None:
    row.created_at = session.created_at
    row.updated_at = session.updated_at
    row.lang = session.plan.lang.value
    row.level = session.plan.level.value
    row.mode = session.plan.mode.value
    row.status = session.status.value
    row.turn_count = len(session.turns)
    row.revision = session.revision
    row.schema_version = SESSION.version
    row.payload = SESSION.encode(replace(session, turns=(), revision=0))


def save_turns(db: AsyncSession, rows: Sequence[TurnRow], owner_id: str, session: Session) -> None:
    """Insert new turns, rewrite changed ones. A changed turn is nobody's any more.

    Raises:
        ValueError: a stored turn is missing in `session`; answers do not vanish by an update.
    """
    stored = {row.seq: row for row in rows}
    if stored.keys() - {turn.seq for turn in session.turns}:
        raise ValueError("a stored turn is missing in the session to be saved")
    for turn in session.turns:
        row = stored.get(turn.seq)
        if row is None:
            row = TurnRow(owner_id=owner_id, session_id=session.id, seq=turn.seq)
            db.add(row)
        write_turn(row, turn)


def write_turn(row: TurnRow, turn: Turn) -> None:
    payload = TURN.encode(turn)
    if row.payload == payload and row.schema_version == TURN.version:
        return
    row.status = turn.status.value
    row.schema_version = TURN.version
    row.payload = payload
    row.lease_token = row.lease_until = None
