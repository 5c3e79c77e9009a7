"""What a posting asks for first: lines within an entry and the skills, put in another order.

Nothing is worded anew and nothing is left out; whoever owns the résumé accepts the order or not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Final, TypeVar

from service.domain.alignment import WEIGHTS
from service.domain.knowledge import Skill
from service.domain.posting import Posting
from service.domain.proof import ledger
from service.domain.resume import Bullet, Project, Resume, Work
from service.domain.skills import ancestors, find_skills
from service.domain.text import Span
from service.domain.versions import SKILLS, entry_id, spliced

_LABEL: Final = re.compile(r"^[^:：、，,;；|]{1,24}[:：]\s*")
_SEPARATOR: Final = re.compile(r"\s*[、，,;；|]\s*")
_BRACKETS: Final = re.compile(r"[()（）\[\]【】]")
EntryT = TypeVar("EntryT", Work, Project)


@dataclass(frozen=True, slots=True)
class Order:
    """`about` is an entry (w1, p2) or the skills; `before` and `after` hold the same lines.

    `wanted` are the skills of the posting that the lines in front show.
    """

    about: str
    heading: str
    before: tuple[Bullet, ...]
    after: tuple[Bullet, ...]
    wanted: tuple[str, ...]

    @property
    def id(self) -> str:
        """The same for the same lines in the same order, whenever it is asked for."""
        said = "\n".join(f"{b.id} {b.text}" for b in (*self.before, *self.after))
        return f"{self.about}-{sha256(said.encode()).hexdigest()[:12]}"


def orders(resume: Resume, posting: Posting, skills: Mapping[str, Skill]) -> tuple[Order, ...]:
    """Every order that differs from the one that stands."""
    wanted = _wanted(posting)
    if not wanted:
        return ()
    shown = _shown(resume, skills)
    worth = {own_id: sum(wanted.get(s, 0.0) for s in names) for own_id, names in shown.items()}
    found = [*_of_entries(resume, worth), *_of_skills(resume, wanted, skills)]
    return tuple(
        replace(one, wanted=_told(one, shown, wanted)) for one in found if one.before != one.after
    )


def _wanted(posting: Posting) -> Mapping[str, float]:
    """The skills asked for, each with the weight of the strongest requirement that names it."""
    weights: dict[str, float] = {}
    for asked in posting.requirements:
        for name in () if asked.negated else (*asked.skills, *asked.classes):
            weights[name] = max(weights.get(name, 0.0), WEIGHTS[asked.kind])
    return weights


def _shown(resume: Resume, skills: Mapping[str, Skill]) -> Mapping[str, frozenset[str]]:
    """What each line proves, by the ledger that the match uses."""
    shown: dict[str, set[str]] = {}
    for name, proofs in ledger(resume, skills).proofs.items():
        for proof in proofs:
            shown.setdefault(proof.line.id, set()).add(name)
    return {own_id: frozenset(names) for own_id, names in shown.items()}


def _told(
    order: Order, shown: Mapping[str, frozenset[str]], wanted: Mapping[str, float]
) -> tuple[str, ...]:
    """The skills that the lines that moved ahead show, what is asked for most first."""
    place = {b.id: i for i, b in enumerate(order.before)}
    ahead = [b for i, b in enumerate(order.after) if i < place[b.id] or order.about == SKILLS]
    names = {s for b in ahead for s in shown.get(b.id, frozenset()) if s in wanted}
    return tuple(sorted(names, key=lambda s: (-wanted[s], s)))


def _of_entries(resume: Resume, worth: Mapping[str, float]) -> Iterator[Order]:
    heads = [(w, w.employer) for w in resume.work]
    heads += [(p, p.name) for p in resume.projects]
    for entry, heading in heads:
        after = tuple(sorted(entry.bullets, key=lambda b: -worth.get(b.id, 0.0)))
        yield Order(entry_id(resume, entry), heading, entry.bullets, after, ())


def _of_skills(
    resume: Resume, wanted: Mapping[str, float], skills: Mapping[str, Skill]
) -> Iterator[Order]:
    lines = tuple(_inner(line, wanted, skills) for line in resume.skill_lines)
    worth = {b.id: sum(v for _, v in _values(b.text, wanted, skills)) for b in lines}
    after = tuple(sorted(lines, key=lambda line: -worth[line.id]))
    yield Order(SKILLS, "", resume.skill_lines, after, ())


def _values(
    text: str, wanted: Mapping[str, float], skills: Mapping[str, Skill]
) -> list[tuple[int, float]]:
    """Where a skill is named that is asked for or implies one, and how much it is asked for."""
    return [
        (m.span.start, sum(wanted.get(n, 0.0) for n in (m.skill, *ancestors(m.skill, skills))))
        for m in find_skills(text, skills)
        if not m.denied
    ]


def _inner(line: Bullet, wanted: Mapping[str, float], skills: Mapping[str, Skill]) -> Bullet:
    """The items of a plain list, those that are asked for first."""
    items = _items(line.text)
    if items is None:
        return line
    head, listed, joint = items
    values = _values(line.text, wanted, skills)
    at, worth = len(head), list[float]()
    for item in listed:
        worth.append(sum(v for place, v in values if at <= place < at + len(item)))
        at += len(item) + len(joint)
    ranked = sorted(range(len(listed)), key=lambda i: -worth[i])
    return replace(line, text=head + joint.join(listed[i] for i in ranked))


def _items(text: str) -> tuple[str, list[str], str] | None:
    """Label, items and what stands between them; None where a line is no plain list."""
    label = _LABEL.match(text)
    head = label[0] if label else ""
    rest = text[len(head) :]
    joints = {m[0] for m in _SEPARATOR.finditer(rest)}
    if len(joints) != 1 or _BRACKETS.search(rest):
        return None
    joint = joints.pop()
    listed = rest.split(joint)
    return (head, listed, joint) if all(i.strip() for i in listed) else None


def rearranged(resume: Resume, order: Order) -> Resume:
    """The résumé with the lines of `order` in their new places; spans move along."""
    if order.about == SKILLS:
        moved, lines = _in_places(resume, order)
        return replace(moved, skill_lines=lines, skills=_in_order(resume, lines))
    moved, lines = _in_places(resume, order)

    def changed(entries: tuple[EntryT, ...]) -> tuple[EntryT, ...]:
        return tuple(
            replace(e, bullets=lines) if entry_id(moved, e) == order.about else e for e in entries
        )

    return replace(moved, work=changed(moved.work), projects=changed(moved.projects))


def _in_places(resume: Resume, order: Order) -> tuple[Resume, tuple[Bullet, ...]]:
    """Each line goes to the place in the text where another stood, in the same row."""
    places = [b.span for b in order.before]
    if not _apart(places, len(resume.text)):
        return resume, order.after
    was = {b.id: b for b in order.before}
    words = [
        b.text if b.text != was[b.id].text else was[b.id].span.of(resume.text) for b in order.after
    ]
    moved, now = spliced(resume, dict(zip(places, words, strict=True)))
    return moved, tuple(
        replace(b, span=now[place]) for b, place in zip(order.after, places, strict=True)
    )


def _apart(places: Sequence[Span], length: int) -> bool:
    """Whether the lines have places of their own in the text."""
    row = sorted(places)
    touching = any(a.end > b.start for a, b in pairwise(row))
    return not touching and all(p.start < p.end <= length for p in row)


def _in_order(resume: Resume, lines: Sequence[Bullet]) -> tuple[str, ...]:
    """The skills in the order in which the lines name them; others behind, as they stood."""
    text = "\n".join(line.text for line in lines).casefold()
    at = {s: text.find(s.casefold()) for s in resume.skills}
    return tuple(sorted(resume.skills, key=lambda s: at[s] if at[s] >= 0 else len(text)))
