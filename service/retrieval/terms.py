"""Text to search terms: Latin words whole and in parts, pairs of Chinese characters, concepts."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from service.domain.text import is_invisible
from service.retrieval.concepts import FUNCTION_WORDS, concepts_in

# Longest text that is searched for, code points: more adds cost and no direction.
LONGEST_QUERY: Final = 2_000

WORD: Final = re.compile(r"[a-z0-9]+(?:[-_.+/]+[a-z0-9]+)*")
PART: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
HAN: Final = re.compile(r"[\u3400-\u9fff]+")

# How people name a ZeRO stage: ZeRO-1/2, stages 1 and 2, the third stage, 一二阶段, 第三档.
ONE_TO_THREE: Final[Mapping[str, str]] = {
    "1": "1", "2": "2", "3": "3", "一": "1", "二": "2", "三": "3",
    "one": "1", "two": "2", "three": "3", "first": "1", "second": "2", "third": "3",
}  # fmt: skip
# One space between two names can be read in one way only: in two, a row of them takes for ever.
NAMED: Final = (
    r"[123一二三](?!\d)"
    r"(?:(?:\s?(?:[/,、和与&]|and|or(?: stage)?)\s?|\s?)[123一二三](?!\d))*(?![\d.])"
)
STAGES: Final = (
    re.compile(rf"(?:stages?|levels?|tiers?|zero|\bz|阶段)[\s_-]?({NAMED})"),
    re.compile(rf"({NAMED})\s?(?:阶段|档|个?级别)"),
    re.compile(r"\b(first|second|third) (?:stage|level|tier)"),
    re.compile(r"\b(?:stage|level|tier) (one|two|three)\b"),
)
ALL_STAGES: Final = re.compile(
    r"(?:三个|各个?|每个|几个)(?:阶段|档)|\b(?:three|all|each|every) (?:zero )?stages?\b"
)
STAGE_NAME: Final = re.compile("|".join(ONE_TO_THREE))


def terms(text: str) -> list[str]:
    """The search terms of `text`, repeated as often as they occur.

    "ZeRO-3", "zero3" and "ZeRO 3" share the terms zero, 3 and zero3. Terms hold only a-z, digits,
    full stops, underscores and Chinese characters, so they need no quoting in a search expression.
    """
    lowered = _plain(text[:LONGEST_QUERY])
    names = (*concepts_in(lowered), *stages_in(lowered))
    return [*_words(lowered), *(f"_{name}" for name in names)]


def stages_in(text: str) -> list[str]:
    """`stage1` to `stage3` as named in lower-case `text`, each once."""
    if ALL_STAGES.search(text):
        return ["stage1", "stage2", "stage3"]
    named = (match[1] for pattern in STAGES for match in pattern.finditer(text))
    found = {ONE_TO_THREE[name] for part in named for name in STAGE_NAME.findall(part)}
    return [f"stage{number}" for number in sorted(found)]


def telling_terms(text: str) -> list[str]:
    """The terms that say what `text` is about: function words are left out."""
    return [term for term in terms(text) if term not in FUNCTION_WORDS]


def words_only(text: str) -> list[str]:
    """The terms without concepts: what a plain word search would use."""
    return _words(_plain(text[:LONGEST_QUERY]))


def _words(lowered: str) -> list[str]:
    return [*_latin(lowered), *_han(lowered)]


def _plain(text: str) -> str:
    """Compatibility forms unified, invisible characters gone, lower case."""
    unified = unicodedata.normalize("NFKC", text)
    return "".join(c for c in unified if c.isascii() or not is_invisible(c)).lower()


def _latin(text: str) -> Iterator[str]:
    before: re.Match[str] | None = None
    last = ""
    for word in WORD.finditer(text):
        parts: list[str] = PART.findall(word[0])
        yield from parts
        if len(parts) > 1:
            yield _joined(*parts)
        if before is not None and text[before.end() : word.start()].isspace():
            yield _joined(last, parts[0])
        before, last = word, parts[-1]


def _joined(*parts: str) -> str:
    return "".join(parts).replace(".", "")


def _han(text: str) -> Iterator[str]:
    for run in HAN.findall(text):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
