"""`shardwise ask`: the form other tools rely on, and an end-to-end answer from the real index."""

import json

import pytest
import typer
from typer.testing import CliRunner

from service.cli.ask import ask, document
from service.domain.knowledge import Fact, HowVerified, Passage
from service.domain.language import Bilingual
from service.errors import InputInvalid, TextEmpty
from service.retrieval.port import Found

FACT = Fact(
    "F015", Bilingual(zh="每卡 2ψ + 14ψ/N", en="2ψ + 14ψ/N"), "a paper", HowVerified.VP, "t"
)


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    made.command()(ask)
    return made


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One data folder: the index is built by the first question only."""
    return {"SHARDWISE_DATA_DIR": str(tmp_path_factory.mktemp("data"))}


def test_a_result_has_the_fields_other_tools_rely_on():
    assert document("1", Found((Passage(FACT, 0.83),), confident=True)) == {
        "id": "1",
        "hits": [
            {
                "fact_id": "F015",
                "score": 0.83,
                "text_en": "2ψ + 14ψ/N",
                "text_zh": "每卡 2ψ + 14ψ/N",
                "source": "a paper",
                "verified": "VP",
            }
        ],
        "confident": True,
    }


@pytest.mark.parametrize("query", [[], ["  "]])
def test_asking_nothing_is_refused(app, query):
    assert isinstance(CliRunner().invoke(app, query).exception, TextEmpty)


def test_a_broken_line_is_refused_before_any_answer(app, tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text('{"id": "1", "query": "x"}\nnot json\n', encoding="utf-8")
    result = CliRunner().invoke(app, ["--jsonl", str(path)])
    assert isinstance(result.exception, InputInvalid)
    assert not result.stdout


def test_a_batch_is_answered_in_order_from_a_fresh_index(app, tmp_path, env):
    path = tmp_path / "queries.jsonl"
    queries = [
        {"id": "a", "query": "ZeRO-3 的通信量是 DDP 的几倍"},
        {"id": 2, "query": "how to cook rice"},
    ]
    path.write_text("\n".join(json.dumps(q) for q in queries), encoding="utf-8")
    result = CliRunner().invoke(app, ["--jsonl", str(path), "-k", "3"], env=env)
    first, second = map(json.loads, result.stdout.splitlines())
    assert (first["id"], second["id"]) == ("a", 2)
    assert first["hits"][0]["fact_id"] == "F033"
    assert (first["confident"], second["confident"]) == (True, False)
    assert len(first["hits"]) == 3


def test_a_person_sees_the_fact_in_the_language_of_the_question(app, env):
    result = CliRunner().invoke(app, ["ZeRO-3 的通信量是 DDP 的几倍", "-k", "1"], env=env)
    assert "F033" in result.stdout
    assert "1.5 倍" in result.stdout
