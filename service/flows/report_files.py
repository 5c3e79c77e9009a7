"""An interview's report as a file: Markdown or PDF, in the reader's language."""

import asyncio
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from service.documents.export.report import report_markdown, report_pdf
from service.domain.language import Lang
from service.domain.reporting_document import Say, Written, compose_report, in_words
from service.flows import interviews
from service.flows.exports import Exported
from service.flows.parts import Parts


class ReportForm(StrEnum):
    """By the ending of the file's name."""

    MARKDOWN = "md"
    PDF = "pdf"


MEDIA: Final[Mapping[ReportForm, str]] = {
    ReportForm.MARKDOWN: "text/markdown; charset=utf-8",
    ReportForm.PDF: "application/pdf",
}
_WRITERS: Final[Mapping[ReportForm, Callable[[Written], bytes]]] = {
    ReportForm.MARKDOWN: report_markdown,
    ReportForm.PDF: report_pdf,
}


async def report_file(
    parts: Parts, owner_id: str, session_id: str, form: ReportForm, lang: Lang, say: Say
) -> Exported:
    """The same report as on the page. The file's name says nothing of the person.

    Raises:
        NotFound: no such interview of this owner.
    """
    made = await interviews.report(parts, owner_id, session_id)
    written = in_words(compose_report(made), lang, say)
    data = await asyncio.to_thread(_WRITERS[form], written)
    return Exported(data, MEDIA[form], f"report.{form.value}")


__all__ = ["ReportForm", "report_file"]
