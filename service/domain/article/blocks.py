"""Cuts Markdown or plain text into headings, paragraphs, list items and table cells.

A block keeps the places of its characters in the text; marks of the notation are left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Final

from service.domain.text import Span

LONGEST_HEADING: Final = 60  # code points; a numbered line of more is a sentence
# A shorter line that does not end in a stop was broken on purpose, not for its width.
LEAST_WRAPPED: Final = 40
STOPS: Final = frozenset("。！？!?.;；:：…")

HASH_HEADING: Final = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+")
# 3.1 Title, 三、标题, Section 2: Title; one level such as "1." may be a list item.
NUMBERED_HEADING: Final = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+|第?[一二三四五六七八九十]{1,3}[、章节][ \t]*)(?=\S)"
)
BOLD_HEADING: Final = re.compile(r"(\*\*|__)([^*_].{0,58}?)\1[:：]?$")
NUMBER: Final = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}[.、)]?|第?[一二三四五六七八九十]{1,3}[、章节])[ \t]*"
)
ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•·▪◦]|\(?\d{1,3}[.)、]|[①-⑳])[ \t]*(?=\S)")
QUOTE: Final = re.compile(r"[ \t]*(?:>[ \t]?)+")
FENCE: Final = re.compile(r"[ \t]{0,3}(?:```|~~~)[ \t]*(\w*)")
TABLE_RULE: Final = frozenset("|:- \t")
BREAK_SIGNS: Final = frozenset("-*_=")
LEAST_BREAK: Final = 3
CELL_SIGN: Final = re.compile(r"(?<!\\)\|")
LEAST_CELLS: Final = 2
TAB_WIDTH: Final = 4


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class Block:
    """`lines` are the pieces of the text it consists of, in order.

    `depth` is the level of a heading or the indent of an item; `table`, `row` and `column` place
    a cell, row 0 being the header.
    """

    kind: BlockKind
    lines: tuple[Span, ...]
    depth: int = 0
    table: int = 0
    row: int = 0
    column: int = 0
    quote: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    def span(self, first: int, last: int | None = None) -> Span:
        end = len(self.text) if last is None else last
        return Span(self.start + first, self.start + max(first, end))


def read_blocks(text: str) -> tuple[Block, ...]:
    """Blocks in the order of the text; code with a named language, rules and blanks are none."""
    lines = list(_lines(text))
    blocks: list[Block] = []
    at, tables = 0, 0
    while at < len(lines):
        fence = FENCE.match(lines[at].text)
        if fence:
            at = _skip_code(lines, at, blocks, fence[1])
        elif _starts_table(lines, at):
            last = _table_end(lines, at)
            blocks += _cells(lines[at:last], tables)
            at, tables = last, tables + 1
        else:
            at = _plain(lines, at, blocks)
    return tuple(blocks)


def _is_rule(text: str) -> bool:
    """The line below a table's header, or one that parts two passages."""
    signs = frozenset(text)
    if signs <= TABLE_RULE and "--" in text:
        return True
    bare = text.replace(" ", "").replace("\t", "")
    return len(bare) >= LEAST_BREAK and len(set(bare)) == 1 and bare[0] in BREAK_SIGNS


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
        start += len(line)


def _skip_code(lines: Sequence[_Line], at: int, blocks: list[Block], language: str) -> int:
    """Code in a named language is no prose; a bare fence may hold formulas."""
    last = at + 1
    while last < len(lines) and not FENCE.match(lines[last].text):
        if not language and lines[last].text.strip():
            blocks.append(Block(BlockKind.PARAGRAPH, (lines[last].span(0),)))
        last += 1
    return min(last + 1, len(lines))


def _starts_table(lines: Sequence[_Line], at: int) -> bool:
    """A row of cells with a rule below it, or with another row that begins with the sign."""
    if at + 1 >= len(lines) or len(_cell_spans(lines[at])) < LEAST_CELLS:
        return False
    below = lines[at + 1].text
    if _is_rule(below) and "|" in below:
        return True
    return lines[at].text.lstrip().startswith("|") and below.lstrip().startswith("|")


def _table_end(lines: Sequence[_Line], at: int) -> int:
    while at < len(lines) and "|" in lines[at].text:
        at += 1
    return at


def _cells(lines: Sequence[_Line], table: int) -> Iterator[Block]:
    row = 0
    for line in lines:
        if _is_rule(line.text):
            continue
        for column, span in enumerate(_cell_spans(line)):
            yield Block(BlockKind.CELL, (span,), table=table, row=row, column=column)
        row += 1


def _cell_spans(line: _Line) -> list[Span]:
    """The cells between the signs; those outside the first and the last sign only if filled."""
    edges = [-1, *(m.start() for m in CELL_SIGN.finditer(line.text)), len(line.text)]
    if len(edges) == LEAST_CELLS:
        return []
    spans = [(a + 1, b) for a, b in pairwise(edges)]
    if not line.text[: edges[1]].strip():
        spans = spans[1:]
    if not line.text[edges[-2] + 1 :].strip():
        spans = spans[:-1]
    return [line.span(a, b) for a, b in spans]


def _plain(lines: Sequence[_Line], at: int, blocks: list[Block]) -> int:
    """One heading, item or paragraph; the lines it is wrapped over belong to it."""
    line = lines[at]
    if not line.text.strip() or _is_rule(line.text):
        return at + 1
    block = _heading(line) or _opening(line)
    last = at + 1
    if block.kind is not BlockKind.HEADING:
        while last < len(lines) and _goes_on(lines[last - 1], lines[last]):
            follow = QUOTE.match(lines[last].text)
            piece = lines[last].span(follow.end() if follow else 0)
            block = replace(block, lines=(*block.lines, piece))
            last += 1
    blocks.append(block)
    return last


def _heading(line: _Line) -> Block | None:
    marked = HASH_HEADING.match(line.text)
    if marked:
        last = len(line.text.rstrip(" \t#"))
        number = NUMBER.match(line.text, marked.end())
        body = number.end() if number and number.end() < last else marked.end()
        return Block(BlockKind.HEADING, (line.span(body, last),), depth=len(marked[1]))
    bare = line.text.strip()
    if len(bare) > LONGEST_HEADING or bare[-1] in "。.!！;；":
        return None
    numbered = NUMBERED_HEADING.match(line.text)
    if numbered:
        depth = 1 + numbered.group().strip(". \t").count(".")
        return Block(BlockKind.HEADING, (line.span(numbered.end()),), depth=depth)
    bold = BOLD_HEADING.fullmatch(line.text)
    return Block(BlockKind.HEADING, (line.span(*bold.span(2)),), depth=6) if bold else None


def _opening(line: _Line) -> Block:
    quote = QUOTE.match(line.text)
    first = quote.end() if quote else 0
    item = ITEM.match(line.text, first)
    if item and _is_item(item):
        depth = len(item[1].expandtabs(TAB_WIDTH)) + 1
        return Block(BlockKind.ITEM, (line.span(item.end()),), depth=depth, quote=bool(quote))
    return Block(BlockKind.PARAGRAPH, (line.span(first),), quote=bool(quote))


def _is_item(item: re.Match[str]) -> bool:
    """`-3 dB`, `*emphasis*` and `1.5x` are no list items."""
    mark = item.group().strip()
    if mark in ("-", "*", "+") or (mark[-1] == "." and mark[:-1].isdigit()):
        return item.group()[-1] in " \t"
    return True


def _goes_on(line: _Line, below: _Line) -> bool:
    """Whether the line below continues a line that was broken for its width."""
    text, following = line.text.rstrip(), below.text
    if not following.strip() or _is_rule(following) or FENCE.match(following):
        return False
    if len(text) < LEAST_WRAPPED or text[-1] in STOPS:
        return False
    if _heading(below) or "|" in following or ITEM.match(following):
        return False
    return bool(QUOTE.match(line.text)) == bool(QUOTE.match(following))
