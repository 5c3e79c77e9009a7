"""Ratings by rule, the schedule, where a skill point stands, and which point is drilled next."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.drawing.model import Choice, Drawing, Parameter, Unit
from service.domain.grading import (
    AssertedMisconception,
    Dimension,
    Evidence,
    Finding,
    Level,
    Verdict,
    grade,
)
from service.domain.interview import Mode, Move, MoveKind, Session, ask, record, skip, store_answer
from service.domain.knowledge import QuestionKind
from service.domain.language import Lang, msg
from service.domain.learning import drilling
from service.domain.learning.evidence import review_of_drill, reviews_of
from service.domain.learning.mastery import (
    STABLE_DAYS,
    best_answer,
    due_points,
    mastery_by_topic,
    skill_points,
)
from service.domain.learning.model import (
    Drill,
    DrillStatus,
    Origin,
    PointShown,
    Rating,
    Review,
    Rule,
    SkillNote,
    Standing,
)
from service.domain.learning.rating import RATING, Shown, rule_of
from service.domain.learning.schedule import schedule
from service.domain.learning.trend import series, trend
from service.domain.tasks import EngineNote
from service.domain.text import Span
from service.errors import InputInvalid, NotFound, TurnOutOfOrder
from tests.domain.samples import NOON, RUBRIC, both, question, started
from tests.domain.test_interview import SNAPSHOT

RULES = EngineNote(engine="builtin")
MODEL = EngineNote(engine="llm", model="m")
QUOTE = Evidence("words", Span(0, 5))
DAY = timedelta(days=1)
ASKED = {
    "q1": question("q1", follow_ups={p.id: both(f"why {p.id}?") for p in RUBRIC.points}, asked=3)
}


def answered(
    session: Session,
    note: EngineNote = RULES,
    words: str = "words of mine",
    number: ClaimVerdict | None = None,
    believes: bool = False,
    **verdicts: Verdict,
) -> Session:
    findings = [Finding(i, v, None if v is Verdict.MISSED else QUOTE) for i, v in verdicts.items()]
    claims = (
        [NumericClaim(Span(0, 5), "3ψ", Quantity.COMM_VOLUME, number, "2ψ", msg("why"))]
        if number
        else []
    )
    held = [AssertedMisconception("M01", QUOTE)] if believes else []
    stored = store_answer(session, session.turns[-1].seq, words, NOON)
    total = grade(RUBRIC, findings, held, claims)
    return record(stored, session.turns[-1].seq, total, SNAPSHOT, note, NOON)


ALL_MET: dict[str, Any] = {"m1": Verdict.MET, "s1": Verdict.MET, "s2": Verdict.MET}


def only_review(session: Session, agreed: dict[int, frozenset[str]] | None = None) -> Review:
    (review,) = reviews_of(session, ASKED, {}, agreed or {})
    return review


@pytest.mark.parametrize(
    ("shown", "rule", "rating"),
    [
        (Shown(0, 0, 0, says_dont_know=True), Rule.DONT_KNOW, Rating.AGAIN),
        (Shown(1, 1, 1, is_wrong=True), Rule.WRONG, Rating.AGAIN),
        (Shown(0.39, 0.39, 0.39), Rule.LITTLE, Rating.AGAIN),
        (Shown(0.69, 0.69, 0.69), Rule.HALF, Rating.HARD),
        (Shown(1, 0.69, 0.69), Rule.HINTED, Rating.HARD),
        (Shown(1, 1, 0.69), Rule.UNCONFIRMED, Rating.HARD),
        (Shown(0.7, 0.7, 0.7), Rule.SOLID, Rating.GOOD),
        (Shown(1, 1, 1), Rule.SOLID, Rating.GOOD),
        (Shown(1, 1, 1, at_once=True), Rule.FLUENT, Rating.EASY),
    ],
)
def test_an_answer_is_rated_by_the_first_row_that_fits(shown, rule, rating):
    assert rule_of(shown) is rule
    assert RATING[rule] is rating


def test_what_rules_read_in_full_is_easy_and_proved():
    review = only_review(answered(started("q1"), **ALL_MET))
    assert (review.rating, review.share, review.proved) == (Rating.EASY, 1.0, 1.0)
    assert all(p.is_proved for p in review.points)
    assert review.topic == "stages"


def test_a_model_alone_grants_nothing_and_rules_beside_it_do():
    session = answered(started("q1"), MODEL, **ALL_MET)
    alone = only_review(session)
    assert (alone.rule, alone.rating, alone.proved) == (Rule.UNCONFIRMED, Rating.HARD, 0.0)
    assert not any(p.is_proved for p in alone.points)
    beside = only_review(session, {1: frozenset(ALL_MET)})
    assert (beside.rating, beside.proved) == (Rating.EASY, 1.0)


def test_a_number_that_was_recomputed_confirms_what_a_model_read():
    session = answered(started("q1"), MODEL, number=ClaimVerdict.RIGHT, **ALL_MET)
    assert only_review(session).proved == 1.0
    wrong = answered(started("q1"), RULES, number=ClaimVerdict.WRONG, **ALL_MET)
    assert only_review(wrong).rule is Rule.WRONG


def test_what_coaching_told_is_hinted():
    first = started("q1")
    coached = replace(first, plan=replace(first.plan, mode=Mode.COACHED))
    session = answered(coached, m1=Verdict.MET, s1=Verdict.MISSED, s2=Verdict.MISSED)
    session = ask(session, Move(MoveKind.EXPAND, "q1", "s1"), "more?", None, NOON)
    session = answered(session, **ALL_MET)
    review = only_review(session)
    assert review.rule is Rule.HINTED
    assert {p.point_id for p in review.points if p.is_proved} == {"m1"}
    exam = replace(session, plan=first.plan)
    assert only_review(exam).rating is Rating.GOOD  # complete, but not at once


def test_a_belief_or_a_point_said_the_wrong_way_is_again():
    assert only_review(answered(started("q1"), believes=True, **ALL_MET)).rule is Rule.WRONG
    turned: dict[str, Any] = {**ALL_MET, "s1": Verdict.CONTRADICTED}
    assert only_review(answered(started("q1"), **turned)).rule is Rule.WRONG


def test_skipped_and_thin_answers_are_no_review_but_not_knowing_is():
    assert reviews_of(skip(started("q1"), 1, NOON), ASKED, {}, {}) == ()
    assert reviews_of(answered(started("q1"), s1=Verdict.UNJUDGED), ASKED, {}, {}) == ()
    unknown = answered(started("q1"), words="I don't know", s1=Verdict.UNJUDGED)
    assert only_review(unknown).rule is Rule.DONT_KNOW


def test_a_level_is_asked_for_its_own_points_only():
    senior = question(
        "q1",
        rubric=replace(
            RUBRIC,
            points=tuple(
                replace(p, required_from=Level.SENIOR) if p.id == "s2" else p for p in RUBRIC.points
            ),
        ),
    )
    session = answered(started("q1"), m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.MISSED)
    (review,) = reviews_of(session, {"q1": senior}, {}, {})
    assert (review.share, review.rating) == (1.0, Rating.EASY)


# ---- schedule ----


def review(number: int, at: datetime, rating: Rating = Rating.GOOD, **more) -> Review:
    proved = 1.0 if rating in (Rating.GOOD, Rating.EASY) else 0.0
    values: dict[str, Any] = {
        "share": proved,
        "proved": proved,
        "points": (PointShown(f"m{number}", Verdict.MET, "words", confirmed=True),),
    }
    return Review(
        f"r{number}", at, "stages", "q1", Origin.DRILL, f"d{number}", rating, Rule.SOLID,
        **(values | more),
    )  # fmt: skip


def on_due_days(ratings: list[Rating]) -> tuple[Review, ...]:
    """Each practised on the very day it was due."""
    found: list[Review] = []
    at = NOON
    for number, rating in enumerate(ratings):
        found.append(review(number, at, rating))
        state = schedule(found)
        assert state is not None
        at = state.due
    return tuple(found)


def test_the_first_good_answer_comes_back_after_two_days_and_a_failed_one_tomorrow():
    good = schedule([review(1, NOON)])
    again = schedule([review(1, NOON, Rating.AGAIN)])
    assert good is not None
    assert again is not None
    assert good.stability == pytest.approx(2.3065)  # FSRS-6's initial stability of "good"
    assert (good.due - NOON, again.due - NOON) == (2 * DAY, DAY)


@given(st.lists(st.tuples(st.sampled_from(list(Rating)), st.integers(0, 60)), max_size=8))
def test_the_same_reviews_give_the_same_schedule_in_any_order(practice):
    found = [review(n, NOON + d * DAY, r) for n, (r, d) in enumerate(practice)]
    state = schedule(found)
    assert state == schedule(reversed(found)) == schedule(found)
    assert (state is None) == (not found)
    if state:
        assert state.due >= state.last
        recall = state.recall(state.due)
        assert 0 < recall <= 1
        assert state.recall(state.last - 30 * DAY) == 1.0  # a clock set back


def test_recall_at_the_stability_is_nine_tenths():
    state = schedule(on_due_days([Rating.GOOD] * 3))
    assert state is not None
    whole = replace(state, stability=float(round(state.stability)))
    assert whole.recall(whole.last + timedelta(days=whole.stability)) == pytest.approx(0.9)


# ---- standing ----

WIDE = {"q1": question("q1", rubric=replace(RUBRIC, points=tuple(
    replace(RUBRIC.points[0], id=f"m{n}") for n in range(5))))}  # fmt: skip


def standing(found, now=None, notes=None):
    (point,) = skill_points(WIDE, found, notes or {}, now or (found[-1].at if found else NOON))
    return point


def test_a_point_goes_from_new_over_shaky_and_good_to_stable():
    assert standing(()).standing is Standing.NEW
    assert standing(on_due_days([Rating.AGAIN])).standing is Standing.SHAKY
    assert standing(on_due_days([Rating.GOOD])).standing is Standing.GOOD
    practised = on_due_days([Rating.GOOD] * 4)
    point = standing(practised)
    assert point.schedule is not None
    assert point.schedule.stability >= STABLE_DAYS
    assert point.standing is Standing.STABLE
    assert len(point.proved) == 4
    assert standing((*practised, review(9, point.schedule.due, Rating.HARD))).standing is (
        Standing.SHAKY
    )


def test_left_too_long_it_is_no_longer_stable():
    practised = on_due_days([Rating.GOOD] * 4)
    late = standing(practised, practised[-1].at + 3000 * DAY)
    assert late.standing is Standing.GOOD
    assert late.is_due(practised[-1].at + 3000 * DAY)
    assert due_points([late], practised[-1].at + 3000 * DAY) == (late,)


@given(st.lists(st.integers(0, 90), min_size=1, max_size=12))
def test_hinted_or_unconfirmed_answers_alone_never_make_it_stable(days):
    weak = PointShown("m1", Verdict.MET, "words", hinted=True, confirmed=True)
    rule = rule_of(Shown(1, 0, 0))
    found = [
        review(n, NOON + sum(days[: n + 1]) * DAY, RATING[rule], points=(weak,), share=1, proved=0)
        for n in range(len(days))
    ]
    point = standing(tuple(found))
    assert point.standing is Standing.SHAKY
    assert (point.mastery or 0) <= 0.5


def test_a_day_of_cramming_is_not_stable():
    crammed = tuple(review(n, NOON + n * timedelta(minutes=5), Rating.EASY) for n in range(5))
    point = standing(crammed)
    assert point.schedule is not None
    assert point.standing is Standing.GOOD


def test_a_note_moves_the_card_and_nothing_else():
    note = SkillNote("stages", NOON, Standing.STABLE, "I know this")
    point = standing(on_due_days([Rating.AGAIN]), notes={"stages": note})
    plain = standing(on_due_days([Rating.AGAIN]))
    assert (point.column, point.standing) == (Standing.STABLE, Standing.SHAKY)
    assert (point.mastery, point.schedule) == (plain.mastery, plain.schedule)


def test_mastery_for_planning_leaves_out_what_was_never_practised():
    both_topics = WIDE | {"q2": question("q2", topic="other")}
    points = skill_points(both_topics, on_due_days([Rating.GOOD]), {}, NOON)
    assert mastery_by_topic(points) == {"stages": 1.0}


def test_the_best_answer_is_the_most_proved_and_the_newest_of_equals():
    found = (
        review(1, NOON),
        review(2, NOON + DAY),
        review(3, NOON + 2 * DAY, Rating.HARD, share=0.5),
    )
    best = best_answer(found)
    assert best is not None
    assert best.review.id == "r2"
    assert best.shown[0].quote == "words"
    assert best_answer(()) is None


# ---- drills ----


def skills(found=(), now=NOON, questions=None):
    return skill_points(questions or ASKED, found, {}, now)


def drill(**more) -> Drill:
    short = drilling.next_short(skills(), ASKED, (), NOON)
    return replace(drilling.new_drill(short, "d1", Lang.EN, NOON), **more)


def judged(one: Drill, verdict: Verdict, note: EngineNote = RULES, **more) -> Drill:
    stored = drilling.stored(one, more.pop("words", "words of mine"), NOON)
    mini = drilling.short_question(ASKED["q1"], one.point_id)
    found = [Finding(one.point_id, verdict, QUOTE)]
    total = grade(mini.rubric, found, (), more.pop("claims", ()))
    return drilling.answered(stored, total, note, more.pop("confirmed", frozenset()), NOON)


@pytest.mark.parametrize(
    ("verdict", "hints", "note", "rule"),
    [
        (Verdict.MET, 0, RULES, Rule.SOLID),
        (Verdict.MET, 1, RULES, Rule.HINTED),
        (Verdict.MET, 0, MODEL, Rule.UNCONFIRMED),
        (Verdict.PARTIAL, 0, RULES, Rule.HALF),
        (Verdict.MISSED, 0, RULES, Rule.LITTLE),
        (Verdict.CONTRADICTED, 0, RULES, Rule.WRONG),
    ],
)
def test_a_drill_is_rated_by_the_same_table(verdict, hints, note, rule):
    found = review_of_drill(judged(drill(hints=hints), verdict, note))
    assert found is not None
    assert found.rule is rule


def test_rules_that_agree_confirm_a_drill_and_too_thin_is_none():
    agreed = judged(drill(), Verdict.MET, MODEL, confirmed=frozenset({drill().point_id}))
    found = review_of_drill(agreed)
    assert found is not None
    assert found.rule is Rule.SOLID
    assert review_of_drill(judged(drill(), Verdict.UNJUDGED)) is None
    assert review_of_drill(drilling.skipped(drill(), NOON)) is None
    unknown = review_of_drill(judged(drill(), Verdict.UNJUDGED, words="no idea"))
    assert unknown is not None
    assert unknown.rule is Rule.DONT_KNOW


def test_the_steps_of_a_drill_have_an_order():
    stored = drilling.stored(drill(), "words", NOON)
    assert stored.status is DrillStatus.STORED
    for step in (lambda: drilling.hinted(stored, NOON), lambda: drilling.stored(stored, "x", NOON)):
        with pytest.raises(TurnOutOfOrder):
            step()
    done = judged(drill(), Verdict.MET)
    with pytest.raises(TurnOutOfOrder):
        drilling.skipped(done, NOON)
    with pytest.raises(TurnOutOfOrder):
        drilling.answered(done, done.grade, RULES, frozenset(), NOON)  # type: ignore[arg-type]


def test_hints_come_one_by_one_and_the_second_says_the_point():
    one = drilling.hinted(drill(), NOON)
    assert "what of q1?" in str(drilling.hints_shown(one, ASKED["q1"])[0])
    two = drilling.hinted(drilling.hinted(one, NOON), NOON)
    assert two.hints == drilling.MOST_HINTS
    assert "says m1" in str(drilling.hints_shown(two, ASKED["q1"])[1])
    assert drilling.hints_shown(drill(), ASKED["q1"]) == ()


def test_due_comes_before_new_and_what_failed_before_what_was_never_asked():
    two = ASKED | {"q2": question("q2", topic="late", follow_ups={"m1": both("when?")}, asked=9)}
    fresh = drilling.next_short(skills(questions=two), two, (), NOON)
    assert fresh.question.topic == "late"  # asked more often
    failed = review(1, NOON, Rating.AGAIN, points=(PointShown("s2", Verdict.MISSED),))
    now = NOON + 2 * DAY
    chosen = drilling.next_short(skills([failed], now, two), two, (), now)
    assert (chosen.question.topic, chosen.point.id) == ("stages", "s2")
    other = drilling.next_short(skills([failed], now, two), two, (chosen.key,), now)
    assert other.point.id != "s2"  # not the same one twice in a row


def test_a_topic_can_be_chosen_and_one_without_short_questions_is_refused():
    assert drilling.next_short(skills(), ASKED, (), NOON, "stages").point.id == "m1"
    with pytest.raises(InputInvalid):
        drilling.next_short(skills(), ASKED, (), NOON, "nothing")
    own = {"q1": replace(ASKED["q1"], kind=QuestionKind.EXPERIENCE)}
    with pytest.raises(InputInvalid):
        drilling.next_short(skills(questions=own), own, (), NOON)
    with pytest.raises(NotFound):
        drilling.short_question(ASKED["q1"], "gone")


def test_a_short_question_has_one_point_and_its_facts():
    mini = drilling.short_question(question("q1", follow_ups={"s1": both("why?")}), "s1")
    assert [p.id for p in mini.rubric.points] == ["s1"]
    assert mini.rubric.dimensions == {Dimension.STAGES: 1}
    assert mini.text == both("why?")


def test_a_short_question_with_numbers_draws_them_anew():
    """The same numbers would be learned by heart; its id is the seed, so it says the same again."""
    choices = tuple(Choice(str(n), float(n)) for n in (8, 16, 32, 64))
    drawing = Drawing((Parameter("n", Unit.COUNT, choices),), ())
    plain = question(
        "q1", text=both("{n} GPUs."), follow_ups={"m1": both("what does each of {n} hold?")}
    )
    bank = {"q1": replace(plain, drawing=drawing, template=plain)}
    short = drilling.shorts_of(bank.values(), "stages")[0]
    drills = [drilling.new_drill(short, f"d{n}", Lang.EN, NOON) for n in range(12)]
    texts = {d.text for d in drills}
    assert len(texts) > 1
    assert texts <= {f"{n} GPUs.\n\nwhat does each of {n} hold?" for n in (8, 16, 32, 64)}
    assert drills[0] == drilling.new_drill(short, "d0", Lang.EN, NOON)


def test_a_trend_leaves_out_what_was_too_thin():
    from service.domain.learning.model import Learned

    def row(session_id: str, mark: float | None, at: datetime) -> Learned:
        marks = {Dimension.STAGES: mark}
        return Learned(session_id, at, 1, at, Level.MID, Mode.EXAM, True, mark, marks, marks)

    rows = trend([row("b", 60.0, NOON + DAY), row("a", 40.0, NOON), row("c", None, NOON)])
    assert [r.session_id for r in rows] == ["a", "b"]
    assert series(rows, Dimension.STAGES) == ((0, 40.0), (1, 60.0))
    assert series(rows, Dimension.MOTIVATION) == ()
