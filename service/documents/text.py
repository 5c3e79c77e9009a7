"""Plain text and Markdown brought to lines."""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import Final

from service.documents.clean import clean
from service.documents.hyphens import Hyphens
from service.domain.resume import Notice
from service.domain.resume_reading.lines import Line

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_LIST: Final = re.compile(r"^(\s*)(?:[-*+•·●▪◦–]|\d{1,2}[.)、])\s+(?=\S)")
_HAN_END: Final = re.compile(r"[\u3000-\u9fff\uff00-\uffef]$")
_RULE: Final = re.compile(r"^(?:[-*_=~—─]\s?){3,}$")
_TABLE_RULE: Final = re.compile(r"^\|?\s?:?-{2,}:?\s?(?:\|\s?:?-{2,}:?\s?)*\|?$")
_LINK: Final = re.compile(r"!?\[([^\]\n]{0,300})\]\(\s*<?([^)\s>]{1,500})>?(?:\s+\"[^\"]*\")?\s*\)")
_AUTO_LINK: Final = re.compile(
    r"<((?:https?://|mailto:)[^>\s]{1,500}|[\w.+-]{1,64}@[\w.-]{1,128})>"
)
_EMPHASIS: Final = re.compile(r"(\*{1,3}|_{2,3}|`+|~~)(?=\S)(.{1,500}?)(?<=\S)\1")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_HIDDEN_TAG: Final = re.compile(
    r"<(\w{1,16})[^<>]{0,300}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|color\s*:\s*(?:white|#fff(?:fff)?))[^<>]{0,300}>.*?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_BOLD_LINE: Final = re.compile(r"^\s*(?:[-*+]\s+)?(\*\*|__)[^*_]+\1")
MOSTLY: Final = 0.9


def decode(data: bytes) -> str | None:
    """UTF-8, UTF-16, UTF-32 by mark, else UTF-8, UTF-16 by its zeros, GB18030; None for none."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _try(data, name)
    if data.count(0) * 3 > len(data) and len(data) % 2 == 0:
        return _try(data, "utf-16-be" if data[:1] == b"\0" else "utf-16-le")
    return _try(data, "utf-8") or _try(data, "gb18030") or _guessed(data)


def _guessed(data: bytes) -> str | None:
    """UTF-16 without a mark and without zeros (Chinese alone): believed when it reads as text."""
    for name in ("utf-16-le", "utf-16-be"):
        text = _try(data, name) if len(data) % 2 == 0 else None
        readable = sum(
            c.isascii() or "\u3000" <= c <= "\u9fff" or "\uff00" < c < "\uffee" for c in text or ""
        )
        if text and readable >= MOSTLY * len(text):
            return text
    return None


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def looks_marked(text: str) -> bool:
    """Pasted text is Markdown when it has a heading mark or bold lines."""
    return re.search(r"^#{1,4} \S|^\*\*[^*\n]+\*\*", text, re.MULTILINE) is not None


def text_lines(text: str, *, markdown: bool) -> tuple[list[Line], list[Notice]]:
    """Logical lines of a text; Markdown's marks become attributes."""
    visible, commented = _without_hidden(text) if markdown else (text, 0)
    cleaned = clean(visible)
    notices = hidden_notices(cleaned.hidden + commented, cleaned.stripped)
    raw = list(_unwrapped(cleaned.text.split("\n")))
    lines = list(_markdown(raw)) if markdown else list(_plain(raw))
    return [line for line in lines if line.text.strip()], notices


def _unwrapped(raw: Sequence[str]) -> Iterator[str]:
    """A list item that goes on, set in, on the next line is one line."""
    held: str | None = None
    hyphens = Hyphens.of(raw)
    for text in raw:
        item = _LIST.match(text)
        set_in = len(text) - len(text.lstrip())
        if held is not None and item is None and text.strip() and set_in > 1:
            seam = "" if _HAN_END.search(held) else " "
            held = hyphens.glued(held, text.strip()) or f"{held}{seam}{text.strip()}"
            continue
        if held is not None:
            yield held
        held = text if item else None
        if held is None:
            yield text
    if held is not None:
        yield held


def hidden_notices(hidden: int, stripped: int) -> list[Notice]:
    counts = (("hidden_text", hidden), ("invisible_characters", stripped))
    return [Notice(kind, count) for kind, count in counts if count]


def _without_hidden(text: str) -> tuple[str, int]:
    """Comments and hidden HTML are not shown to a reader of Markdown, so they count for nothing."""
    hidden = sum(len(m[0].strip()) for p in (_COMMENT, _HIDDEN_TAG) for m in p.finditer(text))
    return _HIDDEN_TAG.sub("", _COMMENT.sub("", text)), hidden


def _plain(raw: Sequence[str]) -> Iterator[Line]:
    for text in raw:
        if not _RULE.match(text.strip()):
            indent = len(text) - len(text.lstrip())
            yield Line(text.strip(), indent=float(indent), links=())


def _markdown(raw: Sequence[str]) -> Iterator[Line]:
    fence = False
    for index, text in enumerate(raw):
        if text.lstrip().startswith(("```", "~~~")):
            fence = not fence
            continue
        bare = text.strip()
        if not fence and (_TABLE_RULE.match(bare) or _RULE.match(bare)):
            continue
        line = Line(text.strip()) if fence else _marked(text)
        under = raw[index + 1].strip() if index + 1 < len(raw) else ""
        if under and set(under) <= {"="} and line.text:
            line = replace(line, heading=1)
        if "\t" in line.text and _TABLE_RULE.match(under):
            line = replace(line, bold=True)  # the head of a table
        yield line


def _marked(text: str) -> Line:
    heading = _HEADING.match(text)
    if heading:
        body, links = _inline(heading[2])
        return Line(body, heading=len(heading[1]), bold=True, links=links)
    item = _LIST.match(text)
    quoted = re.sub(r"^\s*>+\s?", "", text)
    body, links = _inline(quoted[item.end() :] if item else quoted)
    if body.startswith("|") or (body.count("|") > 1 and body.endswith("|")):
        body = "\t".join(c.strip() for c in body.strip("|").split("|"))
    bold = _BOLD_LINE.match(text) is not None
    indent = float(len(item[1].expandtabs(4))) if item else 0.0
    return Line(body, bullet=item is not None, bold=bold, indent=indent, links=links)


# A sign behind a backslash is text; while marks are looked for it stands as a private character.
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~=&-])")
_HELD: Final = re.compile(r"[\ue000-\ue07f]")


def _hold(match: re.Match[str]) -> str:
    return chr(0xE000 + ord(match[1]))


def _release(text: str) -> str:
    return _HELD.sub(lambda m: chr(ord(m[0]) - 0xE000), text)


def _inline(text: str) -> tuple[str, tuple[str, ...]]:
    text = _ESCAPED.sub(_hold, text)
    links = tuple(m[2] for m in _LINK.finditer(text))
    links += tuple(m[1] for m in _AUTO_LINK.finditer(text))
    bare = _AUTO_LINK.sub(lambda m: m[1].removeprefix("mailto:"), _LINK.sub(_shown, text))
    bare = re.sub(r"<br\s*/?>", "\t", bare, flags=re.IGNORECASE)
    bare = unescape(_TAG.sub("", bare))
    for _ in range(3):
        bare = _EMPHASIS.sub(lambda m: m[2], bare)
    return _release(bare).strip(), tuple(_release(link) for link in links)


def _shown(match: re.Match[str]) -> str:
    """A picture shows nothing that can be read; a link shows its words."""
    return "" if match[0].startswith("!") else match[1]
