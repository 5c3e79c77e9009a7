import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.app import create_app
from service.assembly import Seams
from service.settings import Settings
from tests.fakes import ScriptedEngine

RESUME = """# Li Example
Email: li.example@example.com

## Work
### Example Tech | Training engineer | 2021.07 - present
- Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100.

## Skills
Python, PyTorch, DeepSpeed
"""
POSTING = """Training engineer
Requirements:
1. Familiar with DeepSpeed or Megatron-LM.
2. 3+ years with PyTorch.
"""
ANSWER = "Every GPU keeps a full copy of parameters, gradients and optimizer states."
WISH = {"lang": "en", "level": "mid", "question_ids": ["zero-stages"]}


def start(client: TestClient, **more: object) -> dict[str, Any]:
    response = client.post("/v1/sessions", json=WISH | more)
    assert response.status_code == 201, response.text
    return response.json()


def test_the_main_job_over_rest(client: TestClient):
    resume = client.post("/v1/resumes", files={"file": ("li.md", RESUME.encode())})
    assert resume.status_code == 201, resume.text
    assert resume.json()["email"] == "li.example@example.com"
    posting = client.post("/v1/postings", json={"text": POSTING})
    assert posting.status_code == 201, posting.text
    pair = {"resume_id": resume.json()["id"], "posting_id": posting.json()["id"]}
    match = client.post("/v1/matches", json=pair)
    assert match.status_code == 201, match.text
    first = match.json()["requirements"][0]
    assert first["status"] == "met"
    assert "DeepSpeed" in first["evidence"][0]["text"]
    plan = client.post("/v1/plans", json=pair | {"lang": "en", "minutes": 30})
    assert plan.json()["questions"][0]["question_id"] == "zero-stages"
    session = start(client, **pair)
    assert session["turns"][0]["status"] == "asked"
    answered = client.post(
        f"/v1/sessions/{session['id']}/turns/1/answer",
        json={"answer": ANSWER},
        headers={"Idempotency-Key": "one"},
    )
    assert answered.status_code == 200, answered.text
    assert answered.json()["seq"] == 1
    report = client.get(f"/v1/sessions/{session['id']}/report")
    assert report.status_code == 200
    assert report.json()["questions"][0]["question_id"] == "zero-stages"


def test_a_repeated_post_happens_once(client: TestClient):
    headers = {"Idempotency-Key": "same"}
    first = client.post("/v1/postings", json={"text": POSTING}, headers=headers)
    again = client.post("/v1/postings", json={"text": POSTING}, headers=headers)
    assert again.text == first.text
    assert again.headers["Idempotent-Replay"] == "true"
    assert len(client.get("/v1/postings").json()) == 1
    other = client.post("/v1/postings", json={"text": POSTING + "4. C++"}, headers=headers)
    assert (other.status_code, other.json()["title"]) == (422, "key_reused")


def test_a_repeated_answer_is_replayed(client: TestClient, engine: ScriptedEngine):
    session = start(client)
    path = f"/v1/sessions/{session['id']}/turns/1/answer"
    first = client.post(path, json={"answer": ANSWER}, headers={"Idempotency-Key": "k"})
    asked = len(engine.asked)
    again = client.post(path, json={"answer": ANSWER}, headers={"Idempotency-Key": "k"})
    assert again.text == first.text
    assert len(engine.asked) == asked


def test_an_answer_can_be_watched(client: TestClient):
    session = start(client)
    path = f"/v1/sessions/{session['id']}/turns/1/answer/stream"
    with client.stream("POST", path, json={"answer": ANSWER}) as response:
        lines = [line for line in response.iter_lines() if line]
    events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert events == ["stage", "stage", "stage", "done"]
    data = [json.loads(x.removeprefix("data: ")) for x in lines if x.startswith("data: ")]
    assert [d.get("stage") for d in data[:3]] == ["stored", "reading", "asking"]
    assert data[3]["seq"] == 1


def test_a_refused_answer_is_told_in_the_stream(client: TestClient):
    session = start(client)
    path = f"/v1/sessions/{session['id']}/turns/7/answer/stream"
    with client.stream("POST", path, json={"answer": ANSWER}) as response:
        text = "".join(response.iter_text())
    assert "event: problem" in text
    assert "turn_out_of_order" in text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "title"),
    [
        ("GET", "/v1/sessions/nope", None, 404, "not_found"),
        ("GET", "/v1/resumes/nope", None, 404, "not_found"),
        ("GET", "/v1/facts/F9999", None, 404, "not_found"),
        ("POST", "/v1/postings", {"text": " "}, 422, "text_empty"),
        ("POST", "/v1/postings", {"text": "x" * 200_001}, 413, "text_too_long"),
        ("POST", "/v1/postings", {"text": "a", "owner_id": "x"}, 422, "request_invalid"),
        ("POST", "/v1/sessions", {"minutes": 1}, 422, "input_invalid"),
        ("POST", "/v1/sessions", {"question_ids": ["nope"]}, 422, "input_invalid"),
        ("POST", "/v1/check", {"text": "x", "context": {"size": 7}}, 422, "input_invalid"),
        ("GET", "/v1/memory?scheme=zero9&shards=8&params=7e9", None, 422, "input_invalid"),
        ("GET", "/v1/memory?scheme=ddp&shards=8&model=nope", None, 422, "model_unknown"),
        ("GET", f"/v1/memory?scheme=ddp&shards={'9' * 400}&params=7e9", None, 422, "input_invalid"),
        ("GET", "/v1/memory?scheme=ddp&shards=8&params=1e308", None, 422, "input_invalid"),
        ("POST", "/v1/sessions", {"resume_id": "nope"}, 404, "not_found"),
        ("POST", "/v1/plans", {"posting_id": "nope"}, 404, "not_found"),
        ("GET", "/v1/nowhere", None, 404, "http_404"),
        ("PUT", "/v1/postings", {"text": "x"}, 405, "http_405"),
    ],
)
def test_every_failure_is_a_typed_problem(
    client: TestClient, method: str, path: str, body: object, status: int, title: str
):
    response = client.request(method, path, json=body)
    assert (response.status_code, response.json()["title"]) == (status, title)
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"]


def test_a_name_that_no_text_can_carry_is_refused_in_form(client: TestClient):
    body = b'{"text": "x", "context": {"scheme": "\\ud800", "\\ud801": 1}}'
    response = client.post("/v1/check", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 422
    assert response.json()["title"] in {"input_invalid", "request_invalid"}


def test_a_problem_speaks_the_readers_language(client: TestClient):
    told = client.get("/v1/sessions/nope", headers={"Accept-Language": "zh-CN"}).json()["detail"]
    assert any("\u4e00" <= c <= "\u9fff" for c in told)


@pytest.mark.parametrize(
    ("name", "data", "status", "title"),
    [
        ("empty.pdf", b"", 422, "file_unreadable"),
        ("page.html", b"<html>x</html>", 415, "file_unsupported"),
        ("fake.pdf", b"no pdf at all", 415, "file_unsupported"),
        ("big.txt", b"x" * 5_000_001, 413, "file_too_large"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(
    client: TestClient, name: str, data: bytes, status: int, title: str
):
    response = client.post("/v1/resumes", files={"file": (name, data)})
    assert (response.status_code, response.json()["title"]) == (status, title)
    assert client.get("/v1/resumes").json() == []


def test_a_body_beyond_all_limits_is_a_problem_too(client: TestClient):
    response = client.post("/v1/check", content=b"x" * 6_000_000)
    assert (response.status_code, response.json()["title"]) == (413, "request_too_large")


def test_pause_resume_skip_and_end(client: TestClient):
    session = start(client)
    base = f"/v1/sessions/{session['id']}"
    assert client.post(f"{base}/pause").json()["status"] == "paused"
    refused = client.post(f"{base}/turns/1/answer", json={"answer": ANSWER})
    assert (refused.status_code, refused.json()["title"]) == (409, "session_paused")
    assert client.post(f"{base}/resume").json()["status"] == "open"
    after = client.post(f"{base}/turns/1/skip").json()
    assert after["turns"][0]["status"] == "skipped"
    assert client.post(f"{base}/end").json()["status"] == "closed"
    assert client.post(f"{base}/end").json()["status"] == "closed"
    late = client.post(f"{base}/turns/1/answer", json={"answer": ANSWER})
    assert (late.status_code, late.json()["title"]) == (409, "session_closed")


def test_tools_answer(client: TestClient):
    memory = client.get("/v1/memory?scheme=zero3_paper&shards=64&params=7.5e9").json()
    assert memory["bytes_per_gpu"] == 1_875_000_000
    assert memory["formula"] == "16ψ/N"
    checked = client.post("/v1/check", json={"text": "ZeRO-2 needs 4ψ+12ψ/N bytes."}).json()
    assert checked["claims"][0]["verdict"] == "wrong"
    assert checked["sentences"][0]["verdict"] == "wrong"
    assert checked["sentences"][0]["claims"] == [0]
    found = client.get("/v1/facts", params={"q": "ZeRO-2 memory per GPU"}).json()
    assert found["hits"][0]["fact_id"].startswith("F")
    assert len(client.get("/v1/models").json()) >= 40


def test_health_and_readiness(client: TestClient):
    assert client.get("/health").json() == {"status": "alive"}
    ready = client.get("/ready")
    assert ready.status_code == 200
    assert ready.json()["store"] == "ok"
    assert ready.json()["index"] in {"ready", "degraded"}


def test_metrics_count_routes_and_never_ids(client: TestClient):
    session = start(client)
    client.get(f"/v1/sessions/{session['id']}")
    text = client.get("/metrics").text
    assert 'route="/v1/sessions/{session_id}"' in text
    assert session["id"] not in text


def test_own_data_can_be_had_and_deleted(client: TestClient):
    client.post("/v1/postings", json={"text": POSTING + "canary-posting"})
    exported = client.get("/v1/me/export")
    assert "canary-posting" in exported.text
    assert client.delete("/v1/me").status_code == 204
    assert client.get("/v1/postings").json() == []


def test_another_name_for_this_machine_reaches_nobody(client: TestClient):
    for host in ("evil.example", "evil.example:8000", "localhost.evil.example"):
        assert client.get("/v1/postings", headers={"Host": host}).status_code == 400
    assert client.get("/v1/postings", headers={"Host": "127.0.0.1:8000"}).status_code == 200


def test_another_sites_page_cannot_change_anything(client: TestClient):
    response = client.post(
        "/v1/postings", json={"text": POSTING}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert response.status_code == 403
    assert client.get("/v1/postings").json() == []


def test_every_route_sends_the_guarding_headers(client: TestClient):
    for path in ("/", "/v1/postings", "/health", "/v1/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_the_description_is_good_enough_to_write_a_client_from(client: TestClient):
    spec = client.get("/openapi.json").json()
    operations = [
        (path, name, operation)
        for path, item in spec["paths"].items()
        for name, operation in item.items()
    ]
    assert len(operations) > 25
    for path, name, operation in operations:
        assert operation.get("summary"), f"{name} {path} says nothing"
        success = next(code for code in operation["responses"] if code.startswith("2"))
        if success != "204" and path != "/v1/me/export":
            assert operation["responses"][success]["content"], f"{name} {path} has no form"


def test_with_keys_set_up_nobody_gets_in_without_one(settings: Settings):
    app = create_app(settings.model_copy(update={"access": "key"}), Seams(engine=ScriptedEngine()))
    with TestClient(app) as client:
        refused = client.get("/v1/postings")
        assert (refused.status_code, refused.json()["title"]) == (401, "not_signed_in")
        bad = client.get("/v1/postings", headers={"Authorization": "Bearer sw_nope"})
        assert bad.status_code == 401
        assert client.get("/health").status_code == 200
        assert client.get("/ready").status_code == 200


def test_a_configuration_is_checked_with_its_estimate(client: TestClient):
    body = {"text": '{"zero_optimization": {"stage": 3, "stag": 1}}', "model": "llama-3-8b"}
    found = client.post("/v1/check/config", json=body | {"gpus": 8}).json()
    assert found["findings"][0]["path"] == "zero_optimization.stag"
    assert found["estimate"]["deepspeed_estimator"]["gpu"] > found["estimate"]["bytes_per_gpu"] / 2
    assert found["asked"]
    assert client.post("/v1/check/config", json=body).json()["estimate"] is None
    refused = client.post("/v1/check/config", json={"text": "some notes"})
    assert (refused.status_code, refused.json()["title"]) == (422, "input_invalid")


def test_advice_names_what_fits_and_what_decides(client: TestClient):
    job = "gpus=8&memory=80e9&model=llama-3-70b&recompute=full"
    found = client.get(f"/v1/advice?{job}").json()
    assert (found["proposed"]["scheme"], found["proposed"]["fits"]) == ("ds_zero3_default", True)
    assert found["proposed"]["offload"] == "cpu_optimizer"
    assert any("lowest stage that fits" in line for line in found["why"])
    assert {o["scheme"] for o in found["options"]} >= {"ddp", "ds_zero1_default"}
    small = client.get(f"/v1/advice?{job}&host_memory=256e9").json()
    assert small["proposed"] is None
    for wrong in ("memory=nan", "memory=0", "tp=3", "inter_node=0", "model=nope", "unknown=1"):
        assert client.get(f"/v1/advice?{job}&{wrong}").status_code == 422


def test_a_memory_too_small_for_anything_is_advised_on_all_the_same(client: TestClient):
    found = client.get("/v1/advice?model=llama-3-70b&gpus=64&memory=1e-300")
    assert found.status_code == 200
    assert found.json()["proposed"] is None
