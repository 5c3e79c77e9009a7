from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.grading import (
    AssertedMisconception,
    Dimension,
    Evidence,
    Finding,
    Verdict,
    grade,
)
from service.domain.interview import Move, MoveKind, Session, ask, close, record, skip, store_answer
from service.domain.knowledge import Fact, HowVerified, Knowledge, Misconception
from service.domain.language import msg
from service.domain.reporting import QuestionState, lift, make_report
from service.domain.tasks import EngineNote
from service.domain.text import Span
from tests.domain.samples import NOON, QUESTIONS, RUBRIC, both, question, started
from tests.domain.test_interview import SNAPSHOT

FACT = Fact("F001", both("a fact"), "a paper §1", HowVerified.VP, "stages")
BELIEF = Misconception(
    "M01", both("wrong"), both("right"), ("F001",), "basic", contradicts=("q1/s1",)
)
KNOWLEDGE = Knowledge(
    facts={"F001": FACT},
    sources={},
    misconceptions={"M01": BELIEF},
    questions={**QUESTIONS, "q1": question("q1", fact_ids=("F001",))},
    skills={},
    digest="d",
)


def said(session: Session, note: EngineNote | None = None, **verdicts: Verdict) -> Session:
    seq = session.turns[-1].seq
    findings = [
        Finding(name, verdict, Evidence("words", Span(0, 5))) for name, verdict in verdicts.items()
    ]
    held = [AssertedMisconception("M01", Evidence("words", Span(0, 5)))]
    believes = verdicts.get("s1") is Verdict.CONTRADICTED
    stored = store_answer(session, seq, "words of mine", NOON)
    total = grade(RUBRIC, findings, held if believes else ())
    return record(stored, seq, total, SNAPSHOT, note or EngineNote(engine="builtin"), NOON)


def test_a_report_scores_names_gaps_and_one_next_action():
    session = said(started(), m1=Verdict.MET, s1=Verdict.CONTRADICTED, s2=Verdict.PARTIAL)
    report = make_report(close(session, NOON), KNOWLEDGE)
    assert report.finished
    assert report.score == 43.8
    assert report.dimensions[Dimension.MOTIVATION] == 100.0
    assert report.dimensions[Dimension.EXPERIENCE] is None
    assert [g.point_id for g in report.gaps] == ["s1", "s2"]
    assert report.questions[0].misconceptions[0].misconception.id == "M01"
    assert report.questions[0].reference == (FACT,)
    assert report.penalty == 5.0
    assert dict(report.next_action.params)["question"] == both("what of q1?")


def test_what_was_not_asked_and_what_was_skipped_is_not_wrong():
    session = skip(started(), 1, NOON)
    report = make_report(session, KNOWLEDGE)
    assert [q.state for q in report.questions] == [
        QuestionState.SKIPPED,
        QuestionState.NOT_REACHED,
    ]
    assert report.score is None
    assert report.gaps == ()


def test_a_follow_up_can_mend_the_mark():
    session = said(started(), m1=Verdict.MISSED, s1=Verdict.MISSED, s2=Verdict.MISSED)
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s1"), "more?", None, NOON)
    session = said(session, m1=Verdict.MISSED, s1=Verdict.MET, s2=Verdict.MISSED)
    points = {p.point.id: p for p in make_report(session, KNOWLEDGE).questions[0].points}
    assert points["s1"].finding.verdict is Verdict.MET
    assert points["s1"].lift is None
    assert points["m1"].lift is not None


def test_a_number_is_asked_for_only_where_the_point_has_one():
    points = {p.id: p for p in RUBRIC.points}
    plain = lift(points["m1"], Verdict.MISSED)
    numeric = lift(points["s2"], Verdict.MISSED)
    assert points["s2"].quantities
    assert str(plain) == "Say this in your own words."
    assert str(numeric) == "Say this in your own words, with its number."
    assert lift(points["s2"], Verdict.MET) is None
    assert "with its number" in str(lift(points["s2"], Verdict.PARTIAL))
    assert "number" not in str(lift(points["m1"], Verdict.PARTIAL))


def test_a_fallback_is_said_in_the_report():
    note = EngineNote(engine="builtin", fallback_from="llm", fallback_why="no answer")
    session = said(started(), note, m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.MET)
    assert make_report(session, KNOWLEDGE).fell_back


def number(text: str, verdict: ClaimVerdict) -> NumericClaim:
    return NumericClaim(
        Span(0, 5), text, Quantity.COMM_VOLUME, verdict, "3ψ", msg("off"), scheme="zero3_paper"
    )


def with_number(session: Session, claim: NumericClaim) -> Session:
    seq = session.turns[-1].seq
    findings = [Finding(p.id, Verdict.MET, Evidence("words", Span(0, 5))) for p in RUBRIC.points]
    stored = store_answer(session, seq, "words of mine", NOON)
    total = grade(RUBRIC, findings, (), [claim])
    return record(stored, seq, total, SNAPSHOT, EngineNote(engine="builtin"), NOON)


def test_a_number_that_was_put_right_later_is_not_what_comes_next():
    session = with_number(started(), number("4ψ", ClaimVerdict.WRONG))
    assert "4ψ" in str(make_report(session, KNOWLEDGE).next_action)
    session = ask(session, Move(MoveKind.CHALLENGE_NUMBER, "q1", "4ψ"), "sure?", None, NOON)
    session = with_number(session, number("3ψ", ClaimVerdict.RIGHT))
    assert "4ψ" not in str(make_report(session, KNOWLEDGE).next_action)


def test_a_belief_that_was_taken_back_later_is_not_held_against_anybody():
    session = said(started(), m1=Verdict.MET, s1=Verdict.CONTRADICTED, s2=Verdict.MET)
    assert make_report(session, KNOWLEDGE).penalty == 5.0
    session = ask(session, Move(MoveKind.CHALLENGE_MISCONCEPTION, "q1", "M01"), "?", None, NOON)
    session = said(session, m1=Verdict.MISSED, s1=Verdict.MET, s2=Verdict.MISSED)
    report = make_report(session, KNOWLEDGE)
    assert report.penalty == 0.0
    assert report.questions[0].misconceptions == ()
    assert report.score == 100.0
