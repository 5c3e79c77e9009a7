"""No change of a prompt's text or reply form goes without a new version."""

from pathlib import Path
from typing import ClassVar

import pytest

from service.domain.tasks import Phrase, PhraseMove, Strict
from service.errors import PromptInvalid
from service.prompting.load import load_prompts
from service.prompting.lock import (
    LOCK,
    Locked,
    current,
    lock_text,
    main,
    read_lock,
    renew,
    unversioned,
)

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"


@pytest.fixture
def folder(tmp_path):
    """A copy of the real prompts with their lock."""
    for path in PROMPTS.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def edit(folder, old, new):
    path = folder / "phrase_move.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_lock_in_the_repository_is_current(prompts):
    locked = read_lock(PROMPTS)
    assert len(locked) >= 2
    assert locked == current(prompts), "run python -m service.prompting.lock"


def test_a_changed_text_without_a_new_version_is_refused(folder):
    edit(folder, "calm, plain", "calm")
    before = (folder / LOCK).read_text(encoding="utf-8")
    assert renew(folder) == ("phrase_move: text or reply form changed, raise version 1 by one",)
    assert (folder / LOCK).read_text(encoding="utf-8") == before


def test_a_changed_text_with_a_new_version_renews_the_lock(folder):
    edit(folder, "calm, plain", "calm")
    edit(folder, "version: 1", "version: 2")
    assert renew(folder) == ()
    assert read_lock(folder)["phrase_move"].version == 2


def test_a_changed_reply_form_without_a_new_version_is_refused(folder):
    class LongerPhrase(Phrase):
        tone: str

    class OtherMove(PhraseMove):
        reading_type: ClassVar[type[Strict]] = LongerPhrase

    for other in ("read_answer", "word_bullets"):
        (folder / f"{other}.md").unlink()
    now = current(load_prompts(folder, (OtherMove,)))
    assert list(unversioned(read_lock(folder), now)) == [
        "phrase_move: text or reply form changed, raise version 1 by one"
    ]


def test_a_version_never_goes_back():
    was, now = {"p": Locked(3, "aa")}, {"p": Locked(2, "bb")}
    assert list(unversioned(was, now)) == ["p: version 2 is older than the recorded 3"]


def test_the_lock_file_reads_back_as_it_was_written(tmp_path):
    entries = {"a": Locked(1, "0123456789ab"), "b": Locked(7, "ba9876543210")}
    (tmp_path / LOCK).write_text(lock_text(entries), encoding="utf-8")
    assert read_lock(tmp_path) == entries


def test_a_damaged_lock_is_an_error_and_a_missing_one_is_empty(tmp_path):
    assert read_lock(tmp_path) == {}
    (tmp_path / LOCK).write_text("[a]\nversion = ", encoding="utf-8")
    with pytest.raises(PromptInvalid, match="lock of the prompts"):
        read_lock(tmp_path)


def test_the_command_says_what_stands_against_it(folder, capsys):
    assert main([str(folder)]) == 0
    edit(folder, "calm, plain", "calm")
    assert main([str(folder)]) == 1
    assert "raise version 1" in capsys.readouterr().err
    assert main([str(folder / "nowhere")]) == 1
