from pathlib import Path

import pytest

from service.corpus.lexicon import load_lexicon
from service.domain.assertions.model import Kind
from service.domain.language import Lang
from service.errors import KnowledgeInvalid

LEXICON = Path(__file__).resolve().parents[2] / "knowledge" / "lexicon"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def faults_of(folder: Path) -> str:
    with pytest.raises(KnowledgeInvalid) as raised:
        load_lexicon(folder)
    return str(raised.value)


def test_the_shipped_lexicon_is_read_whole():
    lexicon = load_lexicon(LEXICON)
    assert lexicon.kind_of("partition") is Kind.RELATION
    assert lexicon.broader["ddp"] == ("ddp", "data_parallel")
    assert "优" in lexicon.characters.values()
    assert all(lexicon.phrasing[move].plain[lang] for move in lexicon.phrasing for lang in Lang)


def test_a_fault_names_file_and_line(tmp_path):
    text = "- id: fine\n  kind: object\n  en: [fine]\n- id: bad\n  kind: animal\n"
    assert f"{tmp_path.name}/a.yaml:5" in faults_of(written(tmp_path, a=text))


def test_all_faults_come_at_once(tmp_path):
    text = "- id: one\n  kind: object\n  colour: red\n- id: Two\n  kind: object\n"
    said = faults_of(written(tmp_path, a=text))
    assert "a.yaml:3" in said
    assert "a.yaml:4" in said


def test_a_concept_has_one_kind(tmp_path):
    one = "- {id: thing, kind: object, en: [thing]}\n"
    two = "- {id: thing, kind: relation, en: [thing]}\n"
    assert "thing is relation here and object at" in faults_of(written(tmp_path, a=one, b=two))


def test_unknown_broader_concepts_and_parts_are_refused(tmp_path):
    loose = "- {id: thing, kind: object, is: [ghost], en: [thing]}\n"
    assert "ghost" in faults_of(written(tmp_path, a=loose))


def test_an_empty_folder_is_a_fault(tmp_path):
    assert "no lexicon files" in faults_of(tmp_path)
