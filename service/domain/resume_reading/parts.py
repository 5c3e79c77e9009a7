"""The parts of an entry's heading: employer, title, school, degree, place; told apart by words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.resume_reading.dates import DURATION, find_dates
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.words import Degree, ResumeWords, any_word

_SEPARATORS: Final = re.compile(
    r"\t+|\s*[|｜‖•·∙⋅▪◆]\s*|\s{2,}|\s+[-–—~/@]+\s+|\s*——\s*|\s+at\s+(?=[A-Z])|(?<=[\u3400-\u9fff])\s*[-–—]\s*(?=[\u3400-\u9fff])"
)
_EMPTY_BRACKETS: Final = re.compile(r"[(（\[【]\s*[)）\]】]")
_EDGES: Final = " \t-–—~|｜,，、;；:：·•/@()（）"
_URL: Final = re.compile(
    r"(?:https?://|www\.)\S+|^[\w-]+\.(?:com|org|io|net|me|ai|dev|edu|cn)(?:/\S*)?$", re.IGNORECASE
)
_PAGE_IN_BRACKETS: Final = re.compile(
    r"[(（]\s*(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|net|dev|me|ai|cn)\b)[^()（）]*[)）]",
    re.IGNORECASE,
)
_STATE: Final = re.compile(r"[A-Z]{2}\.?")
_PLACE_SEAM: Final = re.compile(r"\s*[,，、/]\s*|[()（）]")
_COMPANY_TAIL: Final = re.compile(r"(?:inc|ltd|llc|co|corp|limited|gmbh|plc)\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    line: int  # index among the heading lines
    bold: bool


def without_dates(text: str) -> str:
    """The text with every date and range of dates taken out."""
    for _ in range(3):
        when = find_dates(text)
        if when is None:
            break
        text = f"{text[: when.span.start]}\t{text[when.span.end :]}"
    return _EMPTY_BRACKETS.sub("\t", text)


def split_parts(lines: Sequence[Line], words: ResumeWords) -> tuple[Part, ...]:
    """All parts in order, without dates, durations, places and addresses of pages."""
    return tuple(
        Part(text, index, line.bold)
        for index, line in enumerate(lines)
        for raw in _SEPARATORS.split(without_dates(line.whole))
        if (text := _clean(raw))
        and not is_place(text, words)
        and not DURATION.fullmatch(text)
        and not _URL.search(text)
    )


def _clean(raw: str) -> str:
    return balanced(_PAGE_IN_BRACKETS.sub("", raw).strip(" \t-–—~|｜,，、;；:：·•/@"))


def balanced(text: str) -> str:
    """Without brackets that lost their partner, or that hold the whole."""
    text = text.strip()
    if text.count("(") != text.count(")") or text.count("（") != text.count("）"):
        return text.strip(_EDGES)
    wrapped = text[:1] in "(（" and text[-1:] in ")）" and not re.search(r"[()（）]", text[1:-1])
    return text.strip(_EDGES) if wrapped else text


def is_place(text: str, words: ResumeWords) -> bool:
    """北京; San Francisco, CA; Remote."""
    pieces = [p for p in _PLACE_SEAM.split(text) if p]
    if not pieces:
        return False
    known = [p.strip().lower() in words.places for p in pieces]
    return known[0] and all(k or _STATE.fullmatch(p) for k, p in zip(known, pieces, strict=True))


def title_score(text: str, words: ResumeWords) -> int:
    """2 when the part ends in a job title's word, 1 when it holds one, 0 otherwise."""
    found = list(any_word(words.titles).finditer(text))
    if not found:
        return 0
    rest = text[found[-1].end() :].strip(" )）.")
    return (
        2
        if not rest or re.match(r"^[（(,，-]|^(?:i{1,3}|iv|[1-9])$|^of\b|^in\b", rest.lower())
        else 1
    )


def is_employer(text: str, words: ResumeWords) -> bool:
    return any_word(words.employers).search(text) is not None


def is_school(text: str, words: ResumeWords) -> bool:
    return any_word(words.schools).search(text) is not None


_BRACKETED: Final = re.compile(r"(.*\S)\s*[(（]([^()（）]{1,24})[)）]")


def at_brackets(parts: Iterable[Part], words: ResumeWords) -> Iterator[Part]:
    """轻量并行库（作者）: a title in brackets is a part of its own."""
    for part in parts:
        match = _BRACKETED.fullmatch(part.text)
        if match is None or not title_score(match[2], words):
            yield part
            continue
        yield Part(match[1], part.line, part.bold)
        yield Part(match[2], part.line, part.bold)


def at_commas(parts: Iterable[Part], words: ResumeWords) -> Iterator[Part]:
    """`Senior Engineer, Stripe` is two parts; `Acme, Inc.` and `Research, Lab` are one."""
    for part in parts:
        cut = _comma(part.text, words) or _first_space(part.text, words)
        if cut is None:
            yield part
            continue
        for piece in (part.text[: cut[0]], part.text[cut[1] :]):
            if (text := _clean(piece)) and not is_place(text, words):
                yield Part(text, part.line, part.bold)


def _comma(text: str, words: ResumeWords) -> tuple[int, int] | None:
    for comma in re.finditer(r"\s*[,，]\s*", text):
        left, right = text[: comma.start()], text[comma.end() :]
        if _COMPANY_TAIL.fullmatch(right.split(",")[0].strip()):
            continue
        left_title, right_title = title_score(left, words), title_score(right, words)
        if bool(left_title) != bool(right_title) or (is_place(right, words) and left):
            return comma.span()
    return None


def _first_space(text: str, words: ResumeWords) -> tuple[int, int] | None:
    """示例科技 训练框架工程师: a Chinese name, a space, a title."""
    match = re.match(r"([\u3400-\u9fff（）()A-Za-z]*[\u3400-\u9fff）)]{2,})(\s+)(\S.*)", text)
    if match is None or title_score(match[1], words) or not title_score(match[3], words):
        return None
    return match.span(2)


def find_degree(text: str, words: ResumeWords) -> tuple[Degree, re.Match[str]] | None:
    """The highest degree named in the text and where."""
    for degree in reversed(words.degrees):
        match = any_word((*degree.forms, degree.zh, degree.en.lower())).search(text)
        if match is not None and not _is_word_ms(match[0], text):
            return degree, match
    return None


def _is_word_ms(written: str, text: str) -> bool:
    """`be`, `ma` and `ms` are degrees only when written as such."""
    return len(written) <= 2 and not written.isupper() and written.isascii() and "." not in text  # noqa: PLR2004
