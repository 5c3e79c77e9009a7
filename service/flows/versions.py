"""Versions of a résumé: master and tailored, rewritten line by line, compared, restored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.applications import Card, Column
from service.domain.posting import Posting
from service.domain.resume import Resume
from service.domain.rewriting import (
    Answered,
    Proposal,
    Rewriting,
    State,
    Style,
    violations,
)
from service.domain.rewriting.questions import open_questions
from service.domain.tailoring import Order, orders, rearranged
from service.domain.text import first_clauses
from service.domain.versions import (
    Change,
    Difference,
    Revision,
    Version,
    differences,
    with_bullet,
)
from service.errors import InputInvalid, NotFound, VersionOutdated
from service.flows.parts import Parts
from service.flows.rewriting import LONGEST_BULLET, Desk, kept, propose, sources_of
from service.flows.texts import require_text
from service.store.port_versions import StoredRewriting

LONGEST_NOTE: Final = 5_000
LONGEST_TITLE: Final = 200
LONGEST_ANSWER: Final = 400


@dataclass(frozen=True, slots=True)
class VersionView:
    """A version as it stands: its newest revision, and what is proposed and asked about it."""

    version: Version
    resume: Resume
    rewriting: Rewriting
    rewriting_revision: int
    orders: tuple[Order, ...] = ()

    @property
    def was_looked_at(self) -> bool:
        """Whether proposals were asked for; without any it is said what was looked for."""
        return self.rewriting_revision > 0


async def master_of(parts: Parts, owner_id: str, resume_id: str) -> Version:
    """The master of a résumé, made when it is not there yet. Raises NotFound."""
    stored = await parts.store.get_resume(owner_id, resume_id)
    now = parts.clock()
    title = (stored.resume.name or stored.filename)[:LONGEST_TITLE]
    version = Version(parts.new_id(), now, now, resume_id, None, title)
    return await parts.store.add_version(owner_id, version, stored.resume)


async def tailor(parts: Parts, owner_id: str, resume_id: str, posting_id: str) -> Version:
    """The version for one posting, from the master as it stands, with its card on the board.

    Tailoring again gives the version that is there. Raises NotFound.
    """
    stored = await parts.store.get_posting(owner_id, posting_id)
    master = await master_of(parts, owner_id, resume_id)
    newest = await parts.store.get_revision(owner_id, master.id, master.revision)
    now = parts.clock()
    title = (stored.posting.title or first_clauses(stored.posting.text, 60))[:LONGEST_TITLE]
    version = Version(parts.new_id(), now, now, resume_id, posting_id, title)
    card = Card(parts.new_id(), now, now, title, Column.SAVED, version_id=version.id)
    return await parts.store.add_version(owner_id, version, newest.resume, card)


async def open_version(parts: Parts, owner_id: str, version_id: str) -> VersionView:
    """Raises NotFound."""
    version = await parts.store.get_version(owner_id, version_id)
    newest = await parts.store.get_revision(owner_id, version_id, version.revision)
    stored = await parts.store.get_rewriting(owner_id, version_id)
    posting = await _posting(parts, owner_id, version)
    found = orders(newest.resume, posting, parts.knowledge.skills) if posting else ()
    refused = stored.rewriting.refused_orders
    open_ones = tuple(o for o in found if o.id not in refused)
    return VersionView(version, newest.resume, stored.rewriting, stored.revision, open_ones)


async def rewrite(
    parts: Parts, owner_id: str, version_id: str, styles: Sequence[Style] = tuple(Style)
) -> VersionView:
    """Propose other wordings for every bullet, and ask for what is missing.

    Nothing is changed in the résumé. What an engine invented is dropped, with the reason. Where
    the model fails, the built-in engine proposes and the state says so.

    Raises:
        NotFound: no such version.
        VersionOutdated: it was changed meanwhile; what was proposed is not kept.
    """
    view = await open_version(parts, owner_id, version_id)
    posting = await _posting(parts, owner_id, view.version)
    sources = sources_of(view.resume, view.rewriting.answers, posting)
    desk = Desk(parts.engine, parts.knowledge.skills, parts.new_id)
    made = await propose(desk, sources, view.rewriting.answers, styles, posting)
    proposals = kept(view.rewriting, made.proposals)
    state = replace(
        view.rewriting,
        questions=made.questions,
        refused=made.refused,
        fallback=made.fallback,
        proposals=proposals,
    )
    await _put(parts, owner_id, view, state)
    return await open_version(parts, owner_id, version_id)


async def answer_questions(
    parts: Parts, owner_id: str, version_id: str, texts: Mapping[str, str]
) -> VersionView:
    """Keep what the person said; it may be used in proposals from now on.

    Raises:
        NotFound: no such version, or a question that was not asked.
        TextTooLong, TextInvalid: an answer cannot be taken.
    """
    view = await open_version(parts, owner_id, version_id)
    asked = {q.id: (q.bullet_id, q.asks) for q in view.rewriting.questions}
    asked |= {a.question_id: (a.bullet_id, a.asks) for a in view.rewriting.answers}
    given = {a.question_id: a for a in view.rewriting.answers}
    for own_id, text in texts.items():
        if not text.strip():
            continue
        question = asked.get(own_id)
        if question is None:
            raise NotFound("There is no such question.")
        said = " ".join(require_text(text, LONGEST_ANSWER).split())
        given[own_id] = Answered(own_id, *question, said)
    answers = tuple(given.values())
    posting = await _posting(parts, owner_id, view.version)
    questions = open_questions(sources_of(view.resume, answers, posting), answers)
    await _put(parts, owner_id, view, replace(view.rewriting, answers=answers, questions=questions))
    return await open_version(parts, owner_id, version_id)


async def accept(parts: Parts, owner_id: str, version_id: str, proposal_id: str) -> VersionView:
    """Put the proposal in its bullet's place: a new revision.

    The guard looks once more. Other proposals for the bullet become stale.

    Raises:
        NotFound: no such version or proposal.
        VersionOutdated: decided already, or the bullet reads differently by now.
        InputInvalid: it says what the bullet does not.
    """
    view = await open_version(parts, owner_id, version_id)
    proposal = _open_proposal(view, proposal_id)
    faults = violations(proposal.after, proposal.source, parts.knowledge.skills)
    if faults:
        raise InputInvalid("This wording says something that is not in the bullet.")
    bullet_id = proposal.source.bullet_id
    current = next((b.text for b in view.resume.bullets() if b.id == bullet_id), None)
    if current != proposal.before:
        raise VersionOutdated("The line reads differently by now; ask for proposals again.")
    resume = with_bullet(view.resume, bullet_id, proposal.after)
    states = {proposal_id: State.ACCEPTED}
    rewriting = _decided(view.rewriting, states, bullet_id)
    await _save(parts, owner_id, view, Change.ACCEPTED, bullet_id, resume, rewriting)
    return await open_version(parts, owner_id, version_id)


async def reject(parts: Parts, owner_id: str, version_id: str, proposal_id: str) -> VersionView:
    """Raises NotFound, VersionOutdated."""
    view = await open_version(parts, owner_id, version_id)
    _open_proposal(view, proposal_id)
    state = _decided(view.rewriting, {proposal_id: State.REJECTED}, None)
    await _put(parts, owner_id, view, state)
    return await open_version(parts, owner_id, version_id)


def _open_proposal(view: VersionView, proposal_id: str) -> Proposal:
    proposal = view.rewriting.proposal(proposal_id)
    if proposal is None:
        raise NotFound("There is no such proposal.")
    if proposal.state is not State.OPEN:
        raise VersionOutdated("This proposal was decided already.")
    return proposal


def _decided(
    rewriting: Rewriting, states: Mapping[str, State], changed_bullet: str | None
) -> Rewriting:
    def decided(one: Proposal) -> Proposal:
        if one.id in states:
            return replace(one, state=states[one.id])
        is_stale = one.state is State.OPEN and one.source.bullet_id == changed_bullet
        return replace(one, state=State.STALE) if is_stale else one

    return replace(rewriting, proposals=tuple(decided(p) for p in rewriting.proposals))


async def edit(
    parts: Parts, owner_id: str, version_id: str, bullet_id: str, text: str, seen: int
) -> VersionView:
    """The person's own words for a bullet. `seen` is the revision the words were written on.

    Raises:
        NotFound, VersionOutdated, TextEmpty, TextTooLong, TextInvalid.
    """
    said = " ".join(require_text(text, LONGEST_BULLET).split())
    view = await open_version(parts, owner_id, version_id)
    if view.version.revision != seen:
        raise VersionOutdated("It was changed meanwhile; look at it again.")
    try:
        resume = with_bullet(view.resume, bullet_id, said)
    except KeyError:
        raise NotFound("There is no such line.") from None
    rewriting = _decided(view.rewriting, {}, bullet_id)
    await _save(parts, owner_id, view, Change.EDITED, bullet_id, resume, rewriting)
    return await open_version(parts, owner_id, version_id)


async def accept_order(
    parts: Parts, owner_id: str, version_id: str, order_id: str, seen: int
) -> VersionView:
    """Put the lines of an entry, or the skills, in the proposed order: a new revision.

    Raises:
        NotFound: no such version, or no such order is proposed.
        VersionOutdated: `seen` is past.
    """
    view = await open_version(parts, owner_id, version_id)
    if view.version.revision != seen:
        raise VersionOutdated("It was changed meanwhile; look at it again.")
    order = _order(view, order_id)
    resume = rearranged(view.resume, order)
    await _save(parts, owner_id, view, Change.REORDERED, order.about, resume, view.rewriting)
    return await open_version(parts, owner_id, version_id)


async def reject_order(parts: Parts, owner_id: str, version_id: str, order_id: str) -> VersionView:
    """Raises NotFound."""
    view = await open_version(parts, owner_id, version_id)
    refused = (*view.rewriting.refused_orders, _order(view, order_id).id)
    await _put(parts, owner_id, view, replace(view.rewriting, refused_orders=refused))
    return await open_version(parts, owner_id, version_id)


def _order(view: VersionView, order_id: str) -> Order:
    found = next((o for o in view.orders if o.id == order_id), None)
    if found is None:
        raise NotFound("There is no such order of lines.")
    return found


async def restore(parts: Parts, owner_id: str, version_id: str, seq: int, seen: int) -> VersionView:
    """The text of an older revision as a new one; nothing in between is lost.

    Raises:
        NotFound, VersionOutdated.
    """
    view = await open_version(parts, owner_id, version_id)
    if view.version.revision != seen:
        raise VersionOutdated("It was changed meanwhile; look at it again.")
    old = await parts.store.get_revision(owner_id, version_id, seq)
    changed = {d.bullet_id for d in differences(view.resume, old.resume)}
    rewriting = view.rewriting
    for bullet_id in changed:
        rewriting = _decided(rewriting, {}, bullet_id)
    await _save(parts, owner_id, view, Change.RESTORED, str(seq), old.resume, rewriting)
    return await open_version(parts, owner_id, version_id)


async def compare(
    parts: Parts, owner_id: str, version_id: str, older: int, newer: int
) -> tuple[Difference, ...]:
    """What changed between two revisions. Raises NotFound."""
    old = await parts.store.get_revision(owner_id, version_id, older)
    new = await parts.store.get_revision(owner_id, version_id, newer)
    return differences(old.resume, new.resume)


async def against_master(parts: Parts, owner_id: str, view: VersionView) -> tuple[Difference, ...]:
    """How a tailored version differs from the master as it stands now; looking makes no master."""
    if view.version.is_master:
        return ()
    resume_id = view.version.resume_id
    kept = await parts.store.list_versions(owner_id)
    master = next((v for v in kept if v.is_master and v.resume_id == resume_id), None)
    if master is None:
        return ()
    newest = await parts.store.get_revision(owner_id, master.id, master.revision)
    return differences(newest.resume, view.resume)


async def note(parts: Parts, owner_id: str, version_id: str, title: str, text: str) -> Version:
    """Raises NotFound, TextEmpty, TextTooLong, TextInvalid."""
    named = " ".join(require_text(title, LONGEST_TITLE).split())
    noted = require_text(text, LONGEST_NOTE) if text.strip() else ""
    return await parts.store.set_note(owner_id, version_id, named, noted)


async def _posting(parts: Parts, owner_id: str, version: Version) -> Posting | None:
    """The posting, unless it was deleted."""
    if version.posting_id is None:
        return None
    try:
        return (await parts.store.get_posting(owner_id, version.posting_id)).posting
    except NotFound:
        return None


async def _put(parts: Parts, owner_id: str, view: VersionView, state: Rewriting) -> None:
    stored = StoredRewriting(state, view.rewriting_revision)
    await parts.store.put_rewriting(owner_id, view.version.id, stored, parts.clock())


async def _save(
    parts: Parts,
    owner_id: str,
    view: VersionView,
    change: Change,
    about: str,
    resume: Resume,
    state: Rewriting,
) -> None:
    revision = Revision(0, parts.clock(), change, about, resume)
    stored = StoredRewriting(state, view.rewriting_revision)
    await parts.store.save_version(
        owner_id, view.version.id, view.version.revision, revision, stored
    )
