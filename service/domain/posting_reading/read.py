"""Reading an ad: duties and noise left aside, what is asked kept in the ad's own words."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.knowledge import Skill
from service.domain.posting import Group, Kind, Posting, Requirement
from service.domain.posting_reading import clause as rules
from service.domain.posting_reading import words
from service.domain.posting_reading.items import Item, clauses, heading_part, items
from service.domain.posting_reading.words import Part
from service.domain.skills import Mention, find_skills
from service.domain.text import Span
from service.domain.whose import is_order

LEAST_CHARACTERS: Final = 2
LONGEST_TITLE: Final = 60
# An ad without headings is read by cues alone; this many lines are looked at for a title.
TITLE_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class _Clause:
    span: Span
    kind: Kind
    mentions: tuple[Mention, ...]  # spans relative to the clause
    item: int
    waived: bool = False


def read_posting(text: str, skills: Mapping[str, Skill]) -> Posting:
    """Pure and total: any text gives a posting, in the worst case one without requirements."""
    found = items(text)
    cut = _clauses(text, found, skills)
    merged = _merge(text, _conditional(text, cut), skills)
    asked = [_requirement(text, c, skills) for c in merged]
    numbered = tuple(replace(r, id=f"r{i}") for i, r in enumerate(asked, 1))
    title = _title(text)
    musts = [r for r in numbered if r.kind is Kind.MUST and not r.negated]
    return Posting(
        text=text,
        title=title,
        level=_level(title or ""),
        years_min=next((r.years for r in musts if r.years is not None), None),
        degree=next((r.degree for r in musts if r.degree is not None), None),
        requirements=numbered,
    )


def _clauses(text: str, found: Sequence[Item], skills: Mapping[str, Skill]) -> Iterator[_Clause]:
    headed = any(i.part is Part.MUST for i in found)
    mentions = find_skills(text, skills)
    for index, item in enumerate(found):
        if is_order(item.span.of(text)):
            continue
        for span in clauses(text, item.span):
            words_of = span.of(text)
            named = _inside(mentions, span)
            if not _asks(words_of, item, named=_of_trade(named, skills), headed=headed):
                continue
            kind = rules.kind_of(words_of, item.part)
            yield _Clause(span, kind, named, index, item.part is Part.WAIVED)


def _of_trade(mentions: Sequence[Mention], skills: Mapping[str, Skill]) -> bool:
    return any(skills[m.skill].category != rules.SOFT for m in mentions)


def _inside(mentions: Sequence[Mention], clause: Span) -> tuple[Mention, ...]:
    """The ad's mentions in a clause, counted from its start; their context is the whole ad."""
    first = bisect_left(mentions, clause.start, key=_start)
    last = bisect_left(mentions, clause.end, first, key=_start)
    return tuple(
        replace(m, span=Span(m.span.start - clause.start, m.span.end - clause.start))
        for m in mentions[first:last]
        if m.span.end <= clause.end
    )


def _start(mention: Mention) -> int:
    return mention.span.start


def _moved(clause: _Clause, host: _Clause) -> tuple[Mention, ...]:
    """A clause's mentions, counted from the start of the clause before it."""
    offset = clause.span.start - host.span.start
    return tuple(
        replace(m, span=Span(m.span.start + offset, m.span.end + offset)) for m in clause.mentions
    )


def _asks(clause: str, item: Item, *, named: bool, headed: bool) -> bool:
    """Whether a clause of this item asks for something; `named` when it names a skill."""
    part = item.part
    content = sum(c.isalnum() for c in clause)
    if content < LEAST_CHARACTERS or part is Part.NOISE or words.NOISE_LINE.search(clause):
        return False
    if part in (Part.MUST, Part.NICE, Part.WAIVED):
        return True
    if headed:
        return _cued(clause) and not words.DUTY_START.match(clause)
    if words.DUTY_START.match(clause):
        return False
    if named and (item.marked or words.CANDIDATE.search(clause)):
        return True
    return any(p.search(clause) for p in (words.ASKS, words.NICE_EN, words.NEGATED))


def _cued(clause: str) -> bool:
    """Outside the requirement part only a clear cue counts."""
    nice = words.NICE_ZH.search(clause) and "优先" in clause
    return bool(nice or (rules.years(clause) is not None and "经验" in clause))


def _conditional(text: str, cut: Iterator[_Clause]) -> list[_Clause]:
    """有…经验，熟悉…者优先: the cue at the end covers the conditions before it in the item."""
    listed = list(cut)
    for index in range(len(listed) - 2, -1, -1):
        here, following = listed[index], listed[index + 1]
        if here.item != following.item or here.kind is Kind.NICE or following.kind is Kind.MUST:
            continue
        written = here.span.of(text)
        soft_start = words.CONDITIONAL_START.match(written) and rules.years(written) is None
        comma = text[here.span.end : following.span.start].strip() in ("，", ",")
        if soft_start and comma and not words.HARD_START.match(written):
            listed[index] = replace(here, kind=Kind.NICE)
    return listed


def _merge(text: str, cut: Sequence[_Clause], skills: Mapping[str, Skill]) -> list[_Clause]:
    """Neighbours of one item that ask the same kind of thing are one requirement."""
    merged: list[_Clause] = []
    for clause in cut:
        last = merged[-1] if merged else None
        if last and _belong(text, last, clause, skills):
            span = Span(last.span.start, clause.span.end)
            merged[-1] = replace(last, span=span, mentions=(*last.mentions, *_moved(clause, last)))
            continue
        merged.append(clause)
    return merged


def _belong(text: str, last: _Clause, clause: _Clause, skills: Mapping[str, Skill]) -> bool:
    if last.item != clause.item or last.kind is not clause.kind:
        return False
    written, following = last.span.of(text), clause.span.of(text)
    if rules.negated(written) != rules.negated(following):
        return False
    if _is_soft(last, skills) and _is_soft(clause, skills):
        return True
    schooling = rules.is_education(written) and rules.is_education(following)
    return bool(schooling and not last.mentions and not clause.mentions)


def _is_soft(clause: _Clause, skills: Mapping[str, Skill]) -> bool:
    return bool(clause.mentions) and all(
        skills[m.skill].category == rules.SOFT for m in clause.mentions
    )


def _requirement(text: str, clause: _Clause, skills: Mapping[str, Skill]) -> Requirement:
    written = clause.span.of(text)
    names = rules.named_skills(written, clause.mentions, skills)
    group = rules.group_of(written, clause.mentions, names, skills)
    years = rules.years(written)
    return Requirement(
        id="",
        text=written,
        span=clause.span,
        skills=names,
        kind=clause.kind,
        group=group,
        negated=clause.waived or rules.negated(written),
        years=years,
        degree=rules.degree(written),
        category=rules.category_of(written, names, years, skills),
        classes=rules.classes_named(clause.mentions, skills) if group is Group.ANY_OF else (),
        major=words.MAJOR.search(written) is not None,
    )


def _title(text: str) -> str | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        labelled = words.TITLE_LABEL.match(line)
        if labelled and len(labelled[1]) <= LONGEST_TITLE and heading_part(line) is None:
            return labelled[1].strip()
    for line in lines[:TITLE_LINES]:
        bare = line.strip("#*【】[] 　")
        if heading_part(line) is not None:
            return None
        if len(bare) <= LONGEST_TITLE and words.TITLE_WORD.search(bare) and "。" not in bare:
            return bare
    return None


def _level(title: str) -> str | None:
    return next((name for name, pattern in words.LEVELS if pattern.search(title)), None)
