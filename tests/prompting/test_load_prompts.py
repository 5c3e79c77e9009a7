"""A faulty folder of prompts is refused with every fault, by file and line."""

import pytest

from service.domain.language import Lang
from service.domain.tasks import PhraseMove, ReadAnswer
from service.errors import PromptInvalid
from service.prompting.load import load_prompts

HEAD = "---\nname: phrase_move\nversion: 1\nwhy: test\n---\n"
BODY = "{{ answer }}{{ quote }}"


def write(folder, text, name="phrase_move"):
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def faults(folder, tasks=(PhraseMove,)):
    with pytest.raises(PromptInvalid) as caught:
        load_prompts(folder, tasks)
    return list(caught.value.faults)


def test_a_good_file_is_read(tmp_path):
    prompts = load_prompts(write(tmp_path, HEAD + BODY), (PhraseMove,))
    assert prompts.by_name["phrase_move"].head.why == "test"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("hello", "phrase_move.md:1: must open with a line ---"),
        ("---\nname: x\n", "phrase_move.md:2: the front matter is not closed"),
        (HEAD.replace("version: 1", "version: one") + BODY, "phrase_move.md:3: version: "),
        (HEAD.replace("version: 1", "version: 0") + BODY, "phrase_move.md:3: version: "),
        (HEAD.replace("why: test", "model: m") + BODY, "phrase_move.md:4: model: Extra"),
        (
            HEAD.replace("name: phrase_move", "name: other") + BODY,
            "phrase_move.md:2: name: must be",
        ),
        (HEAD.replace("why: test", "why: [") + BODY, "no YAML"),
        (HEAD, "phrase_move.md:5: the body is empty"),
        (HEAD + "\n{% if %}", "phrase_move.md:7: template: "),
        (HEAD + BODY + "\n{{ answr }}", "phrase_move.md:7: answr: phrase_move has no such field"),
        (HEAD + "{{ quote }}", "answer: untrusted, must be printed once"),
        (HEAD + BODY + BODY, "answer: untrusted, must be printed once"),
        (HEAD + "{{ answer|upper }}{{ quote }}", "answer: untrusted, must be printed once"),
        (HEAD + "{% for c in answer %}{{ c }}{% endfor %}{{ quote }}", "answer: untrusted"),
        (HEAD + "{% set a = answer %}{{ a }}{{ quote }}", "answer: untrusted"),
    ],
)
def test_each_fault_is_named_with_its_line(tmp_path, text, fault):
    found = faults(write(tmp_path, text))
    assert any(fault in line for line in found), found


def test_an_unknown_field_of_a_listed_item_is_found(tmp_path):
    head = HEAD.replace("phrase_move", "read_answer")
    body = "{{ question }}{{ answer }}\n{% for p in points %}{{ p.id }}{{ p.weight }}{% endfor %}"
    found = faults(write(tmp_path, head + body, "read_answer"), (ReadAnswer,))
    assert found == ["read_answer.md:7: p.weight: no such field"]


def test_all_faults_of_all_files_come_at_once(tmp_path):
    write(tmp_path, HEAD + "{{ a }}{{ answer }}{{ quote }}\n{{ b }}")
    write(tmp_path, "x", "stray")
    found = faults(tmp_path, (PhraseMove, ReadAnswer))
    assert len(found) == 4
    assert f"{tmp_path.name}/read_answer.md: missing, the task read_answer has no prompt" in found
    assert "stray.md:1: there is no task of this name" in found


def test_a_file_that_is_no_utf8_is_a_fault_too(tmp_path):
    (tmp_path / "phrase_move.md").write_bytes(b"---\n\xff\xfe")
    assert faults(tmp_path) == ["phrase_move.md:1: not UTF-8 (byte 4)"]


def test_a_condition_on_a_strangers_text_is_allowed(tmp_path):
    body = "{% if quote %}{{ quote }}{% endif %}{{ answer }}"
    assert load_prompts(write(tmp_path, HEAD + body), (PhraseMove,)).by_name


def test_an_attribute_that_python_keeps_to_itself_cannot_be_reached(tmp_path):
    prompts = load_prompts(write(tmp_path, HEAD + BODY + "{{ move.__class__ }}"), (PhraseMove,))
    task = PhraseMove(
        lang=Lang.EN, move="ask", question="q", answer="a", quote="q", asks_about="x", variant=0
    )
    with pytest.raises(PromptInvalid, match="cannot be rendered"):
        prompts.render(task, "n")
