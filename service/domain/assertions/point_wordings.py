"""The sentences a rubric's points are weighed by: their own, and those that deny them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from service.domain.assertions.evidence import Wording
from service.domain.grading import Dimension, RubricPoint
from service.domain.knowledge import Misconception, Question
from service.domain.language import Lang

PointDenials = Mapping[str, Mapping[Lang, Sequence[str]]]
BLANK: Final = "{"  # a figure of this draw stands there: nothing to compare with


def wordings_of_points(
    question: Question, atlas: Iterable[Misconception], denials: PointDenials
) -> tuple[Wording, ...]:
    """Every sentence a stretch is compared with, in a fixed order; `denials` by point.

    Points of experience have none: they are earned by a case of one's own, which no likeness to
    a ready sentence shows.
    """
    entries = tuple(atlas)
    points = (p for p in question.rubric.points if p.dimension is not Dimension.EXPERIENCE)
    return tuple(
        Wording(point.id, text, states)
        for point in points
        for text, states in _of_point(question.id, point, entries, denials.get(point.id, {}))
        if BLANK not in text
    )


def _of_point(
    question_id: str,
    point: RubricPoint,
    atlas: tuple[Misconception, ...],
    denials: Mapping[Lang, Sequence[str]],
) -> Iterator[tuple[str, bool]]:
    against = [m for m in atlas if _contradicts(m, question_id, point.id)]
    for lang in Lang:
        yield from ((t, True) for t in (point.text.in_(lang), *point.wordings.get(lang.value, ())))
        yield from ((entry.belief.in_(lang), False) for entry in against)
        yield from ((text, False) for text in denials.get(lang, ()))


def _contradicts(entry: Misconception, question_id: str, point_id: str) -> bool:
    named = (named.rpartition("/") for named in entry.contradicts)
    return any(point == point_id and where in ("", question_id) for where, _, point in named)
