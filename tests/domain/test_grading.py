from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.grading import (
    CREDIT,
    Dimension,
    Finding,
    Grade,
    GradeStatus,
    MisconceptionClaim,
    PointClaim,
    Verdict,
    grade,
    ground,
    ground_misconceptions,
)
from service.domain.language import msg
from service.domain.text import Span
from tests.domain.samples import RUBRIC

ANSWER = "Every GPU keeps a full copy. Stage 1 costs 4ψ+12ψ/N."


def graded(**verdicts: Verdict) -> Grade:
    return grade(RUBRIC, [Finding(name, verdict) for name, verdict in verdicts.items()])


def test_the_score_is_the_weighted_mean_of_the_dimensions():
    result = graded(m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.MISSED)
    assert result.dimensions == {Dimension.MOTIVATION: 100.0, Dimension.STAGES: 50.0}
    assert result.score == 62.5
    assert result.coverage == 1.0


def test_half_of_a_point_earns_half():
    assert graded(m1=Verdict.PARTIAL, s1=Verdict.MISSED, s2=Verdict.MISSED).score == 12.5


def test_an_unjudged_point_leaves_the_divisor_and_lowers_coverage():
    result = graded(m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.UNJUDGED)
    assert result.score == 100.0
    assert result.coverage == pytest.approx(0.625)


def test_an_unsupported_point_stays_in_the_divisor():
    assert graded(m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.UNSUPPORTED).score == 62.5


def test_too_little_judged_gives_no_mark():
    result = graded(m1=Verdict.MET, s1=Verdict.UNJUDGED, s2=Verdict.UNJUDGED)
    assert result.status is GradeStatus.NOT_ENOUGH_EVIDENCE
    assert result.score is None


def test_misconceptions_are_penalised_beside_the_score_and_not_inside():
    held = ground_misconceptions([MisconceptionClaim("M01", "full copy")], ANSWER)
    findings = [Finding("m1", Verdict.MET), Finding("s1", Verdict.MET), Finding("s2", Verdict.MET)]
    result = grade(RUBRIC, findings, held)
    assert result.score == 100.0
    assert result.penalty == 5.0


def test_an_invented_quote_does_not_pay():
    findings = ground(
        [PointClaim("m1", Verdict.MET, "all states are replicated")], RUBRIC, ANSWER, ()
    )
    assert findings[0].verdict is Verdict.UNSUPPORTED


def test_a_quote_from_words_that_are_not_the_candidates_own_does_not_pay():
    claim = PointClaim("m1", Verdict.MET, "Every GPU keeps a full copy")
    findings = ground([claim], RUBRIC, ANSWER, (), [Span(0, 10)])
    assert findings[0].verdict is Verdict.UNSUPPORTED


def test_a_wrong_number_in_the_quote_takes_the_point_that_stands_on_it():
    at = ANSWER.index("4ψ")
    wrong = NumericClaim(
        Span(at, at + 8),
        "4ψ+12ψ/N",
        Quantity.FORMULA,
        ClaimVerdict.WRONG,
        "2ψ+14ψ/N",
        msg("off"),
    )
    claims = [
        PointClaim("s1", Verdict.MET, "Stage 1 costs 4ψ+12ψ/N"),
        PointClaim("s2", Verdict.MET, "Stage 1 costs 4ψ+12ψ/N"),
    ]
    verdicts = {f.point_id: f.verdict for f in ground(claims, RUBRIC, ANSWER, [wrong])}
    assert verdicts == {"m1": Verdict.UNJUDGED, "s1": Verdict.MET, "s2": Verdict.MISSED}


def test_an_accusation_needs_the_candidates_own_words():
    invented = MisconceptionClaim("M01", "ZeRO is model parallelism")
    assert ground_misconceptions([invented], ANSWER) == ()


VERDICTS = st.sampled_from(list(Verdict))


@given(VERDICTS, VERDICTS, VERDICTS)
def test_a_score_stays_between_nought_and_hundred(m1: Verdict, s1: Verdict, s2: Verdict):
    result = graded(m1=m1, s1=s1, s2=s2)
    assert result.score is None or 0 <= result.score <= 100
    assert (result.score is None) == (result.status is GradeStatus.NOT_ENOUGH_EVIDENCE)


@given(VERDICTS, st.text(max_size=20))
def test_grounding_never_raises_credit(verdict: Verdict, quote: str):
    [first, *_] = ground([PointClaim("m1", verdict, quote)], RUBRIC, ANSWER, ())
    claimed = CREDIT.get(verdict, Fraction(0))
    assert CREDIT.get(first.verdict, Fraction(0)) <= claimed
