"""Learning as a browser without scripts sees it: board, short question, proof, history, files."""

import re

import pytest
from fastapi.testclient import TestClient

from service.domain.grading import Dimension, Level
from service.domain.interview import Mode
from service.domain.learning.trend import TrendRow
from service.web.trend_chart import HEIGHT, MARGIN, WIDTH, curves
from tests.domain.samples import NOON

ANSWER = "Plain data parallelism keeps every state on every GPU, which is redundant."
START = {"lang": "en", "level": "mid", "mode": "exam", "minutes": "10", "question": "zero-stages"}


def interviewed(pages: TestClient) -> str:
    """One answered question; the interview's path."""
    path = pages.post("/interviews", data=START).url.path
    answered = pages.post(f"{path}/turns/1", data={"text": ANSWER, "key": "k"})
    assert answered.status_code == 200, answered.text
    pages.post(f"{path}/end")
    return path


def drilled(pages: TestClient, topic: str = "flash_attention") -> str:
    asked = pages.post("/learning/drill", data={"topic": topic})
    assert asked.status_code == 200, asked.text
    return asked.url.path


def test_an_empty_board_says_what_to_do(pages: TestClient):
    html = pages.get("/learning").text
    assert "Nothing practised yet" in html
    assert html.count('class="jobcard"') > 15
    assert len(re.findall(r'data-column="(\w+)"', html)) == 4
    assert "No interview was judged yet" in pages.get("/learning/history").text


def test_an_answer_moves_its_card_and_shows_in_the_history(pages: TestClient):
    path = interviewed(pages)
    board = pages.get("/learning").text
    shaky = board[board.index('data-column="shaky"') : board.index('data-column="good"')]
    assert 'data-card="zero"' in shaky
    history = pages.get("/learning/history").text
    assert f'href="{path}/report"' in history
    assert 0 < history.count('<svg class="trend"') == history.count('role="img" aria-label="')
    assert "percentile" not in history
    detail = pages.get("/learning/points/zero").text
    assert "seen by a model alone" in detail
    assert f'href="{path}/report"' in detail


def test_a_short_question_is_answered_with_hint_source_and_day(pages: TestClient):
    path = drilled(pages)
    assert pages.get("/learning/drill").url.path == path
    assert "It is part of the answer to" in pages.post(f"{path}/hint").text
    told = pages.post(path, data={"text": ANSWER}).text
    for words in ("What a good answer says", "Rating: Hard", "comes back on 2026-"):
        assert words in told
    assert re.search(r'<p class="source"><span class="num">F\d+', told)
    refused = pages.post(path, data={"text": ANSWER})
    assert refused.status_code == 409
    gone = pages.post(f"{path}/delete")
    assert gone.url.path == "/learning/points/flash_attention"
    assert pages.get(path).status_code == 404


def test_a_skipped_short_question_leaves_no_mark(pages: TestClient):
    path = drilled(pages)
    pages.post(f"{path}/skip")
    assert "Skipped: this leaves no mark." in pages.get(path).text
    assert "Nothing practised yet" in pages.get("/learning").text


def test_a_topic_without_short_questions_leads_to_the_bank(pages: TestClient):
    html = pages.get("/learning/points/resume_project").text
    assert 'href="/questions?topic=resume_project"' in html
    assert pages.get("/learning/points/nothing").status_code == 404
    assert pages.post("/learning/drill", data={"topic": "nothing"}).status_code == 422


def test_a_card_that_is_moved_by_hand_says_so_and_goes_back(pages: TestClient):
    moved = pages.post("/learning/points/zero/move", data={"column": "stable", "seen": "0"}).text
    stable = moved[moved.index('data-column="stable"') :]
    assert "Put here by you. By evidence:" in stable
    stale = pages.post("/learning/points/zero/move", data={"column": "good", "seen": "0"})
    assert stale.status_code == 409
    wrong = pages.post("/learning/points/zero/move", data={"column": "offer", "seen": "1"})
    assert wrong.status_code == 422
    assert "Put here by you" not in pages.post("/learning/points/zero/back").text


def test_a_piece_of_the_board_is_sent_alone(pages: TestClient):
    sent = pages.post(
        "/learning/points/zero/move",
        data={"column": "good", "seen": "0"},
        headers={"HX-Request": "true"},
    )
    assert "<html" not in sent.text
    assert 'data-card="zero" data-focus' in sent.text


def test_a_note_is_kept_escaped_and_deleted_after_a_question(pages: TestClient):
    words = "<script>alert(1)</script> & mine"
    shown = pages.post(
        "/learning/points/zero/note", data={"seen": "0", "column": "", "text": words}
    ).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; mine" in shown
    assert "<script>alert" not in shown
    assert "Delete this note?" in shown
    assert "alert(1)" not in pages.post("/learning/points/zero/note/delete").text


def test_what_was_practised_is_exported_and_deleted_with_everything(pages: TestClient):
    path = drilled(pages)
    pages.post(path, data={"text": "a canary sings in the mine today"})
    assert "canary" in pages.get("/v1/me/export").text
    pages.post("/settings/delete")
    assert pages.get(path).status_code == 404
    assert "canary" not in pages.get("/v1/me/export").text


@pytest.mark.parametrize(("form", "start"), [("md", b"# Report"), ("pdf", b"%PDF-")])
def test_the_report_is_taken_along(pages: TestClient, form: str, start: bytes):
    path = interviewed(pages)
    page = pages.get(f"{path}/report").text
    assert f'href="{path}/report.{form}" download' in page
    file = pages.get(f"{path}/report.{form}")
    assert file.content.startswith(start)
    assert f'filename="report.{form}"' in file.headers["content-disposition"]


def test_the_report_holds_bars_against_the_level_and_plans_the_next_session(pages: TestClient):
    page = pages.get(f"{interviewed(pages)}/report").text
    assert 'class="asked"' in page
    assert "asked: " in page
    assert "Plan for the next session" in page
    plan = re.search(r'href="(/interviews/plan\?[^"]+)"', page)
    assert plan
    shown = pages.get(plan[1].replace("&amp;", "&"))
    assert shown.status_code == 200
    assert "You chose it." in shown.text
    assert re.search(r'<p class="source">Source: <span class="num">F\d+', page)


def row(place: int, mark: float | None) -> TrendRow:
    marks = {Dimension.STAGES: mark}
    return TrendRow(f"s{place}", NOON, Level.MID, Mode.EXAM, mark, marks, marks)


def test_a_curve_spans_the_picture_and_leaves_gaps_out():
    (curve,) = curves([row(0, 0.0), row(1, None), row(2, 100.0)])
    assert [(d.x, d.y) for d in curve.dots] == [
        (MARGIN, HEIGHT - MARGIN),
        (WIDTH - MARGIN, MARGIN),
    ]
    (alone,) = curves([row(0, 50.0)])
    assert (alone.dots[0].x, alone.dots[0].y) == (WIDTH / 2, HEIGHT / 2)
    assert curves([]) == ()
