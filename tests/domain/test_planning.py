from typing import Any

import pytest

from service.domain.alignment import Match, MatchEvidence, RequirementMatch, Status, Strength
from service.domain.grading import Level
from service.domain.interview import Mode
from service.domain.language import Lang, msg
from service.domain.planning import PlanWish, make_plan
from service.domain.posting import Requirement
from service.domain.text import Span
from service.errors import InputInvalid
from tests.domain.samples import question

BANK = {
    "zero-stages": question("zero-stages", minutes=12),
    "fsdp": question("fsdp", topic="fsdp", minutes=8, skills=("FSDP",)),
    "nccl": question("nccl", topic="collectives", minutes=8, skills=("NCCL",)),
    "design": question("design", topic="design", minutes=8, level=Level.SENIOR),
}


def wish(**more: Any) -> PlanWish:
    values: dict[str, Any] = {
        "lang": Lang.ZH,
        "level": Level.MID,
        "mode": Mode.EXAM,
        "minutes": 30,
    }
    return PlanWish(**(values | more))


def matched(skill: str, status: Status, *evidence: MatchEvidence) -> RequirementMatch:
    requirement = Requirement("r", f"knows {skill}", Span(0, 1), skills=(skill,))
    return RequirementMatch(requirement, status, evidence, msg("why"))


def ids(plan_wish: PlanWish, match: Match | None = None) -> list[str]:
    return [q.question_id for q in make_plan(plan_wish, BANK, match).questions]


def test_the_flagship_opens_and_harder_levels_are_left_out():
    assert ids(wish()) == ["zero-stages", "fsdp", "nccl"]
    assert "design" in ids(wish(level=Level.SENIOR, minutes=60))


def test_the_minutes_are_kept():
    plan = make_plan(wish(minutes=21), BANK, None)
    assert sum(q.minutes for q in plan.questions) <= 21


def test_a_short_interview_still_asks_one_question():
    assert ids(wish(minutes=5)) == ["zero-stages"]


def test_what_the_resume_claims_and_what_it_lacks_are_asked_in_turn():
    evidence = MatchEvidence("b1", "Tuned NCCL on 64 GPUs", Strength.WORK, skill="NCCL")
    match = Match(
        50.0,
        {},
        (matched("FSDP", Status.GAP), matched("NCCL", Status.MET, evidence)),
    )
    plan = make_plan(wish(minutes=30), BANK, match)
    assert [q.question_id for q in plan.questions] == ["zero-stages", "nccl", "fsdp"]
    assert plan.questions[1].bullet == "Tuned NCCL on 64 GPUs"
    assert "knows NCCL" in str(plan.questions[1].why)
    assert "does not show it yet: knows FSDP" in str(plan.questions[2].why)


def test_the_reason_is_the_closest_requirement_and_the_line_about_the_same_skill():
    broad = Requirement("r1", "knows it all", Span(0, 1), skills=("PyTorch", "NCCL", "FSDP"))
    close = Requirement("r2", "tunes NCCL", Span(0, 1), skills=("NCCL",))
    other = MatchEvidence("b1", "Moved to FSDP", Strength.WORK, skill="FSDP")
    own = MatchEvidence("b2", "Tuned NCCL", Strength.WORK, skill="NCCL")
    match = Match(
        50.0,
        {},
        (
            RequirementMatch(broad, Status.MET, (other, own), msg("why")),
            RequirementMatch(close, Status.MET, (own,), msg("why")),
        ),
    )
    planned = {q.question_id: q for q in make_plan(wish(minutes=40), BANK, match).questions}
    assert planned["nccl"].bullet == "Tuned NCCL"
    assert "tunes NCCL" in str(planned["nccl"].why)
    assert planned["fsdp"].bullet == "Moved to FSDP"


def test_a_word_in_the_skills_list_is_no_line_to_ask_about():
    listed = MatchEvidence("s1", "Python, NCCL", Strength.SKILLS_LINE, skill="NCCL")
    match = Match(50.0, {}, (matched("NCCL", Status.PARTIAL, listed),))
    planned = {q.question_id: q for q in make_plan(wish(minutes=40), BANK, match).questions}
    assert planned["nccl"].bullet is None


def test_own_choice_is_taken_in_order_and_once():
    assert ids(wish(question_ids=("nccl", "fsdp", "nccl"))) == ["nccl", "fsdp"]


def test_unknown_questions_and_odd_lengths_are_refused():
    with pytest.raises(InputInvalid, match="no question nope"):
        make_plan(wish(question_ids=("nope",)), BANK, None)
    with pytest.raises(InputInvalid, match="5 to 120"):
        make_plan(wish(minutes=4), BANK, None)
