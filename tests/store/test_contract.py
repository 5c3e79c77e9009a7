"""What every store promises, on SQLite and on PostgreSQL alike."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import cast

import pytest

from service.domain.interview import Session, SessionStatus, TurnStatus, close, pause, skip
from service.errors import (
    InputInvalid,
    KeyReused,
    NotFound,
    SessionClosed,
    SessionPaused,
    TextEmpty,
    TextInvalid,
    TurnInProgress,
    TurnOutOfOrder,
)
from service.store.open import open_store
from service.store.port import Owner, Replay, Reserved, Store, Usage

# Owners and access


async def test_the_local_owner_is_made_silently_and_once(store: Store, clock) -> None:
    first = await store.local_owner()
    assert await store.local_owner() == first
    assert [o.id for o in await store.list_owners()] == [first.id]
    assert first.created_at == clock()


async def test_two_processes_that_start_at_once_make_one_local_owner(url: str, clock) -> None:
    stores = await asyncio.gather(*(open_store(url, clock=clock) for _ in range(4)))
    owners = await asyncio.gather(*(s.local_owner() for s in stores))
    assert len(set(owners)) == 1
    assert len(await stores[0].list_owners()) == 1
    for opened in stores:
        await opened.close()


async def test_owners_are_listed_in_the_order_they_came(store: Store, clock) -> None:
    names = ["Zoë", "Ada", "李雷"]
    for name in names:
        await store.create_owner(name)
        clock.now += timedelta(seconds=1)
    assert [o.name for o in await store.list_owners()] == names


async def test_a_key_opens_its_owners_door_until_it_is_revoked(
    store: Store, owner: Owner, now
) -> None:
    key = await store.add_key(owner.id, "laptop", "hash-1", now)
    assert await store.owner_of_key("hash-1") == owner
    assert await store.owner_of_key("hash-2") is None
    await store.revoke_key(owner.id, key.id, now + timedelta(hours=1))
    await store.revoke_key(owner.id, key.id, now + timedelta(hours=2))
    assert await store.owner_of_key("hash-1") is None
    assert await store.list_keys(owner.id) == (replace(key, revoked_at=now + timedelta(hours=1)),)


async def test_a_key_is_revoked_by_its_owner_only(
    store: Store, owner: Owner, stranger: Owner, now
) -> None:
    key = await store.add_key(owner.id, "laptop", "hash-1", now)
    with pytest.raises(NotFound):
        await store.revoke_key(stranger.id, key.id, now)
    assert await store.owner_of_key("hash-1") == owner
    assert await store.list_keys(stranger.id) == ()


async def test_the_same_key_cannot_belong_to_two(
    store: Store, owner: Owner, stranger: Owner, now
) -> None:
    await store.add_key(owner.id, "laptop", "hash-1", now)
    with pytest.raises(InputInvalid):
        await store.add_key(stranger.id, "copy", "hash-1", now)
    assert await store.owner_of_key("hash-1") == owner


async def test_an_unknown_owner_gets_no_key_and_no_page(store: Store, now) -> None:
    with pytest.raises(NotFound):
        await store.add_key("nobody", "laptop", "hash-1", now)
    with pytest.raises(NotFound):
        await store.add_page_session("nobody", "token", now)


async def test_a_page_session_ends_by_time_or_by_hand(store: Store, owner: Owner, now) -> None:
    soon = now + timedelta(hours=1)
    for token in ("t1", "t2", "t3"):
        await store.add_page_session(owner.id, token, soon)
    assert await store.owner_of_page_session("t1", now) == owner
    assert await store.owner_of_page_session("t1", soon) is None
    await store.end_page_session("t1")
    assert await store.owner_of_page_session("t1", now) is None
    assert await store.owner_of_page_session("t2", now) == owner
    await store.end_all_page_sessions(owner.id)
    assert await store.owner_of_page_session("t2", now) is None
    assert await store.owner_of_page_session("t3", now) is None


# Résumés, postings, matches


async def test_what_is_kept_comes_back_equal(store: Store, owner: Owner, a) -> None:
    await store.add_resume(owner.id, a.resume())
    await store.add_posting(owner.id, a.posting())
    await store.add_match(owner.id, a.match())
    assert await store.get_resume(owner.id, "r1") == a.resume()
    assert await store.get_posting(owner.id, "p1") == a.posting()
    assert await store.get_match(owner.id, "m1") == a.match()
    assert await store.list_matches(owner.id) == (a.match(),)
    assert await store.list_postings(owner.id) == (a.posting(),)


async def test_a_replaced_resume_keeps_its_entry(store: Store, owner: Owner, a) -> None:
    await store.add_resume(owner.id, a.resume())
    put_right = replace(a.resume().resume, phone="139 5500 0101")
    await store.replace_resume(owner.id, a.resume().id, put_right)
    assert await store.get_resume(owner.id, a.resume().id) == replace(a.resume(), resume=put_right)
    with pytest.raises(NotFound):
        await store.replace_resume("somebody else", a.resume().id, put_right)


async def test_the_newest_is_listed_first(store: Store, owner: Owner, a) -> None:
    for minutes, own_id in ((1, "old"), (3, "new"), (2, "middle")):
        await store.add_resume(owner.id, a.later(a.resume(own_id), minutes))
    assert [r.id for r in await store.list_resumes(owner.id)] == ["new", "middle", "old"]


@pytest.mark.parametrize("parent", ["resume", "posting"])
async def test_a_match_goes_with_either_of_its_parents(
    store: Store, owner: Owner, a, parent: str
) -> None:
    await store.add_resume(owner.id, a.resume())
    await store.add_posting(owner.id, a.posting())
    await store.add_match(owner.id, a.match())
    delete = {"resume": store.delete_resume, "posting": store.delete_posting}[parent]
    await delete(owner.id, a.resume().id if parent == "resume" else a.posting().id)
    assert await store.list_matches(owner.id) == ()


async def test_a_match_needs_ones_own_resume_and_posting(
    store: Store, owner: Owner, stranger: Owner, a
) -> None:
    await store.add_resume(stranger.id, a.resume())
    await store.add_posting(owner.id, a.posting())
    with pytest.raises(NotFound):
        await store.add_match(owner.id, a.match())
    assert await store.list_matches(owner.id) == ()


async def test_deleting_a_resume_forgets_the_responses_that_show_it(
    store: Store, owner: Owner, a
) -> None:
    await store.add_resume(owner.id, a.resume("r_1"))
    await store.remember(owner.id, "k1", "/resumes", "h", 201, '{"id": "r_1", "name": "x"}')
    await store.remember(owner.id, "k2", "/resumes", "h", 201, '{"id": "rx1"}')
    await store.delete_resume(owner.id, "r_1")
    assert await store.recall(owner.id, "k1", "/resumes", "h") is None
    assert await store.recall(owner.id, "k2", "/resumes", "h") == Replay('{"id": "rx1"}', 201)


@pytest.mark.parametrize("odd", ["nul \0 byte", "half \ud800 character"])
async def test_what_is_no_text_is_refused_alike_on_every_database(
    store: Store, owner: Owner, a, odd: str
) -> None:
    with pytest.raises(TextInvalid):
        await store.add_resume(owner.id, replace(a.resume(), filename=odd))
    with pytest.raises(TextInvalid):
        await store.create_owner(odd)
    with pytest.raises(NotFound):
        await store.get_resume(owner.id, odd)
    assert await store.list_resumes(owner.id) == ()


async def test_half_a_character_inside_a_resume_is_refused(store: Store, owner: Owner, a) -> None:
    with pytest.raises(TextInvalid):
        await store.add_resume(owner.id, a.resume(words="half \ud800"))


async def test_an_id_is_taken_once(store: Store, owner: Owner, stranger: Owner, a) -> None:
    await store.add_resume(owner.id, a.resume())
    with pytest.raises(InputInvalid):
        await store.add_resume(owner.id, a.resume(words="other"))
    await store.add_resume(stranger.id, a.resume(words="a stranger's"))
    assert (await store.get_resume(owner.id, "r1")).resume.text == "Cut memory by 40%"


Call = Callable[[Store, str, str], Awaitable[object]]
CALLS: dict[str, Call] = {
    "get_resume": lambda s, o, i: s.get_resume(o, i),
    "delete_resume": lambda s, o, i: s.delete_resume(o, i),
    "get_posting": lambda s, o, i: s.get_posting(o, i),
    "delete_posting": lambda s, o, i: s.delete_posting(o, i),
    "get_match": lambda s, o, i: s.get_match(o, i),
    "delete_match": lambda s, o, i: s.delete_match(o, i),
    "get_session": lambda s, o, i: s.get_session(o, i),
    "delete_session": lambda s, o, i: s.delete_session(o, i),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_foreign_id_is_an_unknown_id(
    store: Store, owner: Owner, stranger: Owner, a, name: str
) -> None:
    await store.add_resume(owner.id, a.resume("x"))
    await store.add_posting(owner.id, a.posting("x"))
    await store.add_match(owner.id, replace(a.match("x"), resume_id="x", posting_id="x"))
    await store.add_session(owner.id, a.session("x"))
    before = await store.export_owner(owner.id)
    with pytest.raises(NotFound) as foreign:
        await CALLS[name](store, stranger.id, "x")
    with pytest.raises(NotFound) as unknown:
        await CALLS[name](store, stranger.id, "no such thing")
    assert str(foreign.value) == str(unknown.value)
    assert await store.export_owner(owner.id) == before


async def test_a_foreign_interview_cannot_be_changed_or_answered(
    store: Store, stranger: Owner, desk, a, now, lease
) -> None:
    before = await store.get_session(desk.owner.id, "s1")
    with pytest.raises(NotFound):
        await store.update_session(stranger.id, before, before.revision)
    with pytest.raises(NotFound):
        await store.reserve_turn(
            stranger.id, "s1", 1, answer="x", key="k", body_hash="h", token="t", now=now,
            lease_until=lease,
        )  # fmt: skip
    reserved = await desk.reserve()
    with pytest.raises(NotFound):
        await store.finish_turn(
            stranger.id, a.graded(reserved.session), token="token-1", response="", now=now
        )
    await store.release_turn(stranger.id, "s1", 1, "token-1")
    with pytest.raises(TurnInProgress):
        await desk.reserve(key="key-2", token="token-2")
    assert await store.list_sessions(stranger.id) == ()
    assert await store.usage_of_session(stranger.id, "s1") == Usage()


# Interviews


async def test_an_interview_comes_back_as_it_was(store: Store, owner: Owner, a) -> None:
    kept = await store.add_session(owner.id, a.session(), title="Acme")
    assert kept == replace(a.session(), revision=1)
    assert await store.get_session(owner.id, "s1") == kept


async def test_the_list_shows_interviews_without_their_turns(
    store: Store, owner: Owner, a, now
) -> None:
    older = await store.add_session(owner.id, a.session("old"), title="Acme")
    await store.add_session(owner.id, a.session("new"))
    later = now + timedelta(hours=1)
    await store.update_session(owner.id, pause(older, later), older.revision)
    first, second = await store.list_sessions(owner.id)
    assert (first.id, first.title, first.status) == ("old", "Acme", SessionStatus.PAUSED)
    assert (first.updated_at, first.created_at, first.turns) == (later, now, 1)
    assert (second.id, second.status) == ("new", SessionStatus.OPEN)
    assert second.lang is a.session().plan.lang
    assert (second.level, second.mode) == (a.session().plan.level, a.session().plan.mode)


async def test_an_update_needs_the_revision_it_began_with(
    store: Store, owner: Owner, a, now
) -> None:
    first = await store.add_session(owner.id, a.session())
    second = await store.update_session(owner.id, pause(first, now), first.revision)
    assert second.revision == first.revision + 1
    with pytest.raises(TurnOutOfOrder):
        await store.update_session(owner.id, close(first, now), first.revision)
    assert await store.get_session(owner.id, "s1") == second


async def test_ten_updates_at_once_let_one_through(store: Store, owner: Owner, a, now) -> None:
    first = await store.add_session(owner.id, a.session())
    results = await asyncio.gather(
        *(store.update_session(owner.id, pause(first, now), 1) for _ in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(r, Session) for r in results) == 1
    assert sum(isinstance(r, TurnOutOfOrder) for r in results) == 9


async def test_an_update_does_not_lose_a_stored_turn(store: Store, owner: Owner, a) -> None:
    first = await store.add_session(owner.id, a.session())
    with pytest.raises(ValueError, match="missing"):
        await store.update_session(owner.id, replace(first, turns=()), first.revision)
    assert await store.get_session(owner.id, "s1") == first


async def _filled_tables(store: Store, owner: Owner) -> set[str]:
    tables = cast("dict[str, list[object]]", (await store.export_owner(owner.id))["tables"])
    return {name for name, rows in tables.items() if rows}


async def test_a_deleted_interview_takes_its_turns_and_keys_along(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    await desk.finish(a.graded(reserved.session))
    await store.add_usage(date(2027, 3, 4), desk.owner.id, "s1", 1, 10)
    await store.delete_session(desk.owner.id, "s1")
    with pytest.raises(NotFound):
        await store.get_session(desk.owner.id, "s1")
    assert await _filled_tables(store, desk.owner) == {"owners"}


# Turns


async def test_an_answer_is_safe_before_it_is_read(store: Store, desk, now) -> None:
    reserved = await desk.reserve("optimizer states 优化器状态")
    assert isinstance(reserved, Reserved)
    kept = await store.get_session(desk.owner.id, "s1")
    assert kept == reserved.session
    turn = kept.turns[0]
    assert (turn.status, turn.answer) == (TurnStatus.STORED, "optimizer states 优化器状态")
    assert turn.answered_at == now


async def test_a_finished_turn_is_kept_with_what_follows(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    saved = await desk.finish(a.graded(reserved.session))
    kept = await store.get_session(desk.owner.id, "s1")
    assert kept == saved
    assert kept.revision == reserved.session.revision + 1
    assert [t.status for t in kept.turns] == [TurnStatus.ANSWERED, TurnStatus.ASKED]
    assert kept.turns[0].grade == a.grade()
    assert kept.turns[0].snapshot == a.graded(reserved.session).turns[0].snapshot


async def test_the_same_request_is_answered_as_before_to_the_character(
    store: Store, desk, a
) -> None:
    response = '{"score": 62.50, "words": "好\\u2028 é"}\n'
    reserved = await desk.reserve()
    await desk.finish(a.graded(reserved.session), response=response)
    for _ in range(3):
        assert await desk.reserve(token="again") == Replay(response, 200)
    session = await store.get_session(desk.owner.id, "s1")
    await store.update_session(desk.owner.id, close(session, session.updated_at), session.revision)
    assert await desk.reserve(token="after the end") == Replay(response, 200)


async def test_the_same_key_with_other_words_is_refused(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    with pytest.raises(KeyReused):
        await desk.reserve("other words", token="t2")
    await desk.finish(a.graded(reserved.session))
    with pytest.raises(KeyReused):
        await desk.reserve("other words", token="t3")
    with pytest.raises(KeyReused):
        await desk.reserve(seq=2, token="t4")


async def test_a_key_names_one_interview(store: Store, desk, a) -> None:
    await store.add_session(desk.owner.id, a.session("s2"))
    await desk.reserve()
    with pytest.raises(KeyReused):
        await desk.reserve(session_id="s2", token="t2")
    assert (await store.get_session(desk.owner.id, "s2")).turns[0].status is TurnStatus.ASKED


async def test_two_owners_may_choose_the_same_key(store: Store, desk, stranger, a) -> None:
    await store.add_session(stranger.id, a.session())
    await desk.reserve()
    other = type(desk)(store, stranger)
    reserved = await other.reserve("a stranger's words", token="t2")
    assert reserved.session.turns[0].answer == "a stranger's words"


async def test_a_turn_under_way_is_not_read_twice(desk) -> None:
    await desk.reserve()
    with pytest.raises(TurnInProgress):
        await desk.reserve(token="t2")
    with pytest.raises(TurnInProgress):
        await desk.reserve(key="key-2", token="t3")
    with pytest.raises(TurnInProgress):
        await desk.reserve(None, key="key-3", token="t4")


async def test_a_renewed_lease_holds_longer(store: Store, desk, now) -> None:
    await desk.reserve()
    later = now + timedelta(hours=2)
    await store.renew_turn(desk.owner.id, "s1", 1, "somebody else", later)
    taken = await desk.reserve(None, key="key-2", token="t2", at=now + timedelta(hours=1))
    assert taken.session.turns[0].answer == "optimizer states"
    await store.renew_turn(desk.owner.id, "s1", 1, "t2", later + timedelta(hours=2))
    with pytest.raises(TurnInProgress):
        await desk.reserve(key="key-3", token="t3", at=later + timedelta(hours=1))


async def test_only_the_awaited_turn_can_be_answered(store: Store, desk, a, now) -> None:
    with pytest.raises(TurnOutOfOrder):
        await desk.reserve(seq=2)
    reserved = await desk.reserve()
    await desk.finish(a.graded(reserved.session))
    with pytest.raises(TurnOutOfOrder):
        await desk.reserve("late", key="key-2", token="t2")
    session = await store.get_session(desk.owner.id, "s1")
    paused = await store.update_session(desk.owner.id, pause(session, now), session.revision)
    with pytest.raises(SessionPaused):
        await desk.reserve("more", key="key-3", token="t3", seq=2)
    await store.update_session(desk.owner.id, close(paused, now), paused.revision)
    with pytest.raises(SessionClosed):
        await desk.reserve("more", key="key-4", token="t4", seq=2)
    assert (await store.get_session(desk.owner.id, "s1")).turns[1].answer is None


async def test_without_words_nothing_is_reserved(store: Store, desk) -> None:
    with pytest.raises(TextEmpty):
        await desk.reserve(None)
    assert (await store.get_session(desk.owner.id, "s1")).turns[0].status is TurnStatus.ASKED


async def test_a_strange_key_is_refused(desk) -> None:
    for key in ("", "x" * 256, "nul\0", "line\nbreak", "\ud800"):
        with pytest.raises(InputInvalid):
            await desk.reserve(key=key)


async def test_a_released_answer_waits_for_a_retry(store: Store, desk, a) -> None:
    first = await desk.reserve()
    await store.release_turn(desk.owner.id, "s1", 1, "token-1")
    with pytest.raises(TurnOutOfOrder):
        await desk.finish(a.graded(first.session))
    again = await desk.reserve(token="token-2")
    assert again.session.turns[0].answer == "optimizer states"
    assert again.session.turns[0].answered_at == first.session.turns[0].answered_at
    await desk.finish(a.graded(again.session), token="token-2")
    assert await desk.reserve(token="token-3") == Replay('{"ok": 1}', 200)


async def test_a_retry_without_words_reads_the_stored_ones(store: Store, desk, a) -> None:
    await desk.reserve()
    await store.release_turn(desk.owner.id, "s1", 1, "token-1")
    again = await desk.reserve(None, key="key-2", token="token-2")
    assert again.session.turns[0].answer == "optimizer states"
    await desk.finish(a.graded(again.session), token="token-2")
    # Both keys asked for the reading of these words, so both get it.
    assert await desk.reserve(token="t3") == Replay('{"ok": 1}', 200)
    assert await desk.reserve(None, key="key-2", token="t4") == Replay('{"ok": 1}', 200)


async def test_stored_words_cannot_be_replaced(store: Store, desk) -> None:
    await desk.reserve()
    await store.release_turn(desk.owner.id, "s1", 1, "token-1")
    with pytest.raises(TurnOutOfOrder):
        await desk.reserve("better words", key="key-2", token="t2")
    same = await desk.reserve("optimizer states", key="key-3", token="t3")
    assert same.session.turns[0].answer == "optimizer states"


async def test_a_lease_that_ended_is_taken_over_and_its_holder_comes_too_late(
    store: Store, desk, a, now
) -> None:
    first = await desk.reserve()
    later = now + timedelta(minutes=2)
    second = await desk.reserve(token="token-2", at=later)
    with pytest.raises(TurnOutOfOrder):
        await desk.finish(a.graded(first.session), response="first")
    await desk.finish(a.graded(second.session), token="token-2", response="second")
    with pytest.raises(TurnOutOfOrder):
        await desk.finish(a.graded(first.session), response="first")
    kept = await store.get_session(desk.owner.id, "s1")
    assert [t.status for t in kept.turns] == [TurnStatus.ANSWERED, TurnStatus.ASKED]
    assert await desk.reserve(token="t3") == Replay("second", 200)


async def test_a_slow_reader_may_finish_when_nobody_took_over(desk, a, now) -> None:
    reserved = await desk.reserve(lease=timedelta(seconds=0))
    saved = await desk.finish(a.graded(reserved.session))
    assert saved.turns[0].status is TurnStatus.ANSWERED


async def test_a_late_release_does_not_free_anothers_turn(store: Store, desk, now) -> None:
    await desk.reserve()
    await desk.reserve(token="token-2", at=now + timedelta(minutes=2))
    await store.release_turn(desk.owner.id, "s1", 1, "token-1")
    with pytest.raises(TurnInProgress):
        await desk.reserve(token="token-3", at=now + timedelta(minutes=3))


async def test_what_was_changed_meanwhile_is_not_overwritten(store: Store, desk, a, now) -> None:
    reserved = await desk.reserve()
    session = reserved.session
    await store.update_session(desk.owner.id, pause(session, now), session.revision)
    with pytest.raises(TurnOutOfOrder):
        await desk.finish(a.graded(session))
    kept = await store.get_session(desk.owner.id, "s1")
    assert (kept.status, kept.turns[0].status) == (SessionStatus.PAUSED, TurnStatus.STORED)


async def test_a_turn_skipped_meanwhile_stays_skipped(store: Store, desk, a, now) -> None:
    reserved = await desk.reserve()
    skipped = skip(reserved.session, 1, now)
    await store.update_session(desk.owner.id, skipped, reserved.session.revision)
    with pytest.raises(TurnOutOfOrder):
        await desk.finish(a.graded(reserved.session))
    kept = await store.get_session(desk.owner.id, "s1")
    assert (kept.turns[0].status, kept.turns[0].grade) == (TurnStatus.SKIPPED, None)


async def test_a_late_reply_to_a_deleted_interview_writes_nothing(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    await store.delete_session(desk.owner.id, "s1")
    with pytest.raises(NotFound):
        await desk.finish(a.graded(reserved.session))
    await store.release_turn(desk.owner.id, "s1", 1, "token-1")
    await store.add_usage(date(2027, 3, 4), desk.owner.id, "s1", 1, 10)
    assert await _filled_tables(store, desk.owner) == {"owners"}


async def test_half_a_finish_is_no_finish(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    with pytest.raises(TextInvalid):
        await desk.finish(a.graded(reserved.session), response="nul \0")
    assert await store.get_session(desk.owner.id, "s1") == reserved.session
    saved = await desk.finish(a.graded(reserved.session))
    assert saved.turns[0].status is TurnStatus.ANSWERED


# Many at once


async def _at_once(calls: list[Callable[[], Awaitable[object]]]) -> list[object]:
    barrier = asyncio.Barrier(len(calls))

    async def one(call: Callable[[], Awaitable[object]]) -> object:
        await barrier.wait()
        return await call()

    return list(await asyncio.gather(*(one(c) for c in calls), return_exceptions=True))


@pytest.mark.parametrize("same_key", [True, False])
async def test_of_ten_answers_at_once_one_wins(
    url: str, clock, store: Store, desk, same_key: bool
) -> None:
    second = await open_store(url, clock=clock)
    desks = [desk, type(desk)(second, desk.owner)]
    answers = [
        lambda i=i: desks[i % 2].reserve(
            "one" if same_key else f"answer {i}",
            key="one key" if same_key else f"key-{i}",
            token=f"t{i}",
        )
        for i in range(10)
    ]
    results = await _at_once(answers)
    winners = [r for r in results if isinstance(r, Reserved)]
    losers = [r for r in results if isinstance(r, (TurnInProgress, TurnOutOfOrder))]
    assert (len(winners), len(losers)) == (1, 9), results
    kept = await store.get_session(desk.owner.id, "s1")
    assert kept == winners[0].session
    await second.close()


async def test_two_who_finish_at_once_leave_one_grade(store: Store, desk, a) -> None:
    reserved = await desk.reserve()
    results = await _at_once(
        [lambda i=i: desk.finish(a.graded(reserved.session), response=f"{i}") for i in range(6)]
    )
    assert sum(isinstance(r, Session) for r in results) == 1
    assert sum(isinstance(r, TurnOutOfOrder) for r in results) == 5
    winner = next(i for i, r in enumerate(results) if isinstance(r, Session))
    assert await desk.reserve(token="t2") == Replay(f"{winner}", 200)
    assert len((await store.get_session(desk.owner.id, "s1")).turns) == 2


async def test_one_key_for_two_interviews_at_once_takes_one(store: Store, desk, a) -> None:
    await store.add_session(desk.owner.id, a.session("s2"))
    results = await _at_once(
        [
            lambda: desk.reserve(session_id="s1", token="t1"),
            lambda: desk.reserve(session_id="s2", token="t2"),
        ]
    )
    assert sum(isinstance(r, Reserved) for r in results) == 1
    assert sum(isinstance(r, KeyReused) for r in results) == 1


async def test_many_interviews_go_on_side_by_side(store: Store, owner: Owner, desk, a) -> None:
    async def one(number: int) -> TurnStatus:
        own_id = f"p{number}"
        await store.add_session(owner.id, a.session(own_id))
        reserved = await desk.reserve(session_id=own_id, key=own_id, token=own_id)
        await desk.finish(a.graded(reserved.session), token=own_id)
        return (await store.get_session(owner.id, own_id)).turns[0].status

    assert await asyncio.gather(*(one(n) for n in range(25))) == [TurnStatus.ANSWERED] * 25


async def test_a_caller_who_leaves_blocks_nobody(store: Store, desk, a) -> None:
    for ticks in range(20):
        own_id = f"c{ticks}"
        await store.add_session(desk.owner.id, a.session(own_id))
        task = asyncio.create_task(desk.reserve(session_id=own_id, key=own_id, token=own_id))
        await asyncio.sleep(ticks / 2000)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        turn = (await store.get_session(desk.owner.id, own_id)).turns[0]
        assert turn.status in (TurnStatus.ASKED, TurnStatus.STORED)
    assert isinstance(await desk.reserve(), Reserved)


# Other requests


async def test_a_remembered_response_is_recalled(store: Store, owner: Owner) -> None:
    assert await store.recall(owner.id, "k", "/postings", "h") is None
    kept = await store.remember(owner.id, "k", "/postings", "h", 201, '{"id":"p1"}')
    assert kept == Replay('{"id":"p1"}', 201)
    assert await store.recall(owner.id, "k", "/postings", "h") == kept
    assert await store.remember(owner.id, "k", "/postings", "h", 201, "later") == kept


async def test_a_key_names_one_request(store: Store, owner: Owner, stranger: Owner) -> None:
    await store.remember(owner.id, "k", "/postings", "h", 201, "{}")
    for route, body in (("/postings", "other"), ("/resumes", "h")):
        with pytest.raises(KeyReused):
            await store.recall(owner.id, "k", route, body)
        with pytest.raises(KeyReused):
            await store.remember(owner.id, "k", route, body, 201, "x")
    assert await store.recall(stranger.id, "k", "/resumes", "other") is None


async def test_of_ten_equal_requests_one_is_handled(store: Store, owner: Owner, now, lease) -> None:
    async def claim() -> object:
        return await store.claim(owner.id, "k", "/sessions", "h", now=now, lease_until=lease)

    results = await _at_once([claim] * 10)
    assert results.count(None) == 1
    assert sum(isinstance(r, TurnInProgress) for r in results) == 9
    await store.remember(owner.id, "k", "/sessions", "h", 201, "done")
    assert await claim() == Replay("done", 201)


async def test_a_claim_ends_by_time_or_when_it_is_forgotten(
    store: Store, owner: Owner, now, lease
) -> None:
    async def claim(at=now) -> object:
        until = at + (lease - now)
        return await store.claim(owner.id, "k", "/sessions", "h", now=at, lease_until=until)

    assert await claim() is None
    with pytest.raises(TurnInProgress):
        await claim()
    assert await claim(lease) is None
    await store.forget(owner.id, "k")
    assert await claim() is None
    await store.remember(owner.id, "k", "/sessions", "h", 201, "done")
    await store.forget(owner.id, "k")
    assert await claim() == Replay("done", 201)


async def test_responses_are_kept_for_a_month(store: Store, owner: Owner, clock, now) -> None:
    await store.remember(owner.id, "k", "/postings", "h", 201, "{}")
    clock.now += timedelta(days=29)
    await store.remember(owner.id, "k2", "/postings", "h", 201, "{}")
    assert await store.recall(owner.id, "k", "/postings", "h") is not None
    clock.now += timedelta(days=2)
    await store.remember(owner.id, "k3", "/postings", "h", 201, "{}")
    assert await store.recall(owner.id, "k", "/postings", "h") is None
    assert await store.recall(owner.id, "k2", "/postings", "h") is not None


# Usage


async def test_usage_adds_up_by_day_and_by_interview(
    store: Store, owner: Owner, stranger: Owner, a
) -> None:
    await store.add_session(owner.id, a.session())
    first, second = date(2027, 3, 4), date(2027, 3, 5)
    await asyncio.gather(
        *(store.add_usage(first, owner.id, "s1", 1, 3_000_000_000) for _ in range(8))
    )
    await store.add_usage(second, owner.id, "s1", 1, 7)
    await store.add_usage(first, stranger.id, None, 2, 5)
    assert await store.usage_of_day(first) == Usage(10, 24_000_000_005)
    assert await store.usage_of_day(second) == Usage(1, 7)
    assert await store.usage_of_day(date(2027, 3, 6)) == Usage()
    assert await store.usage_of_session(owner.id, "s1") == Usage(9, 24_000_000_007)


async def test_deleting_ones_data_does_not_reset_the_days_budget(
    store: Store, owner: Owner, a
) -> None:
    await store.add_session(owner.id, a.session())
    await store.add_usage(date(2027, 3, 4), owner.id, "s1", 1, 100)
    await store.delete_owner_data(owner.id)
    await store.add_usage(date(2027, 3, 4), owner.id, "s1", 1, 100)
    assert await store.usage_of_day(date(2027, 3, 4)) == Usage(2, 200)
    assert await store.usage_of_session(owner.id, "s1") == Usage()


# The whole


async def test_a_sound_store_is_healthy(store: Store) -> None:
    health = await store.health()
    assert (health.ok, health.why) == (True, "")


async def test_everything_is_there_after_opening_again(
    url: str, clock, store: Store, desk, a
) -> None:
    reserved = await desk.reserve()
    saved = await desk.finish(a.graded(reserved.session))
    await store.close()
    again = await open_store(url, clock=clock)
    assert await again.get_session(desk.owner.id, "s1") == saved
    assert await type(desk)(again, desk.owner).reserve(token="t2") == Replay('{"ok": 1}', 200)
    await again.close()
