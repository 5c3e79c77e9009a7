"""What was said earlier in the interview that an answer now goes against."""

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.grading import Verdict
from service.domain.interview import Session, Turn
from service.domain.knowledge import Misconception
from service.domain.merging import is_same_subject


def earlier_point(session: Session, turn: Turn, belief: Misconception | None) -> str:
    """The words of an earlier turn that earned a point which `belief` denies; empty when none."""
    if belief is None:
        return ""
    for before in reversed(session.turns):
        if before.seq >= turn.seq or before.grade is None:
            continue
        for finding in before.grade.findings:
            named = {finding.point_id, f"{before.question_id}/{finding.point_id}"}
            denied = {c for c in belief.contradicts if "/" in c or _is_same(before, turn)}
            if finding.verdict is Verdict.MET and finding.evidence and named & denied:
                return finding.evidence.quote
    return ""


def _is_same(before: Turn, turn: Turn) -> bool:
    return before.question_id == turn.question_id


def earlier_number(session: Session, turn: Turn, wrong: NumericClaim) -> str:
    """A right number for the same thing that was given before; empty when there is none."""
    for before in reversed(session.turns):
        if before.seq >= turn.seq or before.grade is None:
            continue
        for claim in before.grade.claims:
            if claim.verdict is ClaimVerdict.RIGHT and _gives(claim, wrong):
                return claim.text
    return ""


def _gives(right: NumericClaim, wrong: NumericClaim) -> bool:
    """The right one gave what the wrong one should have been; another model is another number."""
    is_other = right.text != wrong.text and right.expected is not None
    return is_other and right.expected == wrong.expected and is_same_subject(right, wrong)
