"""The doctor's command: one JSON document, the exit code that scripts wait for, and no key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

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
