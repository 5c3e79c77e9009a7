"""Versions, their revisions and rewriting, and the board: the same on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from service.domain.applications import Column
from service.domain.rewriting import Rewriting
from service.domain.versions import Change, Revision
from service.errors import NotFound, VersionOutdated


@pytest.fixture
async def kept(store, owner, a):
    await store.add_resume(owner.id, a.resume())
    await store.add_posting(owner.id, a.posting())
    await store.add_version(owner.id, a.version(), a.resume().resume, a.card())
    return store


def changed(a, now, words: str, change: Change = Change.ACCEPTED) -> Revision:
    return Revision(0, now + timedelta(minutes=1), change, "b1", a.resume(words=words).resume)


async def test_a_version_comes_with_its_first_revision_and_its_card(kept, owner, a):
    assert await kept.get_version(owner.id, "v1") == a.version()
    assert [v.id for v in await kept.list_versions(owner.id)] == ["v1"]
    first = (await kept.list_revisions(owner.id, "v1"))[0]
    assert (first.seq, first.change, first.about) == (1, Change.TAILORED, "p1")
    assert first.resume == a.resume().resume
    assert await kept.list_cards(owner.id) == (a.card(),)


async def test_tailoring_twice_keeps_one_version_and_one_card(kept, owner, a):
    again = await kept.add_version(
        owner.id, a.version("v2"), a.resume().resume, a.card("c2", version_id="v2")
    )
    assert again.id == "v1"
    assert len(await kept.list_versions(owner.id)) == 1
    assert len(await kept.list_cards(owner.id)) == 1


async def test_a_master_and_a_version_stand_side_by_side(kept, owner, a):
    master = a.version("m1", posting_id=None)
    await kept.add_version(owner.id, master, a.resume().resume)
    assert (await kept.get_version(owner.id, "m1")).is_master
    assert (await kept.get_revision(owner.id, "m1", 1)).change is Change.IMPORTED
    twice = await kept.add_version(owner.id, a.version("m2", posting_id=None), a.resume().resume)
    assert twice.id == "m1"


async def test_a_version_of_a_foreign_or_unknown_thing_is_refused(kept, owner, stranger, a):
    for who, version in (
        (stranger, a.version("x1")),
        (owner, a.version("x2", resume_id="none")),
        (owner, a.version("x3", posting_id="none")),
    ):
        with pytest.raises(NotFound):
            await kept.add_version(who.id, version, a.resume().resume)
    for call in (
        kept.get_version(stranger.id, "v1"),
        kept.list_revisions(stranger.id, "v1"),
        kept.get_revision(stranger.id, "v1", 1),
        kept.get_rewriting(stranger.id, "v1"),
        kept.set_note(stranger.id, "v1", "t", "n"),
        kept.delete_version(stranger.id, "v1"),
        kept.get_card(stranger.id, "c1"),
        kept.save_card(stranger.id, a.card(), 1),
        kept.delete_card(stranger.id, "c1"),
    ):
        with pytest.raises(NotFound):
            await call
    assert await kept.list_versions(stranger.id) == ()
    assert await kept.list_cards(stranger.id) == ()


async def test_a_change_adds_a_revision_and_keeps_the_old_one(kept, owner, a, now):
    saved = await kept.save_version(owner.id, "v1", 1, changed(a, now, "Halved memory"))
    assert (saved.revision, saved.updated_at) == (2, now + timedelta(minutes=1))
    newest, first = await kept.list_revisions(owner.id, "v1")
    assert (newest.seq, newest.resume.bullets()[0].text) == (2, "Halved memory")
    assert first.resume == a.resume().resume
    assert await kept.get_revision(owner.id, "v1", 2) == newest


async def test_one_of_two_changes_at_once_is_refused(kept, owner, a, now):
    both = (kept.save_version(owner.id, "v1", 1, changed(a, now, w)) for w in ("one", "two"))
    results = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(r).__name__ for r in results) == ["Version", "VersionOutdated"]
    assert len(await kept.list_revisions(owner.id, "v1")) == 2


async def test_a_rewriting_is_kept_and_compared(kept, owner, a, now):
    assert (await kept.get_rewriting(owner.id, "v1")).rewriting == Rewriting()
    await kept.put_rewriting(owner.id, "v1", a.rewriting(), now)
    stored = await kept.get_rewriting(owner.id, "v1")
    assert stored == a.rewriting(1)
    with pytest.raises(VersionOutdated):
        await kept.put_rewriting(owner.id, "v1", a.rewriting(), now)
    await kept.put_rewriting(owner.id, "v1", a.rewriting(1, words="other"), now)
    assert (await kept.get_rewriting(owner.id, "v1")).revision == 2


async def test_an_accepted_proposal_and_its_revision_are_saved_together_or_not_at_all(
    kept, owner, a, now
):
    await kept.put_rewriting(owner.id, "v1", a.rewriting(), now)
    with pytest.raises(VersionOutdated):
        await kept.save_version(owner.id, "v1", 1, changed(a, now, "x"), a.rewriting(7))
    assert (await kept.get_version(owner.id, "v1")).revision == 1
    assert len(await kept.list_revisions(owner.id, "v1")) == 1
    await kept.save_version(owner.id, "v1", 1, changed(a, now, "x"), a.rewriting(1))
    assert (await kept.get_rewriting(owner.id, "v1")).revision == 2


async def test_a_note_is_kept(kept, owner):
    noted = await kept.set_note(owner.id, "v1", "New title", "ask about FP8")
    assert (noted.title, noted.note) == ("New title", "ask about FP8")
    assert await kept.get_version(owner.id, "v1") == noted


async def test_deleting_a_version_keeps_its_card(kept, owner, a, now):
    await kept.put_rewriting(owner.id, "v1", a.rewriting(), now)
    await kept.remember(owner.id, "k", "/versions", "h", 201, '{"id": "v1"}')
    await kept.delete_version(owner.id, "v1")
    with pytest.raises(NotFound):
        await kept.get_version(owner.id, "v1")
    assert (await kept.get_card(owner.id, "c1")).version_id is None
    assert await kept.recall(owner.id, "k", "/versions", "h") is None
    exported = (await kept.export_owner(owner.id))["tables"]
    assert exported["version_revisions"] == exported["rewrites"] == []


async def test_deleting_the_resume_takes_its_versions_along(kept, owner):
    await kept.delete_resume(owner.id, "r1")
    assert await kept.list_versions(owner.id) == ()
    [card] = await kept.list_cards(owner.id)
    assert card.version_id is None


@pytest.mark.parametrize("seq", [0, -1, 2, 2**31, 10**30])
async def test_a_revision_that_never_was_is_not_found(kept, owner, seq):
    with pytest.raises(NotFound):
        await kept.get_revision(owner.id, "v1", seq)


async def test_deleting_the_posting_keeps_the_version(kept, owner):
    await kept.delete_posting(owner.id, "p1")
    assert (await kept.get_version(owner.id, "v1")).posting_id == "p1"


async def test_a_card_is_changed_by_whoever_saw_its_newest_form(kept, owner, a):
    moved = await kept.save_card(owner.id, replace(a.card(), column=Column.APPLIED), 1)
    assert (moved.column, moved.revision) == (Column.APPLIED, 2)
    assert await kept.get_card(owner.id, "c1") == moved
    with pytest.raises(VersionOutdated):
        await kept.save_card(owner.id, a.card(), 1)
    await kept.delete_card(owner.id, "c1")
    assert await kept.list_cards(owner.id) == ()


async def test_cards_made_by_hand_need_no_version(store, owner, a):
    for number in (1, 2):
        await store.add_card(owner.id, a.card(f"c{number}", version_id=None))
    assert len(await store.list_cards(owner.id)) == 2
