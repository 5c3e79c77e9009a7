"""Résumés, postings and what they have in common: bring in, list, show, delete."""

import asyncio
from functools import partial
from hashlib import sha256
from typing import Final

from service.domain.alignment import align as align_values
from service.domain.assertions.foreign import is_addressed_to_grader
from service.domain.posting_reading import read_posting
from service.domain.resume import Quality
from service.domain.text import fold
from service.errors import FileUnreadable
from service.flows.parts import Parts
from service.flows.texts import require_text
from service.store.port import StoredMatch, StoredPosting, StoredResume

PASTED: Final = "pasted.txt"
UNNAMED: Final = "resume"
LONGEST_NAME: Final = 255


async def import_resume(parts: Parts, owner_id: str, data: bytes, filename: str) -> StoredResume:
    """Read a résumé file and keep what was read; the file itself is not kept.

    Raises:
        FileTooLarge, FileUnsupported, FileUnreadable: nothing was stored.
    """
    name = base_name(filename)
    read = await parts.resumes.read(data, name)
    if read.quality is not Quality.OK or read.resume is None:
        raise FileUnreadable("The file holds no readable résumé.", quality=read.quality.value)
    stored = StoredResume(
        id=parts.new_id(),
        created_at=parts.clock(),
        filename=name,
        quality=read.quality,
        resume=read.resume,
        content_hash=sha256(data).hexdigest(),
    )
    await parts.store.add_resume(owner_id, stored)
    return stored


def base_name(filename: str) -> str:
    """The last part of what a browser or program calls a file, whatever system it comes from."""
    last = fold(filename).text.replace("\\", "/").rsplit("/", 1)[-1].strip()
    return last[:LONGEST_NAME] or UNNAMED


async def paste_resume(parts: Parts, owner_id: str, text: str) -> StoredResume:
    require_text(text, parts.limits.posting_chars)
    return await import_resume(parts, owner_id, text.encode(), PASTED)


async def import_posting(parts: Parts, owner_id: str, text: str) -> StoredPosting:
    """Read a pasted posting and keep it.

    Raises:
        TextEmpty, TextTooLong, TextInvalid: nothing was stored.
    """
    require_text(text, parts.limits.posting_chars)
    stored = StoredPosting(
        id=parts.new_id(),
        created_at=parts.clock(),
        posting=await asyncio.to_thread(read_posting, text, parts.knowledge.skills),
    )
    await parts.store.add_posting(owner_id, stored)
    return stored


async def align(parts: Parts, owner_id: str, resume_id: str, posting_id: str) -> StoredMatch:
    """Set requirements beside the résumé's evidence and keep the table.

    Raises:
        NotFound: one of the two is not this owner's.
    """
    resume = await parts.store.get_resume(owner_id, resume_id)
    posting = await parts.store.get_posting(owner_id, posting_id)
    today = f"{parts.clock():%Y-%m}"
    match = await asyncio.to_thread(
        align_values,
        resume.resume,
        posting.posting,
        parts.knowledge.skills,
        today,
        partial(is_addressed_to_grader, lexicon=parts.lexicon),
    )
    stored = StoredMatch(
        id=parts.new_id(),
        created_at=parts.clock(),
        resume_id=resume_id,
        posting_id=posting_id,
        match=match,
    )
    await parts.store.add_match(owner_id, stored)
    return stored


__all__ = [
    "StoredMatch",
    "StoredPosting",
    "StoredResume",
    "align",
    "import_posting",
    "import_resume",
    "paste_resume",
]
