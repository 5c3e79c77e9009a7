"""From a YAML file to checked forms, each of which remembers where it was written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from service.corpus.files import Faults, Location, YamlFile

FormT = TypeVar("FormT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Entry(Generic[FormT]):
    form: FormT
    file: YamlFile
    location: tuple[str | int, ...]

    def place(self, *inside: str | int) -> str:
        return self.file.place((*self.location, *inside))


def entries_of(files: Iterable[YamlFile], form: type[FormT], faults: Faults) -> list[Entry[FormT]]:
    """The list entries of the files; one that does not fit its form becomes faults."""
    found: list[Entry[FormT]] = []
    for file in files:
        if not isinstance(file.data, list | None):
            faults.add(file.place(), "a list of entries is expected")
            continue
        for index, item in enumerate(cast("list[object]", file.data or [])):
            found.extend(_entry(file, (index,), item, form, faults))
    return found


def single_entries(
    files: Iterable[YamlFile], form: type[FormT], faults: Faults
) -> list[Entry[FormT]]:
    """One entry a file, for files that are a mapping; an empty file is a fault."""
    return [entry for file in files for entry in _entry(file, (), file.data, form, faults)]


def _entry(
    file: YamlFile,
    location: tuple[str | int, ...],
    item: object,
    form: type[FormT],
    faults: Faults,
) -> Sequence[Entry[FormT]]:
    try:
        return (Entry(TypeAdapter(form).validate_python(item), file, location),)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            where: Location = (*location, *fault["loc"])
            faults.add(file.place(where), f"{_shown(fault['loc'])}{fault['msg']}")
        faults.refused.update(_names(item))
        return ()


def _names(item: object) -> set[str]:
    if not isinstance(item, Mapping):
        return set()
    fields = cast("Mapping[object, object]", item)
    return {str(fields[key]) for key in ("id", "name") if key in fields}


def _shown(location: Location) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""
