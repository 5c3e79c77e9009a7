"""One stance per point over the turns of a question: the last word counts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.grading import Evidence, Finding, Grade, Verdict
from service.domain.interview import Turn

DECIDED: Final = frozenset({Verdict.MET, Verdict.PARTIAL, Verdict.CONTRADICTED})
# (before, later): what was said before stands.
KEPT: Final = frozenset(
    {
        (Verdict.MET, Verdict.MET),
        (Verdict.MET, Verdict.PARTIAL),
        (Verdict.PARTIAL, Verdict.PARTIAL),
        (Verdict.CONTRADICTED, Verdict.CONTRADICTED),
    }
)


def merge_findings(turns: Sequence[Turn]) -> dict[str, Finding]:
    """Per point the final stance over a question's turns: a later decision replaces an earlier.

    Saying nothing about a point in a follow-up takes nothing back. A point that was lost to a
    wrong number is won back by the right one, even where the correction names nothing else.
    """
    merged: dict[str, Finding] = {}
    lost: dict[str, NumericClaim] = {}
    for turn in turns:
        if turn.grade is None:
            continue
        for finding in turn.grade.findings:
            known = merged.get(finding.point_id)
            if known is None or _replaces(finding, known):
                merged[finding.point_id] = finding
            lost |= _lost_to(finding, turn.grade)
        for point_id, wrong in lost.items():
            right = _put_right(wrong, turn.grade)
            if right is not None and merged[point_id].verdict is Verdict.MISSED:
                known = merged[point_id]
                merged[point_id] = replace(known, verdict=Verdict.MET, evidence=right, note=None)
    return merged


def _replaces(later: Finding, known: Finding) -> bool:
    """Only a change of verdict replaces: the words that earned a point first are its best quote."""
    if later.verdict not in DECIDED:
        return known.verdict is Verdict.UNJUDGED
    return (known.verdict, later.verdict) not in KEPT


def _lost_to(finding: Finding, grade: Grade) -> dict[str, NumericClaim]:
    """The wrong number in the words that would have earned the point, if that is what lost it."""
    if finding.verdict is not Verdict.MISSED or finding.evidence is None:
        return {}
    span = finding.evidence.span
    wrong = [c for c in grade.claims if c.verdict is ClaimVerdict.WRONG and c.span.overlaps(span)]
    return {finding.point_id: wrong[0]} if wrong else {}


def _put_right(wrong: NumericClaim, grade: Grade) -> Evidence | None:
    for claim in grade.claims:
        if claim.verdict is ClaimVerdict.RIGHT and is_same_subject(wrong, claim):
            return Evidence(claim.text, claim.span)
    return None


_SIZES: Final = frozenset({"memory_per_gpu", "total_memory"})


def is_same_subject(one: NumericClaim, other: NumericClaim) -> bool:
    """Of the same thing: a bare correction may leave out whose memory it is, not its scheme."""
    kinds = {one.quantity.value, other.quantity.value}
    schemes = {one.scheme, other.scheme} - {None, ""}
    return (len(kinds) == 1 or kinds <= _SIZES) and len(schemes) <= 1
