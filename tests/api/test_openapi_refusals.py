"""Bad input and bad luck: each refusal is typed, described beforehand, and stores nothing half."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient

from service.assembly import Seams
from tests.api.opened import ANSWER, POSTING, RESUME, WISH, opened, operations
from tests.service.bad_model import BadModel, serving

PROBLEM = "application/problem+json"
LONGEST = 50_000
IN_TIME = 20.0  # seconds of this process, whoever else is busy


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("refusals")
    with opened(folder, Seams()) as client:
        yield client


@pytest.fixture(autouse=True)
def clean(client: TestClient) -> None:
    client.delete("/v1/me")


def started(client: TestClient, **more: object) -> str:
    response = client.post("/v1/sessions", json=dict(WISH) | more)
    assert response.status_code == 201, response.text
    return response.json()["id"]


def answered(client: TestClient, session: str, text: str, seq: int = 1) -> Any:
    return client.post(f"/v1/sessions/{session}/turns/{seq}/answer", json={"answer": text})


def assert_problem(client: TestClient, operation: str, response: Any, status: int, title: str):
    """The refusal has its form, its sentence, and stands in the description."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM
    body = response.json()
    assert (body["status"], body["title"]) == (status, title)
    assert body["type"] == f"urn:shardwise:{title}"
    assert body["detail"]
    _, _, described = operations(client)[operation]
    assert str(status) in described["responses"]


def pdf(*objects: bytes, trailer: bytes = b"") -> bytes:
    """Objects 1, 2, ... with a table that says where they stand; 1 is the catalogue."""
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d /Root 1 0 R%s>>\n"
        b"startxref\n%d\n%%%%EOF" % (count, table, count, trailer, len(out))
    )


CATALOGUE = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>")
DRAWING = b"q 300 0 0 300 0 0 cm /I Do Q"
PIXEL = b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
# A page that is a picture and nothing else.
SCAN = pdf(
    *CATALOGUE,
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
    b"/Resources<</XObject<</I 5 0 R>>>>>>",
    b"<</Length %d>>stream\n%s\nendstream" % (len(DRAWING), DRAWING),
    PIXEL + b"/Length 1>>stream\n\x80\nendstream",
)
BLANK = pdf(*CATALOGUE, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>")
# Keys that no password opens, least of all the empty one.
PROTECTED = pdf(
    *CATALOGUE,
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>",
    b"<</Filter/Standard/V 1/R 2/P -64/O<%s>/U<%s>>>" % (b"41" * 32, b"42" * 32),
    trailer=b"/Encrypt 4 0 R/ID[<00><00>]",
)


def broken_docx() -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w:document")
        archive.writestr("[Content_Types].xml", "<Types/>")
    return buffer.getvalue()


FILES = [
    ("empty.pdf", b"", 422, "file_unreadable", "empty"),
    ("empty.txt", b"  \n", 422, "file_unreadable", "empty"),
    ("blank.pdf", BLANK, 422, "file_unreadable", "empty"),
    ("scan.pdf", SCAN, 422, "file_unreadable", "scan"),
    ("locked.pdf", PROTECTED, 422, "file_unreadable", "protected"),
    ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<</Type", 422, "file_unreadable", "garbled"),
    ("broken.docx", broken_docx(), 422, "file_unreadable", "garbled"),
    ("page.html", b"<html><body>I</body></html>", 415, "file_unsupported", None),
    ("photo.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, 415, "file_unsupported", None),
    ("lies.pdf", b"MZ\x90\x00 no pdf", 415, "file_unsupported", None),
    ("big.txt", b"x" * 5_000_001, 413, "file_too_large", None),
]


@pytest.mark.parametrize(("name", "data", "status", "title", "quality"), FILES)
def test_a_file_that_cannot_be_read_leaves_nothing(
    client: TestClient, name: str, data: bytes, status: int, title: str, quality: str | None
):
    response = client.post("/v1/resumes", files={"file": (name, data)})
    assert_problem(client, "upload_resume", response, status, title)
    assert response.json().get("quality") == quality
    assert client.get("/v1/resumes").json() == []


def test_after_a_refused_file_a_good_one_is_read(client: TestClient):
    headers = {"Idempotency-Key": "again"}
    bad = client.post("/v1/resumes", files={"file": ("a.pdf", b"")}, headers=headers)
    assert bad.status_code == 422
    assert client.post("/v1/resumes", files={"file": ("li.md", RESUME.encode())}).is_success


@pytest.mark.parametrize(
    ("operation", "path", "status", "title"),
    [
        ("add_posting", "/v1/postings", 422, "text_empty"),
        ("paste_resume", "/v1/resumes/text", 422, "text_empty"),
        ("check_text", "/v1/check", 422, "text_empty"),
    ],
)
@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\ufeff"])
def test_nothing_to_read_is_said(
    client: TestClient, operation: str, path: str, status: int, title: str, text: str
):
    response = client.post(path, json={"text": text})
    assert_problem(client, operation, response, status, title)


RAW: list[tuple[str, bytes, int, str]] = [
    ("lone surrogate", rb'{"text": "a \ud800 b"}', 422, "text_invalid"),
    ("NUL", rb'{"text": "a \u0000 b"}', 422, "text_invalid"),
    ("deep", b'{"text": ' + b"[" * 100_000, 400, "http_400"),
    ("deep and closed", b'{"text": ' + b"[" * 5000 + b"]" * 5000 + b"}", 400, "http_400"),
    ("infinite", b'{"text": "x", "context": {"model_params": 1e999}}', 422, "input_invalid"),
    ("no number", b'{"text": "x", "context": {"model_params": NaN}}', 422, "request_invalid"),
    ("a key twice", b'{"text": "one", "text": "two"}', 422, "request_invalid"),
    ("nothing at all", b'{"text": "x", "context": {"dp_degree": 0}}', 422, "input_invalid"),
    ("half a GPU", b'{"text": "x", "context": {"gpus": 0.5}}', 422, "input_invalid"),
    ("cut off", b'{"text": "x', 422, "request_invalid"),
    ("no JSON", b"text=x", 422, "request_invalid"),
    ("bad UTF-8", b'{"text": "\xff\xfe"}', 400, "http_400"),
    ("a list", b"[]", 422, "request_invalid"),
    ("a number for text", b'{"text": 7}', 422, "request_invalid"),
    ("an unknown field", b'{"text": "x", "owner_id": "y"}', 422, "request_invalid"),
    ("many digits", b'{"text": "x", "context": {"gpus": ' + b"9" * 5_000 + b"}}", 400, "http_400"),
]


@pytest.mark.parametrize(("what", "raw", "status", "title"), RAW, ids=[r[0] for r in RAW])
def test_a_body_that_is_no_request_is_refused_and_not_echoed(
    client: TestClient, what: str, raw: bytes, status: int, title: str
):
    headers = {"content-type": "application/json"}
    response = client.post("/v1/check", content=raw, headers=headers)
    assert_problem(client, "check_text", response, status, title)
    assert len(response.content) < 2_000


def test_every_form_is_refused_when_it_gives_a_key_twice(client: TestClient):
    session, headers = started(client), {"content-type": "application/json"}
    forms = client.get("/openapi.json").json()["components"]["schemas"]
    asked = 0
    for method, path, operation in operations(client).values():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            continue
        fields = json.dumps(forms[content["schema"]["$ref"].rpartition("/")[2]]["examples"][0])
        twice = f"{fields[:-1]}, {fields[1:]}" if fields != "{}" else '{"a": 1, "a": 1}'
        address = re.sub(r"{\w*id}", session, path).replace("{seq}", "1")
        response = client.request(method, address, content=twice, headers=headers)
        assert (response.status_code, response.json()["title"]) == (422, "request_invalid"), path
        assert "a key stands twice" in response.text, path
        asked += 1
    assert asked > 15


@pytest.mark.parametrize(
    ("lang", "reasons"),
    [
        ("en", {"body.text": "This field is needed.", "body.tune": "There is no such field."}),
        ("zh", {"body.text": "缺少这个字段。", "body.tune": "没有这个字段。"}),
    ],
)
def test_each_fault_is_told_in_the_readers_language(
    client: TestClient, lang: str, reasons: dict[str, str]
):
    response = client.post("/v1/check", json={"tune": 1}, headers={"accept-language": lang})
    assert {f["field"]: f["reason"] for f in response.json()["faults"]} == reasons


@pytest.mark.parametrize("path", ["/v1/postings", "/v1/resumes/text"])
@pytest.mark.parametrize("raw", [rb'{"text": "a \ud800 b"}', rb'{"text": "a \u0000 b"}'])
def test_characters_that_are_no_text_are_not_stored(client: TestClient, path: str, raw: bytes):
    headers = {"content-type": "application/json", "Idempotency-Key": "k1"}
    response = client.post(path, content=raw, headers=headers)
    assert (response.status_code, response.json()["title"]) == (422, "text_invalid")


@pytest.mark.parametrize(
    "name", ["a\x00b.md", "../../etc/passwd", "a\r\nX: y.md", "x" * 3_000, "."]
)
def test_a_files_name_harms_nobody(client: TestClient, name: str):
    response = client.post("/v1/resumes", files={"file": (name, RESUME.encode())})
    assert response.status_code in {201, 415, 422}, response.text
    assert response.headers["content-type"] in {PROBLEM, "application/json"}


def long_answer(length: int) -> str:
    """Prose with numbers and beliefs in it: the dearest kind to read."""
    sentence = "ZeRO-3 shards parameters, so a 7B model needs 14 GB over 8 GPUs (16ψ/N). "
    return (sentence * (length // len(sentence) + 1))[:length]


def test_the_longest_answer_is_read_in_time_and_one_more_character_is_refused(client: TestClient):
    session = started(client)
    refused = answered(client, session, long_answer(LONGEST + 1))
    assert_problem(client, "answer_turn", refused, 413, "text_too_long")
    assert client.get(f"/v1/sessions/{session}").json()["turns"][0]["status"] == "asked"
    begun = time.process_time()
    read = answered(client, session, long_answer(LONGEST))
    assert read.status_code == 200, read.text
    assert time.process_time() - begun < IN_TIME
    assert client.get(f"/v1/sessions/{session}").json()["turns"][0]["status"] == "answered"


@pytest.mark.parametrize(
    "unit", ["啊", "\U0001f600", "zero ", "1", "一", "a.", "「", "ψ/N ", "16 bytes ", "-", "\n"]
)
def test_no_long_repetition_makes_the_reader_slow(client: TestClient, unit: str):
    session = started(client)
    begun = time.process_time()
    response = answered(client, session, (unit * LONGEST)[: LONGEST - 1] + "x")
    assert response.status_code == 200, response.text
    assert time.process_time() - begun < IN_TIME


def test_an_answer_at_the_wrong_time_is_refused_and_the_interview_goes_on(client: TestClient):
    session = started(client)
    assert_problem(
        client, "answer_turn", answered(client, session, ANSWER, 2), 409, "turn_out_of_order"
    )
    for seq in ("0", "-1", "99999999999999999999"):
        odd = client.post(f"/v1/sessions/{session}/turns/{seq}/answer", json={"answer": ANSWER})
        assert odd.status_code in {409, 422}, odd.text
    nothing = client.post(f"/v1/sessions/{session}/turns/1/retry")
    assert_problem(client, "retry_turn", nothing, 422, "text_empty")
    assert answered(client, session, ANSWER).status_code == 200
    again = answered(client, session, ANSWER)
    assert_problem(client, "answer_turn", again, 409, "turn_out_of_order")
    client.post(f"/v1/sessions/{session}/end")
    closed = answered(client, session, ANSWER, 2)
    assert_problem(client, "answer_turn", closed, 409, "session_closed")
    report = client.get(f"/v1/sessions/{session}/report").json()
    assert report["questions"][0]["state"] in {"graded", "not_enough_evidence"}


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("id_", ["nope", "0" * 24, "%00", "..%2F..", "x" * 3_000, "名字"])
def test_an_unknown_id_is_not_found_however_odd(client: TestClient, method: str, id_: str):
    response = client.request(method, f"/v1/sessions/{id_}")
    assert response.status_code in {404, 405}, response.text
    assert response.headers["content-type"] == PROBLEM


@pytest.mark.parametrize("key", ["", "x" * 201, "k\x7fy", "\xe9"])
def test_an_odd_idempotency_key_is_refused_or_taken_never_a_fault(client: TestClient, key: str):
    headers = [(b"Idempotency-Key", key.encode("latin-1"))]
    response = client.post("/v1/postings", json={"text": POSTING}, headers=headers)
    assert response.status_code in {201, 422}, response.text


@pytest.mark.parametrize(
    "query",
    [
        "scheme=ddp&shards=0&params=7e9",
        "scheme=ddp&shards=8&params=-1",
        "scheme=ddp&shards=8&params=1e999",
        "scheme=ddp&shards=8&params=nan",
        "scheme=ddp&shards=8&params=0",
        "scheme=ddp&shards=8",
        "scheme=ddp&shards=99999999999999999999999&params=7e9",
        "scheme=zero3_paper&shards=8&params=7e9&recipe=nope",
        "scheme=zero3_paper&shards=8&params=7e9&tp=0",
        "scheme=zero3_paper&shards=8&params=7e9&micro_batches=-3",
    ],
)
def test_a_value_outside_the_formula_is_refused_or_computed_never_a_fault(
    client: TestClient, query: str
):
    response = client.get(f"/v1/memory?{query}")
    assert response.status_code in {200, 422}, response.text
    json.loads(response.text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


ODD = (None, "", "nope", 0, -1, 1e308, True, [], {}, ["x"], {"a": 1}, "\ud800", "\x00", "x" * 5_000)


def test_no_odd_value_in_any_field_is_a_fault_of_ours(client: TestClient):
    """Every field of every form, and every parameter, takes each odd value in turn."""
    forms = client.get("/openapi.json").json()["components"]["schemas"]
    session = started(client)
    asked = 0
    for method, path, operation in operations(client).values():
        address = re.sub(r"{\w*id}", session, path).replace("{seq}", "1")
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None or method != "POST":
            continue
        form = forms[content["schema"]["$ref"].rpartition("/")[2]]
        for field, odd in product([*form["properties"], "owner_id"], ODD):
            body = json.dumps(form["examples"][0] | {field: odd})
            headers = {"content-type": "application/json"}
            response = client.post(address, content=body, headers=headers)
            assert response.status_code < 500, (path, field, odd, response.text)
            if field == "owner_id":
                assert response.json()["title"] == "request_invalid"
            asked += 1
    assert asked > 200


def test_no_odd_parameter_is_a_fault_of_ours(client: TestClient):
    for _, path, operation in operations(client).values():
        names = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
        for name, odd in product(names, (str(o) for o in ODD if o != "\ud800")):
            others = {"scheme": "zero3_paper", "shards": "8", "params": "7e9", "q": "ZeRO"}
            known = {n: v for n, v in others.items() if n in names}
            response = client.get(path, params=known | {name: odd})
            assert response.status_code < 500, (path, name, odd, response.text)


@dataclass(frozen=True)
class Fallen:
    client: TestClient
    model: BadModel


@pytest.fixture(scope="module", params=["auto", "llm"])
def modelled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Fallen]]:
    folder: Path = tmp_path_factory.mktemp("modelled")
    with serving() as model:
        changes: dict[str, object] = {
            "engine": request.param,
            "model": "m",
            "openai_base_url": model.url,
            "openai_api_key": "sk-none",
            "model_seconds": 2.0,
        }
        with opened(folder, Seams(), **changes) as client:
            yield request.param, Fallen(client, model)


FAULTS = [("nonsense", 502, "reading_invalid"), ("hang", 503, "engine_unavailable"),
          ("html", 503, "engine_unavailable")]  # fmt: skip


@pytest.mark.parametrize(("fault", "status", "title"), FAULTS)
def test_a_model_that_fails_costs_no_answer(
    modelled: tuple[str, Fallen], fault: str, status: int, title: str
):
    engine, fallen = modelled
    fallen.model.mode, fallen.model.quote = "good", "Every GPU keeps"
    session = started(fallen.client)
    fallen.model.mode = fault
    fallen.model.let_go.clear()
    response = answered(fallen.client, session, ANSWER)
    fallen.model.mode = "good"
    fallen.model.let_go.set()
    if engine == "auto":
        assert_fell_back(fallen.client, session, response)
        return
    assert_problem(fallen.client, "answer_turn", response, status, title)
    turn = fallen.client.get(f"/v1/sessions/{session}").json()["turns"][0]
    assert (turn["status"], turn["answer"]) == ("stored", ANSWER)
    retried = fallen.client.post(f"/v1/sessions/{session}/turns/1/retry")
    assert retried.status_code == 200, retried.text
    assert retried.json()["read_by"]["engine"] == "llm"
    assert retried.json()["read_by"]["model"] == "served-model"
    [point] = [p for p in retried.json()["grade"]["points"] if p["verdict"] == "met"]
    assert point["quote"] == "Every GPU keeps"


def assert_fell_back(client: TestClient, session: str, response: Any) -> None:
    """The answer was read all the same, and it is said by whom and why."""
    assert response.status_code == 200, response.text
    reader = response.json()["read_by"]
    assert (reader["engine"], reader["fallback_from"]) == ("builtin", "llm")
    assert reader["fallback_why"]
    report = client.get(f"/v1/sessions/{session}/report").json()
    assert report["fell_back"] is True
    assert {r["fallback_from"] for r in report["read_by"]} == {"llm"}


def test_a_model_that_is_down_is_stood_in_for(tmp_path: Path):
    with serving() as model:
        url = model.url
    changes: dict[str, object] = {"model": "m", "openai_base_url": url, "engine": "auto"}
    with opened(tmp_path, Seams(), **changes) as client:
        session = started(client)
        assert_fell_back(client, session, answered(client, session, ANSWER))
        told = client.get(
            f"/v1/sessions/{session}/report", headers={"Accept-Language": "zh"}
        ).json()
        assert any("\u4e00" <= c <= "\u9fff" for c in told["read_by"][0]["fallback_why"])


def test_a_fault_nobody_foresaw_is_a_problem_without_a_word_of_it(tmp_path: Path):
    class Broken:
        async def perform(self, task: object) -> Any:
            assert task
            raise ValueError("canary-in-the-message")

    with opened(tmp_path, Seams(engine=Broken())) as client:
        response = client.post("/v1/sessions", json=dict(WISH))
        if response.status_code == 201:
            response = answered(client, response.json()["id"], ANSWER)
        assert response.status_code == 500
        assert response.headers["content-type"] == PROBLEM
        assert response.json()["title"] == "internal_error"
        assert "canary" not in response.text
        assert response.headers["x-request-id"]
        assert response.headers["x-content-type-options"] == "nosniff"
