"""Recording reads tasks from a file and refuses what is none."""

import json

import pytest

from eval.record_engine import main, read_tasks
from service.errors import InputInvalid

FIELDS = {
    "lang": "en",
    "move": "ask",
    "question": "q",
    "answer": "a",
    "quote": "",
    "asks_about": "x",
    "variant": 0,
}


def test_each_line_is_a_task():
    lines = "\n".join(json.dumps({"task": "phrase_move", "fields": FIELDS}) for _ in range(2))
    tasks = list(read_tasks(lines + "\n\n"))
    assert [task.prompt for task in tasks] == ["phrase_move", "phrase_move"]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"task": "nothing", "fields": {}}',
        '{"task": "phrase_move"}',
        '{"task": "phrase_move", "fields": {"lang": "en"}}',
    ],
)
def test_a_line_that_is_no_task_is_named(line):
    with pytest.raises(InputInvalid, match="Line 2 is no task"):
        list(read_tasks("\n" + line))


def test_the_command_says_how_it_is_used(capsys):
    assert main([]) == 2
    assert "TASKS.jsonl FOLDER" in capsys.readouterr().err
