"""Not knowing, quoting, hints, corrections, disagreement, figures of a résumé, edits of a plan."""

from dataclasses import replace
from datetime import timedelta

import pytest

from service.domain.bullet_defence import asks_of, stages_for
from service.domain.claims import KnownModels
from service.domain.claims.known import BUILT_IN
from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.grading import (
    AssertedMisconception,
    Dimension,
    Evidence,
    Finding,
    Grade,
    Level,
    Verdict,
    grade,
)
from service.domain.hinting import give_hint, hint_text, with_ceilings
from service.domain.interview import Basis, Mode, Move, MoveKind, Session, ask, pause, resume
from service.domain.knowledge import Background, Misconception
from service.domain.language import msg
from service.domain.merging import merge_findings
from service.domain.not_knowing import NotKnowing, not_knowing
from service.domain.plan_sources import Doubt, Sources
from service.domain.planning import edited, make_plan
from service.domain.policy import next_move
from service.domain.quoting import quotable
from service.domain.resume import Bullet
from service.domain.text import Span
from service.domain.timing import timing
from service.errors import InputInvalid
from tests.domain.samples import NOON, QUESTIONS, RUBRIC, both, question, started
from tests.domain.test_planning import BANK, wish
from tests.domain.test_policy import all_met, finding, said

MODELS = KnownModels(BUILT_IN)


@pytest.mark.parametrize(
    "answer",
    [
        "不太确定具体数字", "这个我不太清楚。", "抱歉，没用过这个", "我没有接触过流水线并行",
        "我忘了",
        "还真不会", "说不上来，跳过吧", "没测过具体数字", "这个真的不了解，我们看下一题吧",
        "不会。",
        "No idea!", "I don't know, sorry.", "Honestly, I've never used it.", "pass", "skip",
        "I'm not really sure about the exact number", "Sorry, I can't recall the numbers.",
        "I haven't worked with MoE", "I have no clue", "I don’t remember.",
    ],
)  # fmt: skip
def test_many_ways_of_not_knowing_are_one(answer: str):
    assert not_knowing(answer) is NotKnowing.ALL


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        ("ZeRO-3 把参数也切了，具体数字我记不清了", NotKnowing.NUMBER),
        ("Stage 3 shards parameters. Not sure about the exact figure though.", NotKnowing.NUMBER),
        ("ZeRO 不会改变训练的数学结果", NotKnowing.NO),
        ("It doesn't matter how many GPUs there are", NotKnowing.NO),
        ("我不确定，可能是通信量翻倍吧", NotKnowing.NO),
        ("", NotKnowing.NO),
    ],
)
def test_saying_something_beside_it_is_an_answer(answer: str, how: NotKnowing):
    assert not_knowing(answer) is how


@pytest.mark.parametrize(
    ("said_", "quoted"),
    [
        ("但是通信会变慢", "通信会变慢"),
        ("所以，而且梯度也切了", "梯度也切了"),
        ("and so the gradients are sharded", "the gradients are sharded"),
        ("which means that stage 3 gathers", "stage 3 gathers"),
        ("并行度是 8", "并行度是 8"),
        ("So-called stage 3", "So-called stage 3"),
        ("because of the bandwidth", "because of the bandwidth"),
        ("and", "and"),
    ],
)
def test_a_quote_does_not_begin_at_a_connective(said_: str, quoted: str):
    assert quotable(said_) == quoted
    assert said_.endswith(quoted)


def wrong(text: str, at: int = 0, **more: object) -> NumericClaim:
    claim = NumericClaim(
        Span(at, at + len(text)), text, Quantity.TOTAL_MEMORY, ClaimVerdict.WRONG, "1.75 GB",
        msg("off"), scheme="zero3_paper",
    )  # fmt: skip
    return replace(claim, **more)


def right(text: str) -> NumericClaim:
    return wrong(text, verdict=ClaimVerdict.RIGHT)


def test_a_point_lost_to_a_wrong_number_is_won_back_by_the_right_one():
    lost = Finding("s2", Verdict.MISSED, Evidence("3.5 GB", Span(0, 6)))
    session = said(started(), grade(RUBRIC, [lost], (), [wrong("3.5 GB")]), "3.5 GB")
    session = ask(session, Move(MoveKind.CHALLENGE_NUMBER, "q1", "3.5 GB"), "how?", None, NOON)
    later = grade(RUBRIC, [Finding("s2", Verdict.MISSED)], (), [right("1.75 GB")])
    merged = merge_findings(said(session, later, "1.75 GB").turns)["s2"]
    assert merged.verdict is Verdict.MET
    assert merged.evidence is not None
    assert merged.evidence.quote == "1.75 GB"
    other = grade(RUBRIC, [], (), [replace(right("120 GB"), scheme="ddp")])
    assert merge_findings(said(session, other, "120 GB").turns)["s2"].verdict is Verdict.MISSED


def second_question(first: Grade, then: Grade) -> Session:
    session = said(started(), first)
    session = ask(session, Move(MoveKind.ASK, "q2"), "what of q2?", None, NOON)
    return said(session, then)


def test_a_number_that_goes_against_an_earlier_answer_is_held_against_it():
    session = second_question(
        grade(RUBRIC, [], (), [right("1.75 GB")]), grade(RUBRIC, [], (), [wrong("3.5 GB")])
    )
    move = next_move(session, QUESTIONS)
    assert (move.kind, move.quote, move.earlier) == (MoveKind.CONTRADICTION, "3.5 GB", "1.75 GB")
    other = wrong("3.5 GB", expected="5 GB")  # of another model: no contradiction
    session = second_question(
        grade(RUBRIC, [], (), [right("1.75 GB")]), grade(RUBRIC, [], (), [other])
    )
    assert next_move(session, QUESTIONS).kind is MoveKind.CHALLENGE_NUMBER


def test_a_belief_against_a_point_of_another_question_is_held_against_it():
    belief = Misconception("M01", both("b"), both("c"), (), "basic", contradicts=("q1/s1",))
    met = grade(RUBRIC, [finding("s1", Verdict.MET, "stage one splits")])
    held = grade(RUBRIC, [], [AssertedMisconception("M01", Evidence("each GPU", Span(0, 8)))])
    move = next_move(second_question(met, held), QUESTIONS, {"M01": belief})
    assert (move.kind, move.earlier) == (MoveKind.CONTRADICTION, "stage one splits")
    alone = next_move(said(started(), held), QUESTIONS, {"M01": belief})
    assert alone.kind is MoveKind.CHALLENGE_MISCONCEPTION


def test_what_is_ones_own_is_asked_how_it_is_known_once():
    own = Finding("e1", Verdict.MET, Evidence("each GPU", Span(0, 8)))
    point = replace(RUBRIC.points[0], id="e1", dimension=Dimension.EXPERIENCE)
    bank = {"q1": question("q1", rubric=replace(RUBRIC, points=(point,)))}
    plan = replace(started("q1").plan, level=Level.SENIOR)
    session = said(replace(started("q1"), plan=plan), replace(all_met(), findings=(own,)))
    move = next_move(session, bank)
    assert (move.kind, move.quote) == (MoveKind.EVIDENCE, "each GPU")
    again = said(ask(session, move, "how?", None, NOON), replace(all_met(), findings=(own,)))
    assert next_move(again, bank).kind is MoveKind.CLOSE


def test_a_hint_says_more_each_time_and_not_the_answer_at_first():
    session = replace(started(), plan=replace(started().plan, mode=Mode.COACHED))
    texts: list[str] = []
    for level in (1, 2, 3):
        session = give_hint(session, 1, QUESTIONS["q1"], NOON)
        hint = session.turns[0].hints[-1]
        assert hint.level == level
        texts.append(str(hint_text(QUESTIONS["q1"], hint)))
    assert "says" not in texts[0]
    assert "says s1" in texts[2]
    ceilings = {f.point_id: f.ceiling for f in with_ceilings(all_met().findings, session.turns)}
    assert ceilings == {"m1": 1.0, "s1": 0.25, "s2": 1.0}
    lowered = grade(RUBRIC, with_ceilings(all_met().findings, session.turns))
    assert lowered.score is not None
    assert lowered.score < 100
    with pytest.raises(InputInvalid):
        give_hint(started(), 1, QUESTIONS["q1"], NOON)


def test_pauses_take_no_time():
    session = pause(started(), NOON + timedelta(minutes=1))
    still = timing(session, NOON + timedelta(hours=5))
    assert still is not None
    assert (still.question_left, still.runs) == (9 * 60, False)
    session = resume(session, NOON + timedelta(hours=5))
    left = timing(session, NOON + timedelta(hours=5, minutes=1))
    assert left is not None
    assert left.question_left == 8 * 60
    assert left.question_deadline == NOON + timedelta(hours=5, minutes=9)
    over = timing(session, NOON + timedelta(hours=6))
    assert over is not None
    assert over.question_left < 0
    assert over.session_left == 20 * 60  # a turn takes no more than its question's minutes


def test_a_drop_of_memory_names_the_stages_that_give_it():
    assert stages_for(80e9, 20e9) == (("ZeRO-2", 8), ("ZeRO-3", 4))
    asked = asks_of("Cut memory per GPU from 80 GB to 20 GB", MODELS)
    assert "ZeRO-3 (N ≥ 4)" in str(asked)
    assert "else was changed" in str(
        asks_of("Cut memory per GPU from 80 GB to 20 GB with ZeRO-1 on 8 GPUs", MODELS)
    )
    assert asks_of("Led a team of five", MODELS) is None


@pytest.mark.parametrize(
    "line",
    [
        "将每卡显存从 80GB 降到 20GB",
        "Cut memory per GPU from 80 GB to 20 GB with ZeRO-1 on 8 GPUs",
        "Cut memory per GPU from 80 GB to 1 MB",
    ],
)
def test_a_figure_of_a_resume_is_asked_about_and_never_called_false(line: str):
    asked = str(asks_of(line, MODELS)).lower()
    assert "be ready" in asked
    assert not any(word in asked for word in ("false", "wrong", "lie", "impossible", "untrue"))


def test_a_plan_asks_for_the_figure_the_weak_topic_and_what_suits_the_person():
    bank = BANK | {
        "memory": question("memory", topic="memory_breakdown", minutes=8),
        "maths": question("maths", topic="maths", background=(Background.MATHS_PHYSICS,)),
    }
    doubt = Doubt(Bullet("b1", "80 GB to 20 GB", Span(0, 5)), msg("Be ready."))
    sources = Sources(mastery={"collectives": 0.1, "stages": 0.99}, doubts=(doubt,))
    plan = make_plan(wish(minutes=25), bank, None, sources)
    chosen = {q.question_id: q for q in plan.questions}
    assert chosen["memory"].basis is Basis.NUMBER
    assert chosen["memory"].bullet == "80 GB to 20 GB"
    assert chosen["nccl"].basis is Basis.WEAK_POINT
    assert "zero-stages" not in chosen  # mastered
    suited = make_plan(wish(minutes=25, background=Background.CAREER_CHANGER), bank, None)
    assert "maths" not in [q.question_id for q in suited.questions]


def test_a_list_of_ones_own_keeps_its_order_and_its_reasons():
    doubt = Doubt(Bullet("b1", "80 GB", Span(0, 5)), msg("Be ready."))
    bank = BANK | {"memory": question("memory", topic="memory_breakdown")}
    asked = wish(question_ids=("nccl", "memory"))
    plan = make_plan(asked, bank, None, Sources(doubts=(doubt,)))
    assert [(q.question_id, q.basis) for q in plan.questions] == [
        ("nccl", Basis.CHOSEN),
        ("memory", Basis.NUMBER),
    ]


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        ("up:b", "bac"),
        ("down:b", "acb"),
        ("up:a", "abc"),
        ("remove:b", "ac"),
        ("add:d", "abcd"),
        ("add:a", "abc"),
        ("swap:b:d", "adc"),
        ("swap:b:", "abc"),
        ("nonsense", "abc"),
    ],
)
def test_a_plan_is_changed_one_step_at_a_time(edit: str, left: str):
    assert edited(tuple("abc"), edit) == tuple(left)
    assert edited(("a",), "remove:a") == ("a",)
