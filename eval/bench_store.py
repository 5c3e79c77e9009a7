"""What the store costs in a turn, and what opening costs as the file grows.

    python -m eval.bench_store [TURNS]

Runs on a new SQLite file in a temporary folder, once as we serve (every commit is synced) and once
without that sync, which shows what the promise to survive a power cut costs. Prints one JSON
document; times in milliseconds.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, TypeVar

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from service.domain.grading import Evidence, Finding, Grade, GradeStatus, Level, Verdict
from service.domain.interview import Mode, Move, MoveKind, Plan, PlannedQuestion, Session, ask
from service.domain.interview import record as recorded
from service.domain.language import Lang, msg
from service.domain.tasks import AskedPoint, EngineNote, ReadAnswer
from service.domain.text import Span
from service.store.open import open_store
from service.store.port import Reserved, Store
from service.store.sql import SqlStore

TURNS: Final = 200
POINTS: Final = 24  # of a rubric
ANSWER: Final = "ZeRO-3 切分参数、梯度和优化器状态，每卡 16ψ/N。" * 20
NOW: Final = datetime(2027, 1, 1, tzinfo=UTC)
T = TypeVar("T")


def new_session(own_id: str) -> Session:
    planned = tuple(PlannedQuestion(f"q{n}", 5, msg("Asked.")) for n in range(8))
    plan = Plan(Lang.ZH, Level.SENIOR, Mode.EXAM, 40, planned)
    session = Session(own_id, plan, NOW, NOW)
    return ask(session, Move(MoveKind.ASK, "q0"), "What does ZeRO shard?", None, NOW)


def graded(session: Session) -> Session:
    """As large as a real reading: every point with a quote, and the task it was read from."""
    turn = session.turns[-1]
    quote = Evidence(ANSWER[:30], Span(0, 30))
    findings = tuple(Finding(f"p{n}", Verdict.MET, quote) for n in range(POINTS))
    grade = Grade(GradeStatus.GRADED, 100.0, {}, 1.0, findings, (), ())
    points = tuple(
        AskedPoint(id=f"p{n}", text="names a state and its share") for n in range(POINTS)
    )
    task = ReadAnswer(
        lang=Lang.ZH, question_id=turn.question_id, question=turn.text, points=points,
        misconceptions=(), passages=(), numbers=(), answer=turn.answer or "",
    )  # fmt: skip
    done = recorded(session, turn.seq, grade, task, EngineNote(engine="builtin"), NOW)
    return ask(done, Move(MoveKind.EXPAND, turn.question_id), "And then?", None, NOW)


async def timed(work: Awaitable[T], times: list[float]) -> T:
    start = perf_counter()
    result = await work
    times.append(1_000 * (perf_counter() - start))
    return result


async def turns(store: Store, count: int) -> dict[str, float]:
    """Answer `count` turns, eight to an interview; the median of each call."""
    owner = await store.local_owner()
    reserve: list[float] = []
    finish: list[float] = []
    read: list[float] = []
    for number in range(count):
        own_id, seq, token = f"s{number // 8}", number % 8 + 1, str(number)
        if seq == 1:
            await store.add_session(owner.id, new_session(own_id))
        await timed(store.get_session(owner.id, own_id), read)
        call = store.reserve_turn(
            owner.id, own_id, seq, answer=ANSWER, key=token, body_hash="h", token=token, now=NOW,
            lease_until=NOW + timedelta(minutes=1),
        )  # fmt: skip
        reserved = await timed(call, reserve)
        if not isinstance(reserved, Reserved):
            raise TypeError("a new key cannot be a replay")
        done = graded(reserved.session)
        saved = store.finish_turn(owner.id, done, token=token, response=ANSWER, now=NOW)
        await timed(saved, finish)
    return {
        "get_session": round(median(read), 2),
        "reserve_turn": round(median(reserve), 2),
        "finish_turn": round(median(finish), 2),
    }


def without_sync(store: Store) -> None:
    def relax(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.cursor().execute("PRAGMA synchronous = NORMAL")

    if not isinstance(store, SqlStore):
        raise TypeError("only the store on SQL has pragmas")
    event.listen(store.database.engine.sync_engine, "connect", relax)


async def measure(count: int) -> dict[str, object]:
    result: dict[str, object] = {"turns": count}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("synced", "unsynced"):
            path = Path(folder) / f"{name}.sqlite"
            store = await open_store(f"sqlite:///{path}", clock=lambda: NOW)
            if name == "unsynced":
                without_sync(store)
            result[name] = await turns(store, count)
            await store.close()
            opening: list[float] = []
            again = await timed(open_store(f"sqlite:///{path}", clock=lambda: NOW), opening)
            await again.close()
            size = await asyncio.to_thread(path.stat)
            result[f"{name}_file"] = {
                "megabytes": round(size.st_size / 1e6, 1),
                "opening": round(opening[0], 1),
            }
    return result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    print(json.dumps(asyncio.run(measure(count)), indent=1))


if __name__ == "__main__":
    main()
