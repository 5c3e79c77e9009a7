"""Every visible paragraph of a DOCX in reading order, text boxes and tables included."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from docx.document import Document
from docx.oxml.ns import qn
from lxml import etree

from service.documents.docx.look import Look, Looks
from service.domain.resume_reading.lines import Line

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_R_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TWIPS: Final = 20.0  # of a point

# Containers that are only a frame around paragraphs.
_FRAMES: Final = frozenset({f"{_W}{n}" for n in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "body")})
_SKIPPED: Final = frozenset({f"{_W}{n}" for n in ("del", "moveFrom", "rPr", "pPr", "sectPr", "instrText")} | {f"{_MC}Fallback"})


@dataclass(slots=True)
class Paragraph:
    """Text being gathered; `boxes` are the text boxes anchored in it."""

    pieces: list[str] = field(default_factory=list[str])
    looks: list[Look] = field(default_factory=list[Look])
    links: list[str] = field(default_factory=list[str])
    boxes: list[etree._Element] = field(default_factory=list["etree._Element"])
    hidden: int = 0
    in_code: bool = False


@dataclass(slots=True)
class Walk:
    """Goes through one document; counts the characters nobody can see."""

    document: Document
    looks: Looks
    hidden: int = 0

    def lines(self) -> Iterator[Line]:
        """Header, body, footer: each part once."""
        sections = list(self.document.sections)
        if sections and not sections[0].header.is_linked_to_previous:
            yield from self._blocks(sections[0].header._element, None)  # noqa: SLF001 - python-docx has no public tree
        yield from self._blocks(self.document.element.body, None)
        if sections and not sections[0].footer.is_linked_to_previous:
            yield from self._blocks(sections[0].footer._element, None)  # noqa: SLF001

    def _blocks(self, parent: etree._Element, ground: str | None) -> Iterator[Line]:
        for child in parent:
            if child.tag == f"{_W}p":
                yield from self._paragraph(child, ground)
            elif child.tag == f"{_W}tbl":
                yield from self._table(child, ground)
            elif child.tag in _FRAMES:
                yield from self._blocks(child, ground)
            elif child.tag == f"{_MC}AlternateContent":
                for choice in child.findall(f"{_MC}Choice"):
                    yield from self._blocks(choice, ground)

    def _table(self, table: etree._Element, ground: str | None) -> Iterator[Line]:
        for row in table.iter(f"{_W}tr"):
            if _nearest_table(row) is table:
                yield from self._row(row, ground)

    def _row(self, row: etree._Element, ground: str | None) -> Iterator[Line]:
        """Cells of one line each are parts of one line; a cell of more stands by itself."""
        cells = [list(self._cell(c, ground)) for c in row.iter(f"{_W}tc") if _nearest_row(c) is row]
        cells = [c for c in cells if c]
        if len(cells) > 1 and all(len(c) == 1 for c in cells):
            first = cells[0][0]
            text = "\t".join(c[0].text for c in cells)
            links = tuple(k for c in cells for k in c[0].links)
            yield Line(text, heading=first.heading, bullet=first.bullet, bold=all(c[0].bold for c in cells), size=first.size, indent=first.indent, links=links)
            return
        for cell in cells:
            yield from cell

    def _cell(self, cell: etree._Element, ground: str | None) -> Iterator[Line]:
        """A merged cell's text is written once, in its first cell."""
        merge = cell.find(f"{_W}tcPr/{_W}vMerge")
        if merge is not None and merge.get(qn("w:val")) != "restart":
            return
        shade = cell.find(f"{_W}tcPr/{_W}shd")
        own = shade.get(qn("w:fill")) if shade is not None else None
        yield from self._blocks(cell, own or ground)

    def _paragraph(self, element: etree._Element, ground: str | None) -> Iterator[Line]:
        shade = element.find(f"{_W}pPr/{_W}shd")
        own = shade.get(qn("w:fill")) if shade is not None else None
        found = Paragraph()
        base = self.looks.of_paragraph(element)
        self._runs(element, found, base, own or ground)
        self.hidden += found.hidden
        shape = self.looks.shape(element)
        for text in "".join(found.pieces).split("\n"):
            if text.strip():
                bold = bool(found.looks) and all(k.bold for k in found.looks)
                size = max((k.size for k in found.looks), default=base.size)
                yield Line(text.strip(), heading=shape.heading, bullet=shape.bullet, bold=bold, size=size, indent=shape.indent, links=tuple(dict.fromkeys(found.links)))
        for box in found.boxes:
            yield from self._blocks(box, None)

    def _runs(self, parent: etree._Element, found: Paragraph, base: Look, ground: str | None) -> None:
        for child in parent:
            if child.tag in _SKIPPED:
                continue
            if child.tag == f"{_W}r":
                self._run(child, found, base, ground)
                continue
            if child.tag == f"{_W}hyperlink":
                self._link(child, found)
            self._boxes(child, found)
            if not isinstance(child.tag, str) or child.tag.startswith(_W):
                self._runs(child, found, base, ground)

    def _link(self, element: etree._Element, found: Paragraph) -> None:
        relation = self.document.part.rels.get(element.get(_R_ID) or "")
        if relation is not None and relation.is_external:
            found.links.append(str(relation.target_ref))

    def _boxes(self, element: etree._Element, found: Paragraph) -> None:
        """Text boxes: the modern copy; the old one beside it says the same again."""
        if element.tag == f"{_MC}AlternateContent":
            choices = element.findall(f"{_MC}Choice")
            tree = choices[0] if choices else None
        else:
            tree = element if element.tag in (f"{_W}drawing", f"{_W}pict", f"{_W}object") else None
        if tree is not None:
            found.boxes.extend(b for b in tree.iter(f"{_W}txbxContent") if _outermost(b, tree))

    def _run(self, run: etree._Element, found: Paragraph, base: Look, ground: str | None) -> None:
        look = self.looks.of_run(run, base)
        text = "".join(self._texts(run, found))
        for child in run:
            self._boxes(child, found)
        if not text:
            return
        if look.is_hidden(ground):
            found.hidden += len(text.strip())
            return
        found.pieces.append(text)
        if text.strip():
            found.looks.append(look)

    def _texts(self, run: etree._Element, found: Paragraph) -> Iterator[str]:
        for child in run:
            kind = child.get(qn("w:fldCharType")) if child.tag == f"{_W}fldChar" else None
            if kind is not None:
                found.in_code = kind == "begin"
            elif child.tag == f"{_W}t" and not found.in_code:
                yield child.text or ""
            elif child.tag in (f"{_W}tab", f"{_W}ptab"):
                yield "\t"
            elif child.tag in (f"{_W}br", f"{_W}cr"):
                yield "\n"
            elif child.tag == f"{_W}noBreakHyphen":
                yield "-"


def _nearest_table(row: etree._Element) -> etree._Element | None:
    return next(row.iterancestors(f"{_W}tbl"), None)


def _nearest_row(cell: etree._Element) -> etree._Element | None:
    return next(cell.iterancestors(f"{_W}tr"), None)


def _outermost(box: etree._Element, root: etree._Element) -> bool:
    """Not inside another text box, not in the fallback copy."""
    for ancestor in box.iterancestors():
        if ancestor is root:
            return True
        if ancestor.tag in (f"{_W}txbxContent", f"{_MC}Fallback"):
            return False
    return True
