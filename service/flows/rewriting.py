"""Having bullets worded anew: the engine proposes, the guard decides, the rest is asked."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.knowledge import Skill
from service.domain.language import detect_language
from service.domain.posting import Posting
from service.domain.resume import Resume
from service.domain.rewriting import (
    Answered,
    Proposal,
    Refused,
    Rewriting,
    Source,
    State,
    Style,
    violations,
)
from service.domain.rewriting.answers import Worth, worth
from service.domain.rewriting.compose import compose
from service.domain.rewriting.plausible import doubts
from service.domain.rewriting.questions import open_questions
from service.domain.tasks import AskedBullet, EngineNote, WordBullets, WordedBullet
from service.domain.versions import headings
from service.engine.port import Engine
from service.errors import EngineError

LONGEST_BULLET: Final = 600
MOST_BULLETS: Final = 12  # to a model at once
MOST_ROUNDS: Final = 4
BUILT_IN: Final = "builtin"


@dataclass(frozen=True, slots=True)
class Desk:
    """What proposing needs: an engine, the ontology, and ids for what is made."""

    engine: Engine
    skills: Mapping[str, Skill]
    new_id: Callable[[], str]


async def propose(
    desk: Desk,
    sources: Sequence[Source],
    answers: Sequence[Answered],
    styles: Sequence[Style],
    posting: Posting | None,
) -> Rewriting:
    """Proposals that passed the guard, refusals with their reasons, and open questions."""
    given = {a.question_id: a.text for a in answers if worth(a.text) is Worth.SAID}
    worded, by, fallback = await _worded(desk, sources, given, styles, posting)
    skills = desk.skills
    known = {s.bullet_id: s for s in sources}
    judged = await asyncio.to_thread(
        lambda: [
            (p, known[p.bullet_id], violations(p.text, known[p.bullet_id], skills))
            for p in worded
            if p.bullet_id in known and p.text.strip() != known[p.bullet_id].text
        ]
    )
    proposals = [_proposal(desk, p, s, by) for p, s, faults in judged if not faults]
    refused = tuple(
        Refused(p.bullet_id, Style(p.style), by, tuple(v.why for v in faults))
        for p, _, faults in judged
        if faults
    )
    if by != BUILT_IN:
        proposals += _filled_in(desk, sources, given, styles, proposals)
    questions = open_questions(sources, answers)
    return Rewriting(questions, (), tuple(proposals), refused, fallback)


async def _worded(
    desk: Desk,
    sources: Sequence[Source],
    given: Mapping[str, str],
    styles: Sequence[Style],
    posting: Posting | None,
) -> tuple[list[WordedBullet], str, str | None]:
    """What the engine says, a dozen bullets at a time; who said it; why it was not the model."""
    asked = [_asked(s, given) for s in sources if len(s.text) <= LONGEST_BULLET]
    found: list[WordedBullet] = []
    note = EngineNote(engine=BUILT_IN)
    for at in range(0, min(len(asked), MOST_BULLETS * MOST_ROUNDS), MOST_BULLETS):
        task = _task(asked[at : at + MOST_BULLETS], styles, posting)
        try:
            performed = await desk.engine.perform(task)
        except EngineError as error:
            return _built_in(sources, given, styles), BUILT_IN, str(error)
        found += performed.reading.proposals
        note = performed.note
    by = BUILT_IN if note.engine == BUILT_IN else (note.model or note.engine)
    return found, by, note.fallback_why


def _built_in(
    sources: Sequence[Source], given: Mapping[str, str], styles: Sequence[Style]
) -> list[WordedBullet]:
    return [
        WordedBullet.model_validate({"bullet_id": s.bullet_id, "style": style.value, "text": text})
        for s in sources
        if len(s.text) <= LONGEST_BULLET
        for style, text in compose(s, given, styles)
        if len(text) <= LONGEST_BULLET
    ]


def _filled_in(
    desk: Desk,
    sources: Sequence[Source],
    given: Mapping[str, str],
    styles: Sequence[Style],
    made: Sequence[Proposal],
) -> list[Proposal]:
    """The built-in wording where the model had nothing that may be said."""
    done = {p.source.bullet_id for p in made}
    known = {s.bullet_id: s for s in sources if s.bullet_id not in done}
    return [
        _proposal(desk, w, known[w.bullet_id], BUILT_IN)
        for w in _built_in(tuple(known.values()), given, styles)
        if not violations(w.text, known[w.bullet_id], desk.skills)
    ]


def _proposal(desk: Desk, worded: WordedBullet, source: Source, by: str) -> Proposal:
    text = " ".join(worded.text.split())
    return Proposal(desk.new_id(), Style(worded.style), source, text, by, doubts=doubts(source.own))


def _asked(source: Source, given: Mapping[str, str]) -> AskedBullet:
    own = {i: t for i, t in given.items() if i.rpartition("-")[0] == source.bullet_id}
    return AskedBullet(id=source.bullet_id, text=source.text, heading=source.heading, answers=own)


def _task(
    bullets: Sequence[AskedBullet], styles: Sequence[Style], posting: Posting | None
) -> WordBullets:
    return WordBullets(
        lang=detect_language("\n".join(b.text for b in bullets)),
        bullets=tuple(bullets),
        styles=tuple(s.value for s in styles),
        material="\n\n".join(_shown(b) for b in bullets),
        posting="\n".join(r.text for r in posting.requirements) if posting else "",
    )


def _shown(bullet: AskedBullet) -> str:
    answers = "".join(f"\nanswer: {text}" for text in bullet.answers.values())
    return f"{bullet.id} [{bullet.heading}]\n{bullet.text}{answers}"


def sources_of(
    resume: Resume, answers: Sequence[Answered], posting: Posting | None = None
) -> tuple[Source, ...]:
    """Every bullet with what may be said of it; those a posting cares for come first.

    An answer that denies, guesses or gives orders is no source.
    """
    heads = headings(resume)
    said = [a for a in answers if worth(a.text) is Worth.SAID]
    wanted = {s for r in posting.requirements for s in r.skills} if posting else set[str]()
    sources = [
        Source(
            b.id, b.text, heads.get(b.id, ""), tuple(a.text for a in said if a.bullet_id == b.id)
        )
        for b in resume.bullets()
    ]
    return tuple(sorted(sources, key=lambda s: -sum(w.lower() in s.text.lower() for w in wanted)))


def kept(old: Rewriting, new: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Decided ones stay as history; what was rejected is not proposed again."""
    decided = [p for p in old.proposals if p.state in (State.ACCEPTED, State.REJECTED)]
    refused = {(p.source.bullet_id, p.after) for p in decided}
    return (*(p for p in new if (p.source.bullet_id, p.after) not in refused), *decided)
