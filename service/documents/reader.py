"""A résumé file in, a résumé out. PDF and DOCX are opened only in a limited child process."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from service.documents.clean import clean_strings
from service.documents.limits import Format, ReadLimits, format_of
from service.documents.spawn import run_child
from service.documents.text import decode, hidden_notices, looks_marked, text_lines
from service.domain.knowledge import Skill
from service.domain.language import Message, msg
from service.domain.resume import Notice, Quality, Resume
from service.domain.resume_reading.json_resume import from_json_resume
from service.domain.resume_reading.read import read_resume_lines
from service.domain.resume_reading.words import ResumeWords
from service.domain.skills import skill_names
from service.errors import FileTooLarge, FileUnreadable, FileUnsupported, UserError

# Children at once; each may take the whole memory limit, the rest wait their turn.
AT_ONCE = 2
# So long is a sentence that somebody tells.
LEAST_WORDS = 6
LEAST_HAN = 10
LEAST_SKILLS = 2
_WHY: Mapping[Quality, Message] = {
    Quality.SCAN: msg("The pages are pictures; there is no text in them to read."),
    Quality.GARBLED: msg("The file is damaged, or its text cannot be decoded."),
    Quality.PROTECTED: msg("The file is protected by a password."),
    Quality.EMPTY: msg("There is no text in this file."),
    Quality.UNSUPPORTED: msg("This file does not have one of the forms that can be read."),
}
NO_RESUME: Message = msg(
    "No résumé was recognised in this text: no name, no contact, no work, project or education."
)


@dataclass(frozen=True, slots=True)
class ReadResume:
    quality: Quality
    resume: Resume | None
    notices: tuple[Notice, ...] = ()


class ResumeReader:
    """Reads résumés; knows no clock, no store and no network."""

    def __init__(self, limits: ReadLimits, words: ResumeWords, skills: Mapping[str, Skill]) -> None:
        self._limits = limits
        self._words = words
        self._skills = skills
        self._children = asyncio.Semaphore(AT_ONCE)

    async def read(self, data: bytes, filename: str) -> ReadResume:
        """Read one file.

        Raises:
            FileTooLarge: more bytes than the limit.
            FileUnsupported: name and content are not of one readable format.
            FileUnreadable: the format is right, the content is not; carries the quality.
        """
        if len(data) > self._limits.file_bytes:
            raise FileTooLarge(
                "The file is larger than {limit} bytes.", limit=self._limits.file_bytes
            )
        kind = format_of(filename, data)
        if kind is None:
            raise FileUnsupported("PDF, DOCX, Markdown, plain text and JSON Resume can be read.")
        if not data.strip():
            raise _unreadable(Quality.EMPTY)
        if kind in (Format.PDF, Format.DOCX):
            return await self._read_in_child(kind, data)
        return await asyncio.to_thread(self._read_here, kind, data)

    async def read_text(self, text: str) -> ReadResume:
        """Read pasted text; Markdown marks are understood."""
        return await self.read(text.encode("utf-8", "replace"), "pasted.md")

    async def _read_in_child(self, kind: Format, data: bytes) -> ReadResume:
        async with self._children:
            sheet = await run_child(kind, data, self._limits)
        if sheet.quality is not Quality.OK:
            raise _unreadable(sheet.quality)
        resume = await asyncio.to_thread(
            read_resume_lines, sheet.lines, self._words, self._skills, sheet.notices
        )
        seen = replace(resume, obstacles=(*sheet.obstacles, *resume.obstacles))
        return self._checked(seen)

    def _read_here(self, kind: Format, data: bytes) -> ReadResume:
        text = decode(data)
        if text is None:
            raise _unreadable(Quality.GARBLED)
        if kind is Format.JSON:
            return self._checked(_json_resume(text))
        lines, notices = text_lines(text, markdown=kind is Format.MARKDOWN or looks_marked(text))
        return self._checked(read_resume_lines(lines, self._words, self._skills, notices))

    def _checked(self, resume: Resume) -> ReadResume:
        """Only what tells of a person goes on; a list of accounts is text and no résumé."""
        if not any(c.isalnum() for c in resume.text):
            raise _unreadable(Quality.EMPTY)
        if not _tells_of_someone(resume) and not self._tells_of_skill(resume):
            raise FileUnreadable(NO_RESUME.template, Quality.UNSUPPORTED.value)
        return ReadResume(Quality.OK, resume, resume.warnings)

    def _tells_of_skill(self, resume: Resume) -> bool:
        """Sentences without contact or heading that are about the trade all the same."""
        told = " \n".join(n.text for n in resume.notes if _is_told(n.text))
        return len(skill_names(told, self._skills)) >= LEAST_SKILLS


def _json_resume(text: str) -> Resume:
    """Escapes may hold what no text may: the strings are cleaned after they are decoded."""
    try:
        value, hidden, stripped = clean_strings(json.loads(text))
        resume = from_json_resume(value, hidden_notices(hidden, stripped))
    except (ValueError, RecursionError) as error:
        raise _unreadable(Quality.GARBLED) from error
    if resume is None:
        raise _unreadable(Quality.UNSUPPORTED)
    return resume


def _is_told(text: str) -> bool:
    han = sum("\u3400" <= c <= "\u9fff" for c in text)
    return len(text.split()) >= LEAST_WORDS or han >= LEAST_HAN


def _tells_of_someone(resume: Resume) -> bool:
    contacts = (resume.name, resume.email, resume.phone)
    return any((*contacts, resume.work, resume.projects, resume.education, resume.skills))


def _unreadable(quality: Quality) -> UserError:
    return FileUnreadable(_WHY[quality].template, quality.value)
