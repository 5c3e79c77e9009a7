"""A résumé's exports, each with its certificate; and what other readers make of the upload."""

from typing import Final

from fastapi import Response

from service.domain.ats import FINDINGS, Harm
from service.domain.language import msg
from service.flows import exports
from service.flows.exports import ExportForm
from service.web.labels import Badge
from service.web.page import PageDep
from service.web.route import Row

FORM_NAMES: Final = {
    ExportForm.PDF: msg("PDF, one column, tagged"),
    ExportForm.DOCX: msg("Word document (DOCX)"),
    ExportForm.MARKDOWN: msg("Markdown"),
    ExportForm.JSON: msg("JSON Resume"),
}

LOOKS: Final = {
    Harm.LOST: Badge(msg("Not read"), "gap"),
    Harm.RISKY: Badge(msg("Often misread"), "partial"),
}


async def show_exports(page: PageDep, resume_id: str) -> Response:
    proofs = await exports.certified(page.parts, page.owner, resume_id, list(ExportForm))
    return page.show(
        "exports.html",
        stored=await page.parts.store.get_resume(page.owner, resume_id),
        proofs=proofs,
        names={form.value: name for form, name in FORM_NAMES.items()},
    )


async def download(page: PageDep, resume_id: str, form: ExportForm) -> Response:
    made = await exports.export(page.parts, page.owner, resume_id, form)
    return Response(made.data, media_type=made.media, headers=made.headers)


async def show_obstacles(page: PageDep, resume_id: str) -> Response:
    stored = await page.parts.store.get_resume(page.owner, resume_id)
    return page.show("ats.html", stored=stored, findings=FINDINGS, looks=LOOKS)


ROWS: Final = (
    Row("GET", "/resumes/{resume_id}/ats", show_obstacles),
    Row("GET", "/resumes/{resume_id}/export", show_exports),
    Row("GET", "/resumes/{resume_id}/export/file", download),
)
