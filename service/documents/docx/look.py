"""How a DOCX shows its text: styles resolved to what decides visibility and headings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from docx.document import Document

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
_OFF: Final = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Look:
    """`color` is RRGGBB or None for automatic; `shade` is the run's own ground."""

    bold: bool = False
    size: float = DEFAULT_SIZE
    color: str | None = None
    shade: str | None = None
    vanish: bool = False

    def is_hidden(self, ground: str | None) -> bool:
        if self.vanish or self.size < LEAST_SIZE:
            return True
        under = _grey(self.shade) if _grey(self.shade) is not None else _grey(ground)
        own = _grey(self.color)
        if own is None:
            return False
        return abs(own - (255 if under is None else under)) < LEAST_CONTRAST


@dataclass(frozen=True, slots=True)
class Shape:
    heading: int = 0
    bullet: bool = False
    indent: float = 0.0


def _grey(color: str | None) -> int | None:
    if color is None or not re.fullmatch(r"[0-9A-Fa-f]{6}", color):
        return None
    red, green, blue = (int(color[i : i + 2], 16) for i in (0, 2, 4))
    return (red * 299 + green * 587 + blue * 114) // 1000


class Looks:
    """The styles of one document, read once."""

    def __init__(self, document: Document) -> None:
        root = styles(document)
        found = root.findall(f"{W}style") if root is not None else []
        self._styles: Mapping[str, Node] = {s.get(f"{W}styleId") or "": s for s in found}
        default = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr") if root is not None else None
        self._default = _applied(Look(), default)
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
            look = _applied(look, style.find(f"{W}rPr"))
        return look

    def of_run(self, run: Node, base: Look) -> Look:
        properties = run.find(f"{W}rPr")
        if properties is None:
            return base
        named = properties.find(f"{W}rStyle")
        look = base
        if named is not None:
            for style in self._chain(named.get(VALUE) or ""):
                look = _applied(look, style.find(f"{W}rPr"))
        return _applied(look, properties)

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


def _applied(look: Look, properties: Node | None) -> Look:
    if properties is None:
        return look
    size = properties.find(f"{W}sz")
    color = properties.find(f"{W}color")
    shade = properties.find(f"{W}shd")
    return replace(
        look,
        bold=_switch(properties, "b", look.bold),
        vanish=_switch(properties, "vanish", look.vanish)
        or _switch(properties, "webHidden", False),
        size=_number(size, look.size * _HALF_POINTS) / _HALF_POINTS,
        color=color.get(VALUE) if color is not None else look.color,
        shade=shade.get(f"{W}fill") if shade is not None else look.shade,
    )


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
