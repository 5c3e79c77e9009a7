"""A person's data: all of it can be had, all of it can be removed, to the byte."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import inspect

from service.errors import NotFound, StoreBusy
from service.store.port import Owner, Store
from service.store.privacy import personal_columns, personal_tables
from service.store.schema import NOT_PERSONAL, Base

# What a person wrote or was told, one unmistakable word for each place it is kept in.
CANARIES = [
    f"canary-{place}-7f3a"
    for place in (
        "owner", "key", "file", "resume", "posting", "match", "title", "question", "answer",
        "follow-up", "response", "request", "changed",
        "version", "note", "revision", "card", "proposal",
        "learned", "drill", "drilled", "skill",
    )
]  # fmt: skip
(OWNER, KEY, FILE, RESUME, POSTING, MATCH, TITLE, QUESTION, ANSWER, FOLLOW_UP, RESPONSE, REQUEST,
 CHANGED, VERSION, NOTE, REVISION, CARD, PROPOSAL,
 LEARNED, DRILL, DRILLED, SKILL) = CANARIES  # fmt: skip


async def _fill(store: Store, owner: Owner, a, desk_type, now) -> None:
    """One of everything, with the canaries in it."""
    await store.add_key(owner.id, KEY, f"hash-{owner.id}", now)
    await store.add_page_session(owner.id, f"token-{owner.id}", now + timedelta(days=1))
    await store.add_resume(owner.id, replace(a.resume(words=RESUME), filename=FILE))
    await store.add_posting(owner.id, a.posting(words=POSTING))
    await store.add_match(owner.id, a.match(words=MATCH))
    version = a.version(title=VERSION, note=NOTE)
    resume = a.resume(words=REVISION).resume
    await store.add_version(owner.id, version, resume, a.card(title=CARD))
    await store.put_rewriting(owner.id, version.id, a.rewriting(words=PROPOSAL), now)
    kept = await store.add_session(owner.id, a.session(words=QUESTION), title=TITLE)
    desk = desk_type(store, owner)
    assert kept.revision == 1
    reserved = await desk.reserve(ANSWER)
    await desk.finish(a.graded(reserved.session, follow_up=FOLLOW_UP), response=f'"{RESPONSE}"')
    await store.put_learned(owner.id, a.learned(words=LEARNED))
    await store.add_drill(owner.id, a.drill(words=DRILL, text=DRILLED))
    await store.put_skill_note(owner.id, a.skill_note(text=SKILL), 0)
    await store.remember(owner.id, "k", "/postings", "h", 201, f'"{REQUEST}"')
    await store.add_usage(date(2027, 3, 4), owner.id, "s1", 1, 10)
    session = await store.get_session(owner.id, "s1")
    last = replace(session.turns[-1], text=CHANGED + " x" * 500)
    changed = replace(session, turns=(*session.turns[:-1], last))
    await store.update_session(owner.id, changed, session.revision)


@pytest.fixture
async def full(store: Store, desk, a, now) -> Store:
    """A store with two owners who keep one of everything."""
    await store.delete_session(desk.owner.id, "s1")
    for name in (OWNER, "somebody else"):
        await _fill(store, await store.create_owner(name), a, type(desk), now)
    return store


async def _owner_named(store: Store, name: str) -> Owner:
    return next(o for o in await store.list_owners() if o.name == name)


async def test_an_export_holds_every_word(full: Store) -> None:
    owner = await _owner_named(full, OWNER)
    exported = json.dumps(await full.export_owner(owner.id), ensure_ascii=False)
    changed_away = {FOLLOW_UP}  # the question was reworded after it was asked
    missing = [c for c in CANARIES if c not in exported and c not in changed_away]
    assert missing == []


async def test_an_export_holds_every_table_and_column_of_the_database(full: Store) -> None:
    owner = await _owner_named(full, OWNER)
    exported = cast(
        "dict[str, list[dict[str, Any]]]", (await full.export_owner(owner.id))["tables"]
    )
    async with full.database.engine.connect() as connection:  # type: ignore[attr-defined]
        found = await connection.run_sync(
            lambda c: {
                t: {x["name"] for x in inspect(c).get_columns(t)}
                for t in inspect(c).get_table_names()
            }
        )
    assert len(found) >= 12
    left_out = {
        name: {c.name for c in table.columns if NOT_PERSONAL in c.info}
        for name, table in Base.metadata.tables.items()
    }
    for table, columns in found.items():
        if table == "alembic_version" or NOT_PERSONAL in Base.metadata.tables[table].info:
            continue
        assert exported[table], f"nothing of {table} was exported"
        assert set(exported[table][0]) == columns - left_out[table], table


def test_what_is_left_out_of_an_export_has_its_reason() -> None:
    tables = {t.name for t in personal_tables()}
    assert set(Base.metadata.tables) - tables == {"usage_days"}
    left_out = {
        f"{t.name}.{c.name}": c.info[NOT_PERSONAL]
        for t in personal_tables()
        for c in set(t.columns) - set(personal_columns(t))
    }
    assert left_out.keys() == {
        "api_keys.key_hash",
        "page_sessions.token_hash",
        "turns.lease_token",
        "turns.lease_until",
        "requests.lease_until",
    }
    assert all(len(reason) > 10 for reason in left_out.values())


async def test_an_export_of_nobody_is_refused(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.export_owner("nobody")


async def test_deleting_leaves_nothing_of_the_owner_and_all_of_the_others(full: Store) -> None:
    owner, other = await _owner_named(full, OWNER), await _owner_named(full, "somebody else")
    before = await full.export_owner(other.id)
    await full.delete_owner_data(owner.id)
    await full.delete_owner_data(owner.id)
    with pytest.raises(NotFound):
        await full.export_owner(owner.id)
    assert owner not in await full.list_owners()
    assert await full.owner_of_key(f"hash-{owner.id}") is None
    assert await full.export_owner(other.id) == before


async def test_the_local_user_may_begin_again_after_deleting(store: Store, a) -> None:
    owner = await store.local_owner()
    await store.add_resume(owner.id, a.resume())
    await store.delete_owner_data(owner.id)
    assert await store.list_resumes(owner.id) == ()
    await store.add_resume(owner.id, a.resume())
    assert await store.get_resume(owner.id, "r1") == a.resume()


def _hits(folder: Path, words: list[str]) -> dict[str, list[str]]:
    """Which words stand in which file; the files are read as bytes."""
    files = [f for f in folder.rglob("*") if f.is_file()]
    assert files
    found = {f.name: [w for w in words if w.encode() in f.read_bytes()] for f in files}
    return {name: hits for name, hits in found.items() if hits}


async def _filled_alone(store: Store, a, desk_type, now) -> Owner:
    owner = await store.create_owner(OWNER)
    await _fill(store, owner, a, desk_type, now)
    return owner


async def test_after_deleting_no_byte_is_left_in_the_folder(
    sqlite_store: Store, sqlite_path: Path, a, desk_type, now
) -> None:
    owner = await _filled_alone(sqlite_store, a, desk_type, now)
    for number in range(120):  # enough to split and merge pages
        words = f"{RESUME} {number} " + "words " * (number * 7 % 300)
        await sqlite_store.add_resume(owner.id, a.resume(f"more{number}", words=words))
    for number in range(0, 120, 3):
        await sqlite_store.delete_resume(owner.id, f"more{number}")
    assert _hits(sqlite_path.parent, CANARIES), "the canaries were never there"
    await sqlite_store.delete_owner_data(owner.id)
    assert _hits(sqlite_path.parent, [*CANARIES, owner.id]) == {}


@pytest.mark.parametrize("what", ["resume", "session", "drill"])
async def test_one_deleted_thing_leaves_no_byte_either(
    sqlite_store: Store, sqlite_path: Path, a, desk_type, now, what: str
) -> None:
    owner = await _filled_alone(sqlite_store, a, desk_type, now)
    if what == "resume":
        await sqlite_store.delete_resume(owner.id, "r1")
    elif what == "session":
        await sqlite_store.delete_session(owner.id, "s1")
    else:
        await sqlite_store.delete_drill(owner.id, "d1")
        await sqlite_store.delete_skill_note(owner.id, "zero")
    gone = {
        "resume": [RESUME, FILE, MATCH],
        "session": [QUESTION, ANSWER, FOLLOW_UP, RESPONSE, LEARNED],
        "drill": [DRILL, DRILLED, SKILL],
    }
    assert _hits(sqlite_path.parent, gone[what]) == {}
    assert _hits(sqlite_path.parent, [POSTING]) != {}


async def test_somebody_who_still_reads_the_log_is_waited_for_then_named(
    impatient_store: Store, sqlite_path: Path, a, desk_type, now
) -> None:
    owner = await _filled_alone(impatient_store, a, desk_type, now)
    with closing(sqlite3.connect(sqlite_path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM resumes").fetchone()
        with pytest.raises(StoreBusy, match="again"):
            await impatient_store.delete_owner_data(owner.id)
        reader.execute("COMMIT")
    with pytest.raises(NotFound):
        await impatient_store.export_owner(owner.id)
    await impatient_store.delete_owner_data(owner.id)
    assert _hits(sqlite_path.parent, CANARIES) == {}
