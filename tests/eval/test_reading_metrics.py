"""Floors of the readers on the cases used while building, and the metrics by hand."""

from pathlib import Path

from eval.matches import MatchTally
from eval.matches import measure as measure_matches
from eval.matches import read_cases as match_cases
from eval.postings import measure as measure_postings
from eval.postings import read_cases as posting_cases
from eval.resumes import Tally, compare, key
from tests.domain.shipped import resume_words, skills

CASES = Path(__file__).parents[2] / "eval" / "cases"


def test_ads_are_read_above_the_bar():
    tally = measure_postings(posting_cases(CASES / "postings" / "tuning.yaml"), skills())
    assert tally.true >= 40
    assert tally.f1 >= 0.88
    assert tally.accuracy("kind") >= 0.93


def test_pairs_are_judged_above_the_bar():
    cases = match_cases(CASES / "matches" / "tuning.yaml")
    tally = measure_matches(cases, resume_words(), skills())
    assert len(tally.pairs) >= 20
    assert tally.macro_f1 >= 0.85
    assert tally.evidence_precision >= 0.95


def test_macro_f1_is_the_mean_over_statuses():
    tally = MatchTally(pairs=[("met", "met"), ("met", "gap"), ("gap", "gap"), ("gap", "gap")])
    assert round(tally.macro_f1, 4) == round((2 / 3 + 4 / 5) / 2, 4)


def test_fields_are_compared_without_case_width_and_punctuation():
    assert key("Ｍegatron-LM ") == key("megatron lm")


def test_a_wrong_field_is_counted_and_named():
    tally = Tally()
    truth = {"id": "x", "name": "Ann Bell", "skills": ["CUDA", "NCCL"]}
    compare({"name": "Ann", "skills": ["cuda", "Go"]}, truth, tally)
    assert (tally.right["name"], tally.total["name"]) == (0, 1)
    assert tally.skills_f1 == 0.5
    assert tally.wrong[0].startswith("name: x 'Ann'")
