"""The skills section: lists split into items, prose searched for terms."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from service.domain.knowledge import Skill
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.words import ResumeWords, any_word
from service.domain.skills import find_skills

LONGEST_ITEM: Final = 36
MOST_WORDS: Final = 4
_LABEL: Final = re.compile(r"^[^:：,，、]{1,30}[:：]\s*")
_ITEM_SEAM: Final = re.compile(r"\s*[,，、;；|｜•·●\t]\s*|\s{2,}|\s+/\s+|。")
_LIST_SEAM: Final = re.compile(r"[,，、;；|｜]|\t|\s{2,}")
_LATIN_TERM: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+#.-]*(?:\s?\d+(?:\.\d+)*)?")
_PROSE: Final = re.compile(r"[\u3400-\u9fff]")
_LEFT: Final = re.compile(
    r"^[\s:：\-–—()（）]+|[\s:：\-–—.。]+$|^(?:and|or|和|以及|及|与|等)\s+|\s*(?:等|etc\.?)$",
    re.IGNORECASE,
)
_LEVEL_IN_BRACKETS: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_INNER: Final = re.compile(r"[(（]([^()（）]+)[)）]")
_COMMON_LATIN: Final = frozenset(
    {"and", "or", "etc", "of", "the", "with", "in", "for", "e.g", "i.e", "to", "on"}
)


def skill_items(
    lines: Sequence[Line], words: ResumeWords, skills: Mapping[str, Skill]
) -> tuple[str, ...]:
    """Skills as the person wrote them, in order, each once."""
    found: dict[str, str] = {}
    for index, line in enumerate(lines):
        if _is_group_name(lines, index, words, skills):
            continue
        for item in _items(line.whole, words, skills):
            found.setdefault(item.lower(), item)
    return tuple(found.values())


def _is_group_name(
    lines: Sequence[Line], index: int, words: ResumeWords, skills: Mapping[str, Skill]
) -> bool:
    """Web Frameworks, above a list of React, Vue and Angular, names the group and is no skill."""
    line = lines[index]
    if line.bold and "\t" in line.text and _is_row(lines[index + 1 : index + 2]):
        return True  # the head of a table
    if _LIST_SEAM.search(line.whole) or line.whole.strip().endswith((":", "：")):
        return line.whole.strip().endswith((":", "："))
    if line.heading:
        return not _names_one(line.text, skills)
    if line.bullet or _names_one(line.text, skills):
        return False
    below = next((x for x in lines[index + 1 :] if _bare(x.text, words)), None)
    return below is not None and _LIST_SEAM.search(below.whole) is not None


def _is_row(below: Sequence[Line]) -> bool:
    return any("\t" in x.text and not x.bold for x in below)


def _names_one(text: str, skills: Mapping[str, Skill]) -> bool:
    """Whether the text is one known skill; 操作系统 is a kind of thing, and may head a group."""
    named = _whole(text, skills)
    return named is not None and not named.islower()


def _names_all(text: str, skills: Mapping[str, Skill]) -> bool:
    """Whether the whole text is one known skill."""
    return _whole(text, skills) is not None


def _whole(text: str, skills: Mapping[str, Skill]) -> str | None:
    """The skill that the whole text names."""
    bare = text.strip()
    found = (m for m in find_skills(bare, skills) if (m.span.start, m.span.end) == (0, len(bare)))
    return next((m.skill for m in found), None)


def _items(text: str, words: ResumeWords, skills: Mapping[str, Skill]) -> Iterator[str]:
    for body in _bodies(text, skills):
        for piece in _pieces(body, skills):
            bare = _bare(piece, words)
            if not bare:
                continue
            if _is_item(bare) and not _holds_a_term(bare, skills):
                yield bare
                continue
            yield from _terms(bare, skills)


def _bodies(text: str, skills: Mapping[str, Skill]) -> Iterator[str]:
    """What stands behind the labels of a line: "语言：Python | 框架：PyTorch"."""
    cells = text.split("\t")
    named = len(cells) > 1 and not _LIST_SEAM.search(cells[0]) and _LIST_SEAM.search(cells[1])
    rest = cells[1:] if named and not _names_all(cells[0], skills) else cells
    yield _LABEL.sub("", "\t".join(rest))


def _pieces(text: str, skills: Mapping[str, Skill]) -> Iterator[str]:
    """Split at separators outside brackets; what brackets hold comes after its head."""
    inner = [m[1] for m in _INNER.finditer(text)]
    outer = _INNER.sub("", text)
    for piece in _ITEM_SEAM.split(outer):
        bare = _LABEL.sub("", piece)
        yield from _at_slashes(bare, skills)
    for held in inner:
        pieces = (p.strip() for p in _ITEM_SEAM.split(held.replace("/", ",")))
        yield from (p for p in pieces if p.isascii() or _names_all(p, skills))


def _at_slashes(piece: str, skills: Mapping[str, Skill]) -> Iterator[str]:
    """FastAPI/Flask/Django are three; C/C++ and CI/CD stay what they are."""
    parts = [p.strip() for p in piece.split("/")]
    if len(parts) < 2 or _names_all(piece, skills):  # noqa: PLR2004 - no slash
        yield piece
        return
    known = sum(_names_all(p, skills) for p in parts)
    yield from parts if known * 2 >= len(parts) else [piece]


def _bare(piece: str, words: ResumeWords) -> str:
    levels = any_word(words.skill_levels)
    text = _LEVEL_IN_BRACKETS.sub("", piece).strip()
    for _ in range(3):
        shorter = _LEFT.sub("", text).strip()
        match = levels.match(shorter)
        shorter = shorter[match.end() :].strip() if match else shorter
        tail = [m for m in levels.finditer(shorter) if m.end() == len(shorter) and m.start() > 0]
        shorter = shorter[: tail[0].start()].strip() if tail else shorter
        if shorter == text:
            break
        text = shorter
    return text


def _holds_a_term(text: str, skills: Mapping[str, Skill]) -> bool:
    """NCCL 调优 says NCCL; Weights & Biases and 分布式训练 are what they are."""
    if not (_PROSE.search(text) and re.search(r"[A-Za-z]", text)) or _names_all(text, skills):
        return False
    return any(m.span.of(text).isascii() for m in find_skills(text, skills))


def _is_item(text: str) -> bool:
    if len(text) > LONGEST_ITEM or len(text.split()) > MOST_WORDS:
        return False
    han = len(_PROSE.findall(text))
    mixed = han and re.search(r"[A-Za-z]", text)
    return not (mixed and han > 2) and han <= 8  # noqa: PLR2004 - 分布式训练 is an item, a clause is not


def _terms(text: str, skills: Mapping[str, Skill]) -> Iterator[str]:
    """Prose: known terms; in Chinese prose any Latin word is a term as well."""
    mentions = [m for m in find_skills(text, skills) if not m.denied]
    taken = [m.span for m in mentions]
    spans = {m.span.start: m.span.of(text) for m in mentions}
    if _PROSE.search(text):
        for match in _LATIN_TERM.finditer(text):
            inside = any(s.start <= match.start() < s.end for s in taken)
            if not inside and match[0].lower().strip(".") not in _COMMON_LATIN:
                spans[match.start()] = match[0].strip(".-")
    yield from (spans[at] for at in sorted(spans) if len(spans[at]) > 1 or spans[at] in ("C", "R"))
