"""The table of known models: complete, exact, and refused by line when it is not."""

from pathlib import Path

import pytest

from service.corpus.models import load_models
from service.domain.memory import count_parameters, find_model
from service.errors import KnowledgeInvalid

MODELS_FILE = Path(__file__).parents[2] / "knowledge" / "models.yaml"
ENTRY = """\
- id: tiny
  title: Tiny
  source: invented
  layers: 2
  hidden: 8
  vocab: 16
  heads: 2
  ffn: 16
"""


@pytest.fixture(scope="module")
def models():
    return load_models(MODELS_FILE)


def test_at_least_forty_models_are_known(models):
    assert len(models) >= 40


@pytest.mark.parametrize(
    ("name", "billions", "active"),
    [
        ("llama-3.1-405b", 405.853, 405.853),
        ("deepseek-v3", 671.026, 37.5),
        ("kimi-k2", 1026.408, 32.9),
        ("qwen3-235b-a22b", 235.094, 22.2),
        ("gpt-oss-120b", 116.829, 5.7),
        ("glm-4.5-air", 106.85, 13.4),
    ],
)
def test_large_models_have_their_known_size(models, name, billions, active):
    count = count_parameters(models[name])
    assert count.total / 1e9 == pytest.approx(billions, rel=1e-4)
    assert count.active / 1e9 == pytest.approx(active, rel=0.01)


def test_every_model_is_found_by_its_own_name_and_aliases(models):
    for shape in models.values():
        for name in (shape.id, *shape.aliases):
            assert find_model(models, name.upper()) is shape


def test_a_published_total_that_the_configuration_misses_is_a_fault_with_its_line(tmp_path):
    file = tmp_path / "models.yaml"
    file.write_text(ENTRY + "  published: 5\n", encoding="utf-8")
    with pytest.raises(KnowledgeInvalid) as error:
        load_models(file)
    assert error.value.faults == (
        "models.yaml:9: tiny: the configuration has 1576 parameters, not 5",
    )


def test_a_name_twice_and_an_unknown_key_are_both_reported(tmp_path):
    file = tmp_path / "models.yaml"
    file.write_text(ENTRY + ENTRY + ENTRY.replace("ffn", "fnn"), encoding="utf-8")
    with pytest.raises(KnowledgeInvalid) as error:
        load_models(file)
    text = "\n".join(error.value.faults)
    assert "models.yaml:9: tiny: the name" in text
    assert "fnn" in text


def test_a_configuration_that_cannot_be_built_is_a_fault(tmp_path):
    file = tmp_path / "models.yaml"
    file.write_text(ENTRY.replace("heads: 2", "heads: 3"), encoding="utf-8")
    with pytest.raises(KnowledgeInvalid, match="does not divide"):
        load_models(file)


def test_a_missing_file_is_a_fault(tmp_path):
    with pytest.raises(KnowledgeInvalid, match="cannot be read"):
        load_models(tmp_path / "models.yaml")
