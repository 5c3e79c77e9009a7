"""Finding cues: every word of the lexicon that stands in a text, longest first, each once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from service.domain.claims.lexicon import CUES
from service.domain.claims.tokens import Mark

_Entry = tuple[str, str, str]
_PLAIN: Final = str.maketrans({"-": " ", "_": " ", "\u2010": " ", "\u2011": " ", "'": " "})


def _index() -> Mapping[str, Sequence[_Entry]]:
    """Cues by their first two characters (one where the cue has one), longest first."""
    table: defaultdict[str, list[_Entry]] = defaultdict(list)
    for kind, values in CUES.items():
        for value, cues in values.items():
            for cue in dict.fromkeys(cues.translate(_PLAIN).split("|")):
                table[cue[:2]].append((cue, kind, value))
    found = {key: sorted(rows, key=lambda row: -len(row[0])) for key, rows in table.items()}
    return {
        key: [*rows, *found.get(key[:1], ())] if len(key) > 1 else rows
        for key, rows in found.items()
    }


_TABLE: Final = _index()


def plain(low: str) -> str:
    """Lower-case text with hyphens as spaces; same length."""
    return low.translate(_PLAIN)


def find_marks(low: str, taken: bytearray) -> list[Mark]:
    """Cues outside the taken characters. One place may carry cues of several kinds."""
    text = plain(low)
    marks: list[Mark] = []
    covered: dict[str, int] = {}
    for at in range(len(text)):
        if taken[at]:
            continue
        for row in _TABLE.get(text[at : at + 2]) or _TABLE.get(text[at], ()):
            mark = _match(text, at, row, taken)
            if mark and covered.get(mark.kind, 0) <= at:
                marks.append(mark)
                covered[mark.kind] = mark.end
    return marks


def _match(text: str, at: int, row: _Entry, taken: bytearray) -> Mark | None:
    cue, kind, value = row
    end = at + len(cue)
    if not text.startswith(cue, at) or taken[end - 1]:
        return None
    if _is_latin(cue[0]) and at and _is_latin(text[at - 1]):
        return None
    if _is_latin(cue[-1]):
        if not _ends_word(text, end):
            return None
        end += text[end : end + 1] == "s"
    return Mark(kind, value, at, end)


def _ends_word(text: str, end: int) -> bool:
    after = text[end : end + 1]
    if not _is_latin(after):
        return True
    return after == "s" and not _is_latin(text[end + 1 : end + 2])


def _is_latin(char: str) -> bool:
    return "a" <= char <= "z"
