"""Which lines belong to which section of a résumé."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.words import ResumeWords, Section

LONGEST_HEADING: Final = 40
LEAST_HEADINGS: Final = 2
SAME_SIZE: Final = 0.012
LARGER: Final = 1.15
_EDGES: Final = re.compile(r"^[\W\d_]+|[\W_]+$")
_CONTINUED: Final = re.compile(r"[（(]\s*(?:续.{0,4}|continued|cont\.?)\s*[)）]\s*$", re.IGNORECASE)
_PIECES: Final = re.compile(
    r"\s*(?:[&/|｜·+,，、]|\band\b|\bor\b|(?<=[\u3400-\u9fff])[和与及](?=[\u3400-\u9fff]))\s*",
    re.IGNORECASE,
)
_SCRIPT_SEAM: Final = re.compile(
    r"(?<=[\u3400-\u9fff])\s*(?=[A-Za-z])|(?<=[A-Za-z])\s*(?=[\u3400-\u9fff])"
)
_LABEL: Final = re.compile(r"^([^:：]{2,24})\s*[:：]\s*(\S.*)$")
_SPACED: Final = re.compile(r"(?:\S{1,3}\s+){2,}\S{1,3}")
# Sections that may open in front of their own content: "技能：Python、CUDA".
_INLINE: Final = frozenset({Section.SKILLS, Section.SUMMARY, Section.EDUCATION})


@dataclass(frozen=True, slots=True)
class Stretch:
    """One section's lines; `title` is its heading as written."""

    section: Section
    title: str
    lines: tuple[Line, ...]


def stretches(lines: Sequence[Line], words: ResumeWords) -> tuple[Stretch, ...]:
    """Cut at headings; a heading seen again ("项目经历（续上页）") goes on with its section.

    A line of no known word in the size of the known headings opens a section of its own kind.
    """
    found: list[tuple[Section, str, list[Line]]] = [(Section.HEAD, "", [])]
    size = _heading_size(lines, words)
    for line, opened, rest in _opened(lines, words, found, size):
        if opened is None:
            found[-1][2].append(line)
            continue
        found.append((opened, line.text, [rest] if rest is not None else []))
    return tuple(Stretch(s, t, tuple(ls)) for s, t, ls in found)


def _opened(
    lines: Sequence[Line],
    words: ResumeWords,
    found: Sequence[tuple[Section, str, list[Line]]],
    size: float | None,
) -> Iterator[tuple[Line, Section | None, Line | None]]:
    for line in lines:
        current = found[-1][0]
        section = heading_of(line, words) or _by_size(line, size)
        if section is not None and not _is_sub_heading(section, current, line, words):
            yield line, section, None
            continue
        inline = _inline(line, words) if current in (Section.HEAD, Section.CONTACT) else None
        yield (line, inline[0], inline[1]) if inline else (line, None, None)


def _heading_size(lines: Sequence[Line], words: ResumeWords) -> float | None:
    """The size all known headings share, when it is clearly larger than the text."""
    sizes = [x.size for x in lines if x.size and heading_of(x, words) is not None and not x.bullet]
    if len(sizes) < LEAST_HEADINGS:
        return None
    usual, body = median(sizes), median(x.size for x in lines if x.size)
    alike = all(abs(s - usual) <= SAME_SIZE * usual for s in sizes)
    return usual if alike and usual >= LARGER * body else None


def _by_size(line: Line, size: float | None) -> Section | None:
    if size is None or line.bullet or line.aside or not line.text:
        return None
    same = abs(line.size - size) <= SAME_SIZE * size
    return Section.OTHER if same and len(line.text) <= LONGEST_HEADING else None


def _is_sub_heading(section: Section, current: Section, line: Line, words: ResumeWords) -> bool:
    """Inside skills, "Languages" or "Tools" is a group of skills; a list item is no heading.

    On paper a drawn dot beside a heading may be an ornament: there the exact word counts.
    """
    if line.bullet and (line.page is None or line.text.strip().lower() not in words.sections):
        return True
    return current is Section.SKILLS and section in (Section.LANGUAGES, Section.SKILLS)


def heading_of(line: Line, words: ResumeWords) -> Section | None:
    text = _CONTINUED.sub("", line.text).strip()
    if not text or len(text) > LONGEST_HEADING or line.aside:
        return None
    for candidate in _candidates(text):
        section = words.sections.get(candidate)
        if section is not None:
            return section
    return _by_pieces(text, words)


def _candidates(text: str) -> Iterator[str]:
    bare = _EDGES.sub("", text).strip().lower()
    yield bare
    yield re.sub(r"\s+", "", bare)  # letter-spaced: "教 育 经 历", "S K I L L S"
    if _SPACED.fullmatch(bare):
        yield re.sub(r"\s{2,}", "\0", bare).replace(" ", "").replace("\0", " ")
    head, _, tail = bare.partition(" ")
    if tail and len(head) <= 2:  # noqa: PLR2004 - a stray glyph of an icon font
        yield tail.strip()


def _by_pieces(text: str, words: ResumeWords) -> Section | None:
    """教育经历 Education, Work & Projects: every piece must be a heading by itself."""
    bare = _EDGES.sub("", text).strip().lower()
    for seam in (_SCRIPT_SEAM, _PIECES):
        pieces = [_EDGES.sub("", p).strip() for p in seam.split(bare)]
        sections = [words.sections.get(p) for p in pieces if p]
        if len(sections) > 1 and all(sections):
            return sections[0]
    return None


def _inline(line: Line, words: ResumeWords) -> tuple[Section, Line] | None:
    match = _LABEL.match(line.text)
    section = words.sections.get(match[1].strip().lower()) if match else None
    if match is None or section is None or section not in _INLINE:
        return None
    return section, replace(line, text=match[2].strip())
