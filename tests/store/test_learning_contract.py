"""What was learned, drills and notes on skill points: the same on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from service.domain.learning.model import DrillStatus, Standing
from service.errors import NotFound, TurnOutOfOrder, VersionOutdated


async def test_what_was_learned_is_replaced_and_goes_with_its_interview(desk, stranger, a):
    store, owner = desk.store, desk.owner
    assert await store.put_learned(owner.id, a.learned())
    again = replace(a.learned(words="other words"), rules=2)
    assert await store.put_learned(owner.id, again)
    assert await store.list_learned(owner.id) == (again,)
    assert await store.list_learned(stranger.id) == ()
    await store.delete_session(owner.id, "s1")
    assert await store.list_learned(owner.id) == ()


async def test_what_was_learned_of_a_deleted_or_foreign_interview_is_not_kept(desk, stranger, a):
    assert not await desk.store.put_learned(desk.owner.id, a.learned("gone"))
    assert not await desk.store.put_learned(stranger.id, a.learned())
    assert await desk.store.list_learned(stranger.id) == ()


async def test_learned_comes_oldest_first(desk, a, now):
    for number, days in (("s2", 3), ("s3", 1)):
        await desk.store.add_session(desk.owner.id, replace(a.session(), id=number))
        learned = replace(a.learned(number), began_at=now + timedelta(days=days))
        await desk.store.put_learned(desk.owner.id, learned)
    found = await desk.store.list_learned(desk.owner.id)
    assert [x.session_id for x in found] == ["s3", "s2"]


async def test_a_drill_is_kept_changed_and_deleted(store, owner, a):
    asked = replace(a.drill(), status=DrillStatus.ASKED, answer=None, grade=None, revision=1)
    await store.add_drill(owner.id, asked)
    assert await store.get_drill(owner.id, "d1") == asked
    saved = await store.save_drill(owner.id, a.drill(), 1)
    assert saved == replace(a.drill(), revision=2)
    assert await store.list_drills(owner.id) == (saved,)
    await store.delete_drill(owner.id, "d1")
    with pytest.raises(NotFound):
        await store.get_drill(owner.id, "d1")
    with pytest.raises(NotFound):
        await store.delete_drill(owner.id, "d1")


async def test_of_two_who_answer_a_drill_at_once_one_is_kept(store, owner, a):
    await store.add_drill(owner.id, a.drill())
    tries = await asyncio.gather(
        *(store.save_drill(owner.id, a.drill(words=f"try {n}"), 1) for n in range(4)),
        return_exceptions=True,
    )
    assert sum(not isinstance(t, BaseException) for t in tries) == 1
    assert all(isinstance(t, TurnOutOfOrder) for t in tries if isinstance(t, BaseException))


async def test_drills_come_newest_first_and_are_ones_own(store, owner, stranger, a, now):
    for number in range(3):
        await store.add_drill(
            owner.id, replace(a.drill(f"d{number}"), asked_at=now + timedelta(minutes=number))
        )
    assert [d.id for d in await store.list_drills(owner.id)] == ["d2", "d1", "d0"]
    assert await store.list_drills(stranger.id) == ()
    for act in (
        store.get_drill(stranger.id, "d0"),
        store.save_drill(stranger.id, a.drill("d0"), 1),
        store.delete_drill(stranger.id, "d0"),
    ):
        with pytest.raises(NotFound):
            await act


async def test_a_note_is_kept_changed_and_taken_away(store, owner, stranger, a):
    first = await store.put_skill_note(owner.id, a.skill_note(), 0)
    assert first.revision == 1
    moved = replace(a.skill_note(), standing=Standing.STABLE)
    second = await store.put_skill_note(owner.id, moved, 1)
    assert await store.list_skill_notes(owner.id) == (second,)
    assert await store.list_skill_notes(stranger.id) == ()
    for seen in (0, 1):
        with pytest.raises(VersionOutdated):
            await store.put_skill_note(owner.id, moved, seen)
    await store.delete_skill_note(stranger.id, "zero")
    assert await store.list_skill_notes(owner.id) == (second,)
    await store.delete_skill_note(owner.id, "zero")
    await store.delete_skill_note(owner.id, "zero")
    assert await store.list_skill_notes(owner.id) == ()
