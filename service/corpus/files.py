"""Reads YAML so that every value can be traced back to its line; knows nothing of their meaning."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

import yaml

# libyaml's parser is about ten times as fast as the one in Python; some builds lack it.
LOADER: Final[type[yaml.SafeLoader]] = cast(
    "type[yaml.SafeLoader]", getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)
Location = Sequence[str | int]


@dataclass(slots=True)
class Faults:
    """What is wrong so far. Ids of refused entries are kept: a tie to them is no second fault."""

    lines: list[str] = field(default_factory=list[str])
    refused: set[str] = field(default_factory=set[str])
    unread: bool = False  # a file could not be parsed at all: its ids are unknown

    def add(self, place: str, what: str) -> None:
        self.lines.append(f"{place}: {what}")


@dataclass(frozen=True, slots=True)
class YamlFile:
    """`name` is the path below the knowledge folder, as shown in faults."""

    name: str
    data: object
    root: yaml.Node | None

    def place(self, location: Location = ()) -> str:
        """`facts/zero.yaml:12`: the line of the deepest part of `location` that exists."""
        node = self.root
        line = 1 if node is None else node.start_mark.line + 1
        for step in location:
            node = _child(node, step)
            if node is None:
                break
            line = node.start_mark.line + 1
        return f"{self.name}:{line}"


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return cast("yaml.Node", node.value[step])
    if isinstance(node, yaml.MappingNode):
        return next((v for k, v in _pairs(node) if k.value == step), None)
    return None


def _pairs(node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
    return cast("list[tuple[yaml.Node, yaml.Node]]", node.value)


def read_yaml(path: Path, name: str, faults: Faults) -> YamlFile | None:
    """Parse one file; None, and a line in `faults`, when it is no YAML."""
    try:
        root, data = _parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        faults.add(f"{name}:1", f"cannot be read as UTF-8 text ({type(error).__name__})")
    except yaml.YAMLError as error:
        faults.add(f"{name}:{_error_line(error)}", _error_text(error))
    else:
        for key, line in _repeated_keys(root):
            faults.add(f"{name}:{line}", f"key {key!r} twice")
        return YamlFile(name, data, root)
    faults.unread = True
    return None


def _parse(text: str) -> tuple[yaml.Node | None, object]:
    loader = LOADER(text)
    try:
        root = loader.get_single_node()
        # PyYAML's stubs leave this method's argument untyped.
        construct = cast("Callable[[yaml.Node], object]", getattr(loader, "construct_document"))  # noqa: B009
        return root, None if root is None else construct(root)
    finally:
        loader.dispose()


def _error_line(error: yaml.YAMLError) -> int:
    mark = getattr(error, "problem_mark", None)
    return 1 if mark is None else int(mark.line) + 1


def _error_text(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or error).splitlines()[0]


def _repeated_keys(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """YAML forbids a key twice, PyYAML keeps the last one silently."""
    if isinstance(node, yaml.SequenceNode):
        for item in cast("list[yaml.Node]", node.value):
            yield from _repeated_keys(item)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in _pairs(node):
            if key.value in seen:
                yield str(key.value), key.start_mark.line + 1
            seen.add(str(key.value))
            yield from _repeated_keys(value)


def yaml_paths(folder: Path) -> list[Path]:
    """The YAML files directly in `folder`, sorted by name; none when it does not exist."""
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


def digest_of(folder: Path, paths: Sequence[Path]) -> str:
    """SHA-256 over names and contents, independent of where the folder stands."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        name = path.relative_to(folder).as_posix()
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
