"""The evidence of one requirement as shown: each line of the résumé once, with what it proves."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.domain.alignment import MatchEvidence, Strength


@dataclass(frozen=True, slots=True)
class ShownProof:
    """`skills` are canonical names; empty where the line proves years, a degree or a size."""

    text: str
    strength: Strength
    skills: tuple[str, ...]


def proofs(evidence: Sequence[MatchEvidence]) -> tuple[ShownProof, ...]:
    """In the order given; a line quoted for several skills is one proof that names them all."""
    found: dict[tuple[str, Strength], dict[str, None]] = {}
    for one in evidence:
        skills = found.setdefault((one.text, one.strength), {})
        if one.skill:
            skills[one.skill] = None
    return tuple(ShownProof(text, strength, tuple(s)) for (text, strength), s in found.items())
