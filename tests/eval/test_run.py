import json
from pathlib import Path

import pytest

from eval.answers import read_answers
from eval.pace import Pace
from eval.run import HEADER, RESULTS, SUMMARY, Grader, Wanted, run_answers
from service.domain.assertions import Lexicon
from service.domain.claims import KnownModels
from service.domain.knowledge import Knowledge
from service.errors import EngineUnavailable, InputInvalid
from service.flows.reading import Reader
from tests.fakes import FailingEngine, ScriptedEngine, reading
from tests.flows.conftest import FirstFacts, knowledge, lexicon

__all__ = ["knowledge", "lexicon"]

WANTED = Wanted(Pace(1, lambda: 0.0, first_pause=0.0))
WORDS = "Every GPU keeps a full copy of parameters, gradients and optimizer states."


def write(path: Path, *answers: str) -> Path:
    lines = [{"id": f"a{i}", "lang": "en", "answer": a} for i, a in enumerate(answers)]
    path.write_text("\n".join(json.dumps(x) for x in lines), encoding="utf-8")
    return path


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine(
        lambda t: reading(
            ("m1", "met", "Every GPU keeps a full copy"),
            *((p.id, "missed", "") for p in t.points if p.id != "m1"),
        )
    )


def grader(engine: ScriptedEngine | FailingEngine, knowledge: Knowledge, lexicon: Lexicon):
    reader = Reader(engine, FirstFacts(knowledge), knowledge, lexicon, KnownModels({}))
    return Grader(reader, "scripted", knowledge.questions["zero-stages"])


def rows(out: Path) -> list[dict[str, object]]:
    return [json.loads(x) for x in (out / RESULTS).read_text(encoding="utf-8").splitlines()]


async def test_a_run_writes_a_line_per_answer_in_order(
    tmp_path: Path, engine: ScriptedEngine, knowledge: Knowledge, lexicon: Lexicon
):
    answers = read_answers(write(tmp_path / "a.jsonl", WORDS, "", WORDS))
    out = tmp_path / "run"
    report = await run_answers(
        grader(engine, knowledge, lexicon), answers, out, lambda _: None, WANTED
    )
    assert [r["id"] for r in rows(out)] == ["a0", "a1", "a2"]
    assert [r["status"] for r in rows(out)] == ["graded", "not_enough_evidence", "graded"]
    assert rows(out)[0]["score"] == 5.0
    assert (report.graded, report.not_enough_evidence, report.errors) == (2, 1, 0)
    assert json.loads((out / SUMMARY).read_text())["mean_score"] == 5.0


async def test_a_killed_run_goes_on_without_grading_twice_and_ends_with_the_same_bytes(
    tmp_path: Path, engine: ScriptedEngine, knowledge: Knowledge, lexicon: Lexicon
):
    answers = read_answers(write(tmp_path / "a.jsonl", *(f"{WORDS} {i}" for i in range(4))))
    whole = tmp_path / "whole"
    await run_answers(grader(engine, knowledge, lexicon), answers, whole, lambda _: None, WANTED)
    cut = tmp_path / "cut"
    cut.mkdir()
    (cut / HEADER).write_bytes((whole / HEADER).read_bytes())
    lines = (whole / RESULTS).read_text(encoding="utf-8").splitlines()
    (cut / RESULTS).write_text(f"{lines[0]}\n{lines[1]}\n{lines[2][:40]}", encoding="utf-8")
    asked = len(engine.asked)
    await run_answers(grader(engine, knowledge, lexicon), answers, cut, lambda _: None, WANTED)
    assert (cut / RESULTS).read_bytes() == (whole / RESULTS).read_bytes()
    assert len(engine.asked) - asked == 2


async def test_an_engine_that_fails_leaves_an_error_that_the_next_run_mends(
    tmp_path: Path, engine: ScriptedEngine, knowledge: Knowledge, lexicon: Lexicon
):
    answers = read_answers(write(tmp_path / "a.jsonl", WORDS))
    failing = FailingEngine(EngineUnavailable("no model"), engine)
    out = tmp_path / "run"
    first = await run_answers(
        grader(failing, knowledge, lexicon), answers, out, lambda _: None, WANTED
    )
    assert not first.complete
    assert rows(out)[0]["status"] == "error"
    assert rows(out)[0]["score"] is None
    again = await run_answers(
        grader(failing, knowledge, lexicon), answers, out, lambda _: None, WANTED
    )
    assert again.complete
    assert rows(out)[0]["status"] == "graded"


async def test_two_runs_are_not_mixed_in_one_folder(
    tmp_path: Path, engine: ScriptedEngine, knowledge: Knowledge, lexicon: Lexicon
):
    out = tmp_path / "run"
    first = read_answers(write(tmp_path / "a.jsonl", WORDS))
    await run_answers(grader(engine, knowledge, lexicon), first, out, lambda _: None, WANTED)
    other = read_answers(write(tmp_path / "b.jsonl", WORDS + " More."))
    with pytest.raises(InputInvalid, match="answers differ"):
        await run_answers(grader(engine, knowledge, lexicon), other, out, lambda _: None, WANTED)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("not json", "line 1"),
        ('{"id": "a"}', "line 1"),
        ('{"id": "a", "answer": "x"}\n{"id": "a", "answer": "y"}', "twice"),
    ],
)
def test_bad_answer_files_are_refused_with_the_place(tmp_path: Path, text: str, why: str):
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputInvalid, match=why):
        read_answers(path)


def test_a_byte_order_mark_and_other_languages_are_taken(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"id": "a", "lang": "mixed", "answer": "显存"}\n', encoding="utf-8")
    [only] = read_answers(path)
    assert only.reader_lang.value == "zh"
