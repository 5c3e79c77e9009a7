"""A résumé's exports, each with its certificate; and what other readers make of the upload."""

from typing import Annotated, Final

from fastapi import Form, Response

from service.domain.ats import FINDINGS, Harm
from service.domain.language import msg
from service.domain.resume_writing.naming import field_title
from service.flows import exports, repairs
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
        field_title=field_title,
        names={form.value: name for form, name in FORM_NAMES.items()},
    )


async def download(page: PageDep, resume_id: str, form: ExportForm) -> Response:
    made = await exports.export(page.parts, page.owner, resume_id, form)
    return Response(made.data, media_type=made.media, headers=made.headers)


async def show_obstacles(page: PageDep, resume_id: str) -> Response:
    stored = await page.parts.store.get_resume(page.owner, resume_id)
    return page.show("ats.html", stored=stored, findings=FINDINGS, looks=LOOKS)


async def decide_repair(
    page: PageDep,
    resume_id: str,
    field: Annotated[str, Form()] = "",
    decision: Annotated[str, Form()] = "",
) -> Response:
    accept = decision == "accept"
    await repairs.decide_repair(page.parts, page.owner, resume_id, field, accept=accept)
    return page.go(f"/resumes/{resume_id}")


async def fill_missing(
    page: PageDep,
    resume_id: str,
    field: Annotated[str, Form()] = "",
    value: Annotated[str, Form()] = "",
) -> Response:
    await repairs.fill_missing(page.parts, page.owner, resume_id, field, value)
    return page.go(f"/resumes/{resume_id}")


ROWS: Final = (
    Row("POST", "/resumes/{resume_id}/repairs", decide_repair),
    Row("POST", "/resumes/{resume_id}/missing", fill_missing),
    Row("GET", "/resumes/{resume_id}/ats", show_obstacles),
    Row("GET", "/resumes/{resume_id}/export", show_exports),
    Row("GET", "/resumes/{resume_id}/export/file", download),
)
