"""Patterns of points and beliefs against the lexicon: every fault at once, by name and file."""

from collections.abc import Iterator

from service.domain.assertions import Lexicon, prepare_misconception, prepare_point
from service.domain.knowledge import Knowledge
from service.errors import KnowledgeInvalid


def require_patterns(knowledge: Knowledge, lexicon: Lexicon) -> None:
    """Raises KnowledgeInvalid when a pattern names what the lexicon does not hold."""
    faults = [*_point_faults(knowledge, lexicon), *_belief_faults(knowledge, lexicon)]
    if faults:
        raise KnowledgeInvalid("Patterns and lexicon do not fit together:", faults)


def _point_faults(knowledge: Knowledge, lexicon: Lexicon) -> Iterator[str]:
    for question in knowledge.questions.values():
        for point in question.rubric.points:
            try:
                prepare_point(point, lexicon)
            except ValueError as error:
                yield f"questions/{question.id}.yaml, point {point.id}: {error}"


def _belief_faults(knowledge: Knowledge, lexicon: Lexicon) -> Iterator[str]:
    for belief in knowledge.misconceptions.values():
        try:
            prepare_misconception(belief, lexicon)
        except ValueError as error:
            yield f"misconceptions/*.yaml, {belief.id}: {error}"
