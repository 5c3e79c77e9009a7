"""An ad cut into items and clauses. Every piece is a span of the original text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from service.domain.posting_reading import words
from service.domain.posting_reading.words import Part
from service.domain.text import Span

_LINE: Final = re.compile(r"[^\n\r\u2028]+")
_DECORATION: Final = re.compile(r"^[\s#*【\[(（<《「=~—–_-]+|[\s#*】\])）>》」=~—–_：:-]+$")
_LEADING_NUMBER: Final = re.compile(
    r"^[\s#*]*(?:[一二三四五六七八九十]{1,2}[、．.]|\d{1,2}[、．.)）])\s*(?=\S)"
)
# A line that heads what follows: marked as a heading, or ending in a colon or a question.
_OWN_HEADING: Final = re.compile(
    r"^\s*#{1,6}\s|[:：?？]\s*\**\s*$|^\s*【[^】]{1,20}】\s*$|^[A-Z][A-Z ,&/'’-]{3,47}$"
)
_ROW: Final = re.compile(
    r"^\s*(?:\|\s*)?([^\s|｜][^|｜\t]{0,23}?)\s*[|｜\t]\s*(?=\S)([^|｜\t]*[^\s|｜])\s*(?:\|\s*)?$"
)
_TABLE_RULE: Final = re.compile(r"^[\s|:+-]+$")
_INNER_LABEL: Final = re.compile(r"(?<=[.。;；!！?？])\s*([^.。;；!！?？:：\n]{2,24})[:：]")
_TRIM: Final = " \t\r\n　;；,，。、.·•*"
LONGEST_HEADING: Final = 48
_SHOUTED: Final = re.compile(r"[A-Z][A-Z &/’'-]{5,47}")
LOOKED_AT: Final = 6  # lines from a heading on
LEAST_LISTED: Final = 2
_ENDS: Final = re.compile(r"[。；;.，,、]\s*$")
_OPEN: Final = "([{（【「《"
_CLOSE: Final = ")]}）】」》"
_HARD_STOPS: Final = "。；;！!？?"
_SOFT_STOPS: Final = "，,"
_SENTENCE_END: Final = re.compile(r"[.](?=\s+[A-Z\u3400-\u9fff]|\s*$)")
_ABBREVIATION: Final = re.compile(
    r"(?:\be\.g|\bi\.e|\betc|\bvs|\bSr|\bJr|\bB\.?S|\bM\.?S|\bPh|\bInc|\bU\.?S|\bno)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Item:
    """One line or numbered entry of an ad and the part it stands in."""

    span: Span
    part: Part
    marked: bool = False  # an entry of a list or a cell of a table


def heading_part(line: str) -> Part | None:
    """The part a heading opens; None for a line that is no heading."""
    bare = _DECORATION.sub("", _LEADING_NUMBER.sub("", line)).strip()
    bare = _DECORATION.sub("", bare).strip()
    if not bare or len(bare) > LONGEST_HEADING or _is_entry(line, bare):
        return None
    known = next((part for part, pattern in words.HEADINGS if pattern.fullmatch(bare)), None)
    return known or (cued_part(bare) if _OWN_HEADING.search(line) else None)


def _is_entry(line: str, bare: str) -> bool:
    """`* bonus if you have touched Ray` is an entry; `* Requirements`, `- Bonus:` head a list."""
    marked = re.match(r"\s*[-*•·]\s+(?!\*)", line)
    return bool(marked) and len(bare) > words.LONGEST_LABEL and line.rstrip(" *")[-1:] not in ":："


def cued_part(words_of: str) -> Part | None:
    """The part that a heading or label in the writer's own words is for, by its first cue."""
    return next((part for part, cue in words.CUES if cue.search(words_of)), None)


def items(text: str) -> tuple[Item, ...]:
    """All items in order. Before the first heading the part is `head`."""
    found: list[Item] = []
    part = Part.HEAD
    lines = list(_LINE.finditer(text))
    for index, line in enumerate(lines):
        opened = heading_part(line[0])
        if opened is None and is_shouted(line[0]):
            opened = Part.NOISE
        if opened is None:
            opened = _part_of_list(
                [following[0] for following in lines[index : index + LOOKED_AT]], part
            )
        if opened is not None:
            part = opened
            continue
        if (row := _row(line, part)) is not None:
            found.extend(row)
            continue
        for stretch, stretch_part in _stretches(text, line, part):
            part = stretch_part
            found.extend(_entries(text, stretch, part))
    return tuple(_unstick_numbers(text, found))


def _part_of_list(lines: Sequence[str], part: Part) -> Part | None:
    """A line in the writer's own words that heads a list: by its cue, else by what is listed."""
    head, listed = lines[0], [x for x in lines[1:] if x.strip()]
    bare = _DECORATION.sub("", head).strip()
    marked = list(takewhile(words.BULLET.match, listed))
    is_text = words.BULLET.match(head) or _ENDS.search(head) or words.TITLE_WORD.search(bare)
    if is_text or len(marked) < LEAST_LISTED or not 1 < len(bare) <= LONGEST_HEADING:
        return None
    return cued_part(bare) or _listed_part(
        [words.BULLET.sub("", x) for x in marked], inside=part in (Part.MUST, Part.NICE)
    )


def is_shouted(line: str) -> bool:
    """REWARD: a heading by its letters, whatever it says."""
    return _SHOUTED.fullmatch(line.strip()) is not None and not words.TITLE_WORD.search(line)


def _listed_part(entries: Sequence[str], *, inside: bool) -> Part | None:
    """Mostly deeds to come are duties, mostly what somebody has or can is asked for.

    What is neither ends the part it stands in (`inside` one that asks for something).
    """
    duties = sum(words.DUTY_START.match(x) is not None for x in entries)
    asked = sum(bool(words.ASKS.search(x) or words.CANDIDATE.search(x)) for x in entries)
    if 2 * duties > len(entries):
        return Part.DUTIES
    return Part.MUST if 2 * asked > len(entries) else Part.NOISE if inside else None


def _entries(text: str, stretch: Span, part: Part) -> Iterator[Item]:
    for span in _numbered(text, stretch.start, stretch.end):
        kept = trimmed(text, span)
        if kept is not None:
            yield Item(kept, part, kept.start > span.start or span.start > stretch.start)


def _row(line: re.Match[str], part: Part) -> tuple[Item, ...] | None:
    """A row of two cells is a label and what it holds; a label nobody knows holds no demand."""
    if _TABLE_RULE.match(line[0]):
        return ()
    match = _ROW.match(line[0])
    if match is None:
        return None
    inside = part in (Part.MUST, Part.NICE)
    opened = label_part(match[1]) or (part if inside else Part.NOISE)
    if opened is Part.NOISE and not line[0].lstrip().startswith("|") and not label_part(match[1]):
        return None  # 3-5年 | 本科 is a line with a stroke in it
    start = line.start()
    return (Item(Span(start + match.start(2), start + match.end(2)), opened, marked=True),)


def label_part(label: str) -> Part | None:
    """The part of a label before a colon or of a table's first cell."""
    bare = _DECORATION.sub("", _LEADING_NUMBER.sub("", label)).strip()
    return heading_part(bare) or (cued_part(bare) if len(bare) <= words.LONGEST_LABEL else None)


def _stretches(text: str, line: re.Match[str], part: Part) -> Iterator[tuple[Span, Part]]:
    """`任职要求：1. …` and `…. Preferred: …` open a part and go on with its content."""
    start = line.start()
    match = words.INLINE_HEADING.match(line[0])
    opened = label_part(match[1]) if match else None
    if match is not None and opened is not None:
        start, part = line.start() + match.end(), opened
    for label in _INNER_LABEL.finditer(text, start, line.end()):
        opened = label_part(label[1])
        if opened is None:
            continue
        yield Span(start, label.start()), part
        start, part = label.end(), opened
    yield Span(start, line.end()), part


def _numbered(text: str, start: int, end: int) -> Iterator[Span]:
    """Entries written on one line: "1、… 2、… 5、…"; the numbers must grow."""
    marks = _growing(words.INLINE_NUMBER.finditer(text, start, end))
    if len(marks) < 2:  # noqa: PLR2004 - one number is the line's own
        yield Span(start, end)
        return
    if text[start : marks[0].start()].strip():
        yield Span(start, marks[0].start())
    for mark, following in zip(marks, (*marks[1:], None), strict=True):
        yield Span(mark.end(), following.start() if following else end)


def _growing(marks: Iterator[re.Match[str]]) -> list[re.Match[str]]:
    kept: list[re.Match[str]] = []
    last = 0
    for mark in marks:
        number = _number(mark[0])
        if number > last:
            kept.append(mark)
            last = number
    return kept


def _number(mark: str) -> int:
    digits = "".join(c for c in mark if c.isdigit() and c.isascii())
    circled = next((ord(c) - ord("①") + 1 for c in mark if "①" <= c <= "⑳"), 0)
    return int(digits) if digits else circled


def _unstick_numbers(text: str, found: Sequence[Item]) -> Iterator[Item]:
    """Web text that lost its list marks: "1计算机…", "23年以上…" are entries 1 and 2."""
    expected = 1
    for index, item in enumerate(found):
        written = item.span.of(text)
        glued = written.startswith(str(expected)) and _is_stuck(text, found, index, expected)
        if not glued:
            expected = 1 if index and found[index - 1].part is not item.part else expected
            yield item
            continue
        start = item.span.start + len(str(expected))
        expected += 1
        yield Item(Span(start, item.span.end), item.part)


def _is_stuck(text: str, found: Sequence[Item], index: int, number: int) -> bool:
    """The entry before or after carries the neighbouring number in the same way."""
    here = found[index].span.of(text)[len(str(number)) :]
    if not here or not ("\u3400" <= here[0] <= "\u9fff" or here[0].isalnum()):
        return False
    if number > 1:
        return True
    following = found[index + 1].span.of(text) if index + 1 < len(found) else ""
    return "\u3400" <= here[0] <= "\u9fff" and here[0] != "年" and following.startswith("2")


def trimmed(text: str, span: Span) -> Span | None:
    """Without list marks, white space and closing punctuation; None when nothing is left."""
    start, end = span.start, span.end
    mark = words.BULLET.match(text[start:end])
    start += mark.end() if mark else 0
    while start < end and text[start] in _TRIM:
        start += 1
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    return Span(start, end) if end > start else None


def clauses(text: str, item: Span) -> tuple[Span, ...]:
    """The clauses of an item: hard stops always cut, commas only before an own predicate."""
    cuts = [item.start]
    for stop in _stops(text, item):
        if text[stop] in _SOFT_STOPS and not _begins_own(text, stop + 1, item.end):
            continue
        cuts.append(stop + 1)
    cuts.append(item.end)
    spans = (Span(a, b) for a, b in pairwise(cuts) if a < b)
    return tuple(t for s in spans if (t := trimmed(text, s)) is not None)


def _stops(text: str, item: Span) -> Iterator[int]:
    depth = 0
    for at in range(item.start, item.end):
        char = text[at]
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth > 0:
            continue
        depth = max(depth, 0)
        if char in _HARD_STOPS or char in _SOFT_STOPS or _ends_sentence(text, at):
            yield at


def _ends_sentence(text: str, at: int) -> bool:
    if text[at] != "." or _SENTENCE_END.match(text, at) is None:
        return False
    return _ABBREVIATION.search(text, max(0, at - 6), at) is None


def _begins_own(text: str, start: int, end: int) -> bool:
    rest = text[start:end].lstrip()
    stop = next((i for i, c in enumerate(rest) if c in _HARD_STOPS or c in _SOFT_STOPS), len(rest))
    clause = rest[:stop].strip()
    if words.BARE_CUE.fullmatch(clause):
        return False
    return words.OWN_PREDICATE.match(clause) is not None or _own_cue(clause)


def _own_cue(clause: str) -> bool:
    """`…, MS preferred`: a last clause with its own cue; not the end of an or-list."""
    starts_list = re.match(r"(?:or|and|或|和|及|以及)\b|(?:或|和|及|以及)", clause, re.IGNORECASE)
    cued = words.NICE_EN.search(clause) or words.MUST_CUE.search(clause)
    return starts_list is None and cued is not None
