"""A résumé as lines in reading order: what every file format is brought to before it is read."""

import re
from dataclasses import dataclass, field, replace
from typing import Final

Box = tuple[float, float, float, float]

BULLET_MARKS: Final = "•●○▪▫■□◦‣⁃∙·▸▹►▶▷➢➤➔→✓✔✦✧★☆◆◇❖–—*-+§"
_MARK: Final = re.compile(
    rf"^\s*(?:[{re.escape(BULLET_MARKS)}]\s*(?=[^\s\d\-–—*])|[{re.escape(BULLET_MARKS)}]\s+|o\s+(?=[A-Z])|(?:\d{{1,2}}[.)、．]|[（(]\d{{1,2}}[)）]|[①-⑳])\s*(?=\D))"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line: wrapped text is already joined, list marks are already off.

    `aside` is short text set apart on the same line (a date or place column). `heading` is the
    level of a marked heading, 0 for none. `indent` grows with depth; its unit is the file's own.
    `size` is in points, 0 when unknown. `page` counts from 1, `column` from 1 where a page has
    columns and is 0 for the whole width.
    """

    text: str
    aside: str = ""
    heading: int = 0
    bullet: bool = False
    bold: bool = False
    size: float = 0.0
    indent: float = 0.0
    page: int | None = None
    box: Box | None = None
    links: tuple[str, ...] = field(default=())
    column: int = 0

    @property
    def whole(self) -> str:
        return f"{self.text}\t{self.aside}" if self.aside else self.text


def unmarked(line: Line) -> Line:
    """Takes the list mark off the text and notes that there was one."""
    mark = _MARK.match(line.text)
    if mark is None or mark.end() == len(line.text):
        return line
    return replace(line, text=line.text[mark.end() :].strip(), bullet=True)
