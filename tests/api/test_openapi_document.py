"""The description is good enough to write a client from, and to generate one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.opened import app_of, opened, operations

ENOUGH = 30
NO_BODY = {"204"}
TYPED_BY_STREAM = {"answer_stream"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("document")
    with opened(folder) as client:
        yield client


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    return client.get("/openapi.json").json()


def each(client: TestClient) -> list[tuple[str, dict[str, Any]]]:
    found = [(name, operation) for name, (_, _, operation) in operations(client).items()]
    assert len(found) >= ENOUGH
    return found


def test_operation_ids_are_unique_words_a_method_can_be_named_by(client: TestClient):
    paths = app_of(client).openapi()["paths"].values()
    ids = [operation["operationId"] for item in paths for operation in item.values()]
    assert len(ids) >= ENOUGH
    assert len(set(ids)) == len(ids)
    assert [i for i in ids if not i.isidentifier() or "__" in i or i != i.lower()] == []
    assert {"upload_resume", "start_session", "answer_turn", "get_report", "delete_data"} <= set(
        ids
    )


def test_every_operation_says_what_it_does_and_where_it_belongs(client: TestClient):
    for name, operation in each(client):
        assert operation["summary"], name
        assert operation["tags"], name


def test_every_success_has_a_form(client: TestClient):
    for name, operation in each(client):
        [(status, success)] = [
            (s, r) for s, r in operation["responses"].items() if s.startswith("2")
        ]
        if status in NO_BODY:
            assert "content" not in success, name
            continue
        [form] = success["content"].values()
        key = "itemSchema" if name in TYPED_BY_STREAM else "schema"
        assert form[key] not in ({}, {"type": "object"}), name


def test_every_failure_is_described_as_a_problem_document(client: TestClient):
    form = {"schema": {"$ref": "#/components/schemas/ProblemBody"}}
    for name, operation in each(client):
        failures = {s: r for s, r in operation["responses"].items() if s >= "400"}
        if name in {"health", "ready"}:
            continue
        assert {"401", "422", "500", "503"} <= set(failures), name
        for status, response in failures.items():
            assert response["content"] == {"application/problem+json": form}, (name, status)
            assert response["description"], (name, status)


def test_whoever_takes_an_id_may_answer_that_there_is_none(client: TestClient):
    taking = [
        (name, operation)
        for name, (_, path, operation) in operations(client).items()
        if "_id}" in path and name not in TYPED_BY_STREAM
    ]
    assert len(taking) > 10
    assert [name for name, operation in taking if "404" not in operation["responses"]] == []


def test_what_changes_something_refuses_another_site(client: TestClient):
    changing = [
        operation for method, _, operation in operations(client).values() if method != "GET"
    ]
    assert len(changing) > 10
    assert all("403" in operation["responses"] for operation in changing)


def test_forms_that_are_sent_have_an_example_that_fits(
    client: TestClient, document: dict[str, Any]
):
    forms = {n: s for n, s in document["components"]["schemas"].items() if n.endswith("In")}
    assert {"PlanIn", "AnswerIn", "PostingIn", "ResumeTextIn", "MatchIn", "CheckIn"} <= set(forms)
    assert "CheckConfigIn" in forms
    for name, schema in forms.items():
        [example] = schema["examples"]
        assert set(example) <= set(schema["properties"]), name
        assert set(schema.get("required", ())) <= set(example), name
    plan = client.post("/v1/plans", json=forms["PlanIn"]["examples"][0])
    assert plan.status_code == 200, plan.text
    checked = client.post("/v1/check", json=forms["CheckIn"]["examples"][0])
    assert checked.json()["claims"][0]["verdict"] == "right"


def test_fields_that_are_sent_say_what_they_mean(document: dict[str, Any]):
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("In"):
            bare = [f for f, s in schema["properties"].items() if not s.get("description")]
            assert bare == [], name


def test_a_key_is_described_and_may_be_left_out(document: dict[str, Any]):
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert document["security"] == [{}, {"key": []}]


def test_no_form_is_named_after_a_path(document: dict[str, Any]):
    names = list(document["components"]["schemas"])
    assert len(names) > ENOUGH
    assert [n for n in names if "__" in n or "_v1_" in n] == []
