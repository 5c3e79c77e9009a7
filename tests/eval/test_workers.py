"""A run over workers: every row once, whoever dies, and the same bytes as without them."""

import asyncio
import json
import os
import secrets
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from eval.answers import AnswerLine
from eval.bench_workers import compare, kill_when, start_worker, wait_ready
from eval.grader import open_grader
from eval.pace import Pace
from eval.run import Attempt, Grader, Wanted, run_answers, run_spread, spread_here
from eval.workers.database import dbos_address, read_workers_url, shown
from eval.workers.job import (
    Job,
    prefix_of,
    read_attempt,
    version_of,
    with_question,
    workflow_id,
    write_attempt,
)
from eval.workers.presence import RUNS, WORKERS, Presence
from eval.workers.run import UNDER_WAY, Workplace, forget_abandoned, spread_over_workers
from eval.workers.spread import MOST_DEATHS, QueueSpread, Tidings
from service.domain.assertions import Lexicon
from service.domain.knowledge import Knowledge
from service.errors import InputInvalid, StoreInvalid
from tests.eval.test_run import WANTED, grader
from tests.fakes import ScriptedEngine
from tests.flows.conftest import knowledge, lexicon
from tests.store.conftest import NOW, POSTGRES

__all__ = ["knowledge", "lexicon"]
RUN = 7
ALIVE, DEAD = 1, 5
AWAY = "postgresql://nobody@127.0.0.1:9/nothing"


def line(n: int) -> AnswerLine:
    return AnswerLine(id=f"a{n}", lang="en", answer=f"Every GPU keeps a full copy. {n}")


def test_an_answer_travels_whole_and_alone(knowledge: Knowledge, lexicon: Lexicon):
    judge = grader(ScriptedEngine(), knowledge, lexicon)
    fields = {"id": "é\u0000", "answer": "显存 \u0000 \U0001f600", "points": {"m1": "met"}}
    sent = Job(RUN, 4, with_question(AnswerLine.model_validate(fields), judge))
    text = sent.write()
    assert text.isascii()
    assert "\u0000" not in text
    assert "met" not in text
    got = Job.read(text)
    assert got == sent
    assert (got.line.question_id, got.line.answer) == ("zero-stages", fields["answer"])


def test_an_attempt_comes_back_as_it_was():
    attempt = Attempt({"id": "é", "score": 6.67, "points": {}}, {"id": "é", "milliseconds": 0.1})
    assert read_attempt(write_attempt(attempt)) == attempt


def test_workers_of_another_grader_take_nothing(knowledge: Knowledge, lexicon: Lexicon):
    judge = grader(ScriptedEngine(), knowledge, lexicon)
    others = [
        replace(judge, engine_name="another"),
        replace(judge, identity={"code": "other"}),
    ]
    versions = {version_of(g) for g in (judge, *others)}
    assert len(versions) == 3
    assert version_of(replace(judge, question=None)) == version_of(judge)


@pytest.mark.parametrize(
    "address", ["", "nonsense", "sqlite:///x", "postgresql://h", "mysql://h/d"]
)
def test_only_a_postgresql_database_is_taken_and_no_password_is_repeated(address: str):
    with pytest.raises(InputInvalid, match="postgresql://") as told:
        read_workers_url(address.replace("//", "//u:secret@"))
    assert "secret" not in str(told.value)


def test_any_driver_of_postgresql_is_meant():
    url = read_workers_url("postgresql+asyncpg://u:secret@h/d")
    assert dbos_address(url) == "postgresql+psycopg://u:secret@h/d"
    assert "secret" not in shown(url)


async def test_a_database_that_is_away_is_said_in_a_sentence(
    tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon
):
    judge = grader(ScriptedEngine(), knowledge, lexicon)
    place = Workplace(AWAY, lambda: RUN, lambda: NOW, Heard().tidings)
    spread = spread_over_workers(judge, tmp_path, WANTED.pace, place)
    with pytest.raises(StoreInvalid, match="cannot be used"):
        await spread([line(1)], lambda _: None)


@dataclass
class Heard:
    said: list[str] = field(default_factory=list)

    @property
    def tidings(self) -> Tidings:
        return Tidings(
            lonely=lambda: self.said.append("lonely"),
            rescued=lambda n: self.said.append(f"rescued {n}"),
            gave_up=lambda: self.said.append("gave up"),
        )


@dataclass
class Queue:
    """The client's side of DBOS, in memory; `fate` is what befalls a waiting row."""

    judge: Grader
    fate: str = "graded"
    rows: dict[str, SimpleNamespace] = field(default_factory=dict)
    enqueued: Counter[str] = field(default_factory=Counter)
    deleted: list[str] = field(default_factory=list)

    async def enqueue_async(self, options: Mapping[str, str], text: str) -> None:
        name = options["workflow_id"]
        self.enqueued[name] += 1
        self.put(name, "ENQUEUED", text)

    def put(self, name: str, status: str, output: str = "", executor: str = "") -> None:
        row = SimpleNamespace(workflow_id=name, status=status, output=output, executor_id=executor)
        self.rows[name] = row

    async def list_workflows_async(
        self, *, workflow_id_prefix: str = "", status: list[str] | None = None, **_: object
    ) -> Sequence[SimpleNamespace]:
        for row in list(self.rows.values()):
            if row.status == "ENQUEUED":
                await self.befall(row)
        found = [r for r in self.rows.values() if r.workflow_id.startswith(workflow_id_prefix)]
        return [r for r in found if status is None or r.status in status]

    async def befall(self, row: SimpleNamespace) -> None:
        if self.fate == "its worker dies":
            self.put(row.workflow_id, "PENDING", row.output, str(DEAD))
        elif self.fate == "graded":
            done: list[Attempt] = []
            await spread_here(self.judge, WANTED.pace)([Job.read(row.output).line], done.append)
            self.put(row.workflow_id, "SUCCESS", write_attempt(done[0]), str(ALIVE))

    async def resume_workflows_async(self, names: list[str], **_: object) -> None:
        for name in names:
            self.rows[name].status = "ENQUEUED"

    async def delete_workflows_async(self, names: list[str]) -> None:
        self.deleted += names
        for name in names:
            del self.rows[name]


@dataclass
class Steps:
    """Sleeping moves it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def over(queue: Queue, heard: Heard) -> QueueSpread:
    clock = Steps()
    presence: Any = SimpleNamespace(alive=lambda sort: {WORKERS: frozenset({ALIVE})}[sort])
    client: Any = queue
    return QueueSpread(
        client, presence, queue.judge, RUN, 2, heard.tidings, clock, clock.sleep, give_up=30.0
    )


@pytest.fixture
def queue(knowledge: Knowledge, lexicon: Lexicon) -> Queue:
    return Queue(grader(ScriptedEngine(), knowledge, lexicon))


async def test_more_rows_than_may_wait_all_come_back_once_and_nothing_stays_behind(queue: Queue):
    lines, done = [line(n) for n in range(600)], list[Attempt]()
    await over(queue, Heard())(lines, done.append)
    assert Counter(a.row["id"] for a in done) == Counter(x.id for x in lines)
    assert set(queue.enqueued.values()) == {1}
    assert not queue.rows


async def test_a_run_that_goes_on_takes_what_was_done_meanwhile_and_drops_what_it_has(queue: Queue):
    for n in (1, 2):
        await queue.enqueue_async(
            {"workflow_id": workflow_id(RUN, f"a{n}")}, Job(RUN, 2, line(n)).write()
        )
    stranger = f"{prefix_of(RUN + 1)}other"
    queue.put(stranger, "SUCCESS")
    done: list[Attempt] = []
    await over(queue, Heard())([line(2), line(3)], done.append)
    assert sorted(str(a.row["id"]) for a in done) == ["a2", "a3"]
    assert queue.deleted[0] == workflow_id(RUN, "a1")
    assert list(queue.rows) == [stranger]


async def test_an_answer_that_every_worker_dies_of_is_left_out_without_a_mark(queue: Queue):
    queue.fate = "its worker dies"
    heard, done = Heard(), list[Attempt]()
    await over(queue, heard)([line(1)], done.append)
    [only] = done
    assert (only.row["status"], only.row["outcome"], only.row["score"]) == (
        "error",
        "skipped",
        None,
    )
    assert heard.said == ["rescued 1"] * (MOST_DEATHS - 1) + ["rescued 0"]
    assert not queue.rows


async def test_without_any_worker_it_says_so_once_and_then_gives_up_leaving_nothing(queue: Queue):
    queue.fate = "nobody comes"
    heard, done = Heard(), list[Attempt]()
    await over(queue, heard)([line(1)], done.append)
    assert heard.said == ["lonely", "gave up"]
    assert not done
    assert not queue.rows


POINTS = (*(f"m{n}" for n in range(1, 5)), *(f"s{n}" for n in range(1, 7)))
POINTS_TOO = (*(f"t{n}" for n in range(1, 7)), *(f"e{n}" for n in range(1, 4)))
QUOTE = "Every GPU keeps a full copy"
COUNT, AT_ONCE = 160, 2


class Judge(BaseHTTPRequestHandler):
    """A model that reads by an answer's number, takes its time and counts who asked for what."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[Counter[str]] = Counter()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        name = body.partition("answer number ")[2][:4]
        Judge.asked[name] += 1
        time.sleep(0.02)
        sent = self.reply(int(name)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def reply(self, number: int) -> str:
        said = [(p, (number >> i) & 1) for i, p in enumerate((*POINTS, *POINTS_TOO))]
        points = [
            {"id": p, "verdict": "met" if met else "missed", "quote": QUOTE if met else ""}
            for p, met in said
        ]
        content = json.dumps({"points": points, "misconceptions": []})
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
        shell = {"id": "1", "object": "chat.completion", "created": 1, "model": "judge-1"}
        return json.dumps({**shell, "choices": [choice], "usage": usage})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def judge_url() -> Generator[str]:
    Judge.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Judge)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def postgres() -> str:
    url = os.environ.get(POSTGRES)  # noqa: TID251 - the tests' own door
    if not url and os.environ.get("CI") == "true":  # noqa: TID251
        pytest.fail(f"{POSTGRES} is not set")
    if not url:
        pytest.skip(f"{POSTGRES} is not set; see tools/postgres_for_tests.sh")
    return url


@contextmanager
def two_workers(url: str) -> Generator[Sequence["subprocess.Popen[str]"]]:
    workers = [start_worker(url, "--engine", "llm") for _ in range(2)]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.communicate()


def in_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, judge_url: str) -> None:
    """Of the processes that the test starts."""
    for name, value in {
        "OPENAI_BASE_URL": judge_url,
        "OPENAI_API_KEY": "none",
        "SHARDWISE_MODEL": "judge",
        "SHARDWISE_DATA_DIR": str(tmp_path / "data"),
        "SHARDWISE_WORKERS_URL": "",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.mark.postgres
@pytest.mark.timeout(300)
async def test_of_two_workers_one_is_killed_and_no_row_is_lost_or_graded_twice(
    tmp_path: Path, postgres: str, judge_url: str, monkeypatch: pytest.MonkeyPatch
):
    in_environment(monkeypatch, tmp_path, judge_url)
    said = [f"{QUOTE} of all states. This is answer number {n:04}." for n in range(COUNT)]
    answers = [AnswerLine(id=f"w{n:04}", lang="en", answer=words) for n, words in enumerate(said)]
    alone, out, heard = tmp_path / "alone", tmp_path / "spread", Heard()
    wanted = Wanted(Pace(AT_ONCE, time.monotonic))
    async with open_grader("zero-stages", "llm") as judge:
        with two_workers(postgres) as workers:
            await run_answers(judge, answers, alone, lambda _: None, wanted)
            assert set(Judge.asked.values()) == {1}
            for worker in workers:
                await asyncio.to_thread(wait_ready, worker)
            place = Workplace(postgres, lambda: secrets.randbits(31), lambda: NOW, heard.tidings)
            spread = spread_over_workers(judge, out, wanted.pace, place)
            killing = asyncio.create_task(
                asyncio.to_thread(kill_when, workers[0], out, COUNT // 3, 200)
            )
            report = await run_spread(spread, judge, answers, out, lambda _: None, wanted)
            await killing
    assert report.complete
    assert report.graded == COUNT
    assert compare(alone, out) == {
        "rows": COUNT,
        "distinct": COUNT,
        "attempts": COUNT,
        "attempts_twice": 0,
        "different_files": [],
    }
    # Only what the killed worker had under way was asked for once more.
    again = Counter(Judge.asked.values())
    assert set(again) <= {2, 3}
    assert again[3] <= AT_ONCE
    assert not (out / UNDER_WAY).exists()


async def test_what_a_killed_run_left_is_removed_unless_that_run_lives(queue: Queue):
    for run in (RUN, RUN + 1):
        queue.put(workflow_id(run, "a1"), "ENQUEUED")
    client: Any = queue
    queue.fate = "nobody comes"
    await forget_abandoned(client, frozenset({RUN}), NOW)
    assert list(queue.rows) == [workflow_id(RUN, "a1")]


@pytest.mark.postgres
def test_a_lock_tells_who_lives_and_two_processes_never_share_a_run(postgres: str):
    url = read_workers_url(postgres)
    with Presence(url) as one, Presence(url) as two:
        assert one.hold(RUNS, 2**31 - 1)
        assert not two.hold(RUNS, 2**31 - 1)
        assert two.hold(WORKERS, 2**31 - 1)
        assert 2**31 - 1 in one.alive(WORKERS)
        assert one.beat()
    with Presence(url) as three:
        assert three.hold(RUNS, 2**31 - 1)
        assert three.hold(WORKERS, 2**31 - 1)
