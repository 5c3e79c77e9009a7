"""The few things asked of an XML element; lxml itself comes without types."""

from collections.abc import Iterator
from typing import Final, Protocol, cast

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
VALUE: Final = f"{W}val"


class Node(Protocol):
    """One element. Comments and instructions have a tag that is no text."""

    @property
    def tag(self) -> object: ...
    @property
    def text(self) -> str | None: ...
    def get(self, key: str, /) -> str | None: ...
    def find(self, path: str, /) -> "Node | None": ...
    def findall(self, path: str, /) -> "list[Node]": ...
    def iter(self, tag: str, /) -> "Iterator[Node]": ...
    def iterancestors(self, *tags: str) -> "Iterator[Node]": ...
    def __iter__(self) -> "Iterator[Node]": ...


class Story(Protocol):
    """A header or a footer."""

    @property
    def is_linked_to_previous(self) -> bool: ...


def body(document: Document) -> Node:
    return cast("Node", document.element.body)


def root_of(story: Story) -> Node | None:
    """The tree of a header or footer of the file's own; python-docx would else make one up."""
    if story.is_linked_to_previous:
        return None
    return cast("Node", getattr(story, "_element"))  # noqa: B009 - python-docx has no public tree


def styles(document: Document) -> Node | None:
    """The file's own styles; python-docx would open a template of its own for a file without."""
    return _part(document, RELATIONSHIP_TYPE.STYLES)


def _part(document: Document, kind: str) -> Node | None:
    rels = (r for r in document.part.rels.values() if not r.is_external)
    part = next((r.target_part for r in rels if r.reltype == kind), None)
    if part is None or not part.blob.strip():
        return None
    parser = etree.XMLParser(resolve_entities=False, no_network=True)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("Node", etree.fromstring(part.blob, parser))  # pyright: ignore[reportUnknownMemberType]


def theme(document: Document) -> Node | None:
    """The theme's tree, which names the colours."""
    return _part(document, RELATIONSHIP_TYPE.THEME)


def value(node: Node | None) -> str | None:
    """The w:val of an element that may be absent."""
    return None if node is None else node.get(VALUE)
