from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.grading import (
    AssertedMisconception,
    Evidence,
    Finding,
    Grade,
    Level,
    Verdict,
    grade,
)
from service.domain.interview import (
    Move,
    MoveKind,
    Session,
    ask,
    record,
    skip,
    store_answer,
)
from service.domain.knowledge import Misconception
from service.domain.language import msg
from service.domain.policy import merge_findings, next_move, says_dont_know
from service.domain.text import Span
from tests.domain.samples import NOON, QUESTIONS, RUBRIC, both, started
from tests.domain.test_interview import NOTE, SNAPSHOT

ANSWER = "each GPU holds everything, and stage one splits the optimizer"


def finding(name: str, verdict: Verdict, quote: str = "") -> Finding:
    at = ANSWER.find(quote) if quote else -1
    evidence = Evidence(quote, Span(at, at + len(quote))) if at >= 0 else None
    return Finding(name, verdict, evidence)


def said(session: Session, given: Grade, answer: str = ANSWER) -> Session:
    seq = session.turns[-1].seq
    stored = store_answer(session, seq, answer, NOON)
    return record(stored, seq, given, SNAPSHOT, NOTE, NOON)


def all_met() -> Grade:
    return grade(RUBRIC, [finding(p.id, Verdict.MET, "each GPU") for p in RUBRIC.points])


def test_an_unsaid_heavy_point_is_asked_about_with_the_candidates_words():
    findings = [
        finding("m1", Verdict.MET, "each GPU holds everything"),
        finding("s1", Verdict.MISSED),
        finding("s2", Verdict.MET, "stage one splits"),
    ]
    move = next_move(said(started(), grade(RUBRIC, findings)), QUESTIONS)
    assert (move.kind, move.about) == (MoveKind.EXPAND, "s1")
    assert move.quote in ANSWER
    assert move.quote


def test_a_point_that_stands_on_a_number_is_quantified():
    findings = [
        finding("m1", Verdict.MET, "each GPU"),
        finding("s1", Verdict.MET, "stage one splits"),
        finding("s2", Verdict.MISSED),
    ]
    move = next_move(said(started(), grade(RUBRIC, findings)), QUESTIONS)
    assert (move.kind, move.about) == (MoveKind.QUANTIFY, "s2")


def test_a_half_said_point_comes_before_an_unsaid_one():
    findings = [
        finding("m1", Verdict.PARTIAL, "each GPU"),
        finding("s1", Verdict.MISSED),
        finding("s2", Verdict.MISSED),
    ]
    move = next_move(said(started(), grade(RUBRIC, findings)), QUESTIONS)
    assert (move.kind, move.about, move.quote) == (MoveKind.CLARIFY, "m1", "each GPU")


def test_a_denied_point_is_asked_about_before_a_half_said_one_and_only_once():
    given = grade(
        RUBRIC, [finding("m1", Verdict.CONTRADICTED, "each GPU"), finding("s1", Verdict.PARTIAL)]
    )
    move = next_move(said(started(), given), QUESTIONS)
    assert (move.kind, move.about, move.quote) == (MoveKind.CLARIFY, "m1", "each GPU")
    again = ask(said(started(), given), move, "sure?", None, NOON)
    assert next_move(said(again, given), QUESTIONS).about == "s1"


def test_a_denial_is_not_asked_about_again_after_the_belief_behind_it():
    belief = Misconception("M01", both("b"), both("c"), (), "basic", contradicts=("m1",))
    given = grade(RUBRIC, [finding("m1", Verdict.CONTRADICTED, "each GPU")])
    challenge = Move(MoveKind.CHALLENGE_MISCONCEPTION, "q1", "M01", "each GPU")
    probed = ask(said(started(), given), challenge, "sure?", None, NOON)
    move = next_move(said(probed, given), QUESTIONS, {"M01": belief})
    assert (move.kind, move.about) == (MoveKind.EXPAND, "s1")


def test_a_false_belief_is_challenged_before_any_gap_and_only_once():
    held = AssertedMisconception("M01", Evidence("each GPU", Span(0, 8)))
    wrong = grade(RUBRIC, [finding("m1", Verdict.MISSED)], [held])
    session = said(started(), wrong)
    move = next_move(session, QUESTIONS)
    assert (move.kind, move.about) == (MoveKind.CHALLENGE_MISCONCEPTION, "M01")
    again = said(ask(session, move, "sure?", None, NOON), wrong)
    assert next_move(again, QUESTIONS).kind is not MoveKind.CHALLENGE_MISCONCEPTION


def test_a_wrong_number_is_challenged_with_its_own_text():
    claim = NumericClaim(Span(0, 4), "each", Quantity.FORMULA, ClaimVerdict.WRONG, "2ψ", msg("off"))
    move = next_move(said(started(), grade(RUBRIC, [], (), [claim])), QUESTIONS)
    assert (move.kind, move.quote) == (MoveKind.CHALLENGE_NUMBER, "each")


def test_taking_back_an_earlier_point_forces_a_challenge():
    session = said(started(), all_met())
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s2"), "more?", None, NOON)
    opposed = grade(RUBRIC, [finding("s1", Verdict.CONTRADICTED, "stage one splits")])
    move = next_move(said(session, opposed), QUESTIONS)
    assert (move.kind, move.about) == (MoveKind.CONTRADICTION, "s1")


def test_a_full_answer_goes_on_to_the_next_question_and_then_closes():
    session = said(started(), all_met())
    move = next_move(session, QUESTIONS)
    assert (move.kind, move.question_id) == (MoveKind.ASK, "q2")
    session = said(ask(session, move, "what of q2?", None, NOON), all_met())
    assert next_move(session, QUESTIONS).kind is MoveKind.CLOSE


def test_follow_ups_end_with_the_budget_of_the_level():
    session = started()
    missed = grade(RUBRIC, [finding(p.id, Verdict.MISSED) for p in RUBRIC.points])
    kinds: list[MoveKind] = []
    for _ in range(4):
        session = said(session, missed)
        move = next_move(session, QUESTIONS)
        kinds.append(move.kind)
        if move.question_id != "q1":
            break
        session = ask(session, move, "more?", None, NOON)
    assert kinds[-1] is MoveKind.ASK
    assert len(kinds) == 3


def test_not_knowing_is_accepted_and_moves_on():
    missed = grade(RUBRIC, [finding(p.id, Verdict.MISSED) for p in RUBRIC.points])
    move = next_move(said(started(), missed, "I don't know, sorry."), QUESTIONS)
    assert (move.kind, move.question_id) == (MoveKind.MOVE_ON, "q2")


def test_a_skipped_question_moves_on():
    assert next_move(skip(started(), 1, NOON), QUESTIONS).question_id == "q2"


def test_dont_know_is_the_whole_answer_and_not_a_phrase_in_it():
    assert says_dont_know("这个我不太清楚。")
    assert says_dont_know("No idea!")
    assert not says_dont_know(
        "I do not know the exact bandwidth, but stage 3 gathers parameters twice per step."
    )


def test_the_final_stance_on_a_point_counts():
    session = said(started(), grade(RUBRIC, [finding("s1", Verdict.MET, "stage one splits")]))
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s2"), "more?", None, NOON)
    session = said(session, grade(RUBRIC, [finding("s1", Verdict.MISSED)]))
    assert merge_findings(session.turns)["s1"].verdict is Verdict.MET
    session = ask(session, Move(MoveKind.EXPAND, "q1", "m1"), "more?", None, NOON)
    session = said(session, grade(RUBRIC, [finding("s1", Verdict.CONTRADICTED, "stage one")]))
    assert merge_findings(session.turns)["s1"].verdict is Verdict.CONTRADICTED


def test_deeper_levels_are_asked_deeper():
    from service.domain.policy import DEPTH_BY_LEVEL

    assert DEPTH_BY_LEVEL[Level.ARCHITECT] > DEPTH_BY_LEVEL[Level.JUNIOR]


def test_the_words_that_earned_a_point_first_stay_its_quote():
    session = said(started(), grade(RUBRIC, [finding("s1", Verdict.MET, "stage one splits")]))
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s2"), "more?", None, NOON)
    session = said(session, grade(RUBRIC, [finding("s1", Verdict.MET, "each GPU")]))
    merged = merge_findings(session.turns)["s1"]
    assert merged.evidence is not None
    assert merged.evidence.quote == "stage one splits"


def test_putting_a_mistake_right_is_no_contradiction():
    session = said(started(), grade(RUBRIC, [finding("s1", Verdict.CONTRADICTED, "stage one")]))
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s2"), "more?", None, NOON)
    mended = grade(RUBRIC, [finding("s1", Verdict.MET, "stage one splits")])
    move = next_move(said(session, mended), QUESTIONS)
    assert move.kind is not MoveKind.CONTRADICTION


def test_a_bare_yes_is_asked_to_say_more():
    unread = grade(RUBRIC, [finding(p.id, Verdict.UNJUDGED) for p in RUBRIC.points])
    move = next_move(said(started(), unread, "yes"), QUESTIONS)
    assert move.kind in {MoveKind.EXPAND, MoveKind.QUANTIFY}


def test_a_quote_is_not_cut_at_a_decimal_point():
    missed = grade(RUBRIC, [finding(p.id, Verdict.MISSED) for p in RUBRIC.points])
    text = "That is 16*7/64 = 1.75 GB per card. And so on."
    move = next_move(said(started(), missed, text), QUESTIONS)
    assert move.quote == "That is 16*7/64 = 1.75 GB per card"
