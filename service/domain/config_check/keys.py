"""Every key against the schema: unknown or misspelt, of a wrong type, outside its range, old."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from service.domain.config_check.model import Finding, Key, Schema, Section, Severity, Value
from service.domain.config_check.values import AUTO, Config, is_bool, walk
from service.domain.language import msg

LEAST_LIKE: Final = 0.72  # similarity from which a known key is proposed for a misspelt one
LONGEST_SHOWN: Final = 40
TYPE_NAMES: Final[Mapping[type, str]] = {
    bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "dict"
}  # fmt: skip
# Keys that users of the Hugging Face integration write beside DeepSpeed's own.
NOT_DEEPSPEEDS: Final = frozenset({"comment", "_comment", "//"})


def check_keys(config: Config) -> Iterator[Finding]:
    for path, name, value in walk(config.given, config.schema):
        section = config.schema.sections[path]
        key = section.find(name)
        if key is None:
            if name not in NOT_DEEPSPEEDS:
                yield _unknown(section, name, config.schema)
            continue
        yield from _check(section, key, name, value)


def _unknown(section: Section, name: str, schema: Schema) -> Finding:
    path = _join(section.path, name)
    severity = Severity.ERROR if section.strict else Severity.WARNING
    gone = section.gone.get(name)
    if gone:
        return Finding(severity, path, msg("{key}: {words}.", key=path, words=gone), (), section.at)
    elsewhere = _elsewhere(name, section, schema)
    if elsewhere:
        what = msg("{key} belongs into {section}.", key=name, section=elsewhere)
    elif near := nearest(name, section):
        what = msg("There is no key {key}; {near} is meant?", key=path, near=near)
    else:
        what = msg("There is no key {key} in version {version}.", key=path, version=schema.version)
    told = (
        msg("{what} DeepSpeed refuses to start with it.", what=what)
        if section.strict
        else msg("{what} It is ignored without a word.", what=what)
    )
    return Finding(severity, path, told, (), section.at)


def nearest(name: str, section: Section) -> str | None:
    """The known key most like `name`; None when none is like it."""
    spellings = [s for key in section.keys.values() for s in (key.name, *key.aliases)]
    found = get_close_matches(name.lower(), spellings, n=1, cutoff=LEAST_LIKE)
    return found[0] if found else None


def _elsewhere(name: str, section: Section, schema: Schema) -> str | None:
    """The one other section that knows the key, when its name is not a common one."""
    homes = [s for s in schema.sections.values() if s is not section and s.find(name)]
    return (homes[0].path or "the top level") if len(homes) == 1 else None


def _check(section: Section, key: Key, name: str, value: Value) -> Iterator[Finding]:
    path = _join(section.path, name)
    if value == AUTO and AUTO not in key.allowed and key.default != AUTO:
        yield _auto(section, path)
        return
    if value is None:
        return
    if not any(_fits(value, kind) for kind in key.types):
        yield _wrong_type(section, key, path, value)
        return
    yield from _outside(section, key, path, value)
    if key.instead:
        told = msg("{key} is deprecated; use {instead}.", key=path, instead=key.instead)
        yield Finding(Severity.WARNING, path, told, key.fact_ids, section.at)
    if key.differs and value == key.default:
        return
    if key.differs:
        told = msg("{key}: {words}.", key=path, words=key.differs)
        yield Finding(Severity.NOTE, path, told, key.fact_ids, section.at)


def _auto(section: Section, path: str) -> Finding:
    if section.strict:
        told = msg(
            'DeepSpeed drops "auto" here and takes its default; the Hugging Face integration fills'
            " it in first."
        )
        return Finding(Severity.NOTE, path, told, (), "deepspeed/runtime/config_utils.py")
    told = msg('Only the Hugging Face integration fills in "auto"; DeepSpeed alone cannot read it.')
    return Finding(Severity.WARNING, path, told, (), section.at)


def _fits(value: Value, kind: str) -> bool:
    if kind == "bool":
        return is_bool(value)
    if is_bool(value):
        return False
    if kind == "int":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if kind == "float":
        return isinstance(value, int | float)
    return TYPE_NAMES.get(type(value)) == kind


def _wrong_type(section: Section, key: Key, path: str, value: Value) -> Finding:
    told = msg(
        "{key} must be {wanted}, not {given}.",
        key=path,
        wanted=" or ".join(key.types),
        given=TYPE_NAMES.get(type(value), type(value).__name__),
    )
    severity = Severity.ERROR if section.strict or "dict" in key.types else Severity.WARNING
    return Finding(severity, path, told, key.fact_ids, section.at)


def _outside(section: Section, key: Key, path: str, value: Value) -> Iterator[Finding]:
    if key.allowed and value not in key.allowed and not _same_word(value, key.allowed):
        told = msg(
            "{key} is one of {allowed}, not {given}.",
            key=path,
            allowed=", ".join(map(str, key.allowed)),
            given=str(value)[:LONGEST_SHOWN],
        )
        yield Finding(Severity.ERROR, path, told, key.fact_ids, section.at)
    if not isinstance(value, int | float) or is_bool(value):
        return
    if key.least is not None and value < key.least:
        told = msg("{key} is at least {least}.", key=path, least=key.least)
        yield Finding(Severity.ERROR, path, told, key.fact_ids, section.at)
    if key.most is not None and value > key.most:
        told = msg("{key} is at most {most}.", key=path, most=key.most)
        yield Finding(Severity.ERROR, path, told, key.fact_ids, section.at)


def _same_word(value: Value, allowed: Sequence[Value]) -> bool:
    return isinstance(value, str) and value.upper() in {str(a).upper() for a in allowed}


def _join(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name
