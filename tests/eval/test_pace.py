"""A model that is busy, away or unreadable: waited for, left alone, and never a mark."""

from pathlib import Path

import pytest

from eval.answers import read_answers, read_sheet
from eval.cost import Prices, cost_of
from eval.pace import Pace, Progress, span_of
from eval.run import Wanted, run_answers
from service.domain.assertions import Lexicon
from service.domain.knowledge import Knowledge
from service.engine.reasons import Reason, unavailable
from service.errors import ReadingInvalid
from tests.eval.test_run import WORDS, grader, rows, write
from tests.fakes import FailingEngine, ScriptedEngine
from tests.flows.conftest import knowledge, lexicon

__all__ = ["knowledge", "lexicon"]
ALWAYS = 1_000


class Clock:
    """Sleeping moves it; nothing else does."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


async def told(
    tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon, error: Exception, times: int
):
    answers = read_answers(write(tmp_path / "a.jsonl", *(f"{WORDS} {n}" for n in range(8))))
    engine = FailingEngine(error, ScriptedEngine(), times)
    clock = Clock()
    wanted = Wanted(Pace(1, clock, clock.sleep))
    report = await run_answers(
        grader(engine, knowledge, lexicon), answers, tmp_path / "r", lambda _: None, wanted
    )
    return report, [r["outcome"] for r in rows(tmp_path / "r")], clock


async def test_a_busy_server_is_waited_for_as_long_as_it_asks(
    tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon
):
    busy = unavailable(Reason.BUSY, retry_after=7.0)
    report, outcomes, clock = await told(tmp_path, knowledge, lexicon, busy, 2)
    assert clock.slept == [7.0, 7.0]
    assert outcomes == ["ok"] * 8
    assert report.complete


async def test_a_server_that_stays_away_is_left_alone_and_the_rest_is_skipped(
    tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon
):
    away = unavailable(Reason.UNREACHABLE)
    report, outcomes, _ = await told(tmp_path, knowledge, lexicon, away, ALWAYS)
    assert outcomes == ["transport_error"] * 2 + ["skipped"] * 6
    assert report.unreachable
    assert not report.complete
    assert report.mean_score is None


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ReadingInvalid("not in the agreed form"), "parse_error"),
        (unavailable(Reason.FILTERED), "refused"),
    ],
)
async def test_an_unreadable_or_refused_reply_is_missing(
    error: Exception, outcome: str, tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon
):
    report, outcomes, clock = await told(tmp_path, knowledge, lexicon, error, 1)
    assert outcomes == [outcome] + ["ok"] * 7
    assert rows(tmp_path / "r")[0]["score"] is None
    assert clock.slept == []
    assert not report.complete
    assert not report.unreachable


def test_rate_and_remaining_time_by_hand():
    progress = Progress(done=30, total=90, here=20, seconds=10.0)
    assert str(progress) == "30/90  2.0/s  30 s left"
    assert str(span_of(185)) == "3 min 05 s"
    assert str(span_of(7_800)) == "2 h 10 min"


def test_only_what_was_billed_costs():
    attempts = [
        {
            "id": "a",
            "outcome": "ok",
            "milliseconds": 10.0,
            "input_tokens": 1000,
            "output_tokens": 9,
        },
        {"id": "a", "outcome": "ok", "milliseconds": 1.0, "input_tokens": 1000, "cached": True},
        {"id": "b", "outcome": "parse_error", "milliseconds": 30.0},
    ]
    cost = cost_of(attempts, Prices(2.0, 10.0))
    assert cost["money"] == (1000 * 2 + 9 * 10) / 1e6
    assert (cost["cached"], cost["unmetered"]) == (1, 1)
    assert cost_of(attempts, Prices())["money"] is None


def test_a_sheet_of_two_raters_is_one_answer(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("id;answer;rater;m1;score\nx;same;ann;1;50\nx;same;bob;0.5;\nx;same;;met;40\n")
    sheet = read_sheet(path)
    [only] = sheet.answers
    assert sheet.faults == ()
    assert [(r.rater, dict(r.points), r.score) for r in only.raters] == [
        ("ann", {"m1": "met"}, 50.0),
        ("bob", {"m1": "partial"}, None),
    ]
    assert (dict(only.points), only.score) == ({"m1": "met"}, 40.0)
