"""Words that applicant systems do not know: headings of one's own, dates they cannot count."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.resume import Obstacle
from service.domain.resume_reading.entries import Entry
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.sections import Stretch, heading_of
from service.domain.resume_reading.words import ResumeWords, Section

LONGEST_QUOTE: Final = 80
_DATED: Final = frozenset({Section.WORK, Section.EDUCATION})


def heading_obstacles(
    parts: Sequence[Stretch], lines: Sequence[Line], words: ResumeWords
) -> Iterator[Obstacle]:
    """Headings told by their size alone: no list of headings has their words."""
    by_text = {line.text: line for line in lines}
    for part in parts:
        line = by_text.get(part.title)
        if line is not None and part.section is Section.OTHER and heading_of(line, words) is None:
            yield _at("odd_heading", line)


def date_obstacles(cut: Sequence[tuple[Section, Entry]]) -> Iterator[Obstacle]:
    """Jobs and schools without a date that can be counted from."""
    for section, entry in cut:
        line = entry.head[0] if entry.head else None
        if section in _DATED and line is not None and (not entry.when or not entry.when.start):
            yield _at("odd_dates", line)


def _at(kind: str, line: Line) -> Obstacle:
    return Obstacle(kind, 1, line.whole.replace("\t", " | ")[:LONGEST_QUOTE], line.page, line.box)
