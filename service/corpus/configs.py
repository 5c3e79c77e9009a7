"""Reads the documented schemas of training configurations, and the configurations themselves."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Final, NoReturn, cast

import yaml
from pydantic import Field

from service.corpus.entries import Entry, single_entries
from service.corpus.files import LOADER, Faults, read_yaml, yaml_paths
from service.corpus.forms import Form, Prose, Text
from service.domain.config_check import Key, Schema, Section, Tool, Value
from service.errors import FileTooLarge, FileUnreadable, InputInvalid, KnowledgeInvalid

CONFIGS_FOLDER: Final = "configs"
LONGEST_FILE: Final = 1_000_000  # code points; configurations have thousands
TYPES: Final = frozenset({"int", "float", "bool", "str", "list", "dict"})
COMMENT_LINE: Final = re.compile(r"(?m)^[ \t]*(?://|#)[^\n]*")
PREFIX: Final = "fsdp_"
BLOCKS: Final = ("fsdp_config", "fsdp")  # accelerate's block; Trainer's takes either name


class KeyForm(Form):
    key: Text
    type: Text
    default: object = None
    also: tuple[Text, ...] = ()
    allowed: tuple[str | int | bool, ...] = ()
    least: float | None = None
    most: float | None = None
    unit: str = ""
    stages: tuple[int, ...] = ()
    versions: tuple[int, ...] = ()
    instead: str = ""
    says: Prose | None = None
    differs: Prose | None = None
    facts: tuple[Text, ...] = ()
    asks: tuple[Text, ...] = ()

    def value(self) -> Key:
        return Key(
            name=self.key,
            types=tuple(self.type.split("|")),
            default=self.default,
            has_default="default" in self.model_fields_set,
            aliases=self.also,
            allowed=self.allowed,
            least=self.least,
            most=self.most,
            unit=self.unit,
            stages=self.stages or self.versions,
            instead=self.instead,
            says=self.says.value() if self.says else None,
            differs=self.differs.value() if self.differs else None,
            fact_ids=self.facts,
            asks=self.asks,
        )


class GoneForm(Form):
    key: Text
    says: Prose


class SectionForm(Form):
    path: str
    strict: bool
    at: Text
    keys: Annotated[tuple[KeyForm, ...], Field(min_length=1)]
    gone: tuple[GoneForm, ...] = ()

    def value(self) -> Section:
        return Section(
            path=self.path,
            strict=self.strict,
            at=self.at,
            keys={form.key: form.value() for form in self.keys},
            gone={form.key: form.says.value() for form in self.gone},
        )


class SchemaForm(Form):
    id: Text
    tool: Tool
    version: Text
    title: Text
    url: Text
    commit: Text
    read: date
    sections: Annotated[tuple[SectionForm, ...], Field(min_length=1)]
    open: tuple[Text, ...] = ()

    def value(self) -> Schema:
        return Schema(
            id=self.id,
            tool=self.tool,
            version=self.version,
            title=self.title,
            url=self.url,
            sections={form.path: form.value() for form in self.sections},
            open=frozenset(self.open),
        )


def load_schemas(folder: Path) -> Mapping[Tool, Schema]:
    """The schemas in `folder` (knowledge/configs), one a tool.

    Raises:
        KnowledgeInvalid: every fault with file and line.
    """
    faults = Faults()
    paths = yaml_paths(folder)
    if not paths:
        faults.add(folder.name, "no schema files")
    files = [read_yaml(path, f"{folder.name}/{path.name}", faults) for path in paths]
    entries = single_entries([f for f in files if f is not None], SchemaForm, faults)
    for entry in entries:
        _check_schema(entry, faults)
    if faults.lines:
        raise KnowledgeInvalid("The schemas of configurations are faulty:", faults.lines)
    return {entry.form.tool: entry.form.value() for entry in entries}


def _check_schema(entry: Entry[SchemaForm], faults: Faults) -> None:
    """Known types, keys and sections once, and every section reached from the one above it."""
    sections = [form.path for form in entry.form.sections]
    _once(entry, sections, faults)
    for place, section in enumerate(entry.form.sections):
        _once(entry, [name for k in section.keys for name in (k.key, *k.also)], faults)
        for index, key in enumerate(section.keys):
            unknown = set(key.type.split("|")) - TYPES
            if unknown:
                where = entry.place("sections", place, "keys", index)
                faults.add(where, f"{key.key}: no type {', '.join(sorted(unknown))}")


def _once(entry: Entry[SchemaForm], names: Sequence[str], faults: Faults) -> None:
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.add(entry.place(), f"{name!r} twice")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration and the schema that describes it."""

    schema: Schema
    given: Mapping[str, Value]


def looks_like_config(name: str, text: str) -> bool:
    """Whether the file wants to be one: by its ending, or by an opening brace."""
    return Path(name).suffix.lower() in {".json", ".yaml", ".yml"} or text.lstrip().startswith("{")


def read_config(text: str, schemas: Mapping[Tool, Schema]) -> ConfigFile | None:
    """Recognise a DeepSpeed or FSDP configuration; None when it is neither.

    Raises:
        FileTooLarge: more than a configuration can need.
        FileUnreadable: broken JSON or YAML; says where.
        InputInvalid: the same key twice.
    """
    if len(text) > LONGEST_FILE:
        raise FileTooLarge("The file has more than {longest} characters.", longest=LONGEST_FILE)
    data = _parsed(text)
    if not isinstance(data, dict):
        return None
    given = cast("dict[str, Value]", data)
    block = next((given[name] for name in BLOCKS if isinstance(given.get(name), dict)), None)
    if isinstance(block, dict):
        return ConfigFile(schemas[Tool.FSDP], {"fsdp": _bare(cast("dict[str, Value]", block))})
    return _by_keys(given, schemas)


def _by_keys(given: Mapping[str, Value], schemas: Mapping[Tool, Schema]) -> ConfigFile | None:
    """The tool whose keys are more of the file's own; none when it knows no key at all."""
    bare = _bare(given)
    known = {
        Tool.DEEPSPEED: _known(given, schemas[Tool.DEEPSPEED].sections[""]),
        Tool.FSDP: _known(bare, schemas[Tool.FSDP].sections["fsdp"]),
    }
    tool = max(known, key=lambda t: known[t])
    if not known[tool]:
        return None
    return ConfigFile(schemas[tool], given if tool is Tool.DEEPSPEED else {"fsdp": bare})


def _known(given: Iterable[str], section: Section) -> int:
    return sum(section.find(name) is not None for name in given)


def _bare(given: Mapping[str, Value]) -> dict[str, Value]:
    """Accelerate writes fsdp_offload_params where the plugin's field is offload_params."""
    return {str(name).removeprefix(PREFIX): value for name, value in given.items()}


def _parsed(text: str) -> object:
    if text.lstrip().startswith(("{", "[", "//")):
        return _json(text)
    try:
        return cast("object", yaml.load(text, Loader=LOADER))  # noqa: S506 - the safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else int(mark.line) + 1
        raise FileUnreadable("Line {line}: this is no YAML.", "garbled", line=line) from error
    except RecursionError as error:
        raise _too_deep() from error


def _json(text: str) -> object:
    """JSON with lines of comment, as Hjson allows; a key twice and NaN are refused."""
    plain = COMMENT_LINE.sub(lambda m: " " * len(m.group()), text)
    try:
        return cast(
            "object", json.loads(plain, object_pairs_hook=_once_each, parse_constant=_no_constant)
        )
    except json.JSONDecodeError as error:
        raise FileUnreadable(
            "Line {line}, column {column}: this is no JSON ({what}).",
            "garbled",
            line=error.lineno,
            column=error.colno,
            what=error.msg,
        ) from error
    except RecursionError as error:
        raise _too_deep() from error


def _too_deep() -> FileUnreadable:
    return FileUnreadable("The file is nested too deeply to be a configuration.", "garbled")


def _once_each(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    seen: dict[str, object] = {}
    for name, value in pairs:
        if name in seen:
            raise InputInvalid("The key {key} stands twice; DeepSpeed refuses that.", key=name[:80])
        seen[name] = value
    return seen


def _no_constant(name: str) -> NoReturn:
    raise InputInvalid("{name} is no value of JSON.", name=name)
