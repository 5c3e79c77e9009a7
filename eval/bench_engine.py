"""Our own time in a turn that a model reads: render, client, extraction, with an instant server.

    python -m eval.bench_engine [ROUNDS]

The server runs in a process of its own and answers at once with a reading of every point, so what
is measured is ours. Prints one JSON document; times in milliseconds.
"""

import asyncio
import json
import multiprocessing
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from multiprocessing.connection import Connection
from typing import Final

from pydantic import SecretStr

from service.corpus.load import load_knowledge
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.domain.tasks import (
    AnswerReading,
    AskedMisconception,
    AskedPassage,
    AskedPoint,
    ReadAnswer,
)
from service.engine.extract import extract
from service.engine.model import open_model
from service.prompting.load import load_prompts
from service.prompting.prompt import Prompts
from service.settings import read_settings

ROUNDS: Final = 200
WARM_UP: Final = 10
PASSAGES: Final = 6
# A clause that carries a quote; repeated to the wanted length.
CLAUSE: Final = "第三阶段把参数、梯度和优化器状态都切到各卡，前向和反向各做一次 all-gather。"
LENGTHS: Final = (300, 3_000, 30_000)


@dataclass(frozen=True, slots=True)
class Times:
    p50: float
    p95: float
    longest: float


def reply_to(task: ReadAnswer) -> str:
    """What a diligent model would say: every point met, with a quote."""
    points = [{"id": p.id, "verdict": "met", "quote": CLAUSE[:20]} for p in task.points]
    return json.dumps({"points": points, "misconceptions": []}, ensure_ascii=False)


def make_task(knowledge: Knowledge, length: int) -> ReadAnswer:
    """As large as a real one: all points of the flagship question, all misconceptions."""
    question = knowledge.questions["zero-stages"]
    facts = list(knowledge.facts.values())[:PASSAGES]
    return ReadAnswer(
        lang=Lang.ZH,
        question_id=question.id,
        question=question.text.zh,
        points=tuple(AskedPoint(id=p.id, text=p.text.zh) for p in question.rubric.points),
        misconceptions=tuple(
            AskedMisconception(id=m.id, belief=m.belief.zh, correction=m.correction.zh)
            for m in knowledge.misconceptions.values()
        ),
        passages=tuple(AskedPassage(fact_id=f.id, text=f.text.zh, source=f.source) for f in facts),
        numbers=(),
        answer=(CLAUSE * (length // len(CLAUSE) + 1))[:length],
    )


def serve(port_to: Connection, content: str) -> None:
    """An instant model server; tells its port and runs until it is ended."""
    message = {"role": "assistant", "content": content}
    body = json.dumps(
        {
            "id": "bench",
            "object": "chat.completion",
            "created": 1,
            "model": "instant",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    asyncio.run(_listen(port_to, head.encode() + b"\r\n" + body))


async def _listen(port_to: Connection, response: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
            await reader.readexactly(int(length))
            writer.write(response)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port_to.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def timed(act: Callable[[], object], rounds: int) -> Times:
    act()
    return _times([_took(act) for _ in range(rounds)])


def _took(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1_000


def _times(taken: Sequence[float]) -> Times:
    ordered = sorted(taken)
    return Times(
        round(statistics.median(ordered), 2),
        round(ordered[int(len(ordered) * 0.95)], 2),
        round(ordered[-1], 2),
    )


async def timed_turns(url: str, prompts: Prompts, task: ReadAnswer, rounds: int) -> Times:
    """Whole acts of the engine over the wire."""
    model = open_model(
        url,
        SecretStr("none"),
        "instant",
        prompts,
        seconds=30.0,
        calls_per_session=rounds * 10,
        tokens_per_day=1_000_000_000,
        clock=time.perf_counter,
        today=lambda: date(2000, 1, 1),
        nonce_source=lambda: secrets.token_hex(8),
    )
    taken = [(await model.engine.perform(task)).note.milliseconds for _ in range(WARM_UP + rounds)]
    await model.close()
    return _times(taken[WARM_UP:])


def measure(task: ReadAnswer, prompts: Prompts, rounds: int) -> dict[str, Times]:
    """One length of answer: the parts in this process, then the whole over the wire."""
    content = reply_to(task)
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there, content))
    server.start()
    try:
        url = f"http://127.0.0.1:{here.recv()}/v1"
        return {
            "render": timed(lambda: prompts.render(task, "0" * 16), rounds),
            "extract": timed(lambda: extract(content, AnswerReading), rounds),
            "turn": asyncio.run(timed_turns(url, prompts, task, rounds)),
        }
    finally:
        server.terminate()
        server.join()


def main(arguments: Sequence[str]) -> None:
    rounds = int(arguments[0]) if arguments else ROUNDS
    settings = read_settings()
    knowledge, prompts = load_knowledge(settings.knowledge_dir), load_prompts(settings.prompts_dir)
    found = {
        str(length): {
            part: {"p50": t.p50, "p95": t.p95, "max": t.longest}
            for part, t in measure(make_task(knowledge, length), prompts, rounds).items()
        }
        for length in LENGTHS
    }
    print(json.dumps({"rounds": rounds, "milliseconds_by_answer_length": found}))


if __name__ == "__main__":
    main(sys.argv[1:])
