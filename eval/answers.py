"""Answers to be graded, as JSON lines: {"id", "lang", "answer"} and, with labels, what is true."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.domain.language import Lang, detect_language
from service.errors import InputInvalid


class AnswerLine(BaseModel):
    """Other keys are ignored. The labels are used by `meta` only."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    lang: str | None = None
    answer: str
    points: Mapping[str, str] = Field(default_factory=dict[str, str])
    misconceptions: Sequence[str] = ()
    score: float | None = None

    @property
    def reader_lang(self) -> Lang:
        """As stated; a mixed or unstated language is told from the text."""
        return Lang(self.lang) if self.lang in set(Lang) else detect_language(self.answer)


def read_answers(path: Path) -> Sequence[AnswerLine]:
    """All lines, in order.

    Raises:
        InputInvalid: no such file, a line that is no answer, or an id given twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputInvalid("{path} cannot be read.", path=str(path)) from error
    lines = [
        _read_line(path, number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    seen: set[str] = set()
    for line in lines:
        if line.id in seen:
            raise InputInvalid("{path}: the id {id} stands there twice.", path=path, id=line.id)
        seen.add(line.id)
    return lines


def _read_line(path: Path, number: int, line: str) -> AnswerLine:
    try:
        return AnswerLine.model_validate(json.loads(line))
    except (json.JSONDecodeError, ValidationError) as error:
        raise InputInvalid(
            "{path}, line {line}: not an answer; it needs id and answer.",
            path=str(path),
            line=number,
        ) from error
