"""Finds every sentence written for people: `msg(...)`, `_(...)` in templates, raised errors."""

from configparser import ConfigParser
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

from service import errors
from service.errors import ShardwiseError

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CALLS: Final = ("msg", "_")


def keywords() -> dict[str, None]:
    """The calls whose first argument is a sentence: ours, and every error of the tree."""
    raised = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, ShardwiseError)
    ]
    return dict.fromkeys([*CALLS, *raised])


def read_mapping(text: str) -> list[tuple[str, str]]:
    """File patterns and their extraction methods, from the sections `[method: pattern]`."""
    parser = ConfigParser()
    parser.read_string(text)
    pairs = [section.partition(":") for section in parser.sections()]
    return [(pattern.strip(), method.strip()) for method, _, pattern in pairs]


def extract() -> Catalog:
    """All sentences with the files they stand in."""
    methods = read_mapping((ROOT / "babel.cfg").read_text(encoding="utf-8"))
    catalogue = Catalog(locale=None)
    found = extract_from_dir(ROOT, methods, keywords=keywords(), directory_filter=_is_ours)
    for filename, line, message, _comments, _context in found:
        text = message if isinstance(message, str) else message[0]
        if text.strip():
            catalogue.add(text, locations=[(filename, line)])
    return catalogue


def _is_ours(path: str) -> bool:
    return not Path(path).name.startswith((".", "data", "tests"))


def untranslated(template: Catalog, translated: Catalog) -> list[str]:
    """The sentences of `template` that `translated` has no words for."""
    return [
        str(entry.id)
        for entry in template
        if entry.id and not ((known := translated.get(str(entry.id))) and known.string)
    ]
