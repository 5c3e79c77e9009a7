"""Reference vectors: all pass, a wrong one is caught, and nothing passes by being skipped."""

import json
from pathlib import Path

import pytest

from eval.vectors import (
    ALLOWED,
    Outcome,
    Vector,
    check_vector,
    report_json,
    report_lines,
    run_vectors,
)
from service.errors import InputInvalid

FILE = Path(__file__).parents[1] / "domain" / "memory" / "vectors.json"
VECTORS = [Vector.model_validate(item) for item in json.loads(FILE.read_text("utf-8"))]


@pytest.fixture(scope="module")
def report():
    return run_vectors(FILE)


def test_every_formula_agrees_with_its_reference(report):
    assert [c for c in report.checked if c.outcome is Outcome.FAILED] == []
    assert report.count(Outcome.PASSED) == 212
    assert report.count(Outcome.UNSUPPORTED) == 6
    assert report.passed_all


def test_what_is_left_without_an_answer_is_on_the_allow_list(report):
    missing = {c.function for c in report.checked if c.outcome is Outcome.UNSUPPORTED}
    assert missing <= set(ALLOWED)


def test_the_last_line_is_the_sum_and_each_function_has_its_line(report):
    lines = report_lines(report)
    assert lines[0] == "zero_model_state_bytes_per_gpu 41/41"
    assert lines[-1] == "212 passed, 0 failed, 6 unsupported"
    assert report_json(report)["passed"] == 212


def shifted(expected):
    """Every number moved by a third: no tolerance in the file is that wide."""
    if isinstance(expected, dict):
        return {key: shifted(value) for key, value in expected.items()}
    return expected * 1.33 + 1 if isinstance(expected, int | float) else expected


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.id}-{v.function}")
def test_a_shifted_expectation_no_longer_passes(vector):
    moved = vector.model_copy(update={"expected": shifted(vector.expected)})
    assert check_vector(moved, {}).outcome is not Outcome.PASSED


def made(**change):
    base = {
        "id": "x",
        "function": "kv_cache_bytes",
        "inputs": {"layers": 2, "kv_heads": 2, "head_dim": 4},
        "expected": 64,
    }
    return Vector.model_validate({**base, **change})


def test_a_right_vector_passes_and_a_wrong_one_says_what_differs():
    assert check_vector(made(), {}).outcome is Outcome.PASSED
    wrong = check_vector(made(expected=65), {})
    assert (wrong.outcome, wrong.why) == (Outcome.FAILED, "value is 64, expected 65")


def test_an_input_that_changes_nothing_is_not_supported():
    extra = made(inputs={"layers": 2, "kv_heads": 2, "head_dim": 4, "window": 8})
    checked = check_vector(extra, {})
    assert (checked.outcome, checked.is_excused) == (Outcome.UNSUPPORTED, False)
    assert "window" in checked.why


@pytest.mark.parametrize(
    "change",
    [
        {"function": "no_such_thing"},
        {"inputs": {"layers": 2}},
        {"inputs": {"layers": "two", "kv_heads": 2, "head_dim": 4}},
        {"inputs": {"layers": 0, "kv_heads": 2, "head_dim": 4}},
        {"inputs": {"layers": 1.5, "kv_heads": 2, "head_dim": 4}},
    ],
)
def test_what_cannot_be_computed_is_unsupported_and_not_excused(change):
    checked = check_vector(made(**change), {})
    assert (checked.outcome, checked.is_excused) == (Outcome.UNSUPPORTED, False)


def test_a_part_that_was_not_computed_is_a_failure():
    checked = check_vector(made(expected={"bytes": 64}), {})
    assert (checked.outcome, checked.why) == (Outcome.FAILED, "bytes was not computed")


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        ("measured_fsdp_collective_counts", {"mode": "moon", "units": 5, "world_size": 4}),
        ("measured_deepspeed_state_bytes", {"mode": "z9", "psi": 8, "world_size": 4}),
        ("measured_state_bytes_rank0", {"mode": "ddp", "optimizer": "SGD"}),
    ],
)
def test_a_measurement_that_is_no_formula_is_excused_with_its_reason(function, inputs):
    checked = check_vector(made(function=function, inputs=inputs), {})
    assert checked.is_excused
    assert checked.why


@pytest.mark.parametrize(
    ("inputs", "expected", "why"),
    [
        ({"layers": 2, "kv_heads": 2, "head_dim": 4}, True, "no number"),
        ({"layers": 2, "kv_heads": 2, "head_dim": 4}, {}, "nothing expected"),
    ],
)
def test_an_expectation_that_is_no_number_is_a_failure(inputs, expected, why):
    checked = check_vector(made(inputs=inputs).model_copy(update={"expected": expected}), {})
    assert (checked.outcome, why in checked.why) == (Outcome.FAILED, True)


@pytest.mark.parametrize(
    "inputs",
    [
        {"kind": 5, "distributed_optimizer": False},
        {"kind": "fp16p_fp16g", "distributed_optimizer": "yes"},
    ],
)
def test_an_input_of_another_type_is_unsupported(inputs):
    checked = check_vector(made(function="megatron_bytes_per_param", inputs=inputs), {})
    assert checked.outcome is Outcome.UNSUPPORTED


def test_an_empty_file_does_not_count_as_passed(tmp_path):
    file = tmp_path / "none.json"
    file.write_text("[]")
    assert not run_vectors(file, {}).passed_all


@pytest.mark.parametrize("text", ["{}", "[1]", "not json", '[{"id": "a"}]'])
def test_a_file_in_another_form_is_refused(tmp_path, text):
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(InputInvalid, match="no reference vectors"):
        run_vectors(file, {})


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputInvalid, match="cannot be read"):
        run_vectors(tmp_path / "none.json", {})
