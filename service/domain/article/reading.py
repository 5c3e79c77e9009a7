"""A document as it is read aloud: sections of plain sentences, each with its topic said.

A bullet below "ZeRO-2" is read as "ZeRO-2: ...", a cell as "row: column is cell". Every character
knows its place in the text; words put in as context have none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from service.domain.article.blocks import Block, BlockKind, read_blocks
from service.domain.article.inline import own_places
from service.domain.article.quoting import LEADS_IN, Surroundings, headers_of, quoted_part
from service.domain.article.sentences import sentence_places
from service.domain.article.topics import NOBODY, Named, named_in, says_whom
from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Kind
from service.domain.language import Lang, detect_language
from service.domain.text import Span

CONTEXT: Final = -1
TITLE_KINDS: Final = frozenset({Kind.SUBJECT, Kind.MARKER, Kind.OBJECT})
LONGEST_LABEL: Final = 40  # code points; a longer cell or header is a statement of its own
BRACKETS: Final = "(（["
LABEL: Final = re.compile(r"\s*([^:：,，.。;；(（=0-9]{1,24})[:：][ \t]*")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it. `places[i]` is where character i stands in the text."""

    text: str
    places: tuple[int, ...]

    def own(self, span: Span) -> Span | None:
        """The range of the original text behind a range of this reading; None for mere context."""
        inside = [p for p in self.places[span.start : span.end] if p != CONTEXT]
        return Span(inside[0], inside[-1] + 1) if inside else None

    def is_own(self, span: Span) -> bool:
        return CONTEXT not in self.places[span.start : span.end]


@dataclass(frozen=True, slots=True)
class Reading:
    """`words` are the blocks' own words with their places, quoted parts included."""

    sections: tuple[Section, ...]
    words: tuple[tuple[int, ...], ...]
    quoted: tuple[Span, ...]


@dataclass(slots=True)
class _Voice:
    """Writes one section."""

    original: str
    parts: list[str] = field(default_factory=list[str])
    places: list[int] = field(default_factory=list[int])

    def say(self, places: Sequence[int]) -> None:
        self.parts += [" " if self.original[p] in "\r\n" else self.original[p] for p in places]
        self.places += places

    def put_in(self, words: str) -> None:
        self.parts.append(words)
        self.places += [CONTEXT] * len(words)

    def section(self) -> Section:
        return Section("".join(self.parts), tuple(self.places))


@dataclass(frozen=True, slots=True)
class _Told:
    """A block with its words, the part of them that is meant, and the topic above it."""

    block: Block
    places: tuple[int, ...]
    meant: tuple[int, ...]
    quote: Span | None
    named: Named
    topic: Named = NOBODY
    header: str = ""
    says_whom: bool = False


def read_document(text: str, lexicon: Lexicon) -> Reading:
    """Linear in the length of the text."""
    told = _tell(text, read_blocks(text), lexicon)
    sections = [
        _section(text, list(group), lexicon)
        for _, group in groupby(_numbered(told), key=lambda n: n[0])
    ]
    return Reading(
        tuple(s for s in sections if s.text.strip()),
        tuple(t.places for t in told if t.places),
        tuple(t.quote for t in told if t.quote),
    )


def _numbered(told: Sequence[_Told]) -> Iterator[tuple[int, _Told]]:
    section = 0
    for one in told:
        section += one.block.kind is BlockKind.HEADING
        yield section, one


def _tell(text: str, blocks: Sequence[Block], lexicon: Lexicon) -> list[_Told]:
    places = [own_places(text, b.lines) for b in blocks]
    words = ["".join(text[p] for p in own) for own in places]
    headers = headers_of(blocks, words)
    told: list[_Told] = []
    heading = lead_in = ""
    above: list[tuple[int, Named]] = []  # topics that are open, by depth
    for block, own, said in zip(blocks, places, words, strict=True):
        header = headers.get((block.table, block.column), "") if block.row else ""
        if block.kind is BlockKind.HEADING:
            heading, lead_in = said, ""
        leads = block.kind is not BlockKind.PARAGRAPH or bool(LEADS_IN.search(said))
        named = named_in(said, lexicon) if leads else NOBODY
        quote = quoted_part(block, said, Surroundings(heading, lead_in, header))
        topic = _topic(block, named, above)
        if block.kind is BlockKind.PARAGRAPH:
            topic = _label(text, own, lexicon)
        one = _told(block, own, quote, named, topic, header)
        is_cell = block.kind is BlockKind.CELL
        told.append(replace(one, says_whom=is_cell and says_whom(said, lexicon)))
        if block.kind is BlockKind.PARAGRAPH and not block.quote:
            lead_in = said if LEADS_IN.search(said) else ""
    return told


def _told(
    block: Block, own: Sequence[int], quote: tuple[int, int] | None, named: Named, topic: Named,
    header: str,
) -> _Told:  # fmt: skip
    places = tuple(own)
    if quote is None or not places:
        return _Told(block, places, places, None, named, topic, header)
    meant = places[: quote[0]] + places[quote[1] :]
    cited = places[quote[0] : quote[1]]
    span = Span(cited[0], cited[-1] + 1) if cited else None
    return _Told(block, places, meant, span, named, topic, header)


def _label(text: str, own: Sequence[int], lexicon: Lexicon) -> Named:
    """`Second stage. ...`: the scheme that the first words of a paragraph are a title for."""
    first = next(sentence_places(text, own), ())
    if not first or len(first) > LONGEST_LABEL or len(first) == len(own):
        return NOBODY
    frames = read_frames("".join(text[p] for p in first), lexicon)
    bare = all(m.kind in TITLE_KINDS for frame in frames for m in frame.mentions)
    return named_in("".join(text[p] for p in first), lexicon) if bare else NOBODY


def _topic(block: Block, named: Named, above: list[tuple[int, Named]]) -> Named:
    """An item's own topic, or its parent's, or that of the line that leads in or the heading."""
    if block.kind is BlockKind.CELL:
        return NOBODY
    depth = {BlockKind.HEADING: -1, BlockKind.PARAGRAPH: 0}.get(block.kind, block.depth)
    while above and above[-1][0] >= depth:
        above.pop()
    topic = next((known for _, known in reversed(above) if known.concept), NOBODY)
    if block.kind is not BlockKind.PARAGRAPH or named.concept:
        above.append((depth, named))
    own = named if named.concept else topic
    return own if block.kind is BlockKind.ITEM else NOBODY


def _section(text: str, group: Sequence[tuple[int, _Told]], lexicon: Lexicon) -> Section:
    voice = _Voice(text)
    told = [one for _, one in group]
    for (kind, _), blocks in groupby(told, key=lambda t: (t.block.kind, t.block.table)):
        if kind is BlockKind.CELL:
            _read_table(voice, list(blocks))
            continue
        for one in blocks:
            _read_block(voice, one, lexicon)
    return voice.section()


def _read_block(voice: _Voice, one: _Told, lexicon: Lexicon) -> None:
    if not one.meant:
        return
    if not one.topic.concept:
        voice.say(one.meant)
    else:
        for inside in sentence_places(voice.original, one.meant):
            words = "".join(voice.original[p] for p in inside)
            if _speaks_of_others(words, one.topic, lexicon):
                voice.say(inside)
            else:
                voice.say(_say_topic(voice, one.topic, inside, words, lexicon))
    voice.put_in("\n")


def _speaks_of_others(words: str, topic: Named, lexicon: Lexicon) -> bool:
    """The topic said once more does no harm; "the third level" is a name not all readers know."""
    if not words.strip():
        return True
    return says_whom(words, lexicon) and named_in(words, lexicon) != topic


def _say_topic(
    voice: _Voice, topic: Named, inside: Sequence[int], words: str, lexicon: Lexicon
) -> Sequence[int]:
    """`traffic: slightly more` below ZeRO-2 is read as `ZeRO-2: traffic is slightly more`."""
    label = LABEL.match(words)
    if label is None or says_whom(label[1], lexicon):
        voice.put_in(f"{topic.name}: ")
        return inside
    _lead(voice, topic.name, label[1])
    return inside[label.end() :]


def _read_table(voice: _Voice, cells: Sequence[_Told]) -> None:
    names = {c.block.column: c.named for c in cells if c.block.row == 0}
    for row, group in groupby(cells, key=lambda c: c.block.row):
        if row == 0:
            continue
        line = list(group)
        for cell in line:
            if cell.meant:
                _read_cell(voice, cell, line[0], names.get(cell.block.column, NOBODY))


def _read_cell(voice: _Voice, cell: _Told, first: _Told, above: Named) -> None:
    """`row: column is cell`, whichever of row and column names the scheme."""
    original = voice.original
    if cell is not first and not cell.says_whom and not first.quote:
        label = "".join(original[p] for p in first.meant)
        if first.named.concept and cell.header:
            _lead(voice, first.named.name, cell.header)
        elif above.concept and label:
            _lead(voice, above.name, label)
    voice.say(cell.meant)
    voice.put_in("\n")


def _lead(voice: _Voice, subject: str, what: str) -> None:
    what = what[: min((at for sign in BRACKETS if (at := what.find(sign)) > 0), default=None)]
    what = what.strip(" *?？:：")
    if not what or len(what) > LONGEST_LABEL:
        voice.put_in(f"{subject}: ")
    elif detect_language(what) is Lang.ZH:
        voice.put_in(f"{subject} 的{what}是")
    else:
        voice.put_in(f"{subject}: {what} is ")
