"""Reads what a text asserts: frames, rubric points, misconceptions, and whose words they are."""

from collections.abc import Iterable

from service.domain.assertions.foreign import own_words_excluded, without
from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Composition, Entry, Lexicon, build_lexicon
from service.domain.assertions.model import Frame, Kind, Mention, Stance
from service.domain.assertions.points import (
    MisconceptionPatterns,
    PointPatterns,
    match_in_other_words,
    match_misconceptions,
    match_points,
    prepare_misconception,
    prepare_point,
)
from service.domain.grading import MisconceptionClaim
from service.domain.knowledge import Misconception


def find_misconceptions(
    text: str, atlas: Iterable[Misconception], lexicon: Lexicon
) -> tuple[MisconceptionClaim, ...]:
    """Misconceptions asserted in any text; quotes are verbatim.

    Raises:
        ValueError: a pattern of the atlas is malformed (the loader reports these with a line).
    """
    prepared = [prepare_misconception(m, lexicon) for m in atlas if m.patterns]
    return match_misconceptions(text, read_frames(text, lexicon), prepared)


__all__ = [
    "Composition",
    "Entry",
    "Frame",
    "Kind",
    "Lexicon",
    "Mention",
    "MisconceptionPatterns",
    "PointPatterns",
    "Stance",
    "build_lexicon",
    "find_misconceptions",
    "match_in_other_words",
    "match_misconceptions",
    "match_points",
    "own_words_excluded",
    "prepare_misconception",
    "prepare_point",
    "read_frames",
    "without",
]
