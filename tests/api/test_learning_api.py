"""Learning and the report's files over REST."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.assembly import Seams
from service.domain.tasks import AnswerReading, ReadAnswer
from tests.api.opened import ANSWER, WISH, opened
from tests.fakes import ScriptedEngine, reading


def met(task: ReadAnswer) -> AnswerReading:
    return reading(*((p.id, "met", task.answer[:12]) for p in task.points))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("learning")
    with opened(folder, Seams(engine=ScriptedEngine(met))) as client:
        yield client


@pytest.fixture
def session_id(client: TestClient) -> str:
    client.delete("/v1/me")
    made = client.post("/v1/sessions", json=dict(WISH)).json()["id"]
    answered = client.post(f"/v1/sessions/{made}/turns/1/answer", json={"answer": ANSWER})
    assert answered.status_code == 200, answered.text
    client.post(f"/v1/sessions/{made}/end")
    return made


def test_the_board_the_history_and_the_chain(client: TestClient, session_id: str):
    points = client.get("/v1/learning/points").json()
    (practised,) = [p for p in points if p["reviews"]]
    assert (practised["topic"], practised["standing"]) == ("zero", "shaky")
    assert practised["due"] > "2026"
    assert not practised["is_due"]
    assert client.get("/v1/learning/due").json() == []
    (row,) = client.get("/v1/learning/history").json()
    assert row["session_id"] == session_id
    assert set(row["dimensions"]) == {"motivation", "stages", "tradeoffs", "experience"}
    detail = client.get("/v1/learning/points/zero").json()
    assert detail["best"]["origin_id"] == session_id
    assert detail["best"]["quotes"] == [ANSWER[:12]]
    (review,) = detail["reviews"]
    # The reader here is a model in the service's eyes, and the built-in one does not agree on all.
    assert (review["rating"], review["rule"]) == ("hard", "unconfirmed")
    assert client.get("/v1/learning/points/nothing").status_code == 404


def test_a_short_question_from_start_to_its_day(client: TestClient, session_id: str):
    drill = client.post("/v1/learning/drills", json={"topic": "flash_attention"}).json()
    assert (drill["status"], drill["facts"], drill["due"]) == ("asked", [], None)
    again = client.post("/v1/learning/drills", json={}).json()
    assert again["id"] == drill["id"]
    path = f"/v1/learning/drills/{drill['id']}"
    assert len(client.post(f"{path}/hint").json()["hints"]) == 1
    done = client.post(f"{path}/answer", json={"answer": ANSWER}).json()
    assert (done["status"], done["rating"]) == ("answered", "hard")
    assert done["grade"]["points"][0]["verdict"] == "met"
    assert done["facts"]
    assert done["due"] > done["updated_at"]
    refused = client.post(f"{path}/answer", json={"answer": ANSWER})
    assert (refused.status_code, refused.json()["title"]) == (409, "turn_out_of_order")
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404


def test_skipping_leaves_no_trace_in_the_schedule(client: TestClient, session_id: str):
    drill = client.post("/v1/learning/drills", json={"topic": "offload"}).json()
    skipped = client.post(f"/v1/learning/drills/{drill['id']}/skip").json()
    assert (skipped["status"], skipped["rating"]) == ("skipped", None)
    points = {p["topic"]: p for p in client.get("/v1/learning/points").json()}
    assert points["offload"]["standing"] == "new"
    wrong = client.post("/v1/learning/drills", json={"topic": "nothing"})
    assert wrong.status_code == 422


def test_a_note_moves_the_card_and_counts_for_nothing(client: TestClient, session_id: str):
    path = "/v1/learning/points/zero/note"
    moved = client.put(path, json={"seen": 0, "column": "stable", "text": "mine"}).json()
    assert (moved["column"], moved["standing"], moved["note"]) == ("stable", "shaky", "mine")
    stale = client.put(path, json={"seen": 0, "column": "good"})
    assert (stale.status_code, stale.json()["title"]) == (409, "version_outdated")
    assert client.delete(path).status_code == 204
    back = client.get("/v1/learning/points/zero").json()["point"]
    assert (back["column"], back["note"], back["note_revision"]) == ("shaky", "", 0)


@pytest.mark.parametrize(("lang", "title"), [("en", "# Report"), ("zh", "# 报告")])
def test_the_report_comes_as_markdown_and_pdf(
    client: TestClient, session_id: str, lang: str, title: str
):
    headers = {"Accept-Language": lang}
    text = client.get(f"/v1/sessions/{session_id}/report.md", headers=headers)
    assert text.headers["content-type"] == "text/markdown; charset=utf-8"
    assert text.headers["content-disposition"] == 'attachment; filename="report.md"'
    assert text.text.startswith(title)
    assert ANSWER in text.text.replace("\\", "")
    pdf = client.get(f"/v1/sessions/{session_id}/report.pdf", headers=headers)
    assert pdf.content.startswith(b"%PDF-1.7")
    assert pdf.headers["content-type"] == "application/pdf"


def test_the_report_says_what_the_level_asks_for_and_what_comes_next(
    client: TestClient, session_id: str
):
    made = client.get(f"/v1/sessions/{session_id}/report").json()
    assert set(made["asked"]) == set(made["dimensions"])
    asked = [v for v in made["asked"].values() if v is not None]
    assert asked
    assert all(0 <= v <= 100 for v in asked)
    assert 0 < len(made["next_session"]) <= 4
    assert all(n["why"] and n["minutes"] for n in made["next_session"])
