"""Simulated interviews: the candidates end up in order, and each rule can be broken."""

import json
from dataclasses import replace

import pytest

from eval.cli import app
from eval.interviews.candidates import read_cast
from eval.interviews.holding import Held
from eval.interviews.rules import RULES, Bound, judge
from eval.interviews.table import in_order
from service.corpus.load import load_knowledge
from service.domain.grading import Evidence, Finding, Verdict, grade
from service.domain.interview import Move, MoveKind, Session, ask, record, store_answer
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.domain.text import Span
from service.errors import InputInvalid
from service.settings import ROOT
from tests.domain.samples import NOON, started
from tests.domain.test_interview import NOTE, SNAPSHOT

SAID = "ZeRO divides the model states over the ranks."
GOOD = "You said “ZeRO divides the model states”. Which of the states does stage 1 divide?"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge(ROOT / "knowledge")


def test_who_knows_more_earns_more_and_every_follow_up_keeps_the_rules(
    capsys: pytest.CaptureFixture[str],
):
    app(["interviews", "--question", "collectives", "--json"], standalone_mode=False)
    document = json.loads(capsys.readouterr().out)
    assert document["in_order"] is True
    names = set(read_cast().candidates)
    assert len(names) == 7
    assert [(r["candidate"], r["lang"]) for r in document["rows"]] == [
        (name, lang) for name in read_cast().candidates for lang in ("zh", "en")
    ]
    marks = {(r["candidate"], r["lang"]): r["mark"] or 0.0 for r in document["rows"]}
    for lang in ("zh", "en"):
        lowest = max(marks[name, lang] for name in names - {"expert", "middling"})
        assert marks["expert", lang] > marks["middling", lang] > lowest
        for name in ("evasive", "gibberish", "parroting", "injecting"):
            assert marks[name, lang] == 0.0
    assert document["follow_ups"] >= 30
    assert document["broken"] == []


@pytest.mark.parametrize("words", [("--candidate", "nobody"), ("--level", "guru")])
def test_what_is_not_known_is_refused(words: tuple[str, ...]):
    with pytest.raises(InputInvalid):
        app(["interviews", *words], standalone_mode=False)


@pytest.mark.parametrize(
    ("marks", "is_in_order"),
    [
        ({"expert": 90.0, "middling": 50.0, "evasive": None}, True),
        ({"expert": 90.0, "middling": 95.0, "evasive": None}, False),
        ({"expert": 90.0, "middling": 50.0, "evasive": 50.0}, False),
        ({"wrong": 10.0, "evasive": 20.0}, True),
    ],
)
def test_marks_are_in_order_when_who_stands_higher_earns_more(
    marks: dict[str, float | None], is_in_order: bool
):
    held = [Held(name, Lang.EN, started(), {}, mark) for name, mark in marks.items()]
    assert in_order(held, read_cast()) is is_in_order


def followed(
    knowledge: Knowledge, text: str, about: str = "s1", verdict: str = "missed"
) -> Session:
    """One answer to the flagship question, read as told, and a follow-up in these words."""
    rubric = knowledge.questions["zero-stages"].rubric
    at = Evidence(SAID[:4], Span(0, 4))
    findings = [Finding(p.id, Verdict.MISSED) for p in rubric.points if p.id != "m3"]
    read = grade(rubric, [*findings, Finding("m3", Verdict(verdict), at)])
    session = store_answer(started("zero-stages"), 1, SAID, NOON)
    session = record(session, 1, read, SNAPSHOT, NOTE, NOON)
    return ask(session, Move(MoveKind.EXPAND, "zero-stages", about), text, None, NOON)


def broken(knowledge: Knowledge, session: Session) -> set[str]:
    bound = Bound(knowledge.questions, knowledge.misconceptions, read_cast().verdicts)
    *_, last = judge(session, bound)
    return {rule for rule in RULES if not last.kept[rule]} - {"heaviest"}


def test_a_good_follow_up_keeps_all(knowledge: Knowledge):
    assert broken(knowledge, followed(knowledge, GOOD)) == set()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Which of the states does stage 1 divide?", "quotes"),
        ("You said “every rank holds it all”. Which states does stage 1 divide?", "quotes"),
        (GOOD + " It is 16 bytes for each parameter.", "keeps"),
        (GOOD + " gradients and parameters stay replicated, do they not?", "keeps"),
        (GOOD + " That was incorrect.", "keeps"),
    ],
)
def test_each_rule_can_be_broken(knowledge: Knowledge, text: str, rule: str):
    assert broken(knowledge, followed(knowledge, text)) == {rule}


@pytest.mark.parametrize("verdict", ["partial", "contradicted"])
def test_what_was_half_said_or_denied_comes_before_what_was_not_said(
    knowledge: Knowledge, verdict: str
):
    assert broken(knowledge, followed(knowledge, GOOD, "s1", verdict)) == {"fits"}
    assert broken(knowledge, followed(knowledge, GOOD, "m3", verdict)) == set()


def test_the_same_matter_twice_is_a_repetition(knowledge: Knowledge):
    once = followed(knowledge, GOOD)
    stored = store_answer(once, 2, SAID, NOON)
    read = grade(knowledge.questions["zero-stages"].rubric, [])
    twice = ask(
        record(stored, 2, read, SNAPSHOT, NOTE, NOON),
        replace(once.turns[-1].move),
        GOOD.replace("Which", "So which"),
        None,
        NOON,
    )
    assert "fresh" in broken(knowledge, twice)
