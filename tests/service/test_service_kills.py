"""The service is killed at any moment: what it acknowledged is there, and graded once."""

import itertools
import os
import random  # noqa: TID251 - seeded, so that a failure comes again
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.service.bad_model import BadModel, serving
from tests.service.child import Child

# More in a nightly run: SHARDWISE_TEST_KILLS=1000.
KILLS = int(os.environ.get("SHARDWISE_TEST_KILLS", "3"))  # noqa: TID251 - the tests' own door
SEED = 20261130
EARLIEST, LATEST = 0.05, 0.5  # seconds after the first acknowledgement
LEASE = 1.0
WISH = {"lang": "en", "question_ids": ["zero-stages"]}
WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states under DDP."


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    made = Child(tmp_path, engine="builtin", lease_seconds=LEASE)
    yield made
    made.end()


@dataclass
class Promised:
    """One acknowledged answer: where, with which key and words, and the bytes that came back."""

    session: str
    seq: int
    key: str
    words: str
    response: str


@dataclass
class Answering(threading.Thread):
    """Answers one interview after the other until the service is gone."""

    client: httpx2.Client
    numbers: Iterator[int]
    promised: list[Promised] = field(default_factory=list)
    sent: list[tuple[str, int, str, str]] = field(default_factory=list)
    first: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            while True:
                self._interview()
        except httpx2.HTTPError:
            return  # killed

    def _interview(self) -> None:
        session = self.client.post("/v1/sessions", json=WISH).json()["id"]
        for seq in itertools.count(1):
            number = next(self.numbers)
            words, key = f"{WORDS} Case {number}.", f"key-{number}"
            self.sent.append((session, seq, key, words))
            response = send(self.client, session, seq, key, words)
            assert response.status_code == 200, response.text
            self.promised.append(Promised(session, seq, key, words, response.text))
            self.first.set()
            if response.json()["next"] is None:
                return


def send(client: httpx2.Client, session: str, seq: int, key: str, words: str) -> httpx2.Response:
    path = f"/v1/sessions/{session}/turns/{seq}/answer"
    return client.post(path, json={"answer": words}, headers={"Idempotency-Key": key})


def test_no_acknowledged_answer_is_lost_or_graded_twice(child: Child):
    moments = random.Random(SEED)  # noqa: S311
    numbers = itertools.count(1)
    promised: list[Promised] = []
    child.start()
    for _ in range(KILLS):
        with child.client() as client:
            answering = Answering(client, numbers)
            answering.start()
            assert answering.first.wait(60)
            time.sleep(moments.uniform(EARLIEST, LATEST))
            child.kill()
            answering.join(30)
            assert not answering.is_alive()
        promised += answering.promised
        finish_what_was_open(child, answering)
    assert len(promised) >= KILLS
    with child.client() as client:
        for one in promised:
            assert_kept(client, one)
    assert child.stop() in {0, -15}
    assert_sound(child.folder / "data" / "shardwise.sqlite", promised)


def finish_what_was_open(child: Child, answering: Answering) -> None:
    """Started again: the one answer that was under way can be sent again, and is read once."""
    session, seq, key, words = answering.sent[-1]
    child.start()
    with child.client() as client:
        before = client.get(f"/v1/sessions/{session}").json()["turns"]
        assert [t["seq"] for t in before] == list(range(1, len(before) + 1))
        if before[-1]["status"] == "stored":
            assert before[-1]["answer"] == words
            time.sleep(LEASE)
        again = send(client, session, seq, key, words)
        assert again.status_code == 200, again.text
        assert client.get(f"/v1/sessions/{session}").json()["turns"][seq - 1]["answer"] == words


def assert_kept(client: httpx2.Client, one: Promised) -> None:
    turn = client.get(f"/v1/sessions/{one.session}").json()["turns"][one.seq - 1]
    assert (turn["status"], turn["answer"]) == ("answered", one.words)
    again = send(client, one.session, one.seq, one.key, one.words)
    assert again.headers["Idempotent-Replay"] == "true"
    assert again.text == one.response


def assert_sound(database: Path, promised: list[Promised]) -> None:
    """The file itself: whole, and one row for each turn."""
    with sqlite3.connect(database) as rows:
        assert rows.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert rows.execute("PRAGMA foreign_key_check").fetchall() == []
        turns = rows.execute("SELECT session_id, seq, count(*) FROM turns GROUP BY 1, 2").fetchall()
    assert {n for _, _, n in turns} == {1}
    assert {(p.session, p.seq) for p in promised} <= {(s, q) for s, q, _ in turns}


@pytest.fixture
def model() -> Iterator[BadModel]:
    with serving() as made:
        yield made


@pytest.fixture
def read_by_model(tmp_path: Path, model: BadModel) -> Iterator[Child]:
    """A child that reads with a model which can be made to hang."""
    made = Child(
        tmp_path, engine="llm", model="m", openai_base_url=model.url, lease_seconds=LEASE,
        model_seconds=60,
    )  # fmt: skip
    yield made
    model.let_go.set()
    made.end()


def begin(client: httpx2.Client) -> tuple[str, dict[str, Any]]:
    session = client.post("/v1/sessions", json=WISH).json()["id"]
    return session, client.get(f"/v1/sessions/{session}").json()


def test_killed_while_the_model_reads_the_answer_is_kept_and_a_retry_reads_it(
    read_by_model: Child, model: BadModel
):
    child = read_by_model.start()
    with child.client() as client:
        session, before = begin(client)
        model.mode, model.quote = "hang", "Every GPU keeps a full copy"
        model.asked.clear()
        sender = threading.Thread(target=send_quietly, args=(child, session), daemon=True)
        sender.start()
        assert model.asked.wait(30)
        child.kill()
    sender.join(30)
    model.mode = "good"
    model.let_go.set()
    child.start()
    with child.client() as client:
        assert_same_question(client, session, before)
        busy = client.post(f"/v1/sessions/{session}/turns/1/retry")
        assert busy.status_code in {200, 409}  # as long as the dead reader's lease runs
        time.sleep(LEASE)
        read = client.post(f"/v1/sessions/{session}/turns/1/retry")
        done = busy if busy.is_success else read
        assert done.status_code == 200, done.text
        assert done.json()["read_by"]["engine"] == "llm"
        late = client.post(f"/v1/sessions/{session}/turns/1/retry")
        assert late.status_code == 409
        turns = client.get(f"/v1/sessions/{session}").json()["turns"]
        assert [t["status"] for t in turns] == ["answered", "asked"]
    assert sum("Job: read one answer" in body for body in model.bodies) == 2


def send_quietly(child: Child, session: str) -> None:
    with child.client() as client:
        try:
            send(client, session, 1, "hung", WORDS)
        except httpx2.HTTPError:
            return


def assert_same_question(client: httpx2.Client, session: str, before: dict[str, Any]) -> None:
    after = client.get(f"/v1/sessions/{session}").json()
    assert after["plan"] == before["plan"]
    assert len(after["turns"]) == 1
    assert after["turns"][0]["text"] == before["turns"][0]["text"]
    assert (after["turns"][0]["status"], after["turns"][0]["answer"]) == ("stored", WORDS)


def test_stopped_during_a_stream_it_ends_in_order_and_goes_on_after(
    read_by_model: Child, model: BadModel
):
    child = read_by_model.start()
    with child.client() as client:
        session, before = begin(client)
        model.mode, model.quote = "hang", "Every GPU keeps a full copy"
        path = f"/v1/sessions/{session}/turns/1/answer/stream"
        with client.stream("POST", path, json={"answer": WORDS}) as stream:
            assert next(stream.iter_lines()).startswith("event: stage")
            began = time.monotonic()
            child.stop()
            assert time.monotonic() - began < 20
    model.mode = "good"
    model.let_go.set()
    child.start()
    with child.client() as client:
        assert_same_question(client, session, before)
        # Stopped in order, it gave the turn back: no lease has to run out.
        read = client.post(f"/v1/sessions/{session}/turns/1/retry")
        assert read.status_code == 200, read.text
    assert child.stop() in {0, -15}
    assert "Traceback" not in child.log.read_text()
