"""The room over REST: reasons of a plan, warm-up, hints, retries and the clock."""

from fastapi.testclient import TestClient

WISH = {"lang": "en", "level": "mid", "mode": "coached", "minutes": 30}
ONE = WISH | {"question_ids": ["zero-stages", "collectives"]}
ANSWER = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."


def test_every_planned_question_says_what_it_rests_on(client: TestClient):
    plan = client.post("/v1/plans", json=WISH | {"background": "academic"}).json()
    assert all(q["why"] and q["basis"] == "usual" for q in plan["questions"])
    bullet = (
        "# Li\n\n## Work\n### A | Engineer | 2021.07 - present\n- Cut memory from 80 GB to 20 GB"
    )
    resume = client.post("/v1/resumes/text", json={"text": bullet}).json()["id"]
    plan = client.post("/v1/plans", json=WISH | {"resume_id": resume, "minutes": 60}).json()
    defended = [q for q in plan["questions"] if q["basis"] == "number"]
    assert len(defended) == 1
    assert "80 GB to 20 GB" in defended[0]["bullet"]
    assert "ZeRO-3 (N ≥ 4)" in defended[0]["why"]


def test_hints_and_retries_are_written_down(client: TestClient):
    session = client.post("/v1/sessions", json=ONE).json()
    at = f"/v1/sessions/{session['id']}"
    assert session["timing"]["question_deadline"] is not None
    hinted = client.post(f"{at}/turns/1/hint").json()
    assert [(h["level"], h["ceiling"]) for h in hinted["turns"][0]["hints"]] == [(1, 0.75)]
    assert hinted["turns"][0]["hints"][0]["text"]
    client.post(f"{at}/turns/1/answer", json={"answer": ANSWER})
    again = client.post(f"{at}/questions/zero-stages/retry").json()
    assert [t["status"] for t in again["turns"]] == ["answered", "set_aside", "asked"]
    assert again["turns"][-1]["attempt"] == 2
    paused = client.post(f"{at}/pause").json()
    assert paused["timing"]["question_deadline"] is None
    assert client.post(f"{at}/questions/zero-stages/retry").status_code == 409
    assert client.post(f"{at}/end").json()["timing"] is None


def test_an_exam_refuses_help(client: TestClient):
    session = client.post("/v1/sessions", json=ONE | {"mode": "exam"}).json()
    at = f"/v1/sessions/{session['id']}"
    assert client.post(f"{at}/turns/1/hint").status_code == 422
    assert client.post(f"{at}/questions/zero-stages/retry").status_code == 422


def test_the_warm_up_comes_first_and_earns_no_mark(client: TestClient):
    session = client.post("/v1/sessions", json=ONE | {"warm_up": True}).json()
    assert session["turns"][0]["kind"] == "warm_up"
    at = f"/v1/sessions/{session['id']}"
    done = client.post(f"{at}/turns/1/answer", json={"answer": ANSWER}).json()
    assert done["grade"]["score"] is None
    assert done["next"]["question_id"] == "zero-stages"
    report = client.post(f"{at}/end") and client.get(f"{at}/report").json()
    assert [q["state"] for q in report["questions"]] == ["not_answered", "not_reached"]
