"""How one requirement is judged: every status rests on quoted lines, or it is a gap."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from service.domain import scale, schooling, tenure
from service.domain.knowledge import Skill, skill_title
from service.domain.language import Bilingual, Message, msg
from service.domain.posting import Group, Requirement
from service.domain.proof import (
    CLUSTER,
    LARGE_CLUSTER,
    TITLE,
    TRAINED_LARGE,
    Ledger,
    Line,
    Proof,
    overlap,
)
from service.domain.resume import Resume

State = Literal["met", "partial", "gap"]
Measure = Callable[[str], float | None]

# Credit of one skill by the room it is proved in. From `LEAST_MET` on it is shown; below it is only
# listed. An all-of is met when all its skills are shown, an any-of when one of them is.
ROOM_CREDIT: Final[Mapping[str, float]] = {
    "work": 1.0,
    "project": 1.0,
    "skills_line": 0.6,
    TITLE: 0.6,
    "education": 0.6,
}
# A paper or a prize is proved where it is written down; no work shows it in use.
CREDENTIAL: Final = "credential"
LEAST_MET: Final = 0.8
# Fewer years than asked, but at least this share of them, is partly there.
LEAST_PARTIAL_YEARS: Final = 0.6
# A cluster or model this many times smaller than asked for is still related experience.
RELATED_SCALE: Final = 8.0
# Fewer accelerators than this in an ad are no demand for a cluster.
LEAST_CLUSTER: Final = 8.0
_OF_MODELS: Final = re.compile(
    r"参数|模型|训练|\b(?:param\w*|models?|LLMs?|train\w*|fine-?tun\w*)\b", re.IGNORECASE
)
LEAST_OVERLAP: Final = 0.5
MOST_QUOTES: Final = 3
# An ad that only wants acquaintance is content with a skills line.
_SHALLOW: Final = re.compile(
    r"了解|基础|\b(?:familiar\w*|aware\w*|basic|exposure|some|acquaint\w*)\b", re.IGNORECASE
)
_INTERN: Final = re.compile(r"实习|\bintern", re.IGNORECASE)
_ORDER: Final[Mapping[State, int]] = {"gap": 0, "partial": 1, "met": 2}


@dataclass(frozen=True, slots=True)
class Quote:
    line: Line
    skill: str | None = None
    how: str = "named"


@dataclass(frozen=True, slots=True)
class Judgement:
    status: State
    quotes: tuple[Quote, ...]
    why: Message


@dataclass(frozen=True, slots=True)
class _Size:
    """A size an ad asks for, how it is read in a line, and the skills it stands for."""

    measure: Measure
    asked: float
    covers: tuple[str, ...]


def judge(
    requirement: Requirement,
    resume: Resume,
    book: Ledger,
    skills: Mapping[str, Skill],
    today: str | None,
) -> Judgement:
    if requirement.negated:
        return Judgement("met", (), msg("The ad says this is not required."))
    found = [
        *_of_skills(requirement, book, skills),
        *_of_years(requirement, resume, book, today),
        *_of_schooling(requirement, resume, book),
    ]
    if not found:
        return _of_words(requirement, book)
    return _weakest(found)


def _weakest(found: Sequence[Judgement]) -> Judgement:
    """All parts must hold: the weakest names the reason, quotes of all are shown."""
    weakest = min(found, key=lambda j: _ORDER[j.status])
    status = weakest.status
    if status == "gap" and any(j.status != "gap" for j in found):
        status = "partial"
    return Judgement(status, _each_once(q for j in found for q in j.quotes), weakest.why)


def _each_once(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """A line that proves two things is quoted for the first of them."""
    chosen: dict[str, Quote] = {}
    for quote in quotes:
        chosen.setdefault(quote.line.id, quote)
    return tuple(chosen.values())


def _of_skills(
    requirement: Requirement, book: Ledger, skills: Mapping[str, Skill]
) -> list[Judgement]:
    sizes = tuple(_sizes_asked(requirement))
    sized = [_compare(s.measure, s.asked, book) for s in sizes]
    covered = {name for s in sizes for name in s.covers}
    names = [n for n in requirement.skills if n not in covered]
    if not names:
        return sized
    judged = _any_of if requirement.group is Group.ANY_OF else _all_of
    return [*sized, judged(requirement, names, book, skills)]


def _best(name: str, book: Ledger) -> Proof | None:
    proofs = book.of(name)
    return proofs[0] if proofs else None


def _credit(proof: Proof | None, requirement: Requirement, skills: Mapping[str, Skill]) -> float:
    if proof is None:
        return 0.0
    if proof.skill in skills and skills[proof.skill].category == CREDENTIAL:
        return 1.0
    credit = ROOM_CREDIT[proof.line.standing]
    return 1.0 if credit and _SHALLOW.search(requirement.text) else credit


def _quotes(names: Sequence[str], book: Ledger) -> tuple[Quote, ...]:
    """The best line of each skill; then further lines of the first until there are enough."""
    first = [p for name in names if (p := _best(name, book))]
    more = [
        p for name in names for p in book.of(name)[1:] if p.line.standing in ("work", "project")
    ]
    chosen = (*first, *more[: max(0, MOST_QUOTES - len(first))])
    return _each_once(Quote(p.line, p.skill, p.how) for p in chosen)


def _all_of(
    requirement: Requirement, names: Sequence[str], book: Ledger, skills: Mapping[str, Skill]
) -> Judgement:
    credit_of = {name: _credit(_best(name, book), requirement, skills) for name in names}
    missing = [name for name in names if not credit_of[name]]
    quotes = _quotes(names, book)
    if len(missing) == len(names):
        return Judgement("gap", (), _why_missing(missing, book, skills))
    if missing:
        return Judgement(
            "partial", quotes, msg("No line shows {skill}.", skill=_titles(missing, skills))
        )
    listed = [name for name in names if credit_of[name] < LEAST_MET]
    if not listed:
        return Judgement("met", quotes, _why_met(quotes, skills))
    return _only_listed(listed, quotes, skills)


def _only_listed(
    names: Sequence[str], quotes: tuple[Quote, ...], skills: Mapping[str, Skill]
) -> Judgement:
    listed = _titles(names, skills)
    why = msg("{skill} is only listed; no work shows it in use.", skill=listed)
    return Judgement("partial", quotes, why)


def _titles(names: Sequence[str], skills: Mapping[str, Skill]) -> tuple[Bilingual, ...]:
    return tuple(skill_title(skills, name) for name in names)


def _any_of(
    requirement: Requirement, names: Sequence[str], book: Ledger, skills: Mapping[str, Skill]
) -> Judgement:
    proofs = [p for name in names if (p := _best(name, book))]
    proofs += _of_class(requirement, names, book, skills)
    if not proofs:
        return Judgement("gap", (), _why_missing(names, book, skills))
    best = max(proofs, key=lambda p: _credit(p, requirement, skills))
    quotes = _each_once(Quote(p.line, p.skill, p.how) for p in (best, *proofs))[:MOST_QUOTES]
    if _credit(best, requirement, skills) >= LEAST_MET:
        return Judgement("met", quotes, _why_met(quotes, skills))
    return _only_listed([best.skill], quotes, skills)


def _of_class(
    requirement: Requirement, names: Sequence[str], book: Ledger, skills: Mapping[str, Skill]
) -> list[Proof]:
    """Another member of the class whose examples the ad names; look-alikes are not members."""
    refused = {near for name in names for near in skills[name].near_misses}
    kinds = {skills[name].category for name in names}
    return [
        proof
        for name in requirement.classes
        for proof in book.of(name)
        if proof.skill not in refused
        and (
            proof.skill == name or (proof.skill in skills and skills[proof.skill].category in kinds)
        )
    ][:1]


def _why_met(quotes: Sequence[Quote], skills: Mapping[str, Skill]) -> Message:
    implied = next((q for q in quotes if q.how == "implied"), None)
    if quotes and quotes[0].how == "implied" and implied is not None:
        by = skill_title(skills, implied.skill or "")
        return msg("Implied by {skill} in the quoted line.", skill=by)
    if any(q.how == "alias" for q in quotes):
        return msg("The quoted line says so in other words.")
    return msg("The quoted line says so.")


def _why_missing(names: Sequence[str], book: Ledger, skills: Mapping[str, Skill]) -> Message:
    denied = next((n for n in names if n in book.denials), None)
    if denied is not None:
        title = skill_title(skills, denied)
        return msg("The résumé itself says {skill} was not used.", skill=title)
    for name in names:
        near = (
            next((m for m in skills[name].near_misses if book.of(m)), None)
            if name in skills
            else None
        )
        if near is not None:
            return msg(
                "{near} is there, but it is not {skill}.",
                near=skill_title(skills, near),
                skill=skill_title(skills, name),
            )
    return msg("No line shows {skill}.", skill=_titles(names, skills))


def _sizes_asked(requirement: Requirement) -> Iterator[_Size]:
    """A cluster or model size in the ad is compared with the sizes in the bullets."""
    cards = scale.accelerators(requirement.text)
    if cards is not None and cards >= LEAST_CLUSTER:
        yield _Size(scale.accelerators, cards, (LARGE_CLUSTER, CLUSTER))
    parameters = scale.parameters(requirement.text)
    if parameters is not None and _OF_MODELS.search(requirement.text):
        yield _Size(scale.parameters, parameters, (TRAINED_LARGE,))


def _compare(measure: Measure, asked: float, book: Ledger) -> Judgement:
    sized = [
        (size, line)
        for line in book.lines
        if line.room in ("work", "project") and (size := measure(line.own)) is not None
    ]
    if not sized:
        return Judgement("gap", (), msg("No line gives a size that comes near the one asked for."))
    size, line = max(sized, key=lambda s: s[0])
    quotes = (Quote(line),)
    if size >= asked:
        return Judgement(
            "met", quotes, msg("The quoted line names a size of at least the one asked for.")
        )
    why = msg(
        "The ad asks for a size of about {asked}; the largest shown is {shown}.",
        asked=f"{asked:,.0f}",
        shown=f"{size:,.0f}",
    )
    near = size * RELATED_SCALE >= asked
    return Judgement("partial" if near else "gap", quotes if near else (), why)


def _of_years(
    requirement: Requirement, resume: Resume, book: Ledger, today: str | None
) -> list[Judgement]:
    if not requirement.years:
        return []
    jobs = {i for i, w in enumerate(resume.work) if not _INTERN.search(w.title or "")}
    named = {entry for n in requirement.skills for entry in book.jobs.get(n, ())}
    counted = jobs & named if requirement.skills and named else jobs
    now = today or tenure.latest(
        d for e in (*resume.work, *resume.projects, *resume.education) for d in (e.start, e.end)
    )
    held = tenure.months(((resume.work[i].start, resume.work[i].end) for i in counted), now)
    quotes = tuple(Quote(line) for line in book.lines if line.title and line.entry in counted)
    asked = requirement.years * tenure.MONTHS
    years = f"{held / tenure.MONTHS:.1f}"
    if held + 1 >= asked:
        return [Judgement("met", quotes, msg("The dates add up to {years} years.", years=years))]
    why = msg(
        "The dates add up to {years} years; {asked} are asked for.",
        years=years,
        asked=f"{requirement.years:g}",
    )
    near = held >= LEAST_PARTIAL_YEARS * asked
    return [Judgement("partial" if near else "gap", quotes if near else (), why)]


def _of_schooling(requirement: Requirement, resume: Resume, book: Ledger) -> list[Judgement]:
    if requirement.degree is None and not requirement.major:
        return []
    if not resume.education:
        return [Judgement("gap", (), msg("The résumé names no education."))]
    lines = [line for line in book.lines if line.room == "education"]
    verdict = schooling.compare(requirement, resume.education)
    quotes = (Quote(lines[verdict.entry]),) if verdict.entry is not None else ()
    return [Judgement(verdict.status, quotes if verdict.status != "gap" else (), verdict.why)]


def _of_words(requirement: Requirement, book: Ledger) -> Judgement:
    """Nothing countable is asked: only a line that says much the same supports it."""
    share, line = overlap(
        requirement.text, [x for x in book.lines if not x.title and x.room != "education"]
    )
    if line is None or share < LEAST_OVERLAP:
        return Judgement("gap", (), msg("No line speaks of this."))
    return Judgement(
        "partial", (Quote(line),), msg("The quoted line speaks of it; it proves it only in part.")
    )
