"""Schemas of configurations are checked data; configurations are recognised or refused."""

from pathlib import Path

import pytest

from service.corpus.configs import load_schemas, read_config
from service.corpus.load import load_knowledge
from service.domain.config_check import Tool
from service.errors import FileTooLarge, FileUnreadable, InputInvalid, KnowledgeInvalid

KNOWLEDGE = Path(__file__).resolve().parents[2] / "knowledge"


@pytest.fixture(scope="session")
def schemas():
    return load_schemas(KNOWLEDGE / "configs")


def test_the_defaults_are_those_of_the_code(schemas):
    schema = schemas[Tool.DEEPSPEED]
    zero = schema.sections["zero_optimization"]
    assert zero.strict
    assert zero.keys["reduce_bucket_size"].default == 500_000_000
    assert zero.keys["stage3_prefetch_bucket_size"].default == 50_000_000
    assert zero.keys["overlap_comm"].default is None
    assert (
        zero.find("param_persistence_threshold") is zero.keys["stage3_param_persistence_threshold"]
    )
    assert schema.sections["fp16"].keys["initial_scale_power"].default == 16


def test_facts_questions_and_beliefs_named_by_a_schema_exist(schemas):
    knowledge = load_knowledge(KNOWLEDGE)
    keys = [k for s in schemas.values() for part in s.sections.values() for k in part.keys.values()]
    assert len(keys) > 200
    for key in keys:
        assert set(key.fact_ids) <= knowledge.facts.keys(), key.name
        assert set(key.asks) <= knowledge.questions.keys() | knowledge.misconceptions.keys(), (
            key.name
        )


def test_every_section_of_a_schema_is_a_dictionary_of_the_one_above(schemas):
    schema = schemas[Tool.DEEPSPEED]
    for path in schema.sections:
        if path:
            key = schema.key(path)
            assert key is not None, path
            assert "dict" in key.types, path


def test_a_faulty_schema_is_refused_with_its_line(tmp_path):
    (tmp_path / "x.yaml").write_text("id: x\ntool: deepspeed\n", encoding="utf-8")
    with pytest.raises(KnowledgeInvalid) as refused:
        load_schemas(tmp_path)
    assert "x.yaml:1" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ('{"zero_optimization": {"stage": 2}}', Tool.DEEPSPEED),
        ('// a comment\n{"train_batch_size": 8}', Tool.DEEPSPEED),
        ("fsdp_config:\n  fsdp_version: 2\n", Tool.FSDP),
        ('{"fsdp": "full_shard", "fsdp_config": {"backward_prefetch": "backward_pre"}}', Tool.FSDP),
        ('{"sharding_strategy": "FULL_SHARD", "use_orig_params": true}', Tool.FSDP),
    ],
)
def test_a_configuration_is_recognised_by_its_keys(schemas, text, tool):
    found = read_config(text, schemas)
    assert found is not None
    assert found.schema.tool is tool


@pytest.mark.parametrize("text", ['{"name": "x"}', "[1, 2]", "just words", "a: b"])
def test_what_is_no_configuration_is_left_alone(schemas, text):
    assert read_config(text, schemas) is None


@pytest.mark.parametrize(
    ("text", "where"),
    [('{"a": 1\n  "b": 2}', "Line 2"), ("{", "Line 1"), ("a: [1\nb: }", "Line 2")],
)
def test_broken_files_say_where(schemas, text, where):
    with pytest.raises(FileUnreadable) as refused:
        read_config(text, schemas)
    assert where in str(refused.value)


def test_a_key_that_stands_twice_is_refused_as_deepspeed_does(schemas):
    with pytest.raises(InputInvalid, match="train_batch_size"):
        read_config('{"train_batch_size": 8, "train_batch_size": 16}', schemas)


@pytest.mark.parametrize("text", ['{"gradient_clipping": NaN}', '{"a": Infinity}'])
def test_numbers_that_are_none_are_refused(schemas, text):
    with pytest.raises(InputInvalid):
        read_config(text, schemas)


def test_deep_and_large_files_are_refused(schemas):
    with pytest.raises(FileUnreadable):
        read_config('{"a":' * 100_000, schemas)
    with pytest.raises(FileTooLarge):
        read_config(" " * 1_000_001, schemas)
