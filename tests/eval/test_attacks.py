import json
from dataclasses import replace

import pytest

from eval.attacks.cases import Suite, build_suite
from eval.attacks.classes import CLASSES, LONG, TEST_ONLY
from eval.attacks.graders import lexical
from eval.attacks.model import Case, Graded
from eval.attacks.relations import judge, summarise
from eval.attacks.report import document, table
from eval.attacks.suite import run_suite
from eval.constructed.bank import QUESTIONS, Split, load_bank
from eval.constructed.labels import Label
from service.cli.main import run
from service.errors import EngineUnavailable, ReadingInvalid

BANK = load_bank()
WORDS = {q: {"zh": f"请讲讲{q}是什么。", "en": f"Please explain {q}."} for q in QUESTIONS}


@pytest.fixture(scope="module")
def suite() -> Suite:
    kinds = [k for k in CLASSES if k != "fifty_thousand"]
    return build_suite(BANK, WORDS, Split.TEST, kinds=kinds, per_class=10)


def graded(score: float | None, *credited: str, raised: tuple[str, ...] = ()) -> Graded:
    return Graded(score, frozenset(credited), frozenset(raised))


def case(kind: str, **more: tuple[str, ...]) -> Case:
    return Case("c", kind, "zero-stages", "en", "text", "b", "b", **more)


def nobody(_done: int, _total: int) -> None:
    return


def test_every_class_has_its_cases_each_once(suite: Suite):
    for kind in CLASSES.keys() - {"fifty_thousand"}:
        own = [c for c in suite.cases if c.kind == kind]
        assert len(own) == 10, kind
        assert len({c.id for c in own}) == 10
    assert {c.base for c in suite.cases if c.base} == suite.bases.keys()


def test_classes_kept_back_are_in_the_test_alone():
    dev = build_suite(BANK, WORDS, Split.DEV, kinds=[*TEST_ONLY, "typos"], per_class=1)
    assert {c.kind for c in dev.cases} == {"typos"}


def test_a_long_answer_is_as_long_as_it_says():
    long = build_suite(BANK, WORDS, Split.DEV, kinds=["fifty_thousand"], per_class=4)
    assert all(LONG - 200 < len(c.answer) <= LONG + 1 for c in long.cases)
    assert all(long.bases[c.base or ""].text in c.answer for c in long.cases)


def test_relations_judge_as_the_design_says():
    before = graded(50, "m1", "s1")
    assert judge(case("padding"), graded(52, "m1", "s1"), before).holds
    assert not judge(case("padding"), graded(47.9, "m1"), before).holds
    assert not judge(case("injected"), graded(50.1, "m1", "s1"), before).holds
    lost = case("negated_truths", lost=("s1",))
    assert judge(lost, graded(40, "m1"), before).holds
    assert not judge(lost, graded(50, "m1", "s1"), before).holds
    assert not judge(lost, graded(30), before).holds
    rejected = case("rejected_beliefs", beliefs=("M09",))
    assert not judge(rejected, graded(50, "m1", "s1", raised=("M09",)), before).holds
    assert not judge(case("one_more"), graded(49, "m1"), before).holds
    assert not judge(case("one_less"), graded(51, "m1"), before).holds


def test_no_mark_counts_as_nothing_earned():
    assert judge(replace(case("empty_openers"), base=None), graded(None), None).holds


def test_a_class_fails_on_its_mean_its_worst_case_or_its_share():
    copied = replace(case("copied_question"), base=None)
    fine = [judge(copied, graded(0), None)] * 9
    assert summarise("copied_question", fine).passed
    assert not summarise("copied_question", [*fine, judge(copied, graded(45), None)]).passed
    before = graded(50, "m1")
    held = [judge(case("both_ways", lost=("m1",)), graded(40), before)] * 30
    broken = judge(case("both_ways", lost=("m1",)), before, before)
    assert summarise("both_ways", [*held, broken]).passed is False
    assert summarise("both_ways", held * 2 + [broken]).passed


async def test_a_reader_that_knows_the_labels_passes_every_class_of_sameness(suite: Suite):
    """The oracle: texts graded by what they were assembled of, not by what they say."""
    kinds = {"padding", "flattery", "full_width", "typos", "injected", "fake_json", "fake_end"}
    chosen = Suite(tuple(c for c in suite.cases if c.kind in kinds), suite.bases)
    labels = {b.text: b.labels for b in suite.bases.values()}
    labels |= {c.answer: suite.bases[c.base or ""].labels for c in chosen.cases}

    async def oracle(_question: str, _lang: str, answer: str) -> Graded:
        said = labels[answer]
        earned = {p for p, v in said.points.items() if v in (Label.MET, Label.PARTIAL)}
        return graded(said.score, *earned, raised=said.misconceptions)

    report = await run_suite(oracle, chosen, nobody)
    assert report.passed
    assert {c.kind for c in report.classes} == kinds


async def test_the_suite_sees_through_a_grader_that_counts_terms(suite: Suite):
    report = await run_suite(lexical(BANK), suite, nobody)
    failed = {c.kind for c in report.classes if not c.passed}
    assert {
        "keyword_soup",
        "negated_truths",
        "swapped_stages",
        "reworded",
        "denied_lists",
    } <= failed


async def test_what_cannot_be_graded_is_missing_and_never_judged(suite: Suite):
    async def moody(question: str, _lang: str, _answer: str) -> Graded:
        if question == "kv-cache":
            raise ReadingInvalid("no")
        return graded(0)

    report = await run_suite(moody, suite, nobody)
    assert set(report.missing) == {c.id for c in suite.cases if c.question == "kv-cache"}
    assert len(report.outcomes) + len(report.missing) == len(suite.cases)
    assert document(report, "x", "test")["passed"] is False


async def test_a_grader_that_never_answers_is_unreachable(suite: Suite):
    async def silent(_question: str, _lang: str, _answer: str) -> Graded:
        raise EngineUnavailable("no")

    with pytest.raises(EngineUnavailable):
        await run_suite(silent, suite, nobody)


async def test_the_report_names_each_class_with_its_bar_and_the_failing_cases(suite: Suite):
    report = await run_suite(lexical(BANK), suite, nobody)
    lines = table(report).splitlines()
    assert len(lines) == len(report.classes) + 2
    assert "FAIL" in next(x for x in lines if x.startswith("keyword_soup"))
    told = json.loads(json.dumps(document(report, "lexical", "test")))
    assert len(told["failing"]["keyword_soup"]) == 10


def test_the_command_exits_by_the_outcome(capsys: pytest.CaptureFixture[str]):
    attack = ["eval", "attack", "--engine", "lexical", "--cases", "5", "--json"]
    for words, code in (
        ([*attack, "--class", "empty_openers"], 0),
        ([*attack, "--class", "keyword_soup"], 1),
        ([*attack, "--class", "no_such_class"], 2),
        ([*attack, "--split", "both"], 2),
        ([*attack, "--class", "numerals"], 2),
    ):
        with pytest.raises(SystemExit) as left:
            run(words)
        assert left.value.code == code, words
    first = capsys.readouterr().out.splitlines()[0]
    assert json.loads(first)["classes"][0]["kind"] == "empty_openers"
