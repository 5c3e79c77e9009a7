"""Words that people write and keys they use go nowhere but into the store, and leave it wholly."""

import io
import json
import logging
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import structlog
from fastapi.testclient import TestClient

from service.assembly import Seams
from service.flows.accounts import create_owner_with_key
from service.observe.logs import configure_logs
from tests.api.opened import app_of, opened
from tests.service.bad_model import BadModel, serving

NAME, BULLET, MAIL = "Canarius", "canary-bullet-7f3a", "canary.mail@example.com"
POSTING, ANSWER = "canary-posting-91c2", "canary-answer-5d0e"
QUESTION, CHECKED = "canary-question-44aa", "canary-checked-0b1c"
KEY, MODEL_KEY = "sw_canary-api-key-e2e2", "sk-canary-model-key-3c3c"
PERSONAL = (NAME, BULLET, MAIL, POSTING, ANSWER)
CANARIES = (*PERSONAL, QUESTION, CHECKED, KEY, MODEL_KEY)
RESUME = f"""# {NAME}
Email: {MAIL}

## Work
### Example Tech | Engineer | 2021.07 - present
- Trained {BULLET} with DeepSpeed ZeRO-3 on 64 A100.

## Skills
DeepSpeed
"""
AD = f"Engineer\nRequirements:\n1. Familiar with DeepSpeed or {POSTING}.\n"
SAID = f"Every GPU keeps all 16 bytes per parameter under DDP, says {ANSWER}."


@dataclass
class House:
    """A service with one signed-in owner, a model behind it, and all it says in `log`."""

    client: TestClient
    model: BadModel
    log: io.StringIO
    data_dir: Path
    refusals: list[str]

    def send(self, method: str, path: str, **more: Any) -> Any:
        response = self.client.request(method, path, **more)
        if response.status_code >= 400:
            self.refusals.append(response.text)
        return response


@contextmanager
def logging_to(log: io.StringIO) -> Generator[None]:
    """As the service logs at its most talkative; afterwards as it was."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    configure_logs("DEBUG", log)
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**before)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Everything that can be done has been done in it, well and badly."""
    folder = tmp_path_factory.mktemp("privacy")
    log = io.StringIO()
    with logging_to(log), serving() as model:
        changes: dict[str, object] = {
            "access": "key", "engine": "auto", "model": "m", "openai_base_url": model.url,
            "openai_api_key": MODEL_KEY, "model_seconds": 2.0, "log_level": "DEBUG",
        }  # fmt: skip
        with opened(folder, Seams(), **changes) as client:
            house = House(client, model, log, folder, [])
            assert client.portal is not None
            client.portal.call(create_owner_with_key, app_of(client).state.parts.store, NAME, KEY)
            client.headers["Authorization"] = f"Bearer {KEY}"
            do_everything(house)
            yield house


def do_everything(house: House) -> None:
    bring_in(house)
    interview(house)
    fail(house)
    for path in ("/resumes", "/postings", "/interviews", "/settings", "/"):
        house.send("GET", path)


def bring_in(house: House) -> None:
    resume = house.send("POST", "/v1/resumes", files={"file": ("canary.md", RESUME.encode())})
    posting = house.send("POST", "/v1/postings", json={"text": AD})
    pair = {"resume_id": resume.json()["id"], "posting_id": posting.json()["id"]}
    assert house.send("POST", "/v1/matches", json=pair).status_code == 201
    assert house.send("POST", "/v1/plans", json=pair).status_code == 200
    assert house.send("GET", "/v1/facts", params={"q": QUESTION}).status_code == 200
    assert house.send("POST", "/v1/check", json={"text": CHECKED}).status_code == 200


def interview(house: House) -> None:
    """Read by the model, by the model that talks nonsense, and by the model that is gone."""
    for mode in ("good", "nonsense", "busy", "html"):
        house.model.mode, house.model.quote = mode, ANSWER
        wish = {"lang": "en", "question_ids": ["zero-stages"]}
        session = house.send("POST", "/v1/sessions", json=wish).json()["id"]
        path = f"/v1/sessions/{session}/turns/1/answer"
        first = house.send("POST", path, json={"answer": SAID}, headers={"Idempotency-Key": mode})
        assert first.status_code == 200
        house.send("POST", f"/v1/sessions/{session}/turns/2/answer/stream", json={"answer": SAID})
        house.send("GET", f"/v1/sessions/{session}/report")


def fail(house: House) -> None:
    """Every way to be refused, each with a canary in it."""
    session = house.send("GET", "/v1/sessions").json()[0]["id"]
    path = f"/v1/sessions/{session}/turns/1/answer"
    house.send("POST", path, json={"answer": SAID})
    house.send("POST", path, json={"answer": ANSWER * 10_000})
    house.send("POST", path, json={"answer": SAID, "more": ANSWER})
    house.send("POST", path, json={"answer": {"text": ANSWER}})
    house.send("POST", path, content=f'{{"answer": "{ANSWER}'.encode())
    house.send("POST", path, json={"answer": ANSWER + "\x00"})
    house.send("POST", "/v1/resumes", files={"file": (f"{NAME}.exe", RESUME.encode())})
    house.send("POST", "/v1/resumes", files={"file": ("a.pdf", b"%PDF-1.7 " + RESUME.encode())})
    house.send("POST", "/v1/matches", json={"resume_id": BULLET, "posting_id": POSTING})
    house.send("POST", "/v1/check", json={"text": CHECKED, "context": {"model_params": CHECKED}})
    house.send("GET", "/v1/memory", params={"scheme": QUESTION, "shards": QUESTION})
    house.send("GET", "/v1/sessions", headers={"Authorization": "Bearer sw_wrong" + KEY})
    house.send("POST", "/signin", data={"key": "sw_wrong" + KEY})
    house.send("POST", "/v1/postings", json={"text": AD}, headers={"Sec-Fetch-Site": "cross-site"})
    house.send("POST", "/v1/check", content=CHECKED.encode() * 400_000)
    assert len(house.refusals) >= 14


def test_no_log_line_holds_a_persons_words_or_keys(house: House):
    said = house.log.getvalue()
    assert said.count('"event": "request"') > 30
    assert [c for c in CANARIES if c in said] == []


def test_every_log_line_is_one_json_object_about_one_request(house: House):
    lines = [json.loads(line) for line in house.log.getvalue().splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert len({line["request_id"] for line in requests}) == len(requests)
    for line in requests:
        assert {"method", "route", "status", "milliseconds", "level", "timestamp"} <= set(line)
        assert line["milliseconds"] >= 0
        assert not re.search(r"[0-9a-f]{24}", line["route"])


def test_no_metric_holds_a_persons_words_keys_or_ids(house: House):
    page = house.client.get("/metrics").text
    assert "shardwise_requests_total" in page
    assert [c for c in CANARIES if c in page] == []
    assert not re.search(r"[0-9a-f]{24}", page)


def test_no_refusal_repeats_what_was_sent(house: House):
    told = "\n".join(house.refusals)
    # What the caller named itself, and must name right, may be said back: a scheme, a name.
    allowed = {QUESTION}
    assert [c for c in CANARIES if c in told and c not in allowed] == []


def test_the_models_key_goes_to_the_model_alone_and_ours_never(house: House):
    sent = "\n".join(house.model.bodies)
    assert ANSWER in sent
    assert [c for c in (KEY, MODEL_KEY, MAIL, NAME) if c in sent] == []


def test_what_is_kept_is_handed_over_and_then_gone_to_the_last_byte(house: House):
    exported = house.client.get("/v1/me/export").text
    assert [c for c in PERSONAL if c not in exported] == []
    assert KEY not in exported
    assert bytes_left(house.data_dir) != []
    assert house.client.delete("/v1/me").status_code == 204
    assert house.client.get("/v1/me/export").status_code == 401
    house.client.__exit__(None, None, None)
    assert bytes_left(house.data_dir) == []


def bytes_left(folder: Path) -> list[tuple[str, str]]:
    """(file, canary) for every canary in any file below `folder`, in the encodings in use."""
    found = []
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        raw = path.read_bytes()
        found += [(path.name, c) for c in CANARIES if c.encode() in raw]
    return found
