"""A résumé that is kept, written out again, with the proof that it can be read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.documents.export.certify import export_certified
from service.documents.export.write import EXTENSION, MEDIA, ExportForm, export_resume
from service.domain.resume_writing.certificate import Certificate
from service.flows.parts import Parts

# For pages and programs alike: an export is kept as a file, never shown in the page's own frame.
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Exported:
    data: bytes
    media: str
    filename: str

    @property
    def headers(self) -> dict[str, str]:
        return HEADERS | {"Content-Disposition": f'attachment; filename="{self.filename}"'}


async def export(parts: Parts, owner_id: str, resume_id: str, form: ExportForm) -> Exported:
    """Write one résumé. The file's name says nothing of the person.

    Raises:
        NotFound: it is not this owner's.
    """
    stored = await parts.store.get_resume(owner_id, resume_id)
    data = await asyncio.to_thread(export_resume, stored.resume, form)
    return Exported(data, MEDIA[form], f"resume.{EXTENSION[form]}")


async def certified(
    parts: Parts, owner_id: str, resume_id: str, forms: Sequence[ExportForm]
) -> tuple[Certificate, ...]:
    """Write each form, read it back and compare.

    Raises:
        NotFound: it is not this owner's.
    """
    stored = await parts.store.get_resume(owner_id, resume_id)
    made = await asyncio.gather(
        *(export_certified(stored.resume, form, parts.resumes) for form in forms)
    )
    return tuple(proof for _, proof in made)


__all__ = ["HEADERS", "Certificate", "ExportForm", "Exported", "certified", "export"]
