"""The proof of an export: it is read again by our importer and by a second reader."""

import asyncio

from service.documents.export.second import second_text
from service.documents.export.write import EXTENSION, ExportForm, export_resume
from service.documents.reader import ResumeReader
from service.domain.resume import Resume
from service.domain.resume_writing.certificate import Certificate, certificate
from service.domain.resume_writing.compose import compose
from service.errors import UserError


async def certify(
    data: bytes, form: ExportForm, resume: Resume, reader: ResumeReader
) -> Certificate:
    """Compare the bytes with the résumé; an export that cannot be read loses every field."""
    second = await asyncio.to_thread(second_text, data, form)
    try:
        read = await reader.read(data, f"export.{EXTENSION[form]}")
    except UserError:
        return certificate(form.value, resume, Resume(""), second, compose(resume).lang)
    back = read.resume or Resume("")
    return certificate(form.value, resume, back, second, compose(resume).lang)


async def export_certified(
    resume: Resume, form: ExportForm, reader: ResumeReader
) -> tuple[bytes, Certificate]:
    data = await asyncio.to_thread(export_resume, resume, form)
    return data, await certify(data, form, resume, reader)
