"""Hyphens at line ends: broken words are whole again, compounds stay what they are."""

import pytest

from service.documents.hyphens import Hyphens
from service.documents.text import text_lines

SEEN = Hyphens.of(["an event-driven design with fault-tolerant jobs", "submissions"])


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("top 5% of submis-", "sions)", "top 5% of submissions)"),
        ("language mod-", "eling", "language modeling"),
        ("data require-", "ments by 60%", "data requirements by 60%"),
        ("a state-of-the-", "art result", "a state-of-the-art result"),
        ("ran large-", "scale training", "ran large-scale training"),
        ("a user-", "friendly page", "a user-friendly page"),
        ("an e-", "commerce platform", "an e-commerce platform"),
        ("fault-", "tolerant jobs", "fault-tolerant jobs"),
        ("the GPU-", "side code", "the GPU-side code"),
        ("github.com/ann-", "example", "github.com/ann-example"),
        ("(opti-", "mizer)", "(optimizer)"),
        ("切分opti-", "mizer", "切分optimizer"),
    ],
)
def test_a_line_end_hyphen_goes_with_a_broken_word_only(before: str, after: str, whole: str):
    assert SEEN.glued(before, after) == whole


@pytest.mark.parametrize(("before", "after"), [("2019 -", "now"), ("on 8-", "GPU"), ("a", "b")])
def test_other_line_ends_are_left_alone(before: str, after: str):
    assert SEEN.glued(before, after) is None


def test_a_compound_inside_a_line_is_never_touched():
    lines, _ = text_lines("- a state-of-the-art, self-supervised model\n", markdown=True)
    assert lines[0].text == "a state-of-the-art, self-supervised model"


def test_a_list_item_broken_in_a_text_file_is_mended():
    lines, _ = text_lines("- Sharded the opti-\n  mizer states\n", markdown=True)
    assert [line.text for line in lines] == ["Sharded the optimizer states"]
