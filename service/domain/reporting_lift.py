"""What would raise a verdict, in one sentence to the candidate."""

from collections.abc import Mapping
from typing import Final

from service.domain.grading import RubricPoint, Verdict
from service.domain.language import Message, msg

LIFT: Final[Mapping[Verdict, Message | None]] = {
    Verdict.MET: None,
    Verdict.PARTIAL: msg("The quoted words carry part of it; say what else the point states."),
    Verdict.MISSED: msg("Say this in your own words."),
    Verdict.CONTRADICTED: msg("You said the opposite; correct it first."),
    Verdict.UNSUPPORTED: msg("Say it in your own words; copied words earn nothing."),
    Verdict.UNJUDGED: msg("This could not be judged; say it in one plain sentence."),
}
# For points that stand or fall with a number.
LIFT_WITH_NUMBER: Final[Mapping[Verdict, Message]] = {
    Verdict.PARTIAL: msg(
        "The quoted words carry part of it; say what else the point states, with its number."
    ),
    Verdict.MISSED: msg("Say this in your own words, with its number."),
}


def lift(point: RubricPoint, verdict: Verdict) -> Message | None:
    """What would raise the verdict; None where nothing is left to say."""
    numeric = LIFT_WITH_NUMBER.get(verdict) if point.quantities else None
    return numeric or LIFT[verdict]
