"""What was graded once is not graded again, and nothing else ever stands for it."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from eval.answers import AnswerLine, read_answers
from eval.cache import CORRUPT, EVICTED, ResultCache, clear, key_of, stats_of
from eval.cached import Memory, with_memory
from eval.cost import Prices, cost_of
from eval.folder import ATTEMPTS, HEADER, RESULTS, SUMMARY, whole_rows
from eval.run import Grader, run_spread, spread_here
from service.domain.assertions import Lexicon
from service.domain.knowledge import Knowledge
from service.domain.tasks import EngineNote, ReadAnswer, Task
from service.engine.port import Performed
from service.errors import EngineUnavailable, ReadingInvalid
from tests.eval.test_run import WANTED, WORDS, grader, rows, write
from tests.fakes import FailingEngine, ScriptedEngine, reading
from tests.flows.conftest import knowledge, lexicon

__all__ = ["knowledge", "lexicon"]
KEY = "ab" + "0" * 62


class NamedEngine(ScriptedEngine):
    """A server that calls its model `served`."""

    def __init__(self, served: str) -> None:
        super().__init__(lambda _: reading(("m1", "met", "Every GPU keeps a full copy")))
        self.served = served

    async def perform(self, task: Task[ReadAnswer]) -> Performed[ReadAnswer]:
        note = EngineNote(engine="llm", model=self.served, input_tokens=10, output_tokens=5)
        return replace(await super().perform(task), note=note)


async def run(grader: Grader, answers: list[AnswerLine], out: Path, cache: ResultCache):
    told: list[int] = []
    memory = Memory(cache, grader, spread_here(grader, WANTED.pace), told.append)
    spread = with_memory(spread_here(grader, WANTED.pace), memory)
    report = await run_spread(spread, grader, answers, out, lambda _: None, WANTED)
    return report, told


@pytest.fixture
def answers(tmp_path: Path) -> list[AnswerLine]:
    return list(read_answers(write(tmp_path / "a.jsonl", *(f"{WORDS} {n}" for n in range(4)), "")))


def kept(tmp_path: Path, kind: str = "builtin", limit: int = 10**6) -> ResultCache:
    return ResultCache(tmp_path / "cache", kind, limit)


async def test_a_second_run_takes_all_from_the_cache_and_ends_in_the_same_bytes(
    tmp_path: Path, answers: list[AnswerLine], knowledge: Knowledge, lexicon: Lexicon
):
    engine = ScriptedEngine()
    judge = grader(engine, knowledge, lexicon)
    await run(judge, answers, tmp_path / "one", kept(tmp_path))
    asked = len(engine.asked)
    report, told = await run(judge, answers, tmp_path / "two", kept(tmp_path))
    assert asked == 4
    assert len(engine.asked) == asked
    assert told == [5]
    assert report.complete
    for name in (HEADER, RESULTS, SUMMARY):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    cost = cost_of(whole_rows(tmp_path / "two" / ATTEMPTS), Prices(1.0, 1.0))
    assert (cost["cached"], cost["money"]) == (5, 0.0)
    assert stats_of(tmp_path / "cache")["hits"] == 5


@pytest.mark.parametrize(
    ("changed", "identity"),
    [
        ({"answer": WORDS + " But."}, {}),
        ({"lang": "zh"}, {}),
        ({"question_id": "kv-cache"}, {}),
        ({}, {"rubrics": "other"}),
        ({}, {"votes": 3}),
    ],
)
async def test_whatever_determines_a_result_is_part_of_its_key(
    tmp_path: Path,
    knowledge: Knowledge,
    lexicon: Lexicon,
    changed: dict[str, str],
    identity: dict[str, object],
):
    def key(line: AnswerLine, identity: dict[str, object]) -> str:
        judge = replace(
            grader(ScriptedEngine(), knowledge, lexicon), question=None, identity=identity
        )
        return Memory(kept(tmp_path), judge, spread_here(judge, WANTED.pace), print).key(line)

    plain = {"id": "a", "lang": "en", "answer": WORDS, "question_id": "zero-stages"}
    before = key(AnswerLine.model_validate(plain), {})
    assert key(AnswerLine.model_validate(plain | {"id": "another", "score": 3}), {}) == before
    assert key(AnswerLine.model_validate(plain | changed), identity) != before


@pytest.mark.parametrize("error", [EngineUnavailable("away"), ReadingInvalid("odd")])
async def test_a_failure_is_never_kept(
    tmp_path: Path, knowledge: Knowledge, lexicon: Lexicon, error: Exception
):
    answers = list(read_answers(write(tmp_path / "a.jsonl", WORDS)))
    judge = grader(FailingEngine(error, ScriptedEngine()), knowledge, lexicon)
    cache = kept(tmp_path)
    await run(judge, answers, tmp_path / "one", cache)
    assert rows(tmp_path / "one")[0]["status"] == "error"
    assert stats_of(tmp_path / "cache")["entries"] == 0
    report, _ = await run(judge, answers, tmp_path / "two", cache)
    assert report.complete


@pytest.mark.parametrize(("now", "asked_again"), [("model-1", 1), ("model-2", 4)])
async def test_a_models_results_count_only_while_the_server_names_the_same_model(
    tmp_path: Path,
    answers: list[AnswerLine],
    knowledge: Knowledge,
    lexicon: Lexicon,
    now: str,
    asked_again: int,
):
    cache = kept(tmp_path, "llm")
    await run(grader(NamedEngine("model-1"), knowledge, lexicon), answers, tmp_path / "a", cache)
    later = NamedEngine(now)
    await run(grader(later, knowledge, lexicon), answers, tmp_path / "b", cache)
    assert len(later.asked) == asked_again
    assert {r["model"] for r in rows(tmp_path / "b")} == {now, None}


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", "cut", "altered", "moved"])
def test_a_damaged_entry_is_no_entry_and_is_counted(tmp_path: Path, damage: bytes | str):
    cache = kept(tmp_path)
    cache.put(KEY, None, {"row": {"score": 5.0}})
    [path] = (tmp_path / "cache" / "builtin").glob("*/*")
    whole = path.read_bytes()
    ways = {"cut": whole[:-9], "altered": whole.replace(b"5.0", b"9.0")}
    other = KEY.replace("ab0", "ab1")
    if damage == "moved":
        path.rename(path.with_name(path.name.replace("ab0", "ab1")))
    else:
        path.write_bytes(damage if isinstance(damage, bytes) else ways[damage])
    assert cache.get(other if damage == "moved" else KEY, None) is None
    assert cache.counted[CORRUPT] == 1
    cache.put(KEY, None, {"row": {"score": 6.0}})
    assert cache.get(KEY, None) == {"row": {"score": 6.0}}


def test_over_the_limit_what_was_used_longest_ago_goes(tmp_path: Path):
    cache = kept(tmp_path, limit=3_000)
    keys = [key_of({"n": n}) for n in range(20)]
    for n, key in enumerate(keys[:4]):
        cache.put(key, None, {"row": "x" * 300})
        [path] = (tmp_path / "cache").glob(f"*/*/{key}*")
        os.utime(path, (n, n))
    assert cache.get(keys[0], None)  # used now: the newest
    for key in keys[4:]:
        cache.put(key, None, {"row": "x" * 300})
    found = stats_of(tmp_path / "cache")
    assert 0 < int(str(found["bytes"])) <= 3_000
    assert cache.counted[EVICTED] > 0
    assert cache.get(keys[1], None) is None
    assert cache.get(keys[-1], None) is not None


def test_a_cache_that_cannot_be_written_costs_nobody_a_run(tmp_path: Path):
    (tmp_path / "cache").write_text("a file in the way", encoding="utf-8")
    cache = kept(tmp_path)
    cache.put(KEY, None, {"row": {}})
    assert cache.get(KEY, None) is None
    cache.close()


def test_clearing_removes_the_caches_own_files_alone(tmp_path: Path):
    cache = kept(tmp_path)
    cache.put(KEY, None, {"row": {}})
    cache.counted["hits"] += 2
    cache.close()
    mine = tmp_path / "cache" / "notes.txt"
    mine.write_text("mine", encoding="utf-8")
    assert stats_of(tmp_path / "cache")["hits"] == 2
    assert clear(tmp_path / "cache")["removed_entries"] == 1
    found = stats_of(tmp_path / "cache")
    assert (found["entries"], found["bytes"], found["hits"]) == (0, 0, 0)
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["notes.txt"]


def test_a_damaged_tally_begins_anew(tmp_path: Path):
    cache = kept(tmp_path)
    cache.put(KEY, None, {"row": {}})
    (tmp_path / "cache" / "tally.json").write_text("[1]", encoding="utf-8")
    cache.counted["hits"] += 1
    cache.close()
    tally = json.loads((tmp_path / "cache" / "tally.json").read_text(encoding="utf-8"))
    assert tally == {"builtin.hits": 1}
