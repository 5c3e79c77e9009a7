"""Reads the bilingual concept lexicon, or says all that is wrong with it by file and line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, TypeVar, cast

from pydantic import Field, StringConstraints, ValidationError

from service.corpus.files import Faults, YamlFile, read_yaml, yaml_paths
from service.corpus.forms import Form, Text
from service.domain.assertions.lexicon import (
    Composition,
    Entry,
    Lexicon,
    build_lexicon,
    form_keys,
)
from service.domain.assertions.model import Kind
from service.domain.assertions.phrasing import MoveLines
from service.domain.language import Lang
from service.errors import KnowledgeInvalid

COMPOSITIONS: Final = "compositions.yaml"
CHARACTERS: Final = "characters.yaml"
PHRASING: Final = "phrasing.yaml"
TERMS: Final = "_terms.yaml"  # files whose concepts form the terms layer
PAIR: Final = 2  # a variant character and the one the lexicon is written in

ConceptId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
FormT = TypeVar("FormT", bound=Form)


class ConceptForm(Form):
    id: ConceptId
    kind: Kind
    is_: Annotated[tuple[ConceptId, ...], Field(alias="is")] = ()
    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()


class CompositionForm(Form):
    id: ConceptId
    parts: Annotated[tuple[Text, ...], Field(min_length=1)]
    gap: Annotated[int, Field(ge=0, le=20)] = 6
    denied: bool = False
    blockers: tuple[ConceptId, ...] = ()


class CharactersForm(Form):
    pairs: Text


class LinesForm(Form):
    zh: Annotated[tuple[Text, ...], Field(min_length=1)]
    en: Annotated[tuple[Text, ...], Field(min_length=1)]

    def value(self) -> Mapping[Lang, tuple[str, ...]]:
        return {Lang.ZH: self.zh, Lang.EN: self.en}


class MoveForm(Form):
    move: ConceptId
    quoting: LinesForm
    plain: LinesForm


def load_lexicon(folder: Path) -> Lexicon:
    """Read every YAML file in `folder` (knowledge/lexicon).

    Raises:
        KnowledgeInvalid: with every fault as "lexicon/objects.yaml:12: what is wrong".
    """
    faults = Faults()
    paths = yaml_paths(folder)
    if not paths:
        faults.add(folder.name, "no lexicon files")
    files = [read_yaml(path, f"{folder.name}/{path.name}", faults) for path in paths]
    lexicon = _assemble([file for file in files if file is not None], faults)
    if faults.lines or lexicon is None:
        raise KnowledgeInvalid("The lexicon is not usable:", faults.lines)
    return lexicon


def _assemble(files: Sequence[YamlFile], faults: Faults) -> Lexicon | None:
    characters: dict[str, str] = {}
    compositions: list[Composition] = []
    concepts: list[tuple[str, ConceptForm]] = []
    phrasing: dict[str, MoveLines] = {}
    for file in files:
        if file.name.endswith(f"/{CHARACTERS}"):
            for place, form in _rows(file, CharactersForm, faults):
                characters |= _pairs(form.pairs, place, faults)
        elif file.name.endswith(f"/{PHRASING}"):
            phrasing |= {f.move: _lines(f) for _, f in _rows(file, MoveForm, faults)}
        elif file.name.endswith(f"/{COMPOSITIONS}"):
            compositions += [_composition(f) for _, f in _rows(file, CompositionForm, faults)]
        else:
            concepts += _rows(file, ConceptForm, faults)
    _one_kind_each(concepts, faults)
    entries = [_entry(place, form, characters, faults) for place, form in concepts]
    if faults.lines:
        return None
    try:
        return replace(build_lexicon(entries, compositions, characters), phrasing=phrasing)
    except ValueError as error:
        faults.add("lexicon", str(error))
        return None


def _rows(file: YamlFile, form: type[FormT], faults: Faults) -> Iterator[tuple[str, FormT]]:
    if not isinstance(file.data, list):
        faults.add(file.place(), "must be a list of entries")
        return
    for index, row in enumerate(cast("list[object]", file.data)):
        try:
            yield file.place((index,)), form.model_validate(row)
        except ValidationError as error:
            for fault in error.errors():
                where = file.place((index, *fault["loc"]))
                faults.add(where, f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}")


def _one_kind_each(concepts: Sequence[tuple[str, ConceptForm]], faults: Faults) -> None:
    """A concept may be entered in several files, but always as the same kind."""
    first: dict[str, tuple[str, Kind]] = {}
    for place, form in concepts:
        known, kind = first.setdefault(form.id, (place, form.kind))
        if kind is not form.kind:
            faults.add(place, f"{form.id} is {form.kind} here and {kind} at {known}")


def _entry(place: str, form: ConceptForm, characters: dict[str, str], faults: Faults) -> Entry:
    for text in (*form.zh, *form.en):
        if not form_keys(text, characters):
            faults.add(place, f"{form.id} has a form without letters: {text!r}")
    term = f"{TERMS}:" in place
    return Entry(form.id, form.kind, (*form.zh, *form.en), form.is_, term)


def _composition(form: CompositionForm) -> Composition:
    parts = tuple(frozenset(p.strip() for p in part.split("|")) for part in form.parts)
    return Composition(form.id, parts, form.gap, form.denied, frozenset(form.blockers))


def _lines(form: MoveForm) -> MoveLines:
    return MoveLines(form.quoting.value(), form.plain.value())


def _pairs(text: str, place: str, faults: Faults) -> dict[str, str]:
    pairs = text.split()
    for pair in pairs:
        if len(pair) != PAIR:
            faults.add(place, f"not a pair of characters: {pair!r}")
    return {pair[0]: pair[1] for pair in pairs if len(pair) == PAIR}
