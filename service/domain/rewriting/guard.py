"""What a rewritten bullet may not say. Code decides, whatever an engine was told or talked into.

Figures, deeds, roles and scale come from the bullet itself or from what the person said now;
names and skills may also come from the heading of its entry.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from service.domain.knowledge import Skill
from service.domain.language import Message, detect_language, msg
from service.domain.rewriting.figures import BYTES, DATE, PERCENT, TIMES, Figure, find_figures
from service.domain.rewriting.lexicon import DEEDS, METRICS, MODEST, PLAIN_ENGLISH, ROLES, SCALE
from service.domain.rewriting.lexicon import TIMES as TIME_WORDS
from service.domain.rewriting.model import Source, filled
from service.domain.rewriting.tokens import (
    Word,
    han_words,
    latin_keys,
    latin_words,
    parts,
    uncovered,
)
from service.domain.skills import find_skills
from service.domain.text import Span, fold

LONGEST: Final = 600  # characters of a bullet
_LONGER: Final = 3  # times the source, for a source that is not very short
_SHORT: Final = 120


class Kind(StrEnum):
    NUMBER = "number"
    BOUND = "bound"
    DATE = "date"
    DIRECTION = "direction"
    MOVED = "moved"
    SKILL = "skill"
    NAME = "name"
    SCALE = "scale"
    ROLE = "role"
    MODESTY = "modesty"
    DENIAL = "denial"
    CLAIM = "claim"
    LOST = "lost"
    FORM = "form"


REASONS: Final[Mapping[Kind, Message]] = {
    Kind.NUMBER: msg("The figure {what} is neither in the bullet nor in your answers."),
    Kind.BOUND: msg("{what}: “about”, “up to” or “over” was added or left out."),
    Kind.DATE: msg("The time {what} is neither in the bullet nor in your answers."),
    Kind.DIRECTION: msg("{what}: the bullet has it the other way round."),
    Kind.MOVED: msg("{what} is said of something else than in the bullet."),
    Kind.SKILL: msg("The skill {what} is not named in this bullet."),
    Kind.NAME: msg("The name {what} is not in this bullet or its heading."),
    Kind.SCALE: msg("“{what}” says how big or how good, and the bullet does not."),
    Kind.ROLE: msg("“{what}” claims a role that the bullet does not name."),
    Kind.MODESTY: msg("The bullet says “{what}”; leaving it out claims more."),
    Kind.DENIAL: msg("A “not” was added or left out: {what}."),
    Kind.CLAIM: msg("“{what}” is not said in the bullet or in your answers."),
    Kind.LOST: msg("{what} would be lost."),
    Kind.FORM: msg("It is no line for a résumé: {what}."),
}


@dataclass(frozen=True, slots=True)
class Violation:
    kind: Kind
    what: str

    @property
    def why(self) -> Message:
        return filled(REASONS[self.kind], what=self.what)


@dataclass(frozen=True, slots=True)
class _Case:
    """Proposal and source, folded once."""

    raw: str
    text: str
    own: str
    whole: str
    bullet: str
    skills: Mapping[str, Skill]


def violations(text: str, source: Source, skills: Mapping[str, Skill]) -> tuple[Violation, ...]:
    """All that `text` says beyond `source`; empty when it may be proposed."""
    case = _Case(
        text.strip(),
        fold(text).text.strip(),
        fold(source.own).text,
        fold(source.whole).text,
        fold(source.text).text,
        skills,
    )
    if faults := tuple(_form(case)):
        return faults
    found = (v for check in _CHECKS for v in check(case))
    return tuple(dict.fromkeys(found))


_MARKUP: Final = re.compile(r"://|www\.|[<>`{}\[\]]|\bnonce\b|untrusted|\bJSON\b", re.IGNORECASE)


def _form(case: _Case) -> Iterator[Violation]:
    longest = min(LONGEST, max(_SHORT, _LONGER * len(case.own)))
    if not case.text or len(case.raw.splitlines()) > 1:
        yield Violation(Kind.FORM, "—")
    if len(case.text) > longest:
        yield Violation(Kind.FORM, f"{len(case.text)} > {longest}")
    for m in _MARKUP.finditer(case.text):
        if m[0] not in case.own:
            yield Violation(Kind.FORM, m[0])
    if detect_language(case.text) is not detect_language(case.own):
        yield Violation(Kind.FORM, detect_language(case.text).value)


def _figures(case: _Case) -> Iterator[Violation]:
    known = find_figures(case.own)
    for figure in find_figures(case.text):
        same = [k for k in known if _same(figure, k)]
        if not same:
            kind = Kind.DATE if figure.unit == DATE else Kind.NUMBER
            yield Violation(kind, figure.text)
        elif all(k.bound != figure.bound for k in same):
            yield Violation(Kind.BOUND, figure.text)


def _same(figure: Figure, known: Figure) -> bool:
    return figure.value == known.value and figure.unit in (known.unit, "")


def _lost(case: _Case) -> Iterator[Violation]:
    """A rewrite that drops a figure or a skill of the bullet is no better."""
    kept = find_figures(case.text)
    for figure in find_figures(case.bullet):
        if not any(_same(k, figure) or _same(figure, k) for k in kept):
            yield Violation(Kind.LOST, figure.text)
    named = _named(case.text, case.skills)
    for mention in find_skills(case.bullet, case.skills):
        written = mention.span.of(case.bullet)
        if not mention.denied and mention.skill not in named and not _all_there(written, case.text):
            yield Violation(Kind.LOST, mention.skill)


def _all_there(written: str, text: str) -> bool:
    """Whether the words of a skill still stand in the text, in whatever order."""
    words = {p for w in latin_words(written) for p in parts(w)}
    han = {c for c in written if c > "\u3400"}
    return words <= latin_keys(text) and all(c in text for c in han)


_PAIR: Final = re.compile(
    r"(?:from|从|由|自)\s*(?P<a>.{1,24}?)\s*(?:down |up )?(?:to|到|至|→|->|-->|为)\s*(?P<b>.{1,24})"
    r"|(?P<c>\d[^，。,;；]{0,12}?)\s*(?:→|->|-->)\s*(?P<d>.{1,24})",
    re.IGNORECASE,
)


def _directions(case: _Case) -> Iterator[Violation]:
    known = set(_pairs(case.own))
    for before, after in _pairs(case.text):
        if (after, before) in known and (before, after) not in known:
            yield Violation(Kind.DIRECTION, f"{before:g} → {after:g}")


def _pairs(text: str) -> Iterator[tuple[float, float]]:
    for m in _PAIR.finditer(text):
        first = find_figures(m["a"] or m["c"] or "")
        second = find_figures(m["b"] or m["d"] or "")
        if first and second:
            yield float(first[-1].value), float(second[0].value)


_METRICS: Final = {name: re.compile(p, re.IGNORECASE) for name, p in METRICS.items()}
_CLAUSE: Final = re.compile(r"[，；;。、：]|,(?!\d)|\.(?=\s|$)|\b(?:and|while|with)\b|并且?|同时")


def _moved(case: _Case) -> Iterator[Violation]:
    """A figure of memory may not become one of throughput."""
    homes = list(_homes(case.own))
    for figure, measures in _homes(case.text):
        of = [m for known, m in homes if _same(figure, known) and m]
        if measures and of and not any(measures & m for m in of):
            yield Violation(Kind.MOVED, figure.text)


def _homes(text: str) -> Iterator[tuple[Figure, frozenset[str]]]:
    cuts = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    clauses = [Span(a, b) for a, b in pairwise(cuts)]
    for figure in find_figures(text):
        if figure.unit not in (PERCENT, TIMES) and figure.unit not in BYTES:
            continue
        clause = next((c for c in clauses if c.overlaps(figure.span)), None)
        words = clause.of(text) if clause else ""
        yield figure, frozenset(n for n, p in _METRICS.items() if p.search(words))


def _skills(case: _Case) -> Iterator[Violation]:
    for skill in sorted(_named(case.text, case.skills) - _named(case.whole, case.skills)):
        yield Violation(Kind.SKILL, skill)


def _named(text: str, skills: Mapping[str, Skill]) -> frozenset[str]:
    return frozenset(m.skill for m in find_skills(text, skills) if not m.denied)


def _latin(case: _Case) -> Iterator[Violation]:
    own, whole = latin_keys(case.own), latin_keys(case.whole)
    deeds = _deeds(case.own)
    covered = _covered(case)
    opens = _sentence_starts(case.text)
    for word in latin_words(case.text):
        if word.key in own or any(c.overlaps(word.span) for c in covered):
            continue
        keys = (word.key, *parts(word))
        if word.key in whole and not any(k in DEEDS or k in ROLES for k in keys):
            continue
        if _is_plain(word, own, deeds):
            continue
        yield Violation(_kind_of(word, case, opens), word.text)


def _is_plain(word: Word, own: frozenset[str], deeds: frozenset[str]) -> bool:
    """A word that brings nothing along, whole or in all its parts."""
    return all(_brings_nothing(key, own, deeds) for key in {*parts(word)} or {word.key})


def _brings_nothing(key: str, own: frozenset[str], deeds: frozenset[str]) -> bool:
    if key in own:
        return True
    if key in ROLES or key in SCALE or key in TIME_WORDS:
        return False
    if key in MODEST:
        return bool(own & MODEST)
    return key in PLAIN_ENGLISH or bool(deeds & {*DEEDS.get(key, ())})


def _kind_of(word: Word, case: _Case, opens: frozenset[int]) -> Kind:
    keys = {word.key, *parts(word)}
    if keys & ROLES.keys():
        return Kind.ROLE
    if keys & SCALE:
        return Kind.SCALE
    if keys & TIME_WORDS:
        return Kind.DATE
    capital = any(c.isupper() or c.isdigit() for c in word.text)
    in_chinese = detect_language(case.text).value == "zh"
    if in_chinese or (capital and word.span.start not in opens) or any(map(str.isdigit, word.text)):
        return Kind.NAME
    return Kind.NAME if capital and word.key not in DEEDS else Kind.CLAIM


def _sentence_starts(text: str) -> frozenset[int]:
    return frozenset((0, *(m.end() for m in re.finditer(r"[.:;!?]\s+", text))))


# A count of A100 names a card, and a name is compared as a name.
_NAMED_UNIT: Final = re.compile(r"[a-z]\d")


def _covered(case: _Case) -> tuple[Span, ...]:
    """Where skills that the source has and figures stand: they are compared elsewhere."""
    allowed = _named(case.whole, case.skills)
    mentions = (m.span for m in find_skills(case.text, case.skills) if m.skill in allowed)
    figures = (f for f in find_figures(case.text) if not _NAMED_UNIT.search(f.text))
    return (*mentions, *(f.span for f in figures))


# From 4 to 16 is a rise, whether the word is said or not.
_MOVES: Final[Mapping[bool, str]] = {True: "more", False: "less"}


def _deeds(text: str) -> frozenset[str]:
    """The classes of deeds that the source speaks of."""
    keys = (*latin_keys(text), *(w.key for w in han_words(text)))
    named = frozenset(name for key in keys for name in DEEDS.get(key, ()))
    return named | {_MOVES[after > before] for before, after in _pairs(text) if after != before}


def _han(case: _Case) -> Iterator[Violation]:
    """Chinese words of claim first, then whatever no known word covers."""
    covered = _covered(case)
    text = _blanked(case.text, covered)
    deeds = _deeds(case.own)
    claims = (*ROLES, *SCALE, *TIME_WORDS)
    for word in han_words(text):
        if word.key not in case.own and word.key in claims:
            yield Violation(_han_kind(word), word.text)
    allowed = {k for k, names in DEEDS.items() if not k.isascii() and deeds & {*names}}
    known = frozenset(allowed) | frozenset(k for k in (*claims, *MODEST) if not k.isascii())
    for word in uncovered(text, case.own, known):
        if word.text not in case.whole:
            yield Violation(_open_kind(word), word.text)


_ORGANISATION: Final = re.compile(r"公司|集团|大学|学院|研究院|实验室|研究所|科技$|银行|云$|中心$")


def _open_kind(word: Word) -> Kind:
    return Kind.NAME if _ORGANISATION.search(word.text) else Kind.CLAIM


def _han_kind(word: Word) -> Kind:
    if word.key in ROLES:
        return Kind.ROLE
    return Kind.SCALE if word.key in SCALE else Kind.DATE


def _blanked(text: str, spans: tuple[Span, ...]) -> str:
    chars = list(text)
    for span in spans:
        chars[span.start : span.end] = " " * (span.end - span.start)
    return "".join(chars)


def _modesty(case: _Case) -> Iterator[Violation]:
    """Took part stays took part."""
    said = [*_modest(case.bullet)]
    if said and not [*_modest(case.text)]:
        yield Violation(Kind.MODESTY, said[0])


def _modest(text: str) -> Iterator[str]:
    yield from (w.text for w in latin_words(text) if {w.key, *parts(w)} & MODEST)
    yield from (w.text for w in han_words(text) if w.key in MODEST)


_NOT: Final = re.compile(
    r"\b(?:not|never|without|no|none|cannot|n't)\b|n't\b|未|没有?|无(?!缝|线|人)|不(?!同|仅|但|断|少|止|到|低于|超过|足)",
    re.IGNORECASE,
)


def _denials(case: _Case) -> Iterator[Violation]:
    had, has = _NOT.search(case.own), _NOT.search(case.text)
    if bool(_NOT.search(case.bullet)) and not has:
        yield Violation(Kind.DENIAL, _NOT.search(case.bullet)[0])  # type: ignore[index]
    if has and not had:
        yield Violation(Kind.DENIAL, has[0])
    denied = _denied(case.whole, case.skills)
    for skill in sorted(denied & _named(case.text, case.skills)):
        yield Violation(Kind.DENIAL, skill)


def _denied(text: str, skills: Mapping[str, Skill]) -> frozenset[str]:
    mentions = find_skills(text, skills)
    kept = {m.skill for m in mentions if not m.denied}
    return frozenset(m.skill for m in mentions if m.denied) - kept


_CHECKS: Final[tuple[Callable[[_Case], Iterator[Violation]], ...]] = (
    _figures, _directions, _moved, _skills, _latin, _han, _modesty, _denials, _lost,
)  # fmt: skip
