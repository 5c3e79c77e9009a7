"""Statements that deny a point are read by question, point and language."""

from pathlib import Path
from typing import Final

import pytest

from service.corpus.denials import load_denials
from service.corpus.load import load_knowledge
from service.domain.language import Lang
from service.errors import KnowledgeInvalid

KNOWLEDGE: Final = Path(__file__).parents[2] / "knowledge"


def test_denials_name_questions_and_points_that_exist() -> None:
    questions = load_knowledge(KNOWLEDGE).questions
    named = {(q, p) for q, points in load_denials(KNOWLEDGE).items() for p in points}
    there = {(q.id, p.id) for q in questions.values() for p in q.rubric.points}
    assert len(named) > 100
    assert named - there == set()


def test_a_file_of_another_form_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "denials").mkdir()
    (tmp_path / "denials" / "odd.yaml").write_text("kv-cache: [no, point]\n", encoding="utf-8")
    with pytest.raises(KnowledgeInvalid) as caught:
        load_denials(tmp_path)
    assert "odd.yaml" in str(caught.value.params) + str(caught.value)


def test_a_base_without_denials_has_none(tmp_path: Path) -> None:
    assert load_denials(tmp_path) == {}


def test_both_languages_are_read(tmp_path: Path) -> None:
    (tmp_path / "denials").mkdir()
    text = "kv-cache:\n  grows: {zh: [不会增长], en: [It never grows]}\n"
    (tmp_path / "denials" / "kv.yaml").write_text(text, encoding="utf-8")
    read = load_denials(tmp_path)["kv-cache"]["grows"]
    assert read == {Lang.ZH: ("不会增长",), Lang.EN: ("It never grows",)}
