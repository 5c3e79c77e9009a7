"""Repairs of a kept résumé decided by its person, and what was missing filled in."""

from dataclasses import replace

from service.domain.resume_reading.repairs import decide, fill
from service.flows.parts import Parts
from service.store.port import StoredResume


async def decide_repair(
    parts: Parts, owner_id: str, resume_id: str, field: str, *, accept: bool
) -> StoredResume:
    """Raises NotFound: no such résumé or no such open repair."""
    stored = await parts.store.get_resume(owner_id, resume_id)
    resume = decide(stored.resume, field, accept)
    await parts.store.replace_resume(owner_id, resume_id, resume)
    return replace(stored, resume=resume)


async def fill_missing(
    parts: Parts, owner_id: str, resume_id: str, field: str, value: str
) -> StoredResume:
    """Raises NotFound: nothing of this name is missing; InputInvalid: not of the field's form."""
    stored = await parts.store.get_resume(owner_id, resume_id)
    resume = fill(stored.resume, field, value)
    await parts.store.replace_resume(owner_id, resume_id, resume)
    return replace(stored, resume=resume)
