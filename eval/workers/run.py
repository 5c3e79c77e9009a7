"""A run over workers: the same folder, rows and bytes; only who grades is different."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from eval.answers import AnswerLine
from eval.folder import write_json
from eval.pace import Pace
from eval.run import Attempt, Grader, Spread
from eval.workers.database import POLL_SECONDS, QUEUE, open_client, reachable, read_workers_url
from eval.workers.job import run_of
from eval.workers.presence import NUMBERS, RUNS, Presence
from eval.workers.spread import CLAIMED, QueueSpread, Tidings
from service.errors import InputInvalid

if TYPE_CHECKING:
    from dbos import DBOSClient

# Stands in the folder while rows may wait in the database; names them after a kill.
UNDER_WAY: Final = "workers.json"
KEPT: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Workplace:
    """`address` of the database; `new_number` gives a number that no other run has."""

    address: str
    new_number: Callable[[], int]
    now: Callable[[], datetime]
    tidings: Tidings


def spread_over_workers(grader: Grader, out: Path, pace: Pace, place: Workplace) -> Spread:
    """What run_spread grades with.

    Raises:
        InputInvalid: the address is no PostgreSQL; later, the run is under way elsewhere.
        SettingsInvalid: the libraries are not installed.
        StoreInvalid: later, the database does not answer.
    """
    url = read_workers_url(place.address)

    async def spread(lines: Sequence[AnswerLine], done: Callable[[Attempt], None]) -> None:
        if not lines and not (out / UNDER_WAY).exists():
            return
        run = _number(out, place.new_number)
        with open_client(url) as client, Presence(url) as presence:
            if not presence.hold(RUNS, run):
                raise InputInvalid("This run is under way in another process.")
            with reachable(url):
                await forget_abandoned(client, presence.alive(RUNS), place.now() - KEPT)
            await client.register_queue_async(
                QUEUE,
                worker_concurrency=CLAIMED * pace.at_once,
                polling_interval_sec=POLL_SECONDS,
                on_conflict="always_update",
            )
            told, at_once = place.tidings, pace.at_once
            shared = QueueSpread(client, presence, grader, run, at_once, told, pace.clock)
            with reachable(url):
                await shared(lines, done)
        (out / UNDER_WAY).unlink()

    return spread


async def forget_abandoned(client: "DBOSClient", runs: frozenset[int], before: datetime) -> None:
    """Remove the texts of runs that were killed and never gone on with."""
    old = await client.list_workflows_async(
        queue_name=QUEUE, end_time=before.isoformat(), load_input=False, load_output=False
    )
    names = [s.workflow_id for s in old if run_of(s.workflow_id) not in runs]
    if names:
        await client.delete_workflows_async(names)


def _number(out: Path, new_number: Callable[[], int]) -> int:
    path = out / UNDER_WAY
    if path.exists():
        kept = cast("dict[str, int]", json.loads(path.read_text(encoding="utf-8")))
        return int(kept["run"])
    number = new_number() % NUMBERS
    write_json(path, {"run": number})
    return number
