"""What the level asks for, what comes next, and the report as a document in both languages."""

from dataclasses import replace

import pytest

from service.documents.export.report import report_markdown, report_pdf
from service.domain.grading import Dimension, Level, Verdict
from service.domain.interview import Session, close, skip
from service.domain.language import Bilingual, Lang, Message
from service.domain.reporting import Report, make_report
from service.domain.reporting_document import compose_report, in_words
from service.domain.reporting_level import asked_of_level
from service.domain.reporting_next import WHY_GAP, WHY_HARDER, WHY_LEFT
from service.wording.catalogue import load_wording
from tests.domain.samples import NOON, RUBRIC, question, started
from tests.domain.test_reporting import KNOWLEDGE, said

WORDING = load_wording()


def written(report: Report, lang: Lang = Lang.EN) -> str:
    def say(text: Message | Bilingual | str) -> str:
        return str(WORDING.value(text, lang))

    return report_markdown(in_words(compose_report(report), lang, say)).decode()


def partly() -> Session:
    session = said(started(), m1=Verdict.MET, s1=Verdict.CONTRADICTED, s2=Verdict.PARTIAL)
    return close(session, NOON)


def test_a_junior_is_held_against_what_a_junior_must_say():
    points = tuple(
        replace(p, required_from=Level.SENIOR) if p.id == "s2" else p for p in RUBRIC.points
    )
    asked = question("q1", rubric=replace(RUBRIC, points=points))
    findings = said(started(), m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.MISSED).turns[-1].grade
    assert findings is not None
    junior = asked_of_level(asked, Level.JUNIOR, findings.findings)
    assert junior == {Dimension.MOTIVATION: 100.0, Dimension.STAGES: 50.0}
    assert asked_of_level(asked, Level.SENIOR, findings.findings)[Dimension.STAGES] == 100.0
    assert asked_of_level(asked, Level.JUNIOR, ()) == {
        Dimension.MOTIVATION: None,
        Dimension.STAGES: None,
    }


def test_the_next_session_mends_the_gaps_first_and_then_what_was_left_out():
    following = make_report(partly(), KNOWLEDGE).next_session
    assert [(n.question.id, n.why) for n in following.questions] == [
        ("q1", WHY_GAP),
        ("q2", WHY_LEFT),
    ]
    assert following.minutes == 20


def test_who_missed_nothing_is_asked_for_more():
    bank = dict(KNOWLEDGE.questions) | {"q3": question("q3", level=Level.MID, topic="other")}
    session = said(started("q1"), m1=Verdict.MET, s1=Verdict.MET, s2=Verdict.MET)
    following = make_report(close(session, NOON), replace(KNOWLEDGE, questions=bank)).next_session
    assert [(n.question.id, n.why) for n in following.questions] == [("q3", WHY_HARDER)]


def test_the_next_session_fits_into_the_minutes_but_never_is_empty_where_something_is_lost():
    session = partly()
    short = replace(session, plan=replace(session.plan, minutes=5))
    following = make_report(short, KNOWLEDGE).next_session
    assert [n.question.id for n in following.questions] == ["q1"]


def test_the_document_says_what_the_page_says():
    text = written(make_report(partly(), KNOWLEDGE))
    for words in (
        "# Report",
        "| Motivation | 100 | 100 |",
        "| Own experience | – | – |",
        "**Say instead:** right",
        "*F001 · a paper §1*",
        "> words of mine",
        "## Plan for the next session",
    ):
        assert words in text
    assert text.count("**(") <= 3
    assert "percentile" not in text.lower()


def test_too_thin_is_said_and_is_no_zero():
    text = written(make_report(close(skip(started(), 1, NOON), NOON), KNOWLEDGE))
    assert "That is not a zero" in text
    assert "Mark:" not in text


@pytest.mark.parametrize("lang", list(Lang))
def test_what_a_person_wrote_is_data_in_every_form(lang: Lang):
    hostile = "# no <b>heading</b> [x](http://x) #panic() \x07| a | `c` $1$ ```\n> q\n- l"
    session = partly()
    turn = replace(session.turns[0], answer=hostile)
    report = make_report(replace(session, turns=(turn,)), KNOWLEDGE)
    text = written(report, lang)
    assert "\n# no" not in text
    assert "<b>" not in text.replace("\\<", "")
    assert "\x07" not in text

    def say(words: Message | Bilingual | str) -> str:
        return str(WORDING.value(words, lang))

    first, again = (report_pdf(in_words(compose_report(report), lang, say)) for _ in range(2))
    assert first.startswith(b"%PDF-")
    assert first == again
