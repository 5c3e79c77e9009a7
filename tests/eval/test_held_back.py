"""What was written without sight of the rules shows totals only."""

import pytest

from eval import matches, postings


@pytest.mark.parametrize("split", ["held_back", "written"])
def test_a_held_back_split_never_lists_its_faults(split: str) -> None:
    assert split in postings.HELD_BACK
    assert split in matches.HELD_BACK


def test_every_far_split_but_the_first_is_held_back() -> None:
    assert "far_held_back" in postings.HELD_BACK
    assert "far_first" not in postings.HELD_BACK
