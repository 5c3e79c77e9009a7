"""What applicant systems stumble over in a DOCX; the place is the first words of the thing."""

from collections.abc import Iterator
from typing import Final

from docx.document import Document

from service.documents.docx.tree import Node, W, body, root_of
from service.documents.docx.walk import Walk
from service.domain.resume import Obstacle

LONGEST_QUOTE: Final = 80
_PICTURE: Final = "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic"
_COLUMNS: Final = f"{W}cols"


def obstacles_of(document: Document, walk: Walk) -> Iterator[Obstacle]:
    root = body(document)
    for table in root.iter(f"{W}tbl"):
        yield Obstacle("table", sum(1 for _ in table.iter(f"{W}tr")), _words(table))
    for said in walk.boxed:
        yield Obstacle("text_box", quote=said[:LONGEST_QUOTE])
    for columns in root.iter(_COLUMNS):
        if (columns.get(f"{W}num") or "1") not in {"0", "1"}:
            yield Obstacle("columns", quote=_words(root))
    pictures = sum(1 for _ in root.iter(_PICTURE))
    if pictures:
        yield Obstacle("image", pictures)
    if walk.hidden:
        yield Obstacle("hidden_text", walk.hidden, " ".join(walk.unseen)[:LONGEST_QUOTE])
    yield from _edges(document)


def _edges(document: Document) -> Iterator[Obstacle]:
    sections = list(document.sections)
    for story in (sections[0].header, sections[0].footer) if sections else ():
        root = root_of(story)
        said = _words(root) if root is not None else ""
        if said:
            yield Obstacle("running_title", quote=said)


def _words(root: Node) -> str:
    texts = ((t.text or "").strip() for t in root.iter(f"{W}t"))
    return " ".join(t for t in texts if t)[:LONGEST_QUOTE]
