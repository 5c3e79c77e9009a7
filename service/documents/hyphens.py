"""Hyphens at line ends: those of a broken word go, those of a compound stay.

No dictionary of words: the document itself shows which compounds it writes; two short tables
hold the parts that most often begin or end one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_COMPOUND: Final = re.compile(r"(?<![\w-])([A-Za-z]{2,})-([a-z]{2,})(?![\w-])")
_WORD: Final = re.compile(r"(?<![\w-])[A-Za-z]{4,}(?![\w-])")
# A word by itself; a piece of an address (/, @, .) or of a longer compound is not one.
_LEFT: Final = re.compile(r"(?:^|[^!-'*-~])([A-Za-z]*[a-z])[-‐]$")
_RIGHT: Final = re.compile(r"[a-z]+")
_STARTS: Final = frozenset(
    {"large", "high", "low", "fine", "open", "end", "real", "cross"}
    | {"self", "pre", "post", "non", "multi", "long", "short", "full"}
    | {"half", "single", "fault", "mixed", "state", "cutting", "hands", "data"}
    | {"model", "cost", "time", "memory", "user", "customer", "production", "cloud"}
    | {"deep", "event", "in", "on", "off", "cache", "compute", "bandwidth"}
    | {"latency", "load", "auto", "co", "zero", "few", "one", "two"}
    | {"three", "four", "front", "back", "well", "top", "third", "client"}
    | {"server", "hardware", "software", "gradient", "tensor", "pipeline", "sequence", "expert"}
    | {"parameter", "energy", "privacy", "context", "token", "node", "row", "column"}
)
_ENDS: Final = frozenset(
    {"based", "driven", "friendly", "scale", "level", "source", "time", "end"}
    | {"to", "of", "the", "art", "on", "off", "tuning", "training"}
    | {"trained", "tuned", "precision", "parallel", "wise", "aware", "free", "oriented"}
    | {"wide", "efficient", "effective", "tolerant", "performance", "quality", "side", "stack"}
    | {"agent", "node", "gpu", "device", "order", "term", "bound", "intensive"}
    | {"facing", "party", "first", "native", "class", "edge", "line", "site"}
    | {"house", "demand", "grained", "sized"}
)
# A piece that begins with one of these ends a word; no second half of a compound does.
_SUFFIX: Final = re.compile(
    r"(?:ings?|ed|ers?|est|ions?|tions?|sions?|ments?|ness|ities|ity|ives?|able|ible|als?|ally|ous|"
    r"iz\w+|is(?:ed|ing|ation)|ly|ance|ence|ants?|ents?|ated?|ating|ation|ful|ple|base[sd]?|sets?)"
)


@dataclass(frozen=True, slots=True)
class Hyphens:
    """What a document shows of its own spelling, in lower case."""

    words: frozenset[str]
    firsts: frozenset[str]
    lasts: frozenset[str]
    compounds: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Hyphens":
        words: set[str] = set()
        pairs: set[tuple[str, str]] = set()
        for text in texts:
            words.update(m[0].lower() for m in _WORD.finditer(text))
            pairs.update((m[1].lower(), m[2]) for m in _COMPOUND.finditer(text))
        firsts, lasts = (frozenset(p[i] for p in pairs) for i in (0, 1))
        return cls(frozenset(words), firsts, lasts, frozenset(pairs))

    def glued(self, before: str, after: str) -> str | None:
        """Both lines as one when `before` ends in a hyphen of either kind, else None."""
        if before[-1:] not in ("-", "‐") or not before[-2:-1].isalpha() or not after[:1].islower():
            return None
        left, right = _LEFT.search(before), _RIGHT.match(after)
        if left is None or right is None or self._is_compound(left[1].lower(), right[0]):
            return before + after
        return before[:-1] + after

    def _is_compound(self, left: str, right: str) -> bool:
        """Whether the hyphen belongs to the word; a part of one letter (e-mail) says so too."""
        if left + right in self.words:
            return False
        if (left, right) in self.compounds or len(left) == 1:
            return True
        if _SUFFIX.fullmatch(right):
            return False
        return left in _STARTS or right in _ENDS or left in self.firsts or right in self.lasts
