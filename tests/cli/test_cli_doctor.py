"""The doctor's command: one JSON document, the exit code that scripts wait for, and no key."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KNOWLEDGE = Path(__file__).parents[2] / "knowledge"
COMMAND = Path(sys.executable).parent / "shardwise"
KEY = "sk-canary-of-the-key"


@pytest.fixture
def doctor(tmp_path):
    """Runs the command away from any .env file, with only the settings given."""

    def run(*arguments, **settings):
        return subprocess.run(
            [str(COMMAND), "doctor", *arguments],
            cwd=tmp_path,
            env={"LANG": "C.UTF-8", "OPENAI_API_KEY": KEY, **settings},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def test_without_a_model_all_is_well(doctor):
    done = doctor("--json", "--lang", "en")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["usable"] is True
    assert document["steps"][0]["name"] == "settings"


def test_a_model_that_cannot_be_reached_is_exit_code_four(doctor):
    done = doctor(
        "--json",
        "--lang",
        "en",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        SHARDWISE_MODEL="m",
    )
    assert done.returncode == 4
    last = json.loads(done.stdout)["steps"][-1]
    assert (last["name"], last["state"]) == ("way", "failed")
    assert last["found"] == "Nothing listens on port 9 of 127.0.0.1."
    assert "Start the model server" in last["advice"]
    assert KEY not in done.stdout + done.stderr


def test_people_are_told_in_their_language(doctor):
    done = doctor("--lang", "zh", OPENAI_BASE_URL="localhost", SHARDWISE_MODEL="m")
    assert done.returncode == 4
    assert "OPENAI_BASE_URL" in done.stdout
    assert "http" in done.stdout
    assert any("\u4e00" <= c <= "\u9fff" for c in done.stdout)


def places(done):
    return {step["name"]: step for step in json.loads(done.stdout)["place"]}


def test_the_place_is_looked_at_and_nothing_is_made(doctor, tmp_path):
    data = tmp_path / "data"
    done = doctor("--json", "--lang", "en", SHARDWISE_DATA_DIR=str(data))
    found = places(done)
    assert set(found) == {"knowledge", "prompts", "database", "index"}
    assert found["knowledge"]["state"] == "ok"
    assert "first start makes it" in found["database"]["found"]
    assert found["index"]["state"] == "skipped"
    assert not data.exists()


def test_a_damaged_database_is_named_with_what_to_do(doctor, tmp_path):
    (tmp_path / "shardwise.sqlite").write_bytes(b"not a database at all" * 50)
    done = doctor("--json", "--lang", "en", SHARDWISE_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert json.loads(done.stdout)["usable"] is False
    broken = places(done)["database"]
    assert broken["state"] == "failed"
    assert "put a backup in its place" in broken["found"]


def test_a_database_that_is_away_is_named_without_its_password(doctor):
    url = "postgresql+psycopg://shardwise:hunter2@127.0.0.1:9/shardwise"
    done = doctor("--json", "--lang", "en", SHARDWISE_DATABASE_URL=url)
    assert done.returncode == 2
    away = places(done)["database"]
    assert "127.0.0.1:9" in away["found"]
    assert "hunter2" not in done.stdout + done.stderr


def test_knowledge_that_is_damaged_is_named_with_its_place(doctor, tmp_path):
    folder = tmp_path / "knowledge"
    shutil.copytree(KNOWLEDGE, folder)
    fact = next((folder / "facts").glob("*.yaml"))
    fact.write_text(fact.read_text(encoding="utf-8") + "\n- id: F9999\n", encoding="utf-8")
    done = doctor("--json", "--lang", "en", SHARDWISE_KNOWLEDGE_DIR=str(folder))
    assert done.returncode == 2
    assert fact.name in places(done)["knowledge"]["found"]
