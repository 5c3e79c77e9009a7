"""What was seen in a file, before anything is understood."""

from dataclasses import dataclass

from service.domain.resume import Notice, Obstacle, Quality
from service.domain.resume_reading.lines import Line


@dataclass(frozen=True, slots=True)
class Sheet:
    quality: Quality
    lines: tuple[Line, ...] = ()
    notices: tuple[Notice, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
