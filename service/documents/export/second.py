"""Readers that are not ours, to see an export as others do."""

import io
from collections.abc import Callable, Mapping
from typing import Final, cast

from service.documents.export.write import ExportForm


def second_text(data: bytes, form: ExportForm) -> tuple[str, str] | None:
    """(the reader's name, the text it sees); None for a form that has no second reader here."""
    reader = _READERS.get(form)
    return reader(data) if reader else None


def _pypdf(data: bytes) -> tuple[str, str]:
    import pypdf

    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    return f"pypdf {pypdf.__version__}", "\n".join(p.extract_text() for p in pages)


def _docx2txt(data: bytes) -> tuple[str, str]:
    from importlib.metadata import version

    import docx2txt

    return f"docx2txt {version('docx2txt')}", _process(docx2txt)(io.BytesIO(data))


def _process(library: object) -> Callable[[io.BytesIO], str]:
    """The library has no types."""
    return cast("Callable[[io.BytesIO], str]", getattr(library, "process"))  # noqa: B009


def _commonmark(data: bytes) -> tuple[str, str]:
    import markdown_it

    tokens = markdown_it.MarkdownIt().parse(data.decode())
    texts = (child.content for t in tokens for child in t.children or ())
    return f"markdown-it-py {markdown_it.__version__}", "\n".join(texts)


_READERS: Final[Mapping[ExportForm, Callable[[bytes], tuple[str, str]]]] = {
    ExportForm.PDF: _pypdf,
    ExportForm.DOCX: _docx2txt,
    ExportForm.MARKDOWN: _commonmark,
}
