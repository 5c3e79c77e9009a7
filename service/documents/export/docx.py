"""A composed résumé as DOCX: real headings and lists, no tables, no text boxes."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor

from service.domain.language import Lang
from service.domain.resume_writing.compose import Composed, Contact, Entry

LATIN: Final = "Calibri"
HAN: Final = "Microsoft YaHei"
_STYLES: Final = (("Normal", 10.5), ("Title", 20), ("Heading 1", 13), ("Heading 2", 11))
_BLACK: Final = RGBColor(0, 0, 0)
# The same bytes of content for the same résumé: no clock inside the file.
_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)


def write_docx(composed: Composed) -> bytes:
    document: Any = Document()
    _dress(document, composed)
    if composed.name:
        document.add_paragraph(composed.name, style="Title")
    for row in (composed.contacts, composed.urls):
        _contacts(document, row)
    for part in composed.parts:
        document.add_heading(part.title, 1)
        for entry in part.entries:
            _entry(document, entry)
        for line in part.lines:
            document.add_paragraph(line)
        _items(document, part.items)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _entry(document: Any, entry: Entry) -> None:
    head = (*entry.head, *((entry.when,) if entry.when else ()))
    if head:
        document.add_heading(" | ".join(head), 2)
    for line in entry.prose:
        document.add_paragraph(line)
    _items(document, entry.bullets)


def _items(document: Any, items: Sequence[str]) -> None:
    for item in items:
        document.add_paragraph(item, style="List Bullet")


def _contacts(document: Any, row: Sequence[Contact]) -> None:
    if not row:
        return
    paragraph = document.add_paragraph()
    for index, contact in enumerate(row):
        if index:
            paragraph.add_run(" | ")
        if contact.link:
            _link(paragraph, contact)
        else:
            paragraph.add_run(contact.text)


def _link(paragraph: Any, contact: Contact) -> None:
    """python-docx writes no hyperlinks of its own."""
    relation = paragraph.part.relate_to(contact.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link: Any = parse_xml(f"<w:hyperlink {nsdecls('w', 'r')}/>")
    link.set(qn("r:id"), relation)
    link.append(paragraph.add_run(contact.text)._r)  # noqa: SLF001 - the only door to the element
    paragraph._p.append(link)  # noqa: SLF001


def _dress(document: Any, composed: Composed) -> None:
    for name, points in _STYLES:
        style = document.styles[name]
        style.font.name, style.font.size = LATIN, Pt(points)
        if style.type is WD_STYLE_TYPE.PARAGRAPH and name != "Normal":
            style.font.color.rgb = _BLACK
        _han_font(style)
    document.styles["Normal"].paragraph_format.space_after = Pt(3)
    document.styles["List Bullet"].paragraph_format.space_after = Pt(2)
    for section in document.sections:
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(2)
        section.top_margin = section.bottom_margin = Cm(1.8)
    about = document.core_properties
    about.author = about.title = composed.name
    about.comments = about.last_modified_by = ""
    about.language = "zh-CN" if composed.lang is Lang.ZH else "en-US"
    about.created = about.modified = _MADE


def _han_font(style: Any) -> None:
    """Word keeps a font of its own for Chinese, and themes that would win over it."""
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    fonts.set(qn("w:eastAsia"), HAN)
