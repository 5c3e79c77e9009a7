"""One answer: reserved before the engine reads it, finished or released after.

The lease lives in the turn's row, the Idempotency-Key in `requests`. Whoever changes a turn or
an interview does it with the interview's row locked, so plain comparisons are enough.
See docs/decisions/0006-turn-reservation.md.
"""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Update, update
from sqlalchemy.ext.asyncio import AsyncSession

from service.domain.interview import Session, Turn, TurnStatus, store_answer
from service.errors import TextEmpty, TurnInProgress, TurnOutOfOrder
from service.store.port import Replay, Reserved
from service.store.requests import drop_old, key_reused, replay_of, require_sound
from service.store.rows import OnDatabase, insert_once, own_row, whole
from service.store.schema import RequestRow, SessionRow, TurnRow
from service.store.sessions import as_session, changed_meanwhile, save, turn_rows


class SqlTurns(OnDatabase):
    @whole
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
        require_sound(key)
        async with self.database.write() as db:
            row = await own_row(db, SessionRow, owner_id, session_id)
            request = await db.get(RequestRow, (owner_id, key))
            if request is not None and not _is_same(request, session_id, seq, body_hash):
                raise key_reused()
            replay = replay_of(request)
            if replay is not None:
                return replay
            turns = await turn_rows(db, owner_id, session_id)
            session = as_session(row, turns)
            turn = session.awaiting(seq)
            turn_row = next(t for t in turns if t.seq == seq)
            _refuse_leased(turn_row, now)
            saved = save(db, row, turns, _with_answer(session, turn, answer, request, now))
            turn_row.lease_token, turn_row.lease_until = token, lease_until
            if request is None:
                await _keep_key(db, row, seq, key, body_hash, now)
            return Reserved(saved)

    @whole
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
        async with self.database.write() as db:
            row = await own_row(db, SessionRow, owner_id, session.id)
            turns = await turn_rows(db, owner_id, session.id)
            # An ended lease that nobody took over still counts.
            turn_row = next((t for t in turns if t.lease_token == token), None)
            if turn_row is None or row.revision != session.revision:
                raise changed_meanwhile()
            dated = replace(session, updated_at=max(now, session.updated_at))
            saved = save(db, row, turns, dated)
            turn_row.lease_token = turn_row.lease_until = None
            await db.execute(
                update(RequestRow)
                .where(
                    RequestRow.owner_id == owner_id,
                    RequestRow.session_id == session.id,
                    RequestRow.seq == turn_row.seq,
                    RequestRow.response.is_(None),
                )
                .values(status=status, response=response)
            )
            return saved

    @whole
    async def renew_turn(
        self, owner_id: str, session_id: str, seq: int, token: str, lease_until: datetime
    ) -> None:
        async with self.database.write() as db:
            held = _held(owner_id, session_id, seq, token)
            await db.execute(held.values(lease_until=lease_until))

    @whole
    async def release_turn(self, owner_id: str, session_id: str, seq: int, token: str) -> None:
        async with self.database.write() as db:
            held = _held(owner_id, session_id, seq, token)
            await db.execute(held.values(lease_token=None, lease_until=None))


def _held(owner_id: str, session_id: str, seq: int, token: str) -> Update:
    return update(TurnRow).where(
        TurnRow.owner_id == owner_id,
        TurnRow.session_id == session_id,
        TurnRow.seq == seq,
        TurnRow.lease_token == token,
    )


def _is_same(request: RequestRow, session_id: str, seq: int, body_hash: str) -> bool:
    named = (request.session_id, request.seq, request.body_hash)
    return named == (session_id, seq, body_hash)


def _refuse_leased(row: TurnRow, now: datetime) -> None:
    if row.lease_until is not None and row.lease_until > now:
        raise TurnInProgress("This answer is being read right now; ask again in a moment.")


def _with_answer(
    session: Session, turn: Turn, answer: str | None, request: RequestRow | None, now: datetime
) -> Session:
    """The words are stored once. Whoever comes later with other words comes too late."""
    if turn.status is TurnStatus.STORED:
        if request is None and answer is not None and answer != turn.answer:
            raise TurnOutOfOrder(
                "Another answer to this question is stored already; have that one read."
            )
        return session
    if answer is None:
        raise TextEmpty("There is no answer to this question yet.")
    return store_answer(session, turn.seq, answer, now)


async def _keep_key(
    db: AsyncSession, row: SessionRow, seq: int, key: str, body_hash: str, now: datetime
) -> None:
    await drop_old(db, row.owner_id, now)
    values = {
        "owner_id": row.owner_id,
        "key": key,
        "route": "turn",
        "body_hash": body_hash,
        "created_at": now,
        "session_id": row.id,
        "seq": seq,
    }
    if not await insert_once(db, RequestRow, values):
        raise key_reused()
