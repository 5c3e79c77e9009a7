"""One résumé, four forms."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from service.domain.resume import Resume
from service.domain.resume_writing.compose import compose


class ExportForm(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    MARKDOWN = "markdown"
    JSON = "json"


EXTENSION: Final[Mapping[ExportForm, str]] = {
    ExportForm.PDF: "pdf",
    ExportForm.DOCX: "docx",
    ExportForm.MARKDOWN: "md",
    ExportForm.JSON: "json",
}
MEDIA: Final[Mapping[ExportForm, str]] = {
    ExportForm.PDF: "application/pdf",
    ExportForm.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ExportForm.MARKDOWN: "text/markdown; charset=utf-8",
    ExportForm.JSON: "application/json",
}


def export_resume(resume: Resume, form: ExportForm) -> bytes:
    """The file's bytes. Reads no clock and no network; the libraries are loaded at first use."""
    return _WRITERS[form](resume)


def _pdf(resume: Resume) -> bytes:
    from service.documents.export.pdf import write_pdf

    return write_pdf(compose(resume))


def _docx(resume: Resume) -> bytes:
    from service.documents.export.docx import write_docx

    return write_docx(compose(resume))


def _markdown(resume: Resume) -> bytes:
    from service.documents.export.markdown import write_markdown

    return write_markdown(compose(resume))


def _json(resume: Resume) -> bytes:
    from service.documents.export.json_resume import write_json_resume

    return write_json_resume(resume)


_WRITERS: Final[Mapping[ExportForm, Callable[[Resume], bytes]]] = {
    ExportForm.PDF: _pdf,
    ExportForm.DOCX: _docx,
    ExportForm.MARKDOWN: _markdown,
    ExportForm.JSON: _json,
}
