"""Entries turned into work, projects and education."""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.resume import Bullet, Education, Project, Work
from service.domain.resume_reading.entries import Entry, label_of
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.parts import (
    Part,
    at_brackets,
    at_commas,
    balanced,
    find_degree,
    is_employer,
    is_place,
    is_school,
    split_parts,
    title_score,
    without_dates,
)
from service.domain.resume_reading.words import ResumeWords
from service.domain.text import Span

_NAME_LABEL: Final = re.compile(
    r"^(?:项目名称|项目|公司|单位|公司名称|学校|院校|project|company|name|school)\s*\d{0,2}\s*[:：]\s*",
    re.IGNORECASE,
)
_ROLE_LABEL: Final = re.compile(
    r"^(?:职位|岗位|角色|担任角色|项目角色|职务|担任|role|position|title)\s*[:：]\s*", re.IGNORECASE
)
_DEGREE_GLUE: Final = re.compile(
    r"^\s*(?:science|arts|engineering|applied science|technology|philosophy)\s*(?:degree)?\s*(?:,|\bin\b|\(|$)\s*|^\s*(?:of|in|degree in|degree|on|['’]s)\b\s*(?:(?:science|arts|engineering|applied science|technology|philosophy)\s*(?:degree)?\s*(?:,|in|\(|$)\s*)?|^[\s,，:：/·()（）-]+|学位|学历|[\s,，:：/·()（）-]+$",
    re.IGNORECASE,
)
_NOT_MAJOR: Final = re.compile(
    r"gpa|绩点|排名|rank|top \d|985|211|双一流|学院$|department|school of|全日制|统招|^\d|成绩|专业课|honou?rs|cum laude|distinction|dean|score|学制",
    re.IGNORECASE,
)
# 某某专业 of a sample is its own name; without the last word nothing would be left.
_PLACEHOLDER: Final = re.compile(r"[某×xX*○]+专业")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
LONGEST_ROLE: Final = 24
_INDENT: Final = 4.0  # points or characters; less is the same margin
_HONOURS: Final = re.compile(
    r"[(（][^()（）]*(?:laude|honou?rs|distinction|gpa|绩点|排名|rank)[^()（）]*[)）]",
    re.IGNORECASE,
)
_NAME_SEAM: Final = re.compile(r"\s*(?:[:：]|\s[–—-]\s|——)\s*")


@dataclass(frozen=True, slots=True)
class Body:
    """An entry with its lines placed; `span` is that of its heading in the résumé's text."""

    entry: Entry
    bullets: tuple[Bullet, ...]
    description: tuple[Bullet, ...]
    span: Span | None


def list_items(entry: Entry, lines: Sequence[Line]) -> list[Line]:
    """Marked lines; without marks the indented ones; without either all but bare addresses."""
    marked = [x for x in lines if x.bullet]
    if marked:
        return marked
    plain = [x for x in lines if not _ADDRESS.fullmatch(x.text.strip())]
    edge = min((x.indent for x in (*entry.head, *plain)), default=0.0)
    deeper = [x for x in plain if x.indent > edge + _INDENT]
    return deeper if 1 < len(deeper) < len(plain) else plain


def head_span(entry: Entry, spans: Mapping[int, Span]) -> Span | None:
    found = [spans[id(line)] for line in entry.head if id(line) in spans]
    return Span(min(s.start for s in found), max(s.end for s in found)) if found else None


def to_work(body: Body, words: ResumeWords) -> Work:
    entry = body.entry
    parts = list(at_commas(at_brackets(split_parts(entry.head, words), words), words))
    title = _title(parts, words)
    employer = _employer([p for p in parts if p is not title], words)
    start, end = dates(entry, single_is_end=False)
    return Work(
        employer=_NAME_LABEL.sub("", employer.text) if employer else "",
        title=_ROLE_LABEL.sub("", title.text) if title else None,
        start=start,
        end=end,
        bullets=body.bullets,
        span=body.span,
        description=body.description,
    )


def _title(parts: Sequence[Part], words: ResumeWords) -> Part | None:
    scored = [(title_score(p.text, words) - _looks_employer(p, words), p) for p in parts]
    labelled = next((p for p in parts if _ROLE_LABEL.match(p.text)), None)
    best = max(scored, key=lambda s: s[0], default=(0, None))
    if labelled is not None:
        return labelled
    if best[0] > 0 and best[1] is not None:
        return best[1]
    # No word of a title: the second part of the first heading line, else of the second.
    return parts[1] if len(parts) > 1 and not is_employer(parts[1].text, words) else None


def _looks_employer(part: Part, words: ResumeWords) -> float:
    """Half a point: enough to break a tie, not enough to hide `Research Engineer`."""
    return 0.5 if is_employer(part.text, words) else 0.0


def _employer(parts: Sequence[Part], words: ResumeWords) -> Part | None:
    first_line = [p for p in parts if p.line == (parts[0].line if parts else 0)]
    named = next((p for p in first_line if is_employer(p.text, words)), None)
    bold = next((p for p in parts if p.bold), None)
    return named or bold or (parts[0] if parts else None)


def dates(entry: Entry, *, single_is_end: bool) -> tuple[str | None, str | None]:
    """(start, end). A single date is the end of a study, the start of anything else."""
    when = entry.when
    if when is None:
        return None, None
    if when.end is None and single_is_end:
        return None, when.start
    return when.start, when.end


def to_project(body: Body, words: ResumeWords) -> Project:
    entry = body.entry
    first = entry.head[0] if entry.head else None
    parts = list(at_brackets(_role_first(split_parts(entry.head, words), words), words))
    role = next((p for p in parts if _is_role(p, words)), None) if len(parts) > 1 else None
    name = next((p for p in parts if p is not role), None)
    start, end = dates(entry, single_is_end=False)
    text = name.text if name else (first.text if first else "")
    return Project(
        name=_NAME_LABEL.sub("", _short_name(text)),
        role=_ROLE_LABEL.sub("", role.text) if role else None,
        start=start,
        end=end,
        bullets=body.bullets,
        span=body.span,
        description=body.description,
    )


def _is_role(part: Part, words: ResumeWords) -> bool:
    short = len(part.text) <= LONGEST_ROLE
    return bool(_ROLE_LABEL.match(part.text)) or (short and title_score(part.text, words) == 2)  # noqa: PLR2004 - a title at its end


def _role_first(parts: Sequence[Part], words: ResumeWords) -> Iterator[Part]:
    """`Author, Tiny Pipeline`: a short title before or behind the only comma."""
    for part in parts:
        pieces = re.split(r"\s*[,，]\s*", part.text)
        scores = [title_score(p, words) if len(p) <= LONGEST_ROLE else 0 for p in pieces]
        if len(pieces) == 2 and sorted(scores) == [0, 2]:  # noqa: PLR2004 - one comma; only one side is a title
            yield from (replace(part, text=p) for p in pieces)
            continue
        yield part


def _short_name(text: str) -> str:
    """`FlashTrain: asynchronous checkpoints` is called FlashTrain."""
    pieces = _NAME_SEAM.split(_NAME_LABEL.sub("", text), maxsplit=1)
    return pieces[0] if len(pieces) > 1 and len(pieces[0]) > 1 else text


def to_education(body: Body, words: ResumeWords) -> Education:
    entry = body.entry
    lines = [*entry.head, *(b for b in entry.body if label_of(b.text, words) is None)][:6]
    parts = [p for p in _schooling_parts(lines, words) if p.text]
    school = next(
        (p for p in parts if is_school(p.text, words) and not _is_faculty(p, parts, words)), None
    )
    school = school or next((p for p in parts if find_degree(p.text, words) is None), None)
    rest = [p for p in parts if p is not school]
    degree, major = _degree_and_major(rest, words)
    school_text, extra = _split_school(school.text if school else "", words)
    if degree is None and extra:
        degree, major = _degree_and_major([Part(extra, 0, False), *rest], words)
    start, end = dates(entry, single_is_end=True)
    return Education(_NAME_LABEL.sub("", school_text), degree, major, start, end, body.span)


def _is_faculty(part: Part, parts: Sequence[Part], words: ResumeWords) -> bool:
    """计算机学院 beside 示例大学 is the faculty."""
    others = [p for p in parts if p is not part and is_school(p.text, words)]
    return part.text.endswith(("学院", "系")) and any("大学" in p.text for p in others)


def _schooling_parts(lines: Sequence[Line], words: ResumeWords) -> list[Part]:
    """Parts cut at commas and, between Chinese words, at spaces."""
    cut: list[Part] = []
    for part in split_parts(lines, words):
        pieces = re.split(
            r"\s*[,，]\s*(?![^()（）]*[)）])|(?<=[\u3400-\u9fff）)])\s+(?=[\u3400-\u9fff（(])|\s*[(（](?=[^()（）]*(?:士|科|学历|degree|B\.?S|M\.?S|Ph\.?D))",
            part.text,
        )
        cut.extend(
            replace(part, text=balanced(p))
            for p in pieces
            if p.strip() and not is_place(p.strip(), words)
        )
    return cut


def _split_school(text: str, words: ResumeWords) -> tuple[str, str]:
    """`示例大学计算机科学硕士` and `PhD, X University`: the school's name and what is glued on."""
    match = re.match(
        r"([\u3400-\u9fff（）()]{2,14}?大学(?:[（(][^()（）]{1,10}[)）])?(?:[^\u3400-\u9fff]*?分校)?)\s*([\u3400-\u9fff].*)$",
        text,
    )
    if match and find_degree(match[2], words):
        return match[1], match[2]
    return text, ""


def _degree_and_major(parts: Sequence[Part], words: ResumeWords) -> tuple[str | None, str | None]:
    degree: str | None = None
    majors: list[str] = []
    bare: list[str] = []  # "Engineering" is half of a degree's name, or all there is of a major
    for part in parts:
        found = find_degree(part.text, words)
        text = part.text
        if found is not None:
            kind, match = found
            degree = degree or (kind.zh if re.search(r"[\u3400-\u9fff]", match[0]) else kind.en)
            text = f"{text[: match.start()]} {text[match.end() :]}"
        text = _strip_degree_glue(_HONOURS.sub("", text), words)
        if not text and found is None and part.text.isalpha():
            bare.append(part.text)
        if (
            text
            and not _NOT_MAJOR.search(text)
            and not is_school(text, words)
            and find_degree(text, words) is None
        ):
            majors.append(text)
    told = (m for m in (*majors, *bare) if len(without_dates(m).strip()) > 1)
    return degree, next(told, None)


def _strip_degree_glue(text: str, words: ResumeWords) -> str:
    for _ in range(4):
        shorter = _DEGREE_GLUE.sub("", text.strip()).strip()
        found = find_degree(shorter, words)
        if found is not None and found[1].start() == 0:
            shorter = shorter[found[1].end() :]
        if shorter == text:
            break
        text = shorter
    if _PLACEHOLDER.fullmatch(text.strip()):
        return text.strip()
    return re.sub(
        r"^专业[:：]?|专业$|^(?:major|minor)(?:ing)?(?: in)?[:：]?\s*",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    ).strip()
