"""The sentences a rubric's points are weighed by: their own, and the beliefs that deny them."""

from collections.abc import Iterable, Iterator

from service.domain.assertions.evidence import Wording
from service.domain.grading import Dimension, RubricPoint
from service.domain.knowledge import Misconception, Question
from service.domain.language import Lang


def wordings_of_points(question: Question, atlas: Iterable[Misconception]) -> tuple[Wording, ...]:
    """Every sentence a stretch is compared with, in a fixed order.

    Points of experience have none: they are earned by a case of one's own, which no likeness to
    a ready sentence shows.
    """
    entries = tuple(atlas)
    points = (p for p in question.rubric.points if p.dimension is not Dimension.EXPERIENCE)
    return tuple(w for p in points for w in _of_point(question.id, p, entries))


def _of_point(
    question_id: str, point: RubricPoint, atlas: tuple[Misconception, ...]
) -> Iterator[Wording]:
    against = [m for m in atlas if _contradicts(m, question_id, point.id)]
    for lang in Lang:
        for text in (point.text.in_(lang), *point.wordings.get(lang.value, ())):
            yield Wording(point.id, text, True)
        for entry in against:
            yield Wording(point.id, entry.belief.in_(lang), False)


def _contradicts(entry: Misconception, question_id: str, point_id: str) -> bool:
    named = (named.rpartition("/") for named in entry.contradicts)
    return any(point == point_id and where in ("", question_id) for where, _, point in named)
