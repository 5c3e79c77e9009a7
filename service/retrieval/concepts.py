"""The field's synonyms: different words for one thing become one search term.

The words stand in concepts.toml beside this file.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

_TABLES: Final = tomllib.loads(
    (Path(__file__).resolve().parent / "concepts.toml").read_text(encoding="utf-8")
)
CONCEPTS: Final = TypeAdapter(dict[str, tuple[str, ...]]).validate_python(_TABLES["concepts"])
TOPICS: Final = TypeAdapter(dict[str, str]).validate_python(_TABLES["topics"])

# Latin words and pairs of Chinese characters that say nothing of the subject.
FUNCTION_WORDS: Final = frozenset(str(_TABLES["function_words"]["all"]).split())

WORD: Final = re.compile(r"[a-z0-9]+(?:[-.'][a-z0-9]+)*")
SPLIT: Final = re.compile(r"[-.']")


def _table(wanted: Callable[[str], bool]) -> Mapping[str, tuple[str, ...]]:
    """Concepts by surface, of the surfaces that are `wanted`."""
    found: dict[str, tuple[str, ...]] = {}
    for concept, surfaces in CONCEPTS.items():
        for surface in filter(wanted, surfaces):
            found[surface] = (*found.get(surface, ()), concept)
    return found


def _is_phrase(surface: str) -> bool:
    return not surface.isascii() or " " in surface


PHRASES: Final = _table(_is_phrase)
WORDS: Final = _table(lambda surface: not _is_phrase(surface))
LONGEST_WORD: Final = max(map(len, WORDS))


def concepts_in(text: str) -> list[str]:
    """The concepts that lower-case `text` names, each once, in alphabetical order."""
    whole = set(WORD.findall(text))
    words = whole | {part for word in whole for part in SPLIT.split(word)}
    found = {concept for word in words for concept in _of_word(word)}
    found.update(c for phrase, concepts in PHRASES.items() if phrase in text for c in concepts)
    return sorted(found)


@lru_cache(maxsize=20_000)
def _of_word(word: str) -> tuple[str, ...]:
    stems = (f"{word[:end]}*" for end in range(2, min(len(word), LONGEST_WORD) + 1))
    return tuple(concept for key in (word, *stems) for concept in WORDS.get(key, ()))
