"""What must hold between knowledge entries: unique ids, ids that exist, weights that add up."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from pydantic import BaseModel

from service.corpus.entries import Entry
from service.corpus.forms import (
    FactForm,
    MisconceptionForm,
    QuestionForm,
    SkillForm,
    SourceForm,
)

FormT = TypeVar("FormT", bound=BaseModel)

# Rubric points of the flagship question may be named without it.
FLAGSHIP: Final = "zero-stages"


@dataclass(frozen=True, slots=True)
class Entries:
    sources: Sequence[Entry[SourceForm]]
    facts: Sequence[Entry[FactForm]]
    misconceptions: Sequence[Entry[MisconceptionForm]]
    questions: Sequence[Entry[QuestionForm]]
    skills: Sequence[Entry[SkillForm]]
    refused: Collection[str] = frozenset()  # ids that were written down, in entries not readable


def link_faults(entries: Entries) -> list[str]:
    """Every broken tie between entries. A part with no entries at all cannot be tied to."""
    return [fault for rule in RULES for fault in rule(entries)]


def _unique(entries: Entries) -> Iterable[str]:
    yield from _repeated(entries.sources, lambda form: form.id)
    yield from _repeated(entries.facts, lambda form: form.id)
    yield from _repeated(entries.misconceptions, lambda form: form.id)
    yield from _repeated(entries.questions, lambda form: form.id)
    yield from _repeated(entries.skills, lambda form: form.name)


def _repeated(entries: Sequence[Entry[FormT]], key: Callable[[FormT], str]) -> Iterable[str]:
    first: dict[str, str] = {}
    for entry in entries:
        name = key(entry.form)
        if name in first:
            yield f"{entry.place()}: id {name} already stands at {first[name]}"
        first.setdefault(name, entry.place())


def _fact_sources(entries: Entries) -> Iterable[str]:
    known = {entry.form.id for entry in entries.sources} | set(entries.refused)
    for entry in entries.facts:
        cited = [citation.of for citation in entry.form.sources]
        yield from _dangling(entry, "sources", cited, known, "source")


def _facts_cited(entries: Entries) -> Iterable[str]:
    known = {entry.form.id for entry in entries.facts} | set(entries.refused)
    for misconception in entries.misconceptions:
        yield from _dangling(misconception, "facts", misconception.form.facts, known, "fact")
    for question in entries.questions:
        yield from _dangling(question, "facts", question.form.facts, known, "fact")
        for index, point in enumerate(question.form.points):
            for fact_id in point.facts:
                if fact_id not in known:
                    yield f"{question.place('points', index, 'facts')}: no fact {fact_id}"


def _dangling(
    entry: Entry[FormT], field: str, ids: Iterable[str], known: Collection[str], what: str
) -> Iterable[str]:
    for index, name in enumerate(ids):
        if name not in known:
            yield f"{entry.place(field, index)}: no {what} {name}"


def _points_contradicted(entries: Entries) -> Iterable[str]:
    if not entries.questions:
        return
    known = {f"{q.form.id}/{point.id}" for q in entries.questions for point in q.form.points}
    for entry in entries.misconceptions:
        for index, name in enumerate(entry.form.contradicts):
            full = name if "/" in name else f"{FLAGSHIP}/{name}"
            if full not in known and full.split("/")[0] not in entries.refused:
                yield f"{entry.place('contradicts', index)}: no rubric point {full}"


def _skills_named(entries: Entries) -> Iterable[str]:
    if not entries.skills:
        return
    known = {entry.form.name for entry in entries.skills} | set(entries.refused)
    for question in entries.questions:
        yield from _dangling(question, "skills", question.form.skills, known, "skill")
    for skill in entries.skills:
        yield from _dangling(skill, "parents", skill.form.parents, known, "skill")
        yield from _dangling(skill, "siblings", skill.form.siblings, known, "skill")


def _rubrics(entries: Entries) -> Iterable[str]:
    for entry in entries.questions:
        yield from _rubric(entry)


def _rubric(entry: Entry[QuestionForm]) -> Iterable[str]:
    form = entry.form
    if entry.file.name != f"questions/{form.id}.yaml":
        yield f"{entry.place('id')}: question {form.id} must stand in questions/{form.id}.yaml"
    total = sum(form.dimensions.values(), Fraction(0))
    if total != 1:
        yield f"{entry.place('dimensions')}: the weights add to {float(total):g}, not to 1"
    for dimension in form.dimensions:
        if all(point.dimension is not dimension for point in form.points):
            yield f"{entry.place('dimensions', dimension)}: {dimension} has no point"
    seen: set[str] = set()
    for index, point in enumerate(form.points):
        if point.dimension not in form.dimensions:
            yield f"{entry.place('points', index)}: {point.dimension} has no weight"
        if point.id in seen:
            yield f"{entry.place('points', index)}: point {point.id} twice"
        seen.add(point.id)


RULES: Final[tuple[Callable[[Entries], Iterable[str]], ...]] = (
    _unique,
    _fact_sources,
    _facts_cited,
    _points_contradicted,
    _skills_named,
    _rubrics,
)
