"""A section cut into entries: heading lines and the lines under them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from service.domain.resume_reading.dates import When, find_dates
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.parts import (
    find_degree,
    is_place,
    is_school,
    title_score,
    without_dates,
)
from service.domain.resume_reading.words import ResumeWords, Section

# Chinese characters count double; a line heavier than this is prose, not a heading.
HEAVIEST_HEADING: Final = 110
HEAVIEST_PLAIN_HEADING: Final = 70
HEAVIEST_ROLE: Final = 48
LIGHTEST_SENTENCE: Final = 16  # a few words may end in a dot
MOST_HEADING_LINES: Final = 4
_SENTENCE_END: Final = re.compile(
    r"[。；;!！]$|(?<![A-Z])(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bSt)(?<!\bSr)(?<!\bJr)(?<!\bU\.S)\.$"
)
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+$", re.IGNORECASE)
_LABEL: Final = re.compile(r"^[\s*【\[]*([^\s*【\[:：】\]][^:：】\]]{0,23}?)\s*(?:[】\]]\s*)?[:：]")


@dataclass(slots=True)
class Entry:
    head: list[Line] = field(default_factory=list[Line])
    body: list[Line] = field(default_factory=list[Line])
    when: When | None = None


def weight(text: str) -> int:
    return len(text) + sum("\u3400" <= c <= "\u9fff" for c in text)


def is_prose(text: str) -> bool:
    return weight(text) > HEAVIEST_HEADING or (
        _SENTENCE_END.search(text.strip()) is not None and weight(text) > LIGHTEST_SENTENCE
    )


def label_of(text: str, words: ResumeWords) -> str | None:
    """The entry label a line begins with (技术栈：…), lower case."""
    match = _LABEL.match(text)
    label = match[1].strip().lower() if match else text.strip(" :：*").lower()
    return label if label in words.entry_labels else None


def cut_entries(lines: Sequence[Line], section: Section, words: ResumeWords) -> list[Entry]:
    found: list[Entry] = []
    for index, line in enumerate(lines):
        when = find_dates(line.whole)
        current = found[-1] if found else None
        if current is None or _starts(lines, index, when, current, section, words):
            found.append(_opened(line, when))
            continue
        _add(current, line, when, words)
    return [_told_below(e, section, words) for e in found if e.head or e.body]


def _told_below(entry: Entry, section: Section, words: ResumeWords) -> Entry:
    """What stands under the name and is no part of the heading tells of the entry."""
    first, rest = entry.head[:1], entry.head[1:]
    told = [x for x in rest if _tells(x, section, words)] if _names(first) else []
    head = [line for line in entry.head if all(line is not t for t in told)]
    return Entry(head, [*told, *entry.body], entry.when)


def _tells(line: Line, section: Section, words: ResumeWords) -> bool:
    """The address of a page; under a project's name also what is no role, date or place."""
    if section is Section.EDUCATION or find_dates(line.whole):
        return False
    if _ADDRESS.match(line.text.strip()):
        return True
    return section is Section.PROJECT and not _heads(line, words)


def _heads(line: Line, words: ResumeWords) -> bool:
    if is_place(line.text, words):
        return True
    short = weight(line.text) <= HEAVIEST_ROLE
    return bool(line.bold or line.heading or (short and title_score(line.text, words)))


def _names(first: Sequence[Line]) -> bool:
    """Whether the first line says more than a date."""
    return any(without_dates(x.whole).strip("\t ,|-–—()（）") for x in first)


def _opened(line: Line, when: When | None) -> Entry:
    return Entry(head=[line], when=when)


def _add(current: Entry, line: Line, when: When | None, words: ResumeWords) -> None:
    if _in_heading(current, line, words):
        current.head.append(line)
        current.when = _together(current.when, when)
        return
    if line.aside and not line.bullet and not any(b.bullet for b in current.body):
        current.when = _together(current.when, when)
    current.body.append(line)


def _together(first: When | None, second: When | None) -> When | None:
    """Two single dates on the lines of one heading are its range, in either order."""
    if first is None or second is None or first.end or second.end:
        return first or second
    if first.start is None or second.start is None or first.start == second.start:
        return first
    start, end = sorted((first.start, second.start))
    return When(start, end, first.span)


def _in_heading(current: Entry, line: Line, words: ResumeWords) -> bool:
    if current.body or line.bullet or len(current.head) >= MOST_HEADING_LINES:
        return False
    if label_of(line.text, words) is not None or is_prose(line.text):
        return False
    # Under a complete heading only a title, a place or a date still belongs to it.
    known = title_score(line.text, words) or is_place(line.text, words) or find_dates(line.whole)
    plain = current.when is None or len(_named(current)) <= 1
    return bool(known) or (plain and weight(line.text) <= HEAVIEST_PLAIN_HEADING)


def _named(current: Entry) -> list[Line]:
    """Heading lines that say more than a date."""
    return [h for h in current.head if without_dates(h.whole).strip("\t ,|-–—()（）")]


def _starts(
    lines: Sequence[Line],
    index: int,
    when: When | None,
    current: Entry,
    section: Section,
    words: ResumeWords,
) -> bool:
    line = lines[index]
    if line.bullet:
        return _bullet_starts(line, when, current, section)
    if line.heading:
        return _heading_starts(line, current)
    if label_of(line.text, words) is not None:
        return False
    if when is not None and weight(without_dates(line.whole)) <= HEAVIEST_HEADING:
        return _dated_starts(lines, index, when, current)
    if section is Section.EDUCATION and not is_prose(line.text):
        return _study_starts(line, current, words) or _title_below(lines, index, current)
    return _title_below(lines, index, current)


def _title_below(lines: Sequence[Line], index: int, current: Entry) -> bool:
    return bool(current.body) and _title_starts(lines, index, current)


def _study_starts(line: Line, current: Entry, words: ResumeWords) -> bool:
    """Another school, or another degree where degrees head the entries."""
    if is_school(line.text, words) and not is_place(line.text, words):
        schooled = any(find_degree(h.text, words) is None for h in _named(current))
        return (
            bool(current.body)
            or (current.when is not None and schooled)
            or _has_school(current, words)
        )
    if find_degree(line.text, words) is None or not current.body:
        return False
    return any(find_degree(x.text, words) for x in current.head)


def _has_school(current: Entry, words: ResumeWords) -> bool:
    return any(is_school(h.text, words) for h in current.head)


def _bullet_starts(line: Line, when: When | None, current: Entry, section: Section) -> bool:
    """Entries that are themselves list items: dated ones, or a list of projects without titles."""
    first = current.head[0]
    if not first.bullet or line.indent > first.indent + 1:
        return False
    if any(b.bullet and b.indent > first.indent + 1 for b in current.body):
        return True
    if current.when is not None or any(not h.bullet for h in current.head):
        return when is not None and not is_prose(without_dates(line.whole))
    return when is not None or section in (Section.PROJECT, Section.WORK, Section.EDUCATION)


def _heading_starts(line: Line, current: Entry) -> bool:
    first = current.head[0]
    if current.body:
        return True
    return bool(first.heading) and line.heading <= first.heading


def _dated_starts(lines: Sequence[Line], index: int, when: When, current: Entry) -> bool:
    line = lines[index]
    if when.end is None and is_prose(line.text):
        return False
    alone = not without_dates(line.whole).strip("\t ,|-–—()（）")
    if not current.body:
        return current.when is not None and not alone and not _continues(line, current)
    if when.end is None and not line.aside and not _looks_like_heading(line, current):
        return False
    # A date by itself under bullets opens a date-first entry, when a title follows.
    return not alone or (index + 1 < len(lines) and not lines[index + 1].bullet)


def _continues(line: Line, current: Entry) -> bool:
    """A second dated line in the style of a sub-heading (smaller or not bold)."""
    first = current.head[0]
    return bool(first.heading) and not line.heading


def _looks_like_heading(line: Line, current: Entry) -> bool:
    first = current.head[0]
    if first.size and line.size:
        return line.bold == first.bold and abs(line.size - first.size) < 0.5  # noqa: PLR2004 - points
    return weight(line.text) <= HEAVIEST_PLAIN_HEADING


def _title_starts(lines: Sequence[Line], index: int, current: Entry) -> bool:
    """An undated line under bullets: a title when bullets or a date follow it."""
    line = lines[index]
    if is_prose(line.text) or weight(line.text) > HEAVIEST_PLAIN_HEADING * 1.3:
        return False
    first = current.head[0]
    if _ADDRESS.match(line.text) or (first.size and line.size and not _same_style(line, first)):
        return False
    after = lines[index + 1 : index + 3]
    if _after_prose(line, after, current):
        return True
    dated = any(find_dates(a.whole) and not a.bullet and not is_prose(a.text) for a in after)
    bulleted = bool(after) and after[0].bullet and current.body[-1].bullet
    distinct = line.bold and not current.body[-1].bold
    return dated or bulleted or (distinct and first.bold)


def _after_prose(line: Line, after: Sequence[Line], current: Entry) -> bool:
    """Under an entry told in prose: a short line that begins like a title, with text below."""
    last = current.body[-1]
    if last.bullet or not is_prose(last.text) or not after or after[0].bullet:
        return False
    begins = line.text[:1].isupper() or "\u3400" <= line.text[:1] <= "\u9fff"
    return (
        begins
        and (len(after) > 1 or is_prose(after[0].text))
        and any(is_prose(a.text) for a in after)
    )


def _same_style(line: Line, first: Line) -> bool:
    return line.bold == first.bold and abs(line.size - first.size) < 0.5  # noqa: PLR2004 - points
