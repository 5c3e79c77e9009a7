"""`shardwise memory`: its document, its bars, its advice, and what it refuses."""

import json

import pytest
import typer
from typer.testing import CliRunner

from service.cli.memory import memory
from service.errors import InputInvalid, ModelUnknown

app = typer.Typer()
app.command()(memory)


def run(*words):
    result = CliRunner().invoke(app, [*words, "--lang", "en"], env={"COLUMNS": "200"})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def document(*words):
    return json.loads(run(*words, "--json"))


def test_the_document_of_the_papers_example():
    found = document("--params", "7.5e9", "--scheme", "zero3_paper", "--shards", "64")
    assert found["bytes_per_gpu"] == 1_875_000_000
    assert found["breakdown"] == {
        "parameters": 234_375_000,
        "gradients": 234_375_000,
        "optimizer": 1_406_250_000,
    }
    assert found["formula"] == "16ψ/N"
    assert found["comm_elements_per_step"] == 22_500_000_000
    assert found["comm_elements_per_step_exact"] == 22_148_437_500
    assert found["sources"][0] == "arXiv:1910.02054v3 §5.3, §7.2.2"


def test_a_model_by_name_brings_its_activations():
    found = document("--model", "Llama-3-8B", "--scheme", "ds_zero2_default", "--gpus", "8")
    assert found["params"] == 8_030_261_248
    assert found["shards"] == 8
    assert found["activations_bytes"] > 0


def test_tensor_and_pipeline_parallelism_leave_the_rest_to_data_parallelism():
    found = document(
        "--params", "70B", "--scheme", "megatron_distopt", "--gpus", "1024",
        "--tp", "8", "--pp", "4",
    )  # fmt: skip
    assert found["shards"] == 32
    assert found["bytes_per_gpu"] / 1e9 == pytest.approx(13.95, abs=0.01)


def test_offload_shows_what_moves_to_the_host():
    found = document(
        "--params", "7B", "--scheme", "ds_zero2_default", "--shards", "8",
        "--offload", "cpu_optimizer",
    )  # fmt: skip
    assert (found["bytes_per_gpu"], found["host_bytes_per_gpu"]) == (14e9, 12.25e9)


def test_the_bars_stand_one_below_the_other_and_mark_what_is_too_large():
    lines = run("--params", "7.5B", "--shards", "64", "--card", "80GB").splitlines()
    bars = {line.split()[0]: line for line in lines[1:5]}
    assert set(bars) == {"ddp", "zero1_paper", "zero2_paper", "zero3_paper"}
    assert bars["ddp"].endswith("120 GB (111.8 GiB) !")
    assert bars["zero3_paper"].endswith("1.875 GB (1.746 GiB)")
    assert bars["ddp"].count("▒") > bars["zero1_paper"].count("▒")


def test_the_reasoning_stands_below_the_bars():
    text = run("--params", "7.5B", "--shards", "64")
    assert "16×7.5e9/64 = 1.875 GB (1.746 GiB)" in text
    assert "arXiv:1910.02054v3" in text


def test_advice_names_the_scheme_and_why():
    found = document("--model", "llama-3-70b", "--gpus", "64", "--card", "h100", "--advise",
                     "--recompute", "full")  # fmt: skip
    assert found["proposed"]["scheme"] == "ds_zero3_default"
    assert found["defensible"][0]["scheme"] == "fsdp_full_shard"
    assert len(found["options"]) == 9
    text = run("--model", "llama-3-70b", "--gpus", "64", "--card", "h100", "--advise",
               "--recompute", "full")  # fmt: skip
    assert "→ ds_zero3_default" in text


def test_advice_where_nothing_fits_proposes_nothing():
    found = document("--params", "1T", "--gpus", "8", "--card", "80GB", "--advise")
    assert found["proposed"] is None
    assert "nothing fits" in found["why"][0]


def test_the_list_of_schemes_shows_both_formulas():
    lines = run("--scheme", "list").splitlines()
    row = next(line for line in lines if line.startswith("ds_zero2_default"))
    assert row.split()[1:3] == ["2ψ+14ψ/N", "2kψ+ψ"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((), "--params or --model"),
        (("--params", "7B", "--model", "gpt2"), "--params or --model"),
        (("--params", "lots"), "lots"),
        (("--params", "7B", "--scheme", "zero9"), "zero9"),
        (("--params", "7B", "--gpus", "8", "--shards", "4"), "disagree"),
        (("--params", "7B", "--gpus", "9", "--tp", "2"), "cannot be split"),
        (("--params", "7B", "--shards", "-3"), "cannot be split"),
        (("--params", "7B", "--offload", "moon"), "moon"),
        (("--params", "7B", "--recompute", "some"), "recompute"),
        (("--params", "7B", "--advise"), "--card"),
        (("--params", "7B", "--card", "h900"), "h900"),
    ],
)
def test_what_cannot_be_is_refused_by_name(words, named):
    with pytest.raises(InputInvalid, match=named):
        run(*words)


def test_an_unknown_model_names_its_neighbours():
    with pytest.raises(ModelUnknown, match="llama-3-8b"):
        run("--model", "llama-3-9b")


def test_a_hybrid_scheme_shards_inside_a_node_unless_told_otherwise():
    words = ("--params", "7B", "--scheme", "hsdp", "--gpus", "64")
    usual, pairs = document(*words), document(*words, "--replicas", "2")
    assert (usual["shards"], pairs["shards"]) == (8, 32)
    assert usual["bytes_per_gpu"] == 4 * pairs["bytes_per_gpu"]
    assert usual["comm_elements_per_step"] == pytest.approx(3 * 7e9 + 2 * 7e9 / 8)
    with pytest.raises(InputInvalid, match="do not divide"):
        document(*words, "--replicas", "3")


def test_sequence_parallelism_divides_the_rest_of_the_activations():
    words = ("--model", "llama-3-8b", "--scheme", "zero1_paper", "--gpus", "8", "--tp", "8")
    plain, divided = document(*words), document(*words, "--sequence-parallel")
    assert divided["activations_bytes"] < plain["activations_bytes"]


def test_advice_counts_seconds_at_the_links_given():
    words = ("--model", "llama-3-8b", "--gpus", "16", "--card", "h100", "--advise")
    slow = document(*words, "--net", "12.5GB")["options"][0]["seconds"]
    fast = document(*words, "--net", "50GB")["options"][0]["seconds"]
    assert slow == pytest.approx(4 * fast, rel=1e-3)


def test_a_small_host_leaves_no_offload_that_fits():
    words = ("--model", "llama-3-70b", "--gpus", "8", "--card", "80GB", "--advise",
             "--recompute", "full")  # fmt: skip
    assert document(*words)["proposed"] is not None
    assert document(*words, "--host", "256GB")["proposed"] is None
