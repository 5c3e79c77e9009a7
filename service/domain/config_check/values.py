"""A configuration as its tool sees it: dotted paths, defaults where a key is left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from service.domain.config_check.model import Schema, Value

AUTO: Final = "auto"  # filled in by the Hugging Face integration


@dataclass(frozen=True, slots=True)
class Config:
    schema: Schema
    given: Mapping[str, Value]

    def has(self, path: str) -> bool:
        return self._found(path)[0]

    def get(self, path: str) -> Value:
        """The value given, or the documented default; "auto" counts as left out."""
        there, value = self._found(path)
        if there and value != AUTO:
            return value
        key = self.schema.key(path)
        return key.default if key else None

    def number(self, path: str) -> float | None:
        value = self.get(path)
        return float(value) if isinstance(value, int | float) and not is_bool(value) else None

    def integer(self, path: str) -> int | None:
        """A whole number however written: 5e8 counts as one."""
        value = self.number(path)
        return int(value) if value is not None and value.is_integer() else None

    def flag(self, path: str) -> bool:
        return self.get(path) is True

    def text(self, path: str) -> str:
        value = self.get(path)
        return value if isinstance(value, str) else ""

    def section(self, path: str) -> Mapping[str, Value]:
        return as_mapping(self._found(path)[1] if path else self.given)

    def _found(self, path: str) -> tuple[bool, Value]:
        """Whether the key or one of its aliases is given, and its value."""
        section, _, name = path.rpartition(".")
        inside = self.section(section) if section else self.given
        key = self.schema.key(path)
        for spelling in (name, *(key.aliases if key else ())):
            if spelling in inside:
                return True, inside[spelling]
        return False, None


def is_bool(value: Value) -> bool:
    return isinstance(value, bool)


def as_mapping(value: Value) -> Mapping[str, Value]:
    return cast("Mapping[str, Value]", value) if isinstance(value, Mapping) else {}


def walk(given: Mapping[str, Value], schema: Schema) -> Iterator[tuple[str, str, Value]]:
    """Section path, key and value of everything given, in the order of the file.

    Free-form parts are not entered.
    """
    pending: list[tuple[str, Mapping[str, Value]]] = [("", given)]
    if "" not in schema.sections:
        pending = [(path, as_mapping(given.get(path))) for path in schema.sections]
    for section, inside in pending:
        for name, value in inside.items():
            yield section, name, value
            path = f"{section}.{name}" if section else name
            if path in schema.sections and path not in schema.open:
                pending.append((path, as_mapping(value)))
