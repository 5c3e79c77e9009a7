"""How a DOCX shows its text: styles resolved to what decides visibility and headings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from docx.document import Document

from service.documents.docx.colours import Colours, grey
from service.documents.docx.tree import VALUE, Node, W, styles

_HALF_POINTS: Final = 2.0
_TWIPS: Final = 20.0
DEFAULT_SIZE: Final = 10.0  # points, as Word has it when a file says nothing
LEAST_SIZE: Final = 2.5  # points; smaller text is not meant to be read
LEAST_CONTRAST: Final = 26  # of 255
_HEADING: Final = re.compile(r"(?:heading|标题)\s*(\d)?", re.IGNORECASE)
_TITLE: Final = re.compile(r"^(?:title|标题|name|姓名)$", re.IGNORECASE)
_LISTED: Final = re.compile(r"list|bullet|列表|列出段落|项目符号", re.IGNORECASE)
_DEEPEST_STYLE: Final = 12
# Letters narrower, moved or piled up further than this are not meant to be read.
LEAST_WIDTH: Final = 25.0  # percent of the font's own width
MOST_MOVED: Final = 72.0  # points above or below the line
MOST_PILED: Final = 0.4  # of the size, taken from every letter's width
_W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_OFF: Final = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Look:
    """`color` is RRGGBB or None for automatic; `shade` is the run's own ground."""

    bold: bool = False
    size: float = DEFAULT_SIZE
    color: str | None = None
    shade: str | None = None
    vanish: bool = False
    width: float = 100.0  # percent
    moved: float = 0.0  # points
    spacing: float = 0.0  # points added to each letter

    def is_hidden(self, ground: str | None) -> bool:
        if self.vanish or self.size < LEAST_SIZE or self._is_squeezed():
            return True
        under = grey(self.shade) if grey(self.shade) is not None else grey(ground)
        own = grey(self.color)
        if own is None:
            return False
        return abs(own - (255 if under is None else under)) < LEAST_CONTRAST

    def _is_squeezed(self) -> bool:
        """Too narrow, piled up, or moved away from its line."""
        piled = self.spacing <= -MOST_PILED * self.size
        return self.width < LEAST_WIDTH or abs(self.moved) > MOST_MOVED or piled


@dataclass(frozen=True, slots=True)
class Shape:
    heading: int = 0
    bullet: bool = False
    indent: float = 0.0


class Looks:
    """The styles of one document, read once."""

    def __init__(self, document: Document) -> None:
        root = styles(document)
        found = root.findall(f"{W}style") if root is not None else []
        self._colours = Colours(document)
        self._styles: Mapping[str, Node] = {s.get(f"{W}styleId") or "": s for s in found}
        default = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr") if root is not None else None
        self._default = self._applied(Look(), default)
        self._normal = next(
            (
                i
                for i, s in self._styles.items()
                if s.get(f"{W}default") == "1" and s.get(f"{W}type") == "paragraph"
            ),
            "",
        )

    def of_paragraph(self, paragraph: Node) -> Look:
        look = self._default
        for style in self._chain(self._style_of(paragraph)):
            look = self._applied(look, style.find(f"{W}rPr"))
        return look

    def of_run(self, run: Node, base: Look) -> Look:
        properties = run.find(f"{W}rPr")
        if properties is None:
            return base
        named = properties.find(f"{W}rStyle")
        look = base
        if named is not None:
            for style in self._chain(named.get(VALUE) or ""):
                look = self._applied(look, style.find(f"{W}rPr"))
        return self._applied(look, properties)

    def shape(self, paragraph: Node) -> Shape:
        """Heading level, list mark and indent, from the paragraph or its styles."""
        heading = 0
        listed = False
        indent = 0.0
        for style in self._chain(self._style_of(paragraph)):
            heading = _level(style) or heading
            listed = listed or _is_list(style, style.find(f"{W}pPr"))
            indent = _indent(style.find(f"{W}pPr"), indent)
        own = paragraph.find(f"{W}pPr")
        outline = own.find(f"{W}outlineLvl") if own is not None else None
        if outline is not None and (outline.get(VALUE) or "9") < "9":
            heading = int(outline.get(VALUE) or "0") + 1
        numbered = own.find(f"{W}numPr/{W}numId") if own is not None else None
        if numbered is not None:
            listed = numbered.get(VALUE) != "0"
        level = own.find(f"{W}numPr/{W}ilvl") if own is not None else None
        depth = int(level.get(VALUE) or "0") if level is not None else 0
        return Shape(heading, listed and not heading, _indent(own, indent) + depth * _TWIPS)

    def ground(self, properties: Node | None, inherited: str | None) -> str | None:
        """What a paragraph or cell is shaded with."""
        shade = properties.find(f"{W}shd") if properties is not None else None
        return self._colours.shade(shade, inherited)

    def _applied(self, look: Look, properties: Node | None) -> Look:
        if properties is None:
            return look
        size, width = properties.find(f"{W}sz"), properties.find(f"{W}w")
        moved, spacing = properties.find(f"{W}position"), properties.find(f"{W}spacing")
        shade = self._colours.shade(properties.find(f"{W}shd"), look.shade)
        return replace(
            look,
            bold=_switch(properties, "b", look.bold),
            vanish=_switch(properties, "vanish", look.vanish)
            or _switch(properties, "webHidden", False)
            or properties.find(f"{_W14}textFill/{_W14}noFill") is not None,
            size=_number(size, look.size * _HALF_POINTS) / _HALF_POINTS,
            width=_number(width, look.width),
            moved=_number(moved, look.moved * _HALF_POINTS) / _HALF_POINTS,
            spacing=_number(spacing, look.spacing * _TWIPS) / _TWIPS,
            color=self._colours.of(properties.find(f"{W}color"), look.color),
            shade=self._colours.highlight(properties.find(f"{W}highlight"), shade),
        )

    def _style_of(self, paragraph: Node) -> str:
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        return (named.get(VALUE) or "") if named is not None else self._normal

    def _chain(self, style_id: str) -> Iterator[Node]:
        """The style's ancestors first, the style last; a cycle ends at the depth limit."""
        found: list[Node] = []
        while style_id in self._styles and len(found) < _DEEPEST_STYLE:
            style = self._styles[style_id]
            found.append(style)
            parent = style.find(f"{W}basedOn")
            style_id = (parent.get(VALUE) or "") if parent is not None else ""
        yield from reversed(found)


def _switch(properties: Node, name: str, inherited: bool) -> bool:
    element = properties.find(f"{W}{name}")
    if element is None:
        return inherited
    return (element.get(VALUE) or "1").lower() not in _OFF


def _number(element: Node | None, otherwise: float) -> float:
    written = element.get(VALUE) if element is not None else None
    try:
        return float(written) if written else otherwise
    except ValueError:
        return otherwise


def _level(style: Node) -> int:
    named = style.find(f"{W}name")
    name = (named.get(VALUE) or "") if named is not None else ""
    if _TITLE.match(name.strip()):
        return 1
    match = _HEADING.match(name.strip())
    return int(match[1] or 1) if match else 0


def _is_list(style: Node, properties: Node | None) -> bool:
    named = style.find(f"{W}name")
    name = (named.get(VALUE) or "") if named is not None else ""
    numbered = properties is not None and properties.find(f"{W}numPr") is not None
    return numbered or (_LISTED.match(name) is not None and "paragraph" not in name.lower())


def _indent(properties: Node | None, inherited: float) -> float:
    found = properties.find(f"{W}ind") if properties is not None else None
    if found is None:
        return inherited
    written = found.get(f"{W}left") or found.get(f"{W}start") or "0"
    return float(written) / _TWIPS if written.lstrip("-").isdigit() else inherited
