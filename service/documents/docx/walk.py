"""Every visible paragraph of a DOCX in reading order, text boxes and tables included."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from docx.document import Document

from service.documents.docx.look import Look, Looks
from service.documents.docx.place import ANCHOR, INLINE, Paper
from service.documents.docx.tree import MC, RELATION, VALUE, Node, W, body, root_of
from service.domain.resume_reading.lines import Line

_TWIPS: Final = 20.0  # of a point

# Containers that are only a frame around paragraphs.
_FRAMES: Final = frozenset(
    {f"{W}{n}" for n in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "body")}
)
_SKIPPED: Final = frozenset(
    {f"{W}{n}" for n in ("del", "moveFrom", "rPr", "pPr", "sectPr", "instrText")}
    | {f"{MC}Fallback"}
)


@dataclass(slots=True)
class Paragraph:
    """Text being gathered; `boxes` are the text boxes anchored in it."""

    pieces: list[str] = field(default_factory=list[str])
    looks: list[Look] = field(default_factory=list[Look])
    links: list[str] = field(default_factory=list[str])
    boxes: list[Node] = field(default_factory=list[Node])
    hidden: int = 0
    unseen: list[str] = field(default_factory=list[str])
    in_code: bool = False


@dataclass(slots=True)
class Walk:
    """Goes through one document; counts the characters nobody can see."""

    document: Document
    looks: Looks
    paper: Paper = field(default_factory=Paper)
    hidden: int = 0
    unseen: list[str] = field(default_factory=list[str])
    boxed: list[str] = field(default_factory=list[str])  # the first words of each text box

    def lines(self) -> Iterator[Line]:
        """Header, body, footer: each part once."""
        sections = list(self.document.sections)
        header = root_of(sections[0].header) if sections else None
        footer = root_of(sections[0].footer) if sections else None
        for root in (header, body(self.document), footer):
            if root is not None:
                yield from self._blocks(root, None)

    def _blocks(self, parent: Node, ground: str | None) -> Iterator[Line]:
        for child in parent:
            if child.tag == f"{W}p":
                yield from self._paragraph(child, ground)
            elif child.tag == f"{W}tbl":
                yield from self._table(child, ground)
            elif child.tag in _FRAMES:
                yield from self._blocks(child, ground)
            elif child.tag == f"{MC}AlternateContent":
                for choice in child.findall(f"{MC}Choice"):
                    yield from self._blocks(choice, ground)

    def _table(self, table: Node, ground: str | None) -> Iterator[Line]:
        for row in table.iter(f"{W}tr"):
            if _nearest_table(row) is table:
                yield from self._row(row, ground)

    def _row(self, row: Node, ground: str | None) -> Iterator[Line]:
        """Cells of one line each are parts of one line; a cell of more stands by itself."""
        cells = [list(self._cell(c, ground)) for c in row.iter(f"{W}tc") if _nearest_row(c) is row]
        cells = [c for c in cells if c]
        if len(cells) > 1 and all(len(c) == 1 for c in cells):
            first = cells[0][0]
            text = "\t".join(c[0].text for c in cells)
            links = tuple(k for c in cells for k in c[0].links)
            yield Line(
                text,
                heading=first.heading,
                bullet=first.bullet,
                bold=all(c[0].bold for c in cells),
                size=first.size,
                indent=first.indent,
                links=links,
            )
            return
        for cell in cells:
            yield from cell

    def _cell(self, cell: Node, ground: str | None) -> Iterator[Line]:
        """A merged cell's text is written once, in its first cell."""
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        if merge is not None and merge.get(VALUE) != "restart":
            return
        yield from self._blocks(cell, self.looks.ground(cell.find(f"{W}tcPr"), ground))

    def _paragraph(self, element: Node, ground: str | None) -> Iterator[Line]:
        properties = element.find(f"{W}pPr")
        found = Paragraph()
        base = self.looks.of_paragraph(element)
        if self.paper.hides(properties):
            base = replace(base, vanish=True)
        self._runs(element, found, base, self.looks.ground(properties, ground))
        self.hidden += found.hidden
        self.unseen.extend(found.unseen)
        shape = self.looks.shape(element)
        for text in "".join(found.pieces).split("\n"):
            if text.strip():
                bold = bool(found.looks) and all(k.bold for k in found.looks)
                size = max((k.size for k in found.looks), default=base.size)
                yield Line(
                    text.strip(),
                    heading=shape.heading,
                    bullet=shape.bullet,
                    bold=bold,
                    size=size,
                    indent=shape.indent,
                    links=tuple(dict.fromkeys(found.links)),
                )
        for box in found.boxes:
            said = [(t.text or "").strip() for t in box.iter(f"{W}t")]
            if any(self.paper.hides_box(a) for a in box.iterancestors(ANCHOR, INLINE)):
                self.hidden += sum(len(t) for t in said)
                self.unseen.extend(said)
                continue
            self.boxed.append(" ".join(said))
            yield from self._blocks(box, None)

    def _runs(self, parent: Node, found: Paragraph, base: Look, ground: str | None) -> None:
        for child in parent:
            if child.tag in _SKIPPED:
                continue
            if child.tag == f"{W}r":
                self._run(child, found, base, ground)
                continue
            if child.tag == f"{W}hyperlink":
                self._link(child, found)
            self._boxes(child, found)
            if not isinstance(child.tag, str) or child.tag.startswith(W):
                self._runs(child, found, base, ground)

    def _link(self, element: Node, found: Paragraph) -> None:
        relation = self.document.part.rels.get(element.get(RELATION) or "")
        if relation is not None and relation.is_external:
            found.links.append(str(relation.target_ref))

    def _boxes(self, element: Node, found: Paragraph) -> None:
        """Text boxes: the modern copy; the old one beside it says the same again."""
        if element.tag == f"{MC}AlternateContent":
            choices = element.findall(f"{MC}Choice")
            tree = choices[0] if choices else None
        else:
            tree = element if element.tag in (f"{W}drawing", f"{W}pict", f"{W}object") else None
        if tree is not None:
            found.boxes.extend(b for b in tree.iter(f"{W}txbxContent") if _outermost(b, tree))

    def _run(self, run: Node, found: Paragraph, base: Look, ground: str | None) -> None:
        look = self.looks.of_run(run, base)
        text = "".join(self._texts(run, found))
        for child in run:
            self._boxes(child, found)
        if not text:
            return
        if look.is_hidden(ground):
            found.hidden += len(text.strip())
            found.unseen.append(text.strip())
            return
        found.pieces.append(text)
        if text.strip():
            found.looks.append(look)

    def _texts(self, run: Node, found: Paragraph) -> Iterator[str]:
        for child in run:
            kind = child.get(f"{W}fldCharType") if child.tag == f"{W}fldChar" else None
            if kind is not None:
                found.in_code = kind == "begin"
            elif child.tag == f"{W}t" and not found.in_code:
                yield child.text or ""
            elif child.tag in (f"{W}tab", f"{W}ptab"):
                yield "\t"
            elif child.tag in (f"{W}br", f"{W}cr"):
                yield "\n"
            elif child.tag == f"{W}noBreakHyphen":
                yield "-"


def _nearest_table(row: Node) -> Node | None:
    return next(row.iterancestors(f"{W}tbl"), None)


def _nearest_row(cell: Node) -> Node | None:
    return next(cell.iterancestors(f"{W}tr"), None)


def _outermost(box: Node, root: Node) -> bool:
    """Not inside another text box, not in the fallback copy."""
    for ancestor in box.iterancestors():
        if ancestor is root:
            return True
        if ancestor.tag in (f"{W}txbxContent", f"{MC}Fallback"):
            return False
    return True
