"""Starts the reading child and trusts nothing it says beyond the agreed form."""

import asyncio
import contextlib
import sys
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.documents.limits import Format, ReadLimits
from service.documents.sheet import Sheet
from service.domain.resume import Notice, Obstacle, Quality
from service.domain.resume_reading.lines import Line

MOST_LINES: Final = 4_000
MOST_OBSTACLES: Final = 400
# The child's answer for the largest honest résumé is far below this.
MOST_ANSWER_BYTES: Final = 8_000_000
# What a child may know of its surroundings: nothing but how to write text.
_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    aside: str = ""
    heading: int = 0
    bullet: bool = False
    bold: bool = False
    size: float = 0.0
    indent: float = 0.0
    page: int | None = None
    box: tuple[float, float, float, float] | None = None
    links: tuple[str, ...] = ()
    column: int = 0


class _Notice(BaseModel):
    kind: str
    count: int = 0
    detail: str = ""


class _Obstacle(BaseModel):
    kind: str
    count: int = 1
    quote: str = ""
    page: int | None = None
    box: tuple[float, float, float, float] | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    quality: Quality
    lines: Annotated[list[_Line], Field(max_length=MOST_LINES)] = []
    notices: list[_Notice] = []
    obstacles: Annotated[list[_Obstacle], Field(max_length=MOST_OBSTACLES)] = []


async def run_child(kind: Format, data: bytes, limits: ReadLimits) -> Sheet:
    """A child that is too slow, too big or dies leaves a garbled sheet; it never raises."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-m",
        "service.documents.child",
        kind.value,
        str(int(limits.memory_bytes)),
        str(max(1, int(limits.wall_seconds))),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_ENVIRONMENT,
        limit=MOST_ANSWER_BYTES,
    )
    try:
        async with asyncio.timeout(limits.wall_seconds):
            answer, _ = await child.communicate(data)
    except TimeoutError:
        return Sheet(Quality.GARBLED)
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()
    return _sheet(answer)


def _sheet(answer: bytes) -> Sheet:
    if len(answer) > MOST_ANSWER_BYTES:
        return Sheet(Quality.GARBLED)
    try:
        read = _Answer.model_validate_json(answer)
    except ValidationError:
        return Sheet(Quality.GARBLED)
    return Sheet(
        read.quality,
        tuple(Line(**line.model_dump()) for line in read.lines),
        tuple(Notice(n.kind, n.count, n.detail) for n in read.notices),
        tuple(Obstacle(**one.model_dump()) for one in read.obstacles),
    )
