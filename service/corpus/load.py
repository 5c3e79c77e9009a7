"""Reads the vetted knowledge base from its folder, or says everything that is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from service.corpus.drawing_checks import asked_figures, drawing_faults
from service.corpus.drawings import drawing_of
from service.corpus.entries import Entry, entries_of, single_entries
from service.corpus.files import Faults, YamlFile, digest_of, read_yaml, yaml_paths
from service.corpus.forms import (
    CitationForm,
    FactForm,
    MisconceptionForm,
    PointForm,
    QuestionForm,
    SkillForm,
    SourceForm,
)
from service.corpus.links import Entries, link_faults
from service.corpus.models import MODELS_FILE, load_models
from service.domain.drawing.fill import filled, patterns_for
from service.domain.drawing.model import Drawing
from service.domain.drawing.values import usual
from service.domain.grading import Rubric, RubricPoint
from service.domain.knowledge import Fact, Knowledge, Misconception, Question, Skill, Source
from service.domain.memory import ModelShape
from service.errors import KnowledgeInvalid


def load_knowledge(folder: Path) -> Knowledge:
    """Read facts, sources, misconceptions, questions and skills below `folder`.

    `digest` names the content of the files read. Parts other than facts and sources may be absent.

    Raises:
        KnowledgeInvalid: with every fault as "facts/zero.yaml:12: what is wrong".
    """
    faults = Faults()
    paths = _paths(folder)
    if not paths["facts"]:
        faults.add("facts", "no facts/*.yaml")
    files = {part: _read(folder, found, faults) for part, found in paths.items()}
    entries = _entries(files, faults)
    models = _models(folder, entries)
    ties = [] if faults.unread else link_faults(entries)
    ties += drawing_faults(entries.questions, models)
    if faults.lines or ties:
        raise KnowledgeInvalid("The knowledge base is not usable:", [*faults.lines, *ties])
    every = [path for found in paths.values() for path in found]
    return _knowledge(entries, models, digest_of(folder, every))


def _paths(folder: Path) -> Mapping[str, list[Path]]:
    parts = ("facts", "misconceptions", "questions", "skills")
    sources = folder / "sources.yaml"
    return {
        "sources": [sources] if sources.is_file() else [],
        **{part: yaml_paths(folder / part) for part in parts},
    }


def _read(folder: Path, paths: Sequence[Path], faults: Faults) -> list[YamlFile]:
    read = (read_yaml(path, path.relative_to(folder).as_posix(), faults) for path in paths)
    return [file for file in read if file is not None]


def _entries(files: Mapping[str, Sequence[YamlFile]], faults: Faults) -> Entries:
    return Entries(
        sources=entries_of(files["sources"], SourceForm, faults),
        facts=entries_of(files["facts"], FactForm, faults),
        misconceptions=entries_of(files["misconceptions"], MisconceptionForm, faults),
        questions=single_entries(files["questions"], QuestionForm, faults),
        skills=entries_of(files["skills"], SkillForm, faults),
        refused=frozenset(faults.refused),
    )


def _models(folder: Path, entries: Entries) -> Mapping[str, ModelShape]:
    """The table of known models, where a question draws one of them."""
    draws = [entry.form.draw for entry in entries.questions if entry.form.draw]
    needed = any(p.models for draw in draws for p in draw.parameters.values())
    return load_models(folder / MODELS_FILE) if needed else {}


def _knowledge(entries: Entries, models: Mapping[str, ModelShape], digest: str) -> Knowledge:
    sources = {entry.form.id: _source(entry.form) for entry in entries.sources}
    return Knowledge(
        facts={entry.form.id: _fact(entry, sources) for entry in entries.facts},
        sources=sources,
        misconceptions={e.form.id: _misconception(e.form) for e in entries.misconceptions},
        questions={question.id: question for question in _bank(entries, models)},
        skills={entry.form.name: _skill(entry.form) for entry in entries.skills},
        digest=digest,
    )


def _source(form: SourceForm) -> Source:
    return Source(form.id, form.title, form.locator, form.url)


def _fact(entry: Entry[FactForm], sources: Mapping[str, Source]) -> Fact:
    form = entry.form
    return Fact(
        id=form.id,
        text=form.text.value(),
        source="; ".join(_cited(citation, sources) for citation in form.sources),
        verified=form.verified,
        topic=PurePosixPath(entry.file.name).stem,
        level=form.level,
        date=form.date.isoformat(),
        source_ids=tuple(citation.of for citation in form.sources),
        asked=(*form.asked.en, *form.asked.zh),
    )


def _cited(citation: CitationForm, sources: Mapping[str, Source]) -> str:
    source = sources[citation.of]
    named = f"{source.title} ({source.locator})"
    return f"{named}, {citation.at}" if citation.at else named


def _misconception(form: MisconceptionForm) -> Misconception:
    return Misconception(
        id=form.id,
        belief=form.belief.value(),
        correction=form.correction.value(),
        fact_ids=form.facts,
        level=form.level,
        wordings=form.wordings.value(),
        contradicts=form.contradicts,
        probe=form.probe.value() if form.probe else None,
        patterns=form.patterns,
    )


def _bank(entries: Entries, models: Mapping[str, ModelShape]) -> list[Question]:
    """What is asked most often comes first; ties by id."""
    questions = [_with_numbers(entry.form, models) for entry in entries.questions]
    return sorted(questions, key=lambda question: (-question.asked, question.id))


def _with_numbers(form: QuestionForm, models: Mapping[str, ModelShape]) -> Question:
    """A question that draws numbers is shown with its usual ones outside an interview."""
    question = _question(form)
    if form.draw is None:
        return question
    drawing = drawing_of(form.draw, asked_figures(form.points), models)
    whole = replace(question, rubric=_read_by_figures(question.rubric, drawing))
    return filled(replace(whole, drawing=drawing, template=whole), usual(drawing))


def _read_by_figures(rubric: Rubric, drawing: Drawing) -> Rubric:
    """Points that ask for figures and have no patterns are met by these figures alone."""
    slots = {figure.id: figure.slot for figure in drawing.asked}
    points = (
        replace(point, patterns=patterns_for([slots[f] for f in point.figures]))
        if point.figures and not point.patterns
        else point
        for point in rubric.points
    )
    return replace(rubric, points=tuple(points))


def _question(form: QuestionForm) -> Question:
    rubric = Rubric(form.id, dict(form.dimensions), tuple(map(_point, form.points)))
    asked = {point.id: point.follow_up for point in form.points}
    return Question(
        id=form.id,
        text=form.text.value(),
        topic=form.topic,
        kind=form.kind,
        level=form.level,
        minutes=form.minutes,
        rubric=rubric,
        fact_ids=form.facts,
        skills=form.skills,
        follow_ups={point_id: pair.value() for point_id, pair in asked.items() if pair},
        versions=form.versions.value(),
        asked=form.asked,
        background=form.background,
        difficulty=form.difficulty,
    )


def _point(form: PointForm) -> RubricPoint:
    return RubricPoint(
        id=form.id,
        dimension=form.dimension,
        text=form.text.value(),
        fact_ids=form.facts,
        required_from=form.required_from,
        weight=form.weight,
        wordings=form.wordings.value(),
        patterns=form.patterns,
        quantities=tuple(map(str, form.quantities)),
        figures=form.figures,
    )


def _skill(form: SkillForm) -> Skill:
    return Skill(
        name=form.name,
        aliases=form.aliases,
        category=form.category,
        zh=form.zh,
        case_sensitive=form.case_sensitive,
        context=form.context,
        parents=form.parents,
        siblings=form.siblings,
        near_misses=form.near_misses,
    )
